#if !ONLY_WITHOUT_LIBCURL || !LIBCURL
  internal import Foundation
  internal import ServerAPI

  /// How a body gets into the session.
  ///
  /// Bytes are passed as they are, and a whole file by its address. A larger body of several parts with files is first
  /// written to one temporary file, as a session knows no other way to send it with its length: a stream is sent in
  /// chunks, which many servers reject for uploads, and Foundation on Linux has no pair of bound streams.
  enum SessionUpload: Sendable {
    case bytes(Data)
    case file(URL)
    /// Removed when the exchange has ended.
    case temporary(TemporaryFile)

    /// The length up to which files are read into memory.
    static let memoryLimit = 1 << 20

    /// Prepares a body. The work is done on another thread than the caller's, since it waits for the disk.
    @concurrent
    static func prepare(_ body: RequestBody) async throws(RequestError) -> SessionUpload {
      if body.pieces.count == 1, case .file(let path, let length) = body.pieces[0], length > memoryLimit,
        try self.length(of: path) == length
      {
        return .file(URL(filePath: path))
      }
      if body.length <= memoryLimit || !body.readsFiles { return .bytes(Data(try body.bytes())) }
      return .temporary(try TemporaryFile(body))
    }

    private static func length(of path: String) throws(RequestError) -> Int {
      guard case .file(_, let length) = try RequestBody.file(path: path).pieces[0] else { return 0 }
      return length
    }
  }

  /// A file that is removed with this object.
  final class TemporaryFile: Sendable {
    let url: URL

    /// Writes a body to a new file that only this user can read.
    init(_ body: RequestBody) throws(RequestError) {
      url = FileManager.default.temporaryDirectory.appending(path: "quire-upload-\(UUID().uuidString)")
      let path = url.path(percentEncoded: false)
      guard
        FileManager.default.createFile(
          atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]),
        let file = try? FileHandle(forWritingTo: url)
      else { throw Self.failure("no temporary file can be created") }
      defer { try? file.close() }
      var reader = RequestBody.Reader(body)
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
      defer { buffer.deallocate() }
      while true {
        if Task.isCancelled { throw RequestError(.cancelled(.byCaller)) }
        let count = try reader.read(into: buffer)
        if count == 0 { return }
        do { try file.write(contentsOf: UnsafeRawBufferPointer(rebasing: buffer[..<count])) } catch {
          throw Self.failure("the temporary file for it can't be written: \(error.localizedDescription)")
        }
      }
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    private static func failure(_ problem: String) -> RequestError {
      RequestError(.invalidRequest(.init(.body, problem)))
    }
  }
#endif

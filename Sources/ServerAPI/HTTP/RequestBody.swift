internal import Support

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
/// The body of a request.
///
/// A body is a list of pieces, in memory or in files. Files are read during the upload, so a large upload
/// needs no memory, and every body can be sent again from its start.
public struct RequestBody: Hashable, Sendable {
  /// A part of the bytes of a body.
  package enum Piece: Hashable, Sendable {
    /// Bytes in memory.
    case bytes([UInt8])
    /// The first `length` bytes of a file.
    case file(path: String, length: Int)
  }

  /// The pieces in order.
  package var pieces: [Piece]
  /// The value of `Content-Type`, unless the call sets one.
  public var contentType: String?

  /// Creates a body from pieces.
  package init(pieces: [Piece], contentType: String?) {
    self.pieces = pieces
    self.contentType = contentType
  }

  /// The number of bytes to send.
  public var length: Int {
    pieces.reduce(0) { sum, piece in
      let (next, overflows) =
        switch piece {
        case .bytes(let bytes): sum.addingReportingOverflow(bytes.count)
        case .file(_, let length): sum.addingReportingOverflow(max(0, length))
        }
      return overflows ? .max : next
    }
  }

  /// Whether a part of it is in a file.
  package var readsFiles: Bool {
    pieces.contains { if case .file = $0 { true } else { false } }
  }

  /// Creates a body of bytes with any media type: protobuf, an image, a compressed document.
  public static func bytes(
    _ bytes: some Sequence<UInt8>, contentType: String = "application/octet-stream"
  ) -> RequestBody {
    RequestBody(pieces: [.bytes(Array(bytes))], contentType: contentType)
  }

  /// Creates a body of plain text in UTF-8.
  public static func text(_ text: String) -> RequestBody {
    bytes(text.utf8, contentType: "text/plain; charset=utf-8")
  }
}

extension RequestBody {
  /// Creates a form, `application/x-www-form-urlencoded`, by the rules of WHATWG: a space becomes `+`.
  public static func form(_ params: Params, arrayEncoding: Params.ArrayEncoding = .repeated)
    -> RequestBody
  {
    bytes(params.form(arrayEncoding), contentType: formType)
  }

  private static let formType = "application/x-www-form-urlencoded"

  /// Whether the media type of the body is that of a form.
  package var isForm: Bool {
    guard let contentType else { return false }
    let type = contentType.utf8.prefix { $0 != 0x3B }.filter { !$0.isBlank }
    return String(decoding: type, as: UTF8.self).equalsIgnoringCase(Self.formType)
  }

  /// Returns the bytes of a form with a field replaced in place or appended; `nil` removes it. The other fields
  /// stay as they are encoded.
  package static func setting(_ name: String, to value: String?, in form: [UInt8]) -> [UInt8] {
    var field: [UInt8] = []
    if let value {
      Params.Item(name: name, value: .one(.text(value))).append(to: &field, .repeated, .form)
    }
    var fields: [[UInt8]] = []
    for part in form.split(separator: 0x26) {
      let known = Substring(decoding: part.prefix { $0 != 0x3D }, as: UTF8.self)
      guard PercentEncoding.decodeComponent(known) == name else {
        fields.append(Array(part))
        continue
      }
      if !field.isEmpty { fields.append(field) }
      field = []
    }
    if !field.isEmpty { fields.append(field) }
    return Array(fields.joined(separator: [0x26]))
  }
}

extension RequestBody {
  /// Creates a JSON body. Pass your own encoder for other key names, dates or sorting.
  public static func json(
    _ value: some Encodable, encoder: JSONEncoder = JSONEncoder()
  ) throws(RequestError) -> RequestBody {
    do {
      return bytes(try encoder.encode(value), contentType: "application/json")
    } catch {
      throw WebURL.defect(.body, "\(type(of: value)) can't be encoded as JSON: \(error)")
    }
  }
}

extension RequestBody {
  /// Creates a body from a file, which is read during the upload. Its length is read now; sending fails if
  /// the file has become shorter by then.
  public static func file(
    path: String, contentType: String = "application/octet-stream"
  ) throws(RequestError) -> RequestBody {
    RequestBody(pieces: [try filePiece(path)], contentType: contentType)
  }

  static func filePiece(_ path: String) throws(RequestError) -> Piece {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw unreadable(path, "invalid path") }
    var info = stat()
    guard stat(path, &info) == 0 else { throw unreadable(path, reason(errno)) }
    guard info.st_mode & S_IFMT == S_IFREG else { throw unreadable(path, "not a regular file") }
    return .file(path: path, length: Int(info.st_size))
  }

  static func unreadable(_ path: String, _ reason: String) -> RequestError {
    WebURL.defect(.body, "the file \(path) can't be read: \(reason)")
  }

  static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}

extension RequestBody {
  /// Reads a body piece by piece, for a transport. Has at most one file open, and closes it at the end of
  /// the piece, on rewinding, and when it is destroyed.
  public struct Reader: ~Copyable {
    private let pieces: [Piece]
    private var index = 0
    private var offset = 0
    private var descriptor: Int32 = -1

    /// Starts at the first byte.
    public init(_ body: RequestBody) { pieces = body.pieces }

    deinit {
      if descriptor >= 0 { close(descriptor) }
    }

    /// Fills `buffer` from the current piece and returns the number of bytes; `0` means the end of the body,
    /// or an empty buffer.
    ///
    /// Throws if a file is missing or has become shorter.
    public mutating func read(
      into buffer: UnsafeMutableRawBufferPointer
    ) throws(RequestError) -> Int {
      while index < pieces.count, !buffer.isEmpty {
        let count: Int
        switch pieces[index] {
        case .bytes(let bytes):
          count = min(buffer.count, bytes.count - offset)
          bytes.withUnsafeBytes {
            buffer.copyMemory(from: .init(rebasing: $0[offset..<offset + count]))
          }
        case .file(let path, let length):
          count = try readFile(path, min(buffer.count, max(0, length - offset)), buffer)
        }
        if count > 0 {
          offset += count
          return count
        }
        closePiece()
        index += 1
      }
      return 0
    }

    /// Goes back to the first byte, for a retry.
    package mutating func rewind() {
      closePiece()
      index = 0
    }

    private mutating func closePiece() {
      if descriptor >= 0 { close(descriptor) }
      descriptor = -1
      offset = 0
    }

    private mutating func readFile(
      _ path: String, _ wanted: Int, _ buffer: UnsafeMutableRawBufferPointer
    ) throws(RequestError) -> Int {
      guard wanted > 0 else { return 0 }
      if descriptor < 0 {
        // Without blocking: the path may be a pipe by now.
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw RequestBody.unreadable(path, RequestBody.reason(errno)) }
      }
      while true {
        let count = readBytes(descriptor, buffer.baseAddress, wanted)
        if count > 0 { return count }
        if count == 0 {
          throw RequestBody.unreadable(path, "it ends at byte \(offset), shorter than before")
        }
        guard errno == EINTR else { throw RequestBody.unreadable(path, RequestBody.reason(errno)) }
      }
    }
  }

  /// Returns the whole body, for tests and for transports that can't stream.
  public func bytes() throws(RequestError) -> [UInt8] {
    var reader = Reader(self)
    var result: [UInt8] = []
    result.reserveCapacity(min(length, 64 << 20))
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let count = try reader.read(into: buffer)
      if count == 0 { return result }
      result += UnsafeRawBufferPointer(rebasing: buffer[..<count])
    }
  }
}

/// Calls `read` of the system, which the method of the same name would shadow.
private func readBytes(_ descriptor: Int32, _ to: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, to, count)
}

public import ServerAPI

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension RequestBody {
  /// All bytes a server would receive, those of files read from disk.
  ///
  /// Throws when a file can't be read or is shorter than the body says.
  public func collected() throws(RequestError) -> [UInt8] {
    var result: [UInt8] = []
    for piece in pieces {
      switch piece {
      case .bytes(let bytes): result += bytes
      case .file(let path, let length): result += try Self.read(path, length)
      }
    }
    return result
  }

  private static func read(_ path: String, _ length: Int) throws(RequestError) -> [UInt8] {
    guard let file = fopen(path, "rb") else {
      throw RequestError(.invalidRequest(.init(.body, "the file \(path) can't be opened")))
    }
    defer { fclose(file) }
    let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
      count = fread(buffer.baseAddress, 1, length, file)
    }
    guard bytes.count == length else {
      let problem = "the file \(path) has \(bytes.count) bytes, expected \(length)"
      throw RequestError(.invalidRequest(.init(.body, problem)))
    }
    return bytes
  }
}

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension RequestBody {
  /// A file on disk, read while it is sent. Its length is taken now; sending fails when the file has
  /// become shorter by then.
  public static func file(
    path: String, contentType: String = "application/octet-stream"
  ) throws(RequestError) -> RequestBody {
    RequestBody(pieces: [try filePiece(path)], contentType: contentType)
  }

  static func filePiece(_ path: String) throws(RequestError) -> Piece {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw unreadable(path, "not a path") }
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

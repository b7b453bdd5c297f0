#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The body of a request.
///
/// A body is a list of pieces, in memory or in files. Files are read during the upload, so a large upload
/// needs no memory, and every body can be sent again from its start.
public struct RequestBody: Hashable, Sendable {
  /// A part of the bytes of a body.
  public enum Piece: Hashable, Sendable {
    /// Bytes in memory.
    case bytes([UInt8])
    /// The first `length` bytes of a file.
    case file(path: String, length: Int)
  }

  /// The pieces in order.
  public var pieces: [Piece]
  /// The value of `Content-Type`, unless the call sets one.
  public var contentType: String?

  /// Creates a body from pieces.
  public init(pieces: [Piece], contentType: String?) {
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
  /// Creates a form, `application/x-www-form-urlencoded`; a space becomes `%20`.
  public static func form(_ params: Params, arrayEncoding: QueryArrayEncoding = .repeated)
    -> RequestBody
  {
    bytes(params.encoded(arrayEncoding), contentType: "application/x-www-form-urlencoded")
  }

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

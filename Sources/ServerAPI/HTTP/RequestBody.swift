/// What a request carries after its head.
///
/// A body is a list of pieces in memory and files on disk. Files are read while they are sent, so a
/// large upload costs no memory, and every body can be sent again from its start.
public struct RequestBody: Hashable, Sendable {
  /// A run of bytes of the body.
  public enum Piece: Hashable, Sendable {
    /// Bytes in memory.
    case bytes([UInt8])
    /// The first `length` bytes of a file.
    case file(path: String, length: Int)
  }

  /// The pieces in order.
  public var pieces: [Piece]
  /// What goes into `Content-Type`, unless the call sets that itself.
  public var contentType: String?

  /// Makes a body of pieces.
  public init(pieces: [Piece], contentType: String?) {
    self.pieces = pieces
    self.contentType = contentType
  }

  /// How many bytes will be sent.
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

  /// Bytes of any media type: protobuf, images, a compressed document.
  public static func bytes(
    _ bytes: some Sequence<UInt8>, contentType: String = "application/octet-stream"
  ) -> RequestBody {
    RequestBody(pieces: [.bytes(Array(bytes))], contentType: contentType)
  }

  /// Plain text in UTF-8.
  public static func text(_ text: String) -> RequestBody {
    bytes(text.utf8, contentType: "text/plain; charset=utf-8")
  }
}

/// The verb of a request.
///
/// Any token of RFC 9110 is a method. A name that is not a token is refused before any I/O, with an
/// error that names the method as the place.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The name as it is written on the wire; methods are case-sensitive.
  public let rawValue: String

  /// Makes a method of any name; the name is checked when the request is sent.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Reads a representation.
  public static let get = HTTPMethod(rawValue: "GET")
  /// Reads the head of a representation.
  public static let head = HTTPMethod(rawValue: "HEAD")
  /// Hands data to a resource.
  public static let post = HTTPMethod(rawValue: "POST")
  /// Replaces a resource.
  public static let put = HTTPMethod(rawValue: "PUT")
  /// Changes part of a resource.
  public static let patch = HTTPMethod(rawValue: "PATCH")
  /// Removes a resource.
  public static let delete = HTTPMethod(rawValue: "DELETE")
  /// Asks what a resource can do.
  public static let options = HTTPMethod(rawValue: "OPTIONS")
  /// Reads with a body: safe and idempotent like ``get``.
  public static let query = HTTPMethod(rawValue: "QUERY")

  /// Whether the method only reads.
  public var isSafe: Bool {
    switch self {
    case .get, .head, .options, .query: true
    default: false
    }
  }

  /// Whether sending the request twice leaves the server as sending it once does.
  public var isIdempotent: Bool { isSafe || self == .put || self == .delete }

  /// The name.
  public var description: String { rawValue }
}

/// The method of a request.
///
/// Any token of RFC 9110 is a method. A name that is not a token is rejected before any I/O, with a defect
/// at ``RequestError/Defect/Place/method``.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The name on the wire; methods are case-sensitive.
  public let rawValue: String

  /// Creates a method with any name; the name is checked when the request is sent.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Reads a representation.
  public static let get = HTTPMethod(rawValue: "GET")
  /// Reads the head of a representation.
  public static let head = HTTPMethod(rawValue: "HEAD")
  /// Submits data to a resource.
  public static let post = HTTPMethod(rawValue: "POST")
  /// Replaces a resource.
  public static let put = HTTPMethod(rawValue: "PUT")
  /// Changes part of a resource.
  public static let patch = HTTPMethod(rawValue: "PATCH")
  /// Removes a resource.
  public static let delete = HTTPMethod(rawValue: "DELETE")
  /// Reads which methods a resource supports.
  public static let options = HTTPMethod(rawValue: "OPTIONS")
  /// Reads, with a body in the request: safe and idempotent like ``get``.
  public static let query = HTTPMethod(rawValue: "QUERY")

  /// Whether the method only reads: `GET`, `HEAD`, `OPTIONS`, `TRACE` and `QUERY`. An unknown method may change
  /// the resource.
  public var isSafe: Bool {
    switch rawValue {
    case "GET", "HEAD", "OPTIONS", "TRACE", "QUERY": true
    default: false
    }
  }

  /// Whether sending the request twice has the same effect as sending it once.
  public var isIdempotent: Bool { isSafe || self == .put || self == .delete }

  /// The name.
  public var description: String { rawValue }
}

/// Recorded exchanges with a server, with secrets masked, that can be replayed.
///
/// A cassette is a JSON file that people can read and edit:
///
/// ```json
/// { "format": "quire-cassette", "version": 1,
///   "exchanges": [
///     { "request":  { "method": "GET", "url": "https://api.example.com/books?page=1",
///                     "headers": [["Accept", "application/json"]] },
///       "response": { "status": 200, "headers": [["Content-Type", "application/json"]],
///                     "body": { "text": "[]" } } } ] }
/// ```
///
/// A body is `text` if it is UTF-8 and `base64` otherwise; an empty one is left out. The body of a response is
/// the decoded one. ``RecordingTransport`` writes cassettes, ``ReplayTransport`` plays them.
public struct Cassette: Hashable, Sendable {
  /// A request and its response, in the order in which the requests were sent.
  public struct Exchange: Hashable, Sendable, Codable {
    /// The request.
    public var request: Request
    /// The response.
    public var response: Response
  }

  /// A recorded request, with secrets masked.
  public struct Request: Hashable, Sendable, Codable {
    /// The method.
    public var method: String
    /// The URL.
    public var url: String
    /// The header fields, each a pair of name and value.
    public var headers: [[String]]
    /// The body, if any.
    public var body: Body?
  }

  /// A recorded response, with secrets masked.
  public struct Response: Hashable, Sendable, Codable {
    /// The status code.
    public var status: Int
    /// The header fields, each a pair of name and value.
    public var headers: [[String]]
    /// The decoded body, if any.
    public var body: Body?
  }

  /// A body as it is stored in JSON.
  public enum Body: Hashable, Sendable {
    /// UTF-8.
    case text(String)
    /// Anything else.
    case base64(String)
  }

  /// The recorded exchanges.
  public var exchanges: [Exchange]

  /// Creates a cassette with exchanges.
  public init(_ exchanges: [Exchange] = []) { self.exchanges = exchanges }
}

extension Cassette.Body: Codable {
  private enum Key: String, CodingKey { case text, base64 }

  /// Reads `{"text": …}` or `{"base64": …}`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    if let text = try container.decodeIfPresent(String.self, forKey: .text) {
      self = .text(text)
    } else {
      self = .base64(try container.decode(String.self, forKey: .base64))
    }
  }

  /// Writes `{"text": …}` or `{"base64": …}`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .text(let text): try container.encode(text, forKey: .text)
    case .base64(let text): try container.encode(text, forKey: .base64)
    }
  }
}

/// Exchanges with a server that were written down, secrets masked, to be played again.
///
/// A cassette is a JSON file, meant to be read and edited by people:
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
/// A body is `text` where it is UTF-8 and `base64` where it is not; an empty one is left out. The
/// body of an answer is the decoded one. ``RecordingTransport`` writes cassettes,
/// ``ReplayTransport`` plays them.
public struct Cassette: Hashable, Sendable {
  /// A request and its answer, in the order in which the requests were made.
  public struct Exchange: Hashable, Sendable, Codable {
    /// What was asked.
    public var request: Request
    /// What came back.
    public var response: Response
  }

  /// What was asked, secrets masked.
  public struct Request: Hashable, Sendable, Codable {
    /// The verb.
    public var method: String
    /// The address.
    public var url: String
    /// The fields, each a pair of name and value.
    public var headers: [[String]]
    /// What was sent, if anything.
    public var body: Body?
  }

  /// What came back, secrets masked.
  public struct Response: Hashable, Sendable, Codable {
    /// The status code.
    public var status: Int
    /// The fields, each a pair of name and value.
    public var headers: [[String]]
    /// The decoded body, if any.
    public var body: Body?
  }

  /// Bytes in a form that stands in JSON.
  public enum Body: Hashable, Sendable {
    /// UTF-8.
    case text(String)
    /// Anything else.
    case base64(String)
  }

  /// What was recorded.
  public var exchanges: [Exchange]

  /// Makes a cassette of exchanges.
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

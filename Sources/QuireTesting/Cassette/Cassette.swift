public import ServerAPI

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

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

extension Cassette {
  private struct File: Codable {
    var format: String
    var version: Int
    var exchanges: [Exchange]
  }

  private static let format = "quire-cassette"

  /// Reads a cassette. An error names the file and the place and cause of the problem.
  public init(path: String) throws(RequestError) {
    guard FileManager.default.fileExists(atPath: path) else {
      throw Self.unusable(path, "no such file; record one with RecordingTransport")
    }
    let file: File
    do {
      file = try JSONDecoder().decode(File.self, from: Data(contentsOf: URL(filePath: path)))
    } catch let error as DecodingError {
      throw Self.unusable(path, Self.describe(error))
    } catch {
      throw Self.unusable(path, "can't read it: \(error)")
    }
    guard file.format == Self.format, file.version == 1 else {
      let found = "“\(file.format)” version \(file.version)"
      throw Self.unusable(path, "it is \(found), expected “\(Self.format)” version 1")
    }
    for (index, exchange) in file.exchanges.enumerated() {
      if let problem = exchange.problem {
        throw Self.unusable(path, "exchanges[\(index)].\(problem)")
      }
    }
    exchanges = file.exchanges
  }

  /// Writes the cassette atomically: a reader gets either the old file or the new one.
  public func write(to path: String) throws(RequestError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      let file = File(format: Self.format, version: 1, exchanges: exchanges)
      let data = try encoder.encode(file) + Data("\n".utf8)
      try data.write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw Self.unusable(path, "can't write it: \(error)")
    }
  }

  private static func unusable(_ path: String, _ problem: String) -> RequestError {
    RequestError(.unusable("the cassette \(path): \(problem)"))
  }

  private static func describe(_ error: DecodingError) -> String {
    switch error {
    case .keyNotFound(let key, let context):
      "“\(key.stringValue)” is missing at \(place(context))"
    case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
      "\(place(context)) is not a \(type)"
    case .dataCorrupted(let context):
      "invalid JSON at \(place(context)): \(context.debugDescription)"
    @unknown default:
      "\(error)"
    }
  }

  private static func place(_ context: DecodingError.Context) -> String {
    let path = context.codingPath.reduce(into: "") { text, key in
      text += key.intValue.map { "[\($0)]" } ?? (text.isEmpty ? "" : ".") + key.stringValue
    }
    return path.isEmpty ? "the top" : path
  }
}

extension Cassette.Exchange {
  /// A problem that decoding doesn't find, for example in a file that was edited by hand.
  fileprivate var problem: String? {
    if !(100...999).contains(response.status) {
      return "response.status is \(response.status), expected 100 … 999"
    }
    for (name, headers) in [("request", request.headers), ("response", response.headers)] {
      if let index = headers.firstIndex(where: { $0.count != 2 }) {
        return "\(name).headers[\(index)] is not a pair of name and value"
      }
    }
    for (name, body) in [("request", request.body), ("response", response.body)] {
      if let body, body.bytes == nil { return "\(name).body.base64 is not base64" }
    }
    return nil
  }
}

extension Cassette.Body {
  /// Creates the body of these bytes; `nil` if there are none.
  init?(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return nil }
    if let text = String(validating: bytes, as: UTF8.self) {
      self = .text(text)
    } else {
      self = .base64(Data(bytes).base64EncodedString())
    }
  }

  /// The bytes; `nil` if the base64 is invalid.
  var bytes: [UInt8]? {
    switch self {
    case .text(let text): Array(text.utf8)
    case .base64(let text): Data(base64Encoded: text).map { Array($0) }
    }
  }
}

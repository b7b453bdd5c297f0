public import ServerAPI

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// What a ``MockTransport`` answers to one request: a plain value, made by one of the short forms
/// and refined by chaining.
///
/// ```swift
/// .json(#"{"items": []}"#)
/// .text("slow down", status: 429).headers(["Retry-After": "3"])
/// .json(book).delayed(by: .seconds(2))
/// .failure(.connectRefused)
/// .bytes(image).held(by: gate, afterBytes: 1_000)
/// ```
public struct MockResponse: Sendable {
  /// The status of the answer.
  public var status: Int
  /// The fields of the answer.
  public var headers: HTTPHeaders
  /// The body as the caller reads it, decoded.
  public var body: ResponseBody
  /// How many bytes the body would have taken on the wire; `nil` means as many as it has. Set it to
  /// play a compressed body.
  public var wireBytes: Int?

  /// Something that stands between two bytes of the answer.
  enum Obstacle: Sendable {
    case gate(Gate)
    case delay(Duration)
    case failure(RequestError.Kind)
  }

  /// Obstacles and the number of body bytes that come before each; those at 0 come before the head.
  var obstacles: [(offset: Int, what: Obstacle)] = []

  /// Makes an answer of its parts.
  public init(status: Int = 200, headers: HTTPHeaders = [:], body: ResponseBody = ResponseBody()) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

extension MockResponse {
  /// JSON as it stands in `text`.
  public static func json(_ text: String, status: Int = 200) -> MockResponse {
    MockResponse(
      status: status, headers: ["Content-Type": "application/json"], body: ResponseBody(text: text))
  }

  /// JSON of any encodable value. One that can't be encoded answers with an error that says why.
  public static func json(_ value: some Encodable, status: Int = 200) -> MockResponse {
    do {
      let encoder = JSONEncoder()
      encoder.dateEncodingStrategy = .iso8601
      return MockResponse(
        status: status, headers: ["Content-Type": "application/json"],
        body: ResponseBody(try encoder.encode(value)))
    } catch {
      return .failure(.unusable("the answer, a \(type(of: value)), can't be encoded: \(error)"))
    }
  }

  /// Plain text.
  public static func text(_ text: String, status: Int = 200) -> MockResponse {
    MockResponse(
      status: status, headers: ["Content-Type": "text/plain; charset=utf-8"],
      body: ResponseBody(text: text))
  }

  /// Bytes of any media type.
  public static func bytes(
    _ bytes: some Collection<UInt8>, type: String = "application/octet-stream"
  ) -> MockResponse {
    MockResponse(headers: ["Content-Type": type], body: ResponseBody(bytes))
  }

  /// A status without a body.
  public static func status(_ status: Int) -> MockResponse { MockResponse(status: status) }

  /// A redirect; `location` stands in the answer as it is given.
  public static func redirect(to location: String, status: Int = 302) -> MockResponse {
    MockResponse(status: status, headers: ["Location": location])
  }

  /// No answer but an error.
  public static func failure(_ kind: RequestError.Kind) -> MockResponse {
    MockResponse().failing(kind)
  }
}

extension MockResponse {
  /// The answer with these fields set.
  public func headers(_ headers: HTTPHeaders) -> MockResponse {
    var changed = self
    changed.headers.merge(headers)
    return changed
  }

  /// The answer, kept back by a gate: all of it, or what follows that many bytes of the body.
  public func held(by gate: Gate, afterBytes offset: Int = 0) -> MockResponse {
    adding(.gate(gate), at: offset)
  }

  /// The answer, coming later by the clock of the transport: all of it, or what follows that many
  /// bytes of the body.
  public func delayed(by duration: Duration, afterBytes offset: Int = 0) -> MockResponse {
    adding(.delay(duration), at: offset)
  }

  /// The answer, ended by an error at once or after that many bytes of the body.
  public func failing(_ kind: RequestError.Kind, afterBytes offset: Int = 0) -> MockResponse {
    adding(.failure(kind), at: offset)
  }

  /// The answer, cut off by the end of the connection after that many bytes of the body.
  public func cut(afterBytes offset: Int) -> MockResponse {
    failing(.connectionLost(bytesReceived: offset, reused: false), afterBytes: offset)
  }

  private func adding(_ obstacle: Obstacle, at offset: Int) -> MockResponse {
    var changed = self
    changed.obstacles.append((offset, obstacle))
    return changed
  }
}

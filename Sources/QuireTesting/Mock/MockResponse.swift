public import ServerAPI

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The response of a ``MockTransport`` to one request: a plain value, created by one of the factory methods and
/// refined by chaining.
///
/// ```swift
/// .json(#"{"items": []}"#)
/// .text("slow down", status: 429).headers(["Retry-After": "3"])
/// .json(book).delayed(by: .seconds(2))
/// .failure(.connectRefused)
/// .bytes(image).held(by: gate, afterBytes: 1_000)
/// ```
public struct MockResponse: Sendable {
  /// The status code.
  public var status: Int
  /// The header fields.
  public var headers: HTTPHeaders
  /// The decoded body.
  public var body: ResponseBody
  /// The number of bytes of the body on the wire; `nil` if the same as the body. Set it to simulate a
  /// compressed body.
  public var wireBytes: Int?

  /// An obstacle between two bytes of the response.
  enum Obstacle: Sendable {
    case gate(Gate)
    case delay(Duration)
    case failure(RequestError.Kind)
  }

  /// Obstacles, each with the number of body bytes before it; those at 0 come before the head.
  var obstacles: [(offset: Int, what: Obstacle)] = []

  /// Creates a response.
  public init(status: Int = 200, headers: HTTPHeaders = [:], body: ResponseBody = ResponseBody()) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

extension MockResponse {
  /// Creates a response with JSON text.
  public static func json(_ text: String, status: Int = 200) -> MockResponse {
    MockResponse(
      status: status, headers: ["Content-Type": "application/json"], body: ResponseBody(text: text))
  }

  /// Creates a response with the JSON of an encodable value. If encoding fails, the request fails with that
  /// error.
  public static func json(_ value: some Encodable, status: Int = 200) -> MockResponse {
    do {
      let encoder = JSONEncoder()
      encoder.dateEncodingStrategy = .iso8601
      return MockResponse(
        status: status, headers: ["Content-Type": "application/json"],
        body: ResponseBody(try encoder.encode(value)))
    } catch {
      return .failure(.unusable("can't encode the response, a \(type(of: value)): \(error)"))
    }
  }

  /// Creates a response with plain text.
  public static func text(_ text: String, status: Int = 200) -> MockResponse {
    MockResponse(
      status: status, headers: ["Content-Type": "text/plain; charset=utf-8"],
      body: ResponseBody(text: text))
  }

  /// Creates a response with bytes of any media type.
  public static func bytes(
    _ bytes: some Collection<UInt8>, type: String = "application/octet-stream"
  ) -> MockResponse {
    MockResponse(headers: ["Content-Type": type], body: ResponseBody(bytes))
  }

  /// Creates a response with a status and no body.
  public static func status(_ status: Int) -> MockResponse { MockResponse(status: status) }

  /// Creates a redirect; `location` is sent unchanged.
  public static func redirect(to location: String, status: Int = 302) -> MockResponse {
    MockResponse(status: status, headers: ["Location": location])
  }

  /// Creates an error instead of a response.
  public static func failure(_ kind: RequestError.Kind) -> MockResponse {
    MockResponse().failing(kind)
  }
}

extension MockResponse {
  /// Returns the response with these header fields set.
  public func headers(_ headers: HTTPHeaders) -> MockResponse {
    var changed = self
    changed.headers.merge(headers)
    return changed
  }

  /// Returns the response held by a gate: all of it, or the part after the given number of body bytes.
  public func held(by gate: Gate, afterBytes offset: Int = 0) -> MockResponse {
    adding(.gate(gate), at: offset)
  }

  /// Returns the response delayed by the transport's clock: all of it, or the part after the given number of
  /// body bytes.
  public func delayed(by duration: Duration, afterBytes offset: Int = 0) -> MockResponse {
    adding(.delay(duration), at: offset)
  }

  /// Returns the response with an error in its place, or after the given number of body bytes.
  public func failing(_ kind: RequestError.Kind, afterBytes offset: Int = 0) -> MockResponse {
    adding(.failure(kind), at: offset)
  }

  /// Returns the response with the connection lost after the given number of body bytes.
  public func cut(afterBytes offset: Int) -> MockResponse {
    failing(.connectionLost(bytesReceived: offset, reused: false), afterBytes: offset)
  }

  private func adding(_ obstacle: Obstacle, at offset: Int) -> MockResponse {
    var changed = self
    changed.obstacles.append((offset, obstacle))
    return changed
  }
}

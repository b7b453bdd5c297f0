#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The response of a server, with any status.
public struct HTTPResponse: Sendable {
  /// The status code, with three digits.
  public var status: Int
  /// The fields of the final head; those of interim heads are in ``interim``.
  public var headers: HTTPHeaders
  /// The decoded body; empty if a ``HTTPRequest/receiver`` received it.
  public var body: ResponseBody
  /// The address of the response, after redirects.
  public var url: WebURL
  /// The source of the response.
  public var source = HTTPResponse.Source.network
  /// Interim responses (1xx) before this one, such as early hints.
  public var interim: [HTTPResponse.Interim] = []
  /// Whether only the end of the connection marks the end of the body, so that it may be truncated.
  package var endsWithConnection = false
  /// The time spent in each phase.
  public var timings: HTTPResponse.Timings
  /// Every exchange of the call, including retries and redirects; the successful one is last.
  public var attempts: [HTTPResponse.Attempt] = []

  /// Creates a response, as a transport or a test does.
  public init(
    status: Int = 200, headers: HTTPHeaders = [:], body: ResponseBody = ResponseBody(),
    url: WebURL, timings: HTTPResponse.Timings = HTTPResponse.Timings()
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.url = url
    self.timings = timings
  }

  /// Whether the status is from 200 to 299.
  public var isSuccess: Bool { (200..<300).contains(status) }
}

extension HTTPResponse {
  /// A response with an informational status (1xx), sent before the final response.
  public struct Interim: Hashable, Sendable {
    /// The status code, from 100 to 199.
    public var status: Int
    /// The header fields.
    public var headers: HTTPHeaders

    /// Creates an interim response.
    public init(status: Int, headers: HTTPHeaders) {
      self.status = status
      self.headers = headers
    }
  }
}

extension HTTPResponse {
  /// The value of `Content-Type`, or `nil` if it is missing or empty.
  package var mediaType: HTTPResponse.MediaType? {
    guard let value = headers["Content-Type"], !value.isEmpty else { return nil }
    return HTTPResponse.MediaType(value)
  }
}

extension HTTPResponse: CustomStringConvertible {
  /// One line without content and fields: `200 from https://host/path, 11 bytes in 2.7 ms`.
  public var description: String {
    "\(status) from \(Redaction.usual.url(url)), \(body) in \(timings.total.text)"
  }
}

extension HTTPResponse {
  /// The source of a response.
  public enum Source: Hashable, Sendable {
    /// The server.
    case network
    /// The cache, after the server confirmed that the stored response is unchanged.
    case validated
    /// The cache alone. `asOf` is when the server last confirmed the response, and `isFresh` whether it
    /// is not yet stale.
    case cache(asOf: Date, isFresh: Bool)
  }
}

extension HTTPResponse.Source {
  /// Whether the response comes from the cache alone.
  public var isCache: Bool { if case .cache = self { true } else { false } }

  /// When the server last confirmed a cached response, in seconds since 1970; `nil` for other sources.
  package var cachedSince: Double? {
    if case .cache(let date, _) = self { date.timeIntervalSince1970 } else { nil }
  }
}

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What a server answered. An error status is an answer too.
public struct HTTPResponse: Sendable {
  /// The status code, of three digits.
  public var status: Int
  /// The fields of the final head; those of interim heads are in ``interim``.
  public var headers: HTTPHeaders
  /// The decoded body; empty when a ``HTTPRequest/BodyReceiver`` took it.
  public var body: ResponseBody
  /// The address that answered, after redirects.
  public var url: WebURL
  /// Where the answer comes from.
  public var source = HTTPResponse.Source.network
  /// Interim answers (1xx) that came before it, such as early hints.
  public var interim: [HTTPResponse.Interim] = []
  /// Whether nothing but the end of the connection said that the body is whole.
  package var endsWithConnection = false
  /// Where the time went.
  public var timings: HTTPResponse.Timings
  /// Every exchange it took to get here: retries and redirects, the successful one last.
  public var attempts: [HTTPResponse.Attempt] = []

  /// Makes an answer, as a transport or a test does.
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

  /// Whether the status is 200 … 299.
  public var isSuccess: Bool { (200..<300).contains(status) }
}

extension HTTPResponse {
  /// What a server said before its answer.
  public struct Interim: Hashable, Sendable {
    /// The status code, 100 … 199.
    public var status: Int
    /// The fields.
    public var headers: HTTPHeaders

    /// Makes an interim answer.
    public init(status: Int, headers: HTTPHeaders) {
      self.status = status
      self.headers = headers
    }
  }
}

extension HTTPResponse {
  /// What `Content-Type` says, or `nil` where it is missing or empty.
  public var mediaType: HTTPResponse.MediaType? {
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
  /// Where an answer comes from.
  public enum Source: Hashable, Sendable {
    /// From the server.
    case network
    /// From the cache, after the server said that nothing has changed.
    case validated
    /// From the cache alone. `asOf` is when the server last vouched for it, and
    /// `isFresh` whether it is still as good as new.
    case cache(asOf: Date, isFresh: Bool)
  }
}

extension HTTPResponse.Source {
  /// Whether the server had no part in it.
  public var isCache: Bool { if case .cache = self { true } else { false } }

  /// When the server last confirmed a cached response, in seconds since 1970; `nil` for others.
  package var cachedSince: Double? {
    if case .cache(let date, _) = self { date.timeIntervalSince1970 } else { nil }
  }
}

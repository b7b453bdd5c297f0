/// What a server answered. An error status is an answer too.
public struct HTTPResponse: Sendable {
  /// The status code, of three digits.
  public var status: Int
  /// The fields of the final head; those of interim heads are in ``interim``.
  public var headers: HTTPHeaders
  /// The decoded body; empty when a ``BodyReceiver`` took it.
  public var body: ResponseBody
  /// The address that answered, after redirects.
  public var url: WebURL
  /// Where the answer comes from.
  public var source = ResponseSource.network
  /// Interim answers (1xx) that came before it, such as early hints.
  public var interim: [InterimAnswer] = []
  /// Whether nothing but the end of the connection said that the body is whole.
  package var endsWithConnection = false
  /// Where the time went.
  public var timings: Timings
  /// Every exchange it took to get here: retries and redirects, the successful one last.
  public var attempts: [Attempt] = []

  /// Makes an answer, as a transport or a test does.
  public init(
    status: Int = 200, headers: HTTPHeaders = [:], body: ResponseBody = ResponseBody(),
    url: WebURL, timings: Timings = Timings()
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

/// What a server said before its answer.
public struct InterimAnswer: Hashable, Sendable {
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

extension HTTPResponse {
  /// What `Content-Type` says, or `nil` where it is missing or empty.
  public var mediaType: MediaType? {
    guard let value = headers["Content-Type"], !value.isEmpty else { return nil }
    return MediaType(value)
  }
}

extension HTTPResponse: CustomStringConvertible {
  /// One line without content and fields: `200 from https://host/path, 11 bytes in 2.7 ms`.
  public var description: String {
    "\(status) from \(Redaction.usual.url(url)), \(body) in \(timings.total.text)"
  }
}

/// Where an answer comes from.
public enum ResponseSource: Hashable, Sendable {
  /// From the server.
  case network
  /// From the cache, after the server said that nothing has changed.
  case validated
  /// From the cache alone. `asOf` is when the server last vouched for it, in seconds since 1970, and
  /// `isFresh` whether it is still as good as new.
  case cache(asOf: Double, isFresh: Bool)
}

extension ResponseSource {
  /// Whether the server had no part in it.
  public var isCache: Bool { if case .cache = self { true } else { false } }
}

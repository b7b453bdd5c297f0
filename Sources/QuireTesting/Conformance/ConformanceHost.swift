public import ServerAPI

/// The server side of a conformance run: sets up the situation that a case needs.
///
/// `LoopbackHost` does so with a real server, ``InMemoryHost`` with a mock. Implement your own only if your
/// transport can use neither.
public protocol ConformanceHost: Sendable {
  /// Sets up a URL that sends this response to every request; throws ``ConformanceUnavailable`` if that isn't
  /// possible.
  func exchange(_ response: ConformanceResponse) async throws -> ConformanceExchange
}

/// An error of a host that can't set up a situation; the case then counts as not applicable.
public struct ConformanceUnavailable: Error, Hashable, Sendable {
  /// The reason.
  public let reason: String

  /// Creates an error with a reason.
  public init(_ reason: String) { self.reason = reason }
}

/// A URL that is ready for requests.
public struct ConformanceExchange: Sendable {
  /// The URL.
  public var url: WebURL
  /// Returns the requests so far, in order of arrival.
  public var requests: @Sendable () throws -> [ConformanceRequest]
  /// Waits until a whole request has arrived.
  public var arrival: @Sendable () async throws -> Void

  /// Creates an exchange. The closures keep the responding server alive.
  public init(
    url: WebURL, requests: @escaping @Sendable () throws -> [ConformanceRequest],
    arrival: @escaping @Sendable () async throws -> Void
  ) {
    self.url = url
    self.requests = requests
    self.arrival = arrival
  }
}

/// A request as received.
public struct ConformanceRequest: Hashable, Sendable {
  /// The method.
  public var method: String
  /// Path and query as sent.
  public var target: String
  /// The header fields in order.
  public var headers: [HTTPHeaders.Field]
  /// The body without its framing.
  public var body: [UInt8]

  /// Creates a request.
  public init(method: String, target: String, headers: [HTTPHeaders.Field], body: [UInt8]) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
  }
}

/// A response that a ``ConformanceHost`` sends, down to the wire.
public struct ConformanceResponse: Hashable, Sendable {
  /// The bytes after the head.
  public enum Body: Hashable, Sendable {
    /// The given bytes.
    case bytes([UInt8])
    /// The target of the request, so that responses can be distinguished.
    case echo
    /// The given number of zeros, compressed about a thousand times with gzip.
    case gzippedZeros(Int)
  }

  /// The delivery of a response.
  public enum Fate: Hashable, Sendable {
    /// It arrives completely.
    case whole
    /// Nothing listens at the URL.
    case refused
    /// The connection ends after that many bytes of a body that was declared as complete.
    case cut(afterBytes: Int)
    /// Nothing is sent, and the connection stays open.
    case silent
    /// Nothing is sent after that many bytes of the body, and the connection stays open.
    case stalled(afterBytes: Int)
  }

  /// The status code.
  public var status: Int
  /// The header fields, without those of framing and coding.
  public var headers: HTTPHeaders
  /// The body.
  public var body: Body
  /// Whether the body is sent in chunks, without a declared length.
  public var isChunked = false
  /// The status codes of interim heads that are sent first.
  public var interim: [Int] = []
  /// The delivery.
  public var fate = Fate.whole

  /// Creates a response that arrives completely.
  public init(status: Int = 200, headers: HTTPHeaders = [:], body: Body = .bytes([])) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

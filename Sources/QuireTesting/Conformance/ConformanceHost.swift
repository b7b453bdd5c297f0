public import ServerAPI

/// The other side of a conformance run: brings about the situation that a case asks for.
///
/// `LoopbackHost` does it with a real server, ``InMemoryHost`` with a mock. Write one only when your
/// transport can reach neither.
public protocol ConformanceHost: Sendable {
  /// Sets up an address that gives this reply to every request; throws
  /// ``ConformanceUnavailable`` where that can't be done.
  func exchange(_ reply: ConformanceResponse) async throws -> ConformanceExchange
}

/// Thrown by a host that can't bring a situation about; the case then counts as not applicable.
public struct ConformanceUnavailable: Error, Hashable, Sendable {
  /// Why not.
  public let reason: String

  /// Gives a reason.
  public init(_ reason: String) { self.reason = reason }
}

/// An address that is ready for requests.
public struct ConformanceExchange: Sendable {
  /// Where it is.
  public var url: WebURL
  /// What has arrived there, in order.
  public var requests: @Sendable () throws -> [ConformanceRequest]
  /// Returns when a request has arrived whole.
  public var arrival: @Sendable () async throws -> Void

  /// Puts an exchange together; the closures keep alive what answers.
  public init(
    url: WebURL, requests: @escaping @Sendable () throws -> [ConformanceRequest],
    arrival: @escaping @Sendable () async throws -> Void
  ) {
    self.url = url
    self.requests = requests
    self.arrival = arrival
  }
}

/// A request as it arrived.
public struct ConformanceRequest: Hashable, Sendable {
  /// The verb.
  public var method: String
  /// Path and query as they were written.
  public var target: String
  /// The fields in order.
  public var headers: [HTTPHeaders.Field]
  /// The body without its framing.
  public var body: [UInt8]

  /// Notes a request.
  public init(method: String, target: String, headers: [HTTPHeaders.Field], body: [UInt8]) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
  }
}

/// What a ``ConformanceHost`` is asked to answer, down to the wire.
public struct ConformanceResponse: Hashable, Sendable {
  /// What follows the head.
  public enum Body: Hashable, Sendable {
    /// These bytes.
    case bytes([UInt8])
    /// The target of the request, so that answers can be told apart.
    case echo
    /// That many zeros, compressed with gzip about a thousand times.
    case gzippedZeros(Int)
  }

  /// What becomes of the reply.
  public enum Fate: Hashable, Sendable {
    /// It arrives.
    case whole
    /// Nothing listens at the address.
    case refused
    /// The connection ends after that many bytes of a body that was announced as whole.
    case cut(afterBytes: Int)
    /// Nothing comes, and the connection stays open.
    case silent
    /// Nothing comes after that many bytes of the body, and the connection stays open.
    case stalled(afterBytes: Int)
  }

  /// The status code.
  public var status: Int
  /// The fields, those of framing and coding left out.
  public var headers: HTTPHeaders
  /// The body.
  public var body: Body
  /// Whether the body travels in chunks, its length unannounced.
  public var isChunked = false
  /// Interim heads that come first.
  public var interim: [Int] = []
  /// What becomes of it.
  public var fate = Fate.whole

  /// Describes a reply that arrives.
  public init(status: Int = 200, headers: HTTPHeaders = [:], body: Body = .bytes([])) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

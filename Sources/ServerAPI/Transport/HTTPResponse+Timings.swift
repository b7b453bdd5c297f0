extension HTTPResponse {
  /// The time spent in each phase of an exchange, on a monotonic clock.
  ///
  /// Available for every outcome, including failures; phases that were not reached are zero. Phases don't
  /// overlap, so their sum is the total, up to rounding.
  public struct Timings: Hashable, Sendable {
    /// Waiting for a free connection, for a paced host, and between retries.
    public var queue: Duration = .zero
    /// Resolving the host name.
    public var dns: Duration = .zero
    /// Connecting.
    public var connect: Duration = .zero
    /// The TLS handshake.
    public var tls: Duration = .zero
    /// Sending the request.
    public var send: Duration = .zero
    /// Waiting for the first byte of the response.
    public var wait: Duration = .zero
    /// Receiving the response.
    public var receive: Duration = .zero
    /// Decoding items. Lists and models add it; in the timings of a plain call it is zero.
    public var decode: Duration = .zero
    /// Joining the rows of a page to a list, on the main actor. Lists add it; elsewhere it is zero.
    public var apply: Duration = .zero
    /// Delivering the outcome to its owner.
    public var deliver: Duration = .zero
    /// From the start of the call to its end.
    public var total: Duration = .zero
    /// Whether the connection was reused.
    public var reused = false
    /// The protocol of the response: `HTTP/1.1`, `HTTP/2`; empty without a response.
    public var httpVersion = ""
    /// Body bytes received on the wire.
    public var wireBytes = 0
    /// Body bytes after decoding.
    public var decodedBytes = 0
    /// Body bytes sent.
    public var sentBytes = 0

    /// Creates timings that are all zero.
    public init() {}
  }
}

extension HTTPResponse.Timings {
  /// Adds the time spent on decoding the response.
  package mutating func addDecoding(_ time: Duration) {
    decode += time
    total += time
  }

  /// Adds the time spent on joining the rows of the response to a list.
  package mutating func addApplying(_ time: Duration) {
    apply += time
    total += time
  }
}

extension HTTPResponse.Timings: CustomStringConvertible {
  /// The phases that are not zero, on one line: `dns 21 µs, connect 276 µs, wait 380 µs, total 1.9 ms`.
  public var description: String {
    let phases = [
      ("queue", queue), ("dns", dns), ("connect", connect), ("tls", tls), ("send", send),
      ("wait", wait), ("receive", receive), ("decode", decode), ("apply", apply),
      ("deliver", deliver), ("total", total),
    ]
    let words = phases.filter { $0.1 > .zero }.map { "\($0.0) \($0.1.text)" }
    return (words + (reused ? ["connection reused"] : [])).joined(separator: ", ")
  }
}

extension HTTPResponse {
  /// An exchange of a call, and why another one followed.
  public struct Attempt: Hashable, Sendable {
    /// How an exchange ended.
    public enum Outcome: Hashable, Sendable {
      /// The server responded with this status.
      case responded(Int)
      /// There was no response.
      case failed(RequestError.Kind)
    }

    /// The address, with the secrets in its query masked.
    public var address: String { masked.description }
    private let masked: MaskedAddress
    package var origin: WebURL.Origin { masked.url.origin }
    /// How the exchange ended.
    public var outcome: Outcome
    /// Why another exchange followed: `redirect to …`, `retry after status 503`; `nil` for the last one.
    public var followedBy: String?
    /// The delay before the next exchange.
    public var delay: Duration
    /// What the cache did and why: `fresh for another 40 s`, `not stored: no-store`; `nil` without a
    /// cache.
    public var cache: String?
    /// The time spent in each phase of this exchange.
    public var timings: HTTPResponse.Timings

    /// Creates an attempt.
    package init(
      address: WebURL, outcome: Outcome, followedBy: String? = nil, delay: Duration = .zero,
      cache: String? = nil, timings: HTTPResponse.Timings = HTTPResponse.Timings()
    ) {
      masked = MaskedAddress(address)
      self.outcome = outcome
      self.followedBy = followedBy
      self.delay = delay
      self.cache = cache
      self.timings = timings
    }
  }
}

extension HTTPResponse {
  /// Where the time of an exchange went, on a monotonic clock.
  ///
  /// Present for every outcome, failures too: phases that were not reached are zero. Phases follow
  /// each other, so their sum is the total up to rounding.
  public struct Timings: Hashable, Sendable {
    /// Waiting for a free connection, for a paced host, and between retries.
    public var queue: Duration = .zero
    /// Resolving the name.
    public var dns: Duration = .zero
    /// Connecting.
    public var connect: Duration = .zero
    /// The TLS handshake.
    public var tls: Duration = .zero
    /// Sending the request.
    public var send: Duration = .zero
    /// Waiting for the first byte of the answer.
    public var wait: Duration = .zero
    /// Receiving the answer.
    public var receive: Duration = .zero
    /// Turning bytes into items. Lists and models add it; in the timings of a bare call it is zero.
    public var decode: Duration = .zero
    /// From the end of the work to the moment its owner was told.
    public var deliver: Duration = .zero
    /// From the call to its end.
    public var total: Duration = .zero
    /// Whether the connection had been used before.
    public var reused = false
    /// The protocol of the answer: `HTTP/1.1`, `HTTP/2`; empty when there was none.
    public var httpVersion = ""
    /// Body bytes received as they travelled.
    public var wireBytes = 0
    /// Body bytes after decoding.
    public var decodedBytes = 0
    /// Body bytes sent.
    public var sentBytes = 0

    /// All zero.
    public init() {}
  }
}

extension HTTPResponse.Timings {
  /// Adds what was done after the response came.
  package mutating func addDecoding(_ time: Duration) {
    decode += time
    total += time
  }
}

extension HTTPResponse.Timings: CustomStringConvertible {
  /// The phases that took time, on one line: `dns 21 µs, connect 276 µs, wait 380 µs, total 1.9 ms`.
  public var description: String {
    let phases = [
      ("queue", queue), ("dns", dns), ("connect", connect), ("tls", tls), ("send", send),
      ("wait", wait), ("receive", receive), ("decode", decode), ("deliver", deliver),
      ("total", total),
    ]
    let words = phases.filter { $0.1 > .zero }.map { "\($0.0) \($0.1.text)" }
    return (words + (reused ? ["connection reused"] : [])).joined(separator: ", ")
  }
}

extension HTTPResponse {
  /// One exchange of a call that may have needed several, and why another followed.
  public struct Attempt: Hashable, Sendable {
    /// How an exchange ended.
    public enum Outcome: Hashable, Sendable {
      /// The server answered with this status.
      case responded(Int)
      /// No answer came.
      case failed(RequestError.Kind)
    }

    /// The address, with secrets in its query masked.
    public var address: String
    /// How it ended.
    public var outcome: Outcome
    /// Why another exchange followed: `redirect to …`, `retry after 503`; `nil` for the last one.
    public var followedBy: String?
    /// How long the next exchange was held back.
    public var delay: Duration
    /// What the cache had to do with it and why: `fresh for another 40 s`, `not stored: no-store`; `nil`
    /// where there is no cache.
    public var cache: String?
    /// Where the time of this exchange went.
    public var timings: HTTPResponse.Timings

    /// Makes an entry of the attempt log.
    public init(
      address: String, outcome: Outcome, followedBy: String? = nil, delay: Duration = .zero,
      cache: String? = nil, timings: HTTPResponse.Timings = HTTPResponse.Timings()
    ) {
      self.address = address
      self.outcome = outcome
      self.followedBy = followedBy
      self.delay = delay
      self.cache = cache
      self.timings = timings
    }
  }
}

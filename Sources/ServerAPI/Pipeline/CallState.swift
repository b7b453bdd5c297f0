internal import Synchronization

/// The state of one call in ``ExchangeLoop``.
struct CallState {
  /// The next request to send.
  private(set) var request: HTTPRequest
  /// The first exchange, if it was already prepared.
  var first: ExchangeLoop.FirstExchange?
  /// Whether the receiver of the body has bytes; `nil` without a receiver.
  let receiverMonitor: ReceiverMonitor?
  var history: RedirectHistory
  var log = AttemptLog()
  private(set) var retries = 0
  /// How long the call has waited because the server asked for it.
  var limitWait = Duration.zero
  /// How long the call has waited for the pace of the program.
  var paceWait = Duration.zero
  private(set) var usedFreshConnection = false
  /// Whether a retry has replaced a damaged response.
  private(set) var hasMended = false
  var replacedCredentials: [Int] = []
  /// Whether the service rejected the user: then no stored response may replace the rejection.
  var isRejected = false
  /// Whether to bypass the stored responses, because the server validated one that is not stored.
  var bypassesStored = false
  var transaction: CacheTransaction?
  /// What the cache did with the exchange.
  var cacheNote: String?

  init(request: HTTPRequest, history: RedirectHistory, first: ExchangeLoop.FirstExchange? = nil) {
    var request = request
    receiverMonitor = ReceiverMonitor.attach(to: &request)
    self.request = request
    self.history = history
    self.first = first
  }

  /// The stored response to use if the server sends no usable one.
  var fallback: HTTPResponse? { isRejected ? nil : transaction?.fallback }

  /// Records that the service rejected the user for good, and removes its stored responses, which would
  /// otherwise be served the next time the server can't be reached.
  mutating func rejectUser() {
    isRejected = true
    transaction?.removeAll()
  }

  /// Sets the request that follows a redirect.
  mutating func follow(_ next: HTTPRequest) {
    request = next
    request.wantsFreshConnection = false
    bypassesStored = false
  }

  /// Sends the next request on a new connection.
  mutating func requireFreshConnection() { request.wantsFreshConnection = true }

  /// Counts a retry by what it costs.
  mutating func retry(withFreshConnection isFresh: Bool, _ cost: RetryDecision.Cost) {
    switch cost {
    case .attempt: retries += 1
    case .nothing: usedFreshConnection = true
    case .wait: break
    }
    hasMended = hasMended || isFresh && cost != .nothing
    request.wantsFreshConnection = isFresh
  }

  /// Records the end of an exchange, and why another one follows, if any.
  mutating func record(
    _ outcome: HTTPResponse.Attempt.Outcome, _ timings: HTTPResponse.Timings,
    followedBy: String? = nil,
    delay: Duration = .zero
  ) {
    log.record(
      outcome, of: request, timings: timings, followedBy: followedBy, delay: delay,
      cache: cacheNote)
  }

  mutating func record(_ response: HTTPResponse, followedBy: String? = nil) {
    record(.responded(response.status), response.timings, followedBy: followedBy)
  }

  /// Adds what the whole call took to its response.
  func complete(_ response: inout HTTPResponse) {
    log.complete(&response.record)
    response.record.limitWait = limitWait
    response.record.paceWait = paceWait
    response.record.retries = retries
    response.record.removeFromCache = transaction?.removal
  }
}

/// Records whether a receiver has got bytes: the request can't be sent again then, since the receiver would
/// get them twice.
final class ReceiverMonitor: Sendable {
  private let flag = Atomic(false)

  /// Whether the receiver has got bytes.
  var hasBytes: Bool { flag.load(ordering: .acquiring) }

  /// Wraps the receiver of `request`; returns `nil` if there is none.
  static func attach(to request: inout HTTPRequest) -> ReceiverMonitor? {
    guard let receiver = request.receiver else { return nil }
    let monitor = ReceiverMonitor()
    request.receiver = { piece in
      if !piece.isEmpty { monitor.flag.store(true, ordering: .releasing) }
      try await receiver(piece)
    }
    return monitor
  }
}

/// Collects the exchanges of one call and their timings.
struct AttemptLog: Sendable {
  private(set) var attempts: [HTTPResponse.Attempt] = []
  private var timings = HTTPResponse.Timings()

  /// Records the end of an exchange, and why another one follows, if any.
  mutating func record(
    _ outcome: HTTPResponse.Attempt.Outcome, of request: HTTPRequest,
    timings exchange: HTTPResponse.Timings,
    followedBy: String? = nil, delay: Duration = .zero, cache: String? = nil
  ) {
    attempts.append(
      HTTPResponse.Attempt(
        address: request.url, outcome: outcome, followedBy: followedBy, delay: delay, cache: cache,
        timings: exchange))
    let waited = timings
    timings = exchange
    timings.queue += waited.queue
    timings.dns += waited.dns
    timings.connect += waited.connect
    timings.tls += waited.tls
    timings.send += waited.send
    timings.wait += waited.wait
    timings.receive += waited.receive
  }

  /// Adds time in which the call had to wait.
  mutating func addWait(_ wait: Duration) { timings.queue += wait }

  /// Adds the log of the whole call to what is known of its response.
  func complete(_ record: inout HTTPResponse.Record) {
    record.attempts = attempts
    record.timings = timings
  }

  /// Returns the error with the log of the whole call.
  func completing(_ error: RequestError, request: HTTPRequest) -> RequestError {
    var error = error
    error.request = request.summary
    error.attempts = attempts
    error.timings = timings
    return error
  }
}

extension HTTPRequest {
  /// `GET https://host/path`, with secrets masked.
  var summary: String { "\(method) \(Redaction.usual.url(url))" }
}

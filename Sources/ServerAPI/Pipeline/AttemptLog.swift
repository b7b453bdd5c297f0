internal import Synchronization

/// Collects what the exchanges of one call did, and where the time went.
struct AttemptLog: Sendable {
  private(set) var attempts: [Attempt] = []
  private var timings = Timings()

  /// Notes the end of one exchange and why another follows, if one does.
  mutating func note(
    _ outcome: Attempt.Outcome, of request: HTTPRequest, timings exchange: Timings,
    followedBy: String? = nil, delay: Duration = .zero, cache: String? = nil
  ) {
    attempts.append(
      Attempt(
        address: Redaction.usual.url(request.url), outcome: outcome, followedBy: followedBy,
        delay: delay, cache: cache, timings: exchange))
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

  /// Notes time in which the call was held back.
  mutating func noteWait(_ wait: Duration) { timings.queue += wait }

  /// Gives a response the log of the whole call.
  func complete(_ response: inout HTTPResponse) {
    response.attempts = attempts
    response.timings = timings
  }

  /// The error with the log of the whole call.
  func completing(_ error: RequestError, request: HTTPRequest) -> RequestError {
    var error = error
    error.request = request.summary
    error.attempts = attempts
    error.timings = timings
    return error
  }
}

extension HTTPRequest {
  /// `GET https://host/path`, secrets masked.
  var summary: String { "\(method) \(Redaction.usual.url(url))" }
}

/// Notices when a receiver has taken bytes: from then on the request can't be sent again, since the
/// receiver would see them twice.
final class ReceiverTap: Sendable {
  private let isOpen = Atomic(false)

  /// Whether bytes have passed.
  var hasBytes: Bool { isOpen.load(ordering: .acquiring) }

  /// Stands between the transport and the receiver of `request`; `nil` where there is none.
  static func attach(to request: inout HTTPRequest) -> ReceiverTap? {
    guard let receiver = request.receiver else { return nil }
    let tap = ReceiverTap()
    request.receiver = { piece in
      if !piece.isEmpty { tap.isOpen.store(true, ordering: .releasing) }
      try await receiver(piece)
    }
    return tap
  }
}

internal import Synchronization

/// What ``ExchangeLoop`` knows about one call.
struct Course {
  /// What is sent next.
  private(set) var request: HTTPRequest
  /// The first exchange, where it was begun already.
  var opening: ExchangeLoop.Opening?
  /// Whether the receiver of the body has bytes; `nil` without one.
  let tap: ReceiverTap?
  var trail: RedirectTrail
  var log = AttemptLog()
  private(set) var retries = 0
  private(set) var usedFreshConnection = false
  var renewedCredentials = false
  /// Whether the service refused the user: then nothing stored stands in for its response.
  var isRefused = false
  /// Whether what is stored turned out not to be what the server speaks of.
  var ignoresStored = false
  var visit: CacheVisit?
  /// What the cache had to do with the exchange.
  var cacheNote: String?

  init(request: HTTPRequest, trail: RedirectTrail, opening: ExchangeLoop.Opening? = nil) {
    var request = request
    tap = ReceiverTap.attach(to: &request)
    self.request = request
    self.trail = trail
    self.opening = opening
  }

  /// What is stored and may be the response where nothing usable comes from the server.
  var fallback: HTTPResponse? { isRefused ? nil : visit?.fallback }

  /// Notes that the service refused the user for good. What it sent before is removed: it would be
  /// the response the next time the server can't be reached.
  mutating func refuse() {
    isRefused = true
    visit?.removeAll()
  }

  /// Turns to the address that a redirect leads to.
  mutating func follow(_ next: HTTPRequest) {
    request = next
    request.wantsFreshConnection = false
    ignoresStored = false
  }

  /// Counts another try. One that replaces a connection that died while idle is free.
  mutating func retry(withFreshConnection isFresh: Bool, isFree: Bool) {
    if isFree { usedFreshConnection = true } else { retries += 1 }
    request.wantsFreshConnection = isFresh
  }

  /// Notes the end of an exchange and why another follows, if one does.
  mutating func note(
    _ outcome: HTTPResponse.Attempt.Outcome, _ timings: HTTPResponse.Timings,
    followedBy: String? = nil,
    delay: Duration = .zero
  ) {
    log.note(
      outcome, of: request, timings: timings, followedBy: followedBy, delay: delay,
      cache: cacheNote)
  }

  mutating func note(_ response: HTTPResponse, followedBy: String? = nil) {
    note(.responded(response.status), response.timings, followedBy: followedBy)
  }
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

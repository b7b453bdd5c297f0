internal import ServerAPI

/// What a ``FaultProfile`` does to one request, decided before the request is sent.
enum FaultPlan: Hashable, Sendable {
  case none
  case fail(RequestError.Kind)
  /// The server sees the request, its answer gets lost.
  case loseAnswer
  /// The answer gets lost when it comes at this moment of the ride or later.
  case loseAnswerFrom(Duration)
  case portal
  /// Waits first, then fails or goes on.
  case delay(Duration, then: RequestError.Kind?)

  /// - Parameters:
  ///   - elapsed: The time since the profile came into force.
  ///   - draw: The next number in `0 ..< 1`; asked for by the profiles that need one.
  init(
    _ profile: FaultProfile, elapsed: Duration, timeouts: Timeouts, draw: () -> Double
  ) {
    switch profile.kind {
    case .tunnels(let signal, let tunnel):
      let period = signal + tunnel
      let round = (elapsed / period).rounded(.down)
      let start = period * round
      self = elapsed - start >= signal ? .fail(.offline) : .loseAnswerFrom(start + signal)
    case .portal:
      self = .portal
    case .flaky(let rate, _):
      guard draw() < rate else {
        self = .none
        return
      }
      switch draw() {
      case ..<(1.0 / 3): self = .fail(.connectRefused)
      case ..<(2.0 / 3): self = .fail(.connectionLost(bytesReceived: 0, reused: false))
      default: self = .loseAnswer
      }
    case .slowDNS(let delay):
      let limit = min(timeouts.connect, timeouts.total)
      let phase: RequestError.Phase = timeouts.total < timeouts.connect ? .total : .connect
      self = .delay(min(delay, limit), then: delay >= limit ? .timeout(phase) : nil)
    }
  }
}

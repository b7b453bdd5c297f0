internal import ServerAPI

/// A kind of bad network.
///
/// ```swift
/// let transport = MockTransport { _ in .json("[]") }.with(.captivePortal)
/// let slow = CurlTransport().with(.slowDNS(.seconds(3)))
/// ```
///
/// The faults depend only on the profile, the clock and the seed, so a run can be repeated.
public struct FaultProfile: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case tunnels(signal: Duration, tunnel: Duration)
    case portal
    case flaky(rate: Double, seed: UInt64)
    case slowDNS(Duration)
  }

  let kind: Kind

  /// The seed of the profile's random numbers.
  var seed: UInt64 {
    if case .flaky(_, let seed) = kind { seed } else { 0 }
  }

  /// A train ride: 20 seconds of signal, then 10 seconds of tunnel, repeated. A request sent in a tunnel fails
  /// as offline; one that is in flight when a tunnel starts loses its connection.
  public static let trainTunnel = trainTunnel(signal: .seconds(20), tunnel: .seconds(10))

  /// A train ride with custom times; it starts with signal.
  public static func trainTunnel(signal: Duration, tunnel: Duration) -> FaultProfile {
    precondition(
      signal >= .zero && tunnel >= .zero && signal + tunnel > .zero,
      "signal and tunnel must not be negative or both zero, not \(signal) and \(tunnel)")
    return FaultProfile(kind: .tunnels(signal: signal, tunnel: tunnel))
  }

  /// A hotel network before login: every request gets a response with status 200 and a login page in HTML.
  public static let captivePortal = FaultProfile(kind: .portal)

  /// A network where a fraction of the requests fails: refused, lost before the server received the request, or
  /// lost after it responded, with equal probability.
  public static func flaky(rate: Double, seed: UInt64) -> FaultProfile {
    precondition((0...1).contains(rate), "the rate must be in 0 … 1, not \(rate)")
    return FaultProfile(kind: .flaky(rate: rate, seed: seed))
  }

  /// A network where name resolution takes a fixed time for each request. A request whose resolution reaches
  /// the connect timeout fails.
  public static func slowDNS(_ delay: Duration) -> FaultProfile {
    FaultProfile(kind: .slowDNS(delay))
  }
}

/// The effect of a ``FaultProfile`` on one request, decided before the request is sent.
enum FaultPlan: Hashable, Sendable {
  case none
  case fail(RequestError.Kind)
  /// The server receives the request, but its response is lost.
  case loseResponse
  /// The response is lost if it arrives at this moment of the ride or later.
  case loseResponseFrom(Duration)
  case portal
  /// Waits, then fails or continues.
  case delay(Duration, then: RequestError.Kind?)

  /// - Parameters:
  ///   - elapsed: The time since the profile took effect.
  ///   - draw: Returns the next number in `0 ..< 1`; called by the profiles that need one.
  init(
    _ profile: FaultProfile, elapsed: Duration, timeouts: Timeouts, draw: () -> Double
  ) {
    switch profile.kind {
    case .tunnels(let signal, let tunnel):
      let period = signal + tunnel
      let round = (elapsed / period).rounded(.down)
      let start = period * round
      self = elapsed - start >= signal ? .fail(.offline) : .loseResponseFrom(start + signal)
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
      default: self = .loseResponse
      }
    case .slowDNS(let delay):
      let limit = min(timeouts.connect, timeouts.total)
      let phase: RequestError.Phase = timeouts.total < timeouts.connect ? .total : .connect
      self = .delay(min(delay, limit), then: delay >= limit ? .timeout(phase) : nil)
    }
  }
}

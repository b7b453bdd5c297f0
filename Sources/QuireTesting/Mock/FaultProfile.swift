internal import ServerAPI

/// A kind of bad network, in one word.
///
/// ```swift
/// let transport = MockTransport { _ in .json("[]") }.with(.captivePortal)
/// let slow = CurlTransport().with(.slowDNS(.seconds(3)))
/// ```
///
/// What happens depends on the profile, the clock and the seed alone, so a run can be repeated.
public struct FaultProfile: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case tunnels(signal: Duration, tunnel: Duration)
    case portal
    case flaky(rate: Double, seed: UInt64)
    case slowDNS(Duration)
  }

  let kind: Kind

  /// What the draws of the profile follow from.
  var seed: UInt64 {
    if case .flaky(_, let seed) = kind { seed } else { 0 }
  }

  /// A train ride: 20 seconds of signal, then 10 seconds of tunnel, again and again. A request made
  /// in a tunnel fails as offline; one that is under way when a tunnel begins loses its connection.
  public static let trainTunnel = trainTunnel(signal: .seconds(20), tunnel: .seconds(10))

  /// A train ride with other times; it begins with signal.
  public static func trainTunnel(signal: Duration, tunnel: Duration) -> FaultProfile {
    precondition(
      signal >= .zero && tunnel >= .zero && signal + tunnel > .zero,
      "a ride needs time: \(signal) of signal, \(tunnel) of tunnel")
    return FaultProfile(kind: .tunnels(signal: signal, tunnel: tunnel))
  }

  /// The network of a hotel before one has logged in: every request is answered with status 200
  /// and a login page in HTML.
  public static let captivePortal = FaultProfile(kind: .portal)

  /// A share of the requests fails: refused, lost before the server saw it, or lost when the server
  /// had already answered, each as likely as the others.
  public static func flaky(rate: Double, seed: UInt64) -> FaultProfile {
    precondition((0...1).contains(rate), "the rate is a share, 0 … 1, not \(rate)")
    return FaultProfile(kind: .flaky(rate: rate, seed: seed))
  }

  /// Resolving the name takes that long, for each request; past the limit for connecting the
  /// request fails.
  public static func slowDNS(_ delay: Duration) -> FaultProfile {
    FaultProfile(kind: .slowDNS(delay))
  }
}

/// What a ``FaultProfile`` does to one request, decided before the request is sent.
enum FaultPlan: Hashable, Sendable {
  case none
  case fail(RequestError.Kind)
  /// The server sees the request, its answer gets lost.
  case loseResponse
  /// The answer gets lost when it comes at this moment of the ride or later.
  case loseResponseFrom(Duration)
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

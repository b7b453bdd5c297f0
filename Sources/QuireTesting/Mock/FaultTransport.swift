public import ServerAPI

/// A transport behind a bad network: forwards requests to another transport, or fails them as its
/// ``FaultProfile`` decides.
public struct FaultTransport: Transport {
  private let base: any Transport
  private let profile: FaultProfile
  private let time: TimeSource
  private let start: Duration
  private let random: SharedGenerator

  /// Creates a bad network in front of a transport; the profile's time starts now.
  public init(_ base: any Transport, _ profile: FaultProfile, time: TimeSource = .system) {
    self.base = base
    self.profile = profile
    self.time = time
    start = time.now()
    random = SharedGenerator(SeededGenerator(seed: profile.seed))
  }

  /// The user that the wrapped transport authenticates as.
  public var identity: String? { base.identity }

  /// Sends the request through the bad network.
  public func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
    let player = ResponsePlayer(request, time: time)
    try player.checkEnded()
    let plan = FaultPlan(
      profile, elapsed: time.now() - start, timeouts: request.timeouts, draw: random.nextUnit)
    switch plan {
    case .none:
      return try await base.send(request)
    case .fail(let kind):
      throw player.error(kind)
    case .loseResponse:
      _ = try await base.send(request)
      throw player.error(.connectionLost(bytesReceived: 0, reused: false))
    case .loseResponseFrom(let moment):
      let response = try await base.send(request)
      guard time.now() - start < moment else {
        throw player.error(.connectionLost(bytesReceived: 0, reused: false))
      }
      return response
    case .portal:
      var portal = ResponsePlayer(request, time: time)
      return try await portal.play(Self.loginPage, pieceSize: 16 << 10)
    case .delay(let duration, let failure):
      return try await send(request, after: duration, failure)
    }
  }

  private func send(
    _ request: HTTPRequest, after delay: Duration, _ failure: RequestError.Kind?
  ) async throws(RequestError) -> HTTPResponse {
    var player = ResponsePlayer(request, time: time)
    try await player.resolveName(for: delay)
    if let failure { throw player.error(failure) }
    var rest = request
    rest.timeouts.total -= delay
    rest.timeouts.connect -= delay
    do {
      var response = try await base.send(rest)
      response.timings.addResolving(delay)
      return response
    } catch {
      var slower = error
      slower.timings.addResolving(delay)
      throw slower
    }
  }

  private static let loginPage: MockResponse = {
    var page = MockResponse.text(
      "<!DOCTYPE html><html><body><form action=\"/login\">Room number</form></body></html>")
    page.headers = ["Content-Type": "text/html; charset=utf-8"]
    return page
  }()
}

extension HTTPResponse.Timings {
  fileprivate mutating func addResolving(_ delay: Duration) {
    dns += delay
    total += delay
  }
}

extension Transport {
  /// Returns this transport behind a bad network.
  public func with(_ profile: FaultProfile, time: TimeSource = .system) -> FaultTransport {
    FaultTransport(self, profile, time: time)
  }
}

extension MockTransport {
  /// Returns this transport behind a bad network with the same clock.
  public func with(_ profile: FaultProfile) -> FaultTransport {
    FaultTransport(self, profile, time: time)
  }
}

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
    _ profile: FaultProfile, elapsed: Duration, timeouts: HTTPRequest.Timeouts, draw: () -> Double
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

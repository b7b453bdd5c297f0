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

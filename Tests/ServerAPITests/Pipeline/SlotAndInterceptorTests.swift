import QuireTesting
import Testing

@testable import ServerAPI

@Suite(.timeLimit(.minutes(1))) struct SlotAndInterceptorTests {
  /// Runs a closure as an interceptor.
  struct Intercept: Interceptor {
    let body: @Sendable (HTTPRequest, Next) async throws(RequestError) -> HTTPResponse
    init(
      _ body: @escaping @Sendable (HTTPRequest, Next) async throws(RequestError) -> HTTPResponse
    ) { self.body = body }
    func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
      try await body(request, next)
    }
  }

  static func mark(_ name: String) -> Intercept {
    Intercept { (request, next) throws(RequestError) in
      var request = request
      request.headers["X-Mark"] = (request.headers["X-Mark"] ?? "") + name
      var response = try await next(request)
      response.headers["X-Mark"] = (response.headers["X-Mark"] ?? "") + name
      return response
    }
  }

  @Test func `a newer call in a slot supersedes the older one`() async {
    let gate = Gate()
    let transport = MockTransport { _ in .status(200).held(by: gate) }
    let server = Server("https://a.example", transport: transport)
    let slot = Call.Slot()
    @Sendable func search(_ text: String) -> Call {
      var call = Call("/search?q=" + text)
      call.slot = slot
      return call
    }
    let first = Task { await server.outcome(search("a")) }
    await gate.reached()
    let second = Task { await server.outcome(search("ab")) }
    #expect(await first.value == .failed(.cancelled(.superseded)))
    await gate.reached(by: 2)
    await gate.cancelled()
    gate.open()
    #expect(await second.value == .responded(200))
    #expect(await server.outcome(search("abc")) == .responded(200))
  }

  @Test func `only the last of many calls in a slot gets a response`() async {
    let gate = Gate()
    let transport = MockTransport { _ in .status(200).held(by: gate) }
    let server = Server("https://a.example", transport: transport)
    let slot = Call.Slot()
    let ended = Counter()
    let outcomes = await withTaskGroup(of: HTTPResponse.Attempt.Outcome.self) { group in
      for index in 0..<50 {
        group.addTask {
          var call = Call("/\(index)")
          call.slot = slot
          let outcome = await server.outcome(call)
          ended.add()
          return outcome
        }
      }
      await ended.reaches(49)
      gate.open()
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes.count { $0 == .responded(200) } == 1)
    #expect(outcomes.count { $0 == .failed(.cancelled(.superseded)) } == 49)
  }

  @Test func `interceptors run in order, once per call outside and per exchange inside`()
    async throws
  {
    let transport = MockTransport(playing: [.status(302, ["Location": "/y"]), .status(200)])
    let server = Server("https://a.example", transport: transport) {
      $0.interceptors = [Self.mark("1"), Self.mark("2")]
      $0.networkInterceptors = [Self.mark("3"), Self.mark("4")]
    }
    let response = try await server.send(Call("/x"))
    #expect(transport.requests.map { $0.headers["X-Mark"] } == ["1234", "1234"])
    #expect(response.headers["X-Mark"] == "4321")
  }

  @Test func `an interceptor may respond without the network`() async throws {
    let transport = MockTransport(playing: [.status(500)])
    let server = Server("https://a.example", transport: transport) {
      $0.interceptors = [
        Intercept { (request, _) in HTTPResponse(status: 203, url: request.url) }
      ]
    }
    #expect(await server.outcome(Call("/x")) == .responded(203))
    #expect(transport.requests.isEmpty)
  }

  @Test func `an interceptor may request a retry and its fields are validated`() async {
    let tries = Counter()
    let transport = MockTransport(playing: [.status(200)])
    let clock = ManualClock(skipsSleeps: true)
    let server = Server("https://a.example", transport: transport) {
      $0.time = clock.timeSource
      $0.networkInterceptors = [
        Intercept { (request, next) throws(RequestError) in
          var request = request
          guard tries.add() > 1 else {
            throw RequestError(.retryRequested(after: .zero, reason: "clock skew"))
          }
          request.headers["X-Bad"] = request.method == .put ? "a\r\nb" : "ok"
          return try await next(request)
        }
      ]
    }
    #expect(await server.outcome(Call("/x", method: .post)) == .responded(200))
    #expect(tries.value == 2)
    #expect(
      await server.outcome(Call("/x", method: .put))
        == .failed(.invalidRequest(.init(.headerValue("X-Bad"), "contains a control character"))))
    #expect(transport.requests.count == 1)
  }

  @Test(arguments: [true, false])
  func `an interceptor that changes the origin drops the secrets`(
    onTheNetwork: Bool
  ) async throws {
    let transport = MockTransport(playing: [.status(200)])
    let moves = Intercept { (request, next) throws(RequestError) in
      var request = request
      request.url = try WebURL("https://mirror.example/x")
      request.headers["X-Mirror-Key"] = "its own"
      return try await next(request)
    }
    let server = Server("https://a.example", transport: transport) {
      $0.headers["X-Api-Key"] = "secret"
      $0.authentication = .bearer("secret")
      $0.keepsCookies = true
      let chain = [Self.mark("secret"), moves]
      if onTheNetwork { $0.networkInterceptors = chain } else { $0.interceptors = chain }
    }
    server.core.memory.storeCookies(
      ["Set-Cookie": "id=secret"], from: try WebURL("https://a.example/"), now: 0)
    _ = try await server.send(
      Call("/x", method: .post, headers: ["Cookie2": "secret"], body: .text("t")))
    let request = try #require(transport.requests.first)
    #expect(request.url.host == "mirror.example")
    #expect(
      request.headers.fields.map(\.name).sorted()
        == ["Accept", "Content-Type", "User-Agent", "X-Mirror-Key"])
  }

  @Test(arguments: [true, false])
  func `a hanging interceptor is abandoned at the deadline`(onTheNetwork: Bool) async {
    let clock = ManualClock()
    let gate = Gate()
    let hanging = Intercept { (request, next) throws(RequestError) in
      // Ignores its cancellation.
      await Task { try? await gate.pass() }.value
      return try await next(request)
    }
    let server = Server("https://a.example", transport: MockTransport(playing: [.status(200)])) {
      $0.time = clock.timeSource
      if onTheNetwork { $0.networkInterceptors = [hanging] } else { $0.interceptors = [hanging] }
    }
    let call = Task { await server.outcome(Call("/x")) }
    await gate.reached()
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(60))
    #expect(await call.value == .failed(.timeout(.total)))
    let other = Task { await server.outcome(Call("/y")) }
    await gate.reached(by: 2)
    other.cancel()
    #expect(await other.value == .failed(.cancelled(.byCaller)))
    gate.open()
  }
}

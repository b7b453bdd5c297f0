import QuireTesting
import Testing

@testable import ServerAPI

@Suite(.timeLimit(.minutes(1))) struct RetryAndRedirectTests {
  func server(
    _ transport: MockTransport, _ clock: ManualClock = ManualClock(skipsSleeps: true),
    _ configure: (inout Server.Configuration) -> Void = { _ in }
  ) -> Server {
    Server("https://a.example", transport: transport) {
      $0.time = clock.timeSource
      $0.random = { 0.5 }
      configure(&$0)
    }
  }

  @Test func `a read survives two failures and logs them`() async throws {
    let clock = ManualClock(skipsSleeps: true)
    let recorder = EventRecorder()
    let transport = MockTransport(playing: [.status(503), .failure(.connectRefused), .status(200)])
    let response = try await server(transport, clock) { $0.monitors = [recorder] }
      .send(Call("/x"))
    #expect(clock.slept == [.milliseconds(100), .milliseconds(200)])
    #expect(response.timings.queue == .milliseconds(300))
    #expect(
      response.attempts.map(\.delay) == [.milliseconds(100), .milliseconds(200), .zero])
    #expect(
      recorder.events == [
        "created GET", "sent /x", "received 503", "retrying 2 status 503 0.1 seconds",
        "queued 0.1 seconds", "sent /x", "retrying 3 connection refused 0.2 seconds",
        "queued 0.2 seconds", "sent /x", "received 200", "finished 200",
      ])
  }

  @Test func `an attempt that stalls takes half of the remaining time while another may follow`()
    async
  {
    let transport = MockTransport(playing: [.failure(.timeout(.idle))])
    var call = Call("/x")
    call.timeouts = HTTPRequest.Timeouts(total: .seconds(8))
    #expect(await server(transport).outcome(call) == .failed(.timeout(.idle)))
    #expect(
      transport.requests.map(\.timeouts.idle) == [
        .seconds(4), .milliseconds(3_950), .seconds(30),
      ])
    let post = MockTransport(playing: [.failure(.timeout(.idle))])
    call.method = .post
    _ = await server(post).outcome(call)
    #expect(post.requests.map(\.timeouts.idle) == [.seconds(30)])
  }

  @Test func `a damaged response is requested once more, on a new connection`() async throws {
    let transport = MockTransport(playing: [.failure(.undecodable("gzip")), .status(200)])
    #expect(await server(transport).outcome(Call("/x")) == .responded(200))
    #expect(transport.requests.map(\.wantsFreshConnection) == [false, true])
    let always = MockTransport(playing: [.failure(.undecodable("gzip"))])
    #expect(await server(always).outcome(Call("/x")) == .failed(.undecodable("gzip")))
    #expect(always.requests.count == 2)
  }

  @Test func `the caller gets the last failure`() async {
    let transport = MockTransport(playing: [.status(503), .status(502), .status(504)])
    #expect(await server(transport).outcome(Call("/x")) == .failed(.status(504)))
    #expect(transport.requests.count == 3)
  }

  @Test func `a POST is retried only with an idempotency key`() async {
    let plain = MockTransport(playing: [.status(503)])
    _ = await server(plain).outcome(Call("/x", method: .post, body: .text("a")))
    #expect(plain.requests.count == 1)
    let keyed = MockTransport(playing: [.status(503), .status(200)])
    let call = Call(
      "/x", method: .post, headers: ["idempotency-key": "k"], body: .text("a"))
    #expect(await server(keyed).outcome(call) == .responded(200))
    #expect(keyed.requests.map(\.body) == [.text("a"), .text("a")])
  }

  @Test func `a temporary status is retried, and the last response body is kept`() async {
    let transport = MockTransport(playing: [.status(503, [:], "busy")])
    let server = server(transport) {
      $0.businessCheck = Call.BusinessCheck { response in
        response.body.utf8Text.map { (code: "1", message: $0) }
      }
    }
    guard case .failed = await server.outcome(Call("/x")) else {
      Issue.record("the call did not fail")
      return
    }
    #expect(transport.requests.count == 3)
  }

  @Test func `a closed connection is replaced at once`() async {
    let clock = ManualClock(skipsSleeps: true)
    let transport = MockTransport(playing: [
      .failure(.connectionLost(bytesReceived: 0, reused: true)), .status(200),
    ])
    #expect(await server(transport, clock).outcome(Call("/x")) == .responded(200))
    #expect(clock.slept.isEmpty)
    #expect(transport.requests.map(\.wantsFreshConnection) == [false, true])
  }

  @Test func `a delay beyond the deadline fails at once with the last failure`() async {
    let clock = ManualClock(skipsSleeps: true)
    let transport = MockTransport(playing: [.status(503)])
    let server = server(transport, clock) {
      $0.random = { 0.9 }
      ($0.retry.baseDelay, $0.retry.maximumDelay) = (.seconds(20), .seconds(20))
    }
    var call = Call("/x")
    call.timeouts = HTTPRequest.Timeouts(total: .seconds(10))
    #expect(await server.outcome(call) == .failed(.status(503)))
    #expect(clock.slept.isEmpty)
  }

  @Test func `a wait that the server asks for is no part of the time of the call`() async {
    let clock = ManualClock(skipsSleeps: true)
    let busy = MockResponse.status(503, ["Retry-After": "20"])
    let transport = MockTransport(playing: [busy, busy, busy, busy, .status(200)])
    let server = server(transport, clock) { $0.random = { 0 } }
    var call = Call("/x")
    call.timeouts = HTTPRequest.Timeouts(total: .seconds(10))
    #expect(await server.outcome(call) == .responded(200))
    #expect(clock.slept == Array(repeating: .seconds(20), count: 4))
  }

  @Test func `retries beyond the rate of a host wait for their turn, or fail where it is too late`()
    async
  {
    let clock = ManualClock(skipsSleeps: true)
    let transport = MockTransport(playing: [.status(503)])
    let server = server(transport, clock) { $0.random = { 0 } }
    for _ in 0..<100 { _ = await server.outcome(Call("/x")) }
    #expect(transport.requests.count == 300)
    #expect(clock.slept.reduce(.zero, +) >= .seconds(18))
    var hasty = Call("/x")
    hasty.timeouts = HTTPRequest.Timeouts(total: .milliseconds(50))
    let error = await #expect(throws: RequestError.self) { try await server.send(hasty) }
    #expect(error?.kind == .status(503) && error?.retryBudget == 10)
  }

  @Test func `every call waits for a host that requested a pause`() async throws {
    let clock = ManualClock(skipsSleeps: true)
    let recorder = EventRecorder()
    let transport = MockTransport(playing: [.status(429, ["Retry-After": "5"]), .status(200)])
    let server = server(transport, clock) {
      $0.retry = .never
      $0.monitors = [recorder]
    }
    #expect(await server.outcome(Call("/x")) == .failed(.rateLimited(wait: .seconds(5))))
    #expect(await server.outcome(Call("/y")) == .responded(200))
    #expect(clock.slept == [.seconds(5)])
    #expect(recorder.events.contains("rate limited 5.0 seconds"))
  }

  @Test func `a host that is unavailable for longer than a call may wait fails the call`() async {
    let transport = MockTransport(playing: [.status(503, ["Retry-After": "5"])])
    let server = server(transport) { $0.retry = .never }
    _ = await server.outcome(Call("/x"))
    var hasty = Call("/z")
    hasty.retry = .never
    hasty.retry?.maximumRetryAfter = .seconds(1)
    #expect(await server.outcome(hasty) == .failed(.rateLimited(wait: .seconds(5))))
    #expect(transport.requests.count == 1)
  }

  @Test func `each exchange gets the remaining time of the call`() async {
    let clock = ManualClock()
    let transport = MockTransport.numbered { _, index in
      clock.advance(by: .seconds(4))
      return .redirect(to: "/\(index)")
    }
    var call = Call("/x")
    call.timeouts = HTTPRequest.Timeouts(total: .seconds(10))
    #expect(await server(transport, clock).outcome(call) == .failed(.timeout(.total)))
    #expect(
      transport.requests.map(\.timeouts.total) == [.seconds(10), .seconds(6), .seconds(2)])
  }

  @Test func `credentials are never sent to another origin, nor again after returning`()
    async throws
  {
    let hops = [
      "https://a.example/2", "https://b.example/3", "https://a.example/4", "https://a.example/5",
    ]
    let transport = MockTransport.numbered { _, index in
      let response = index < hops.count ? .redirect(to: hops[index], status: 307) : MockResponse()
      return response.headers(["Set-Cookie": "id=\(index); Path=/"])
    }
    let server = server(transport) {
      $0.headers["X-Api-Key"] = "secret"
      $0.authentication = .bearer("secret")
      $0.keepsCookies = true
    }
    let call = Call(
      "/1", headers: ["X-Session": "secret", "Accept": "text/plain", "Proxy-Authorization": "s"])
    let response = try await server.send(call)
    let secrets = transport.requests.map { request in
      request.headers.fields.map(\.name).filter { !["Accept", "User-Agent"].contains($0) }.sorted()
    }
    let all = ["Authorization", "Proxy-Authorization", "X-Api-Key", "X-Session"]
    #expect(secrets == [all, (all + ["Cookie"]).sorted(), [], [], []])
    #expect(transport.requests.allSatisfy { $0.headers["Accept"] == "text/plain" })
    #expect(
      response.attempts.map(\.followedBy) == hops.map { "redirect to \($0)" } + [nil])
  }

  @Test func `a redirect to the same address that sets a cookie is followed`() async {
    let transport = MockTransport { request in
      request.headers["Cookie"] == "seen=1"
        ? .status(200) : .redirect(to: "/x").headers(["Set-Cookie": "seen=1"])
    }
    let keeping = server(transport) { $0.keepsCookies = true }
    #expect(await keeping.outcome(Call("/x")) == .responded(200))
    #expect(await server(transport).outcome(Call("/x")) == .failed(.redirect(.loop)))
  }

  @Test func `credentials only go to the origin of the base`() async throws {
    let transport = MockTransport(playing: [.status(200)])
    let server = server(transport) { $0.authentication = .header("X-Key", "secret") }
    _ = try await server.send(Call("https://b.example/x"))
    _ = try await server.send(Call("https://a.example/x"))
    #expect(transport.requests.map { $0.headers["X-Key"] } == [nil, "secret"])
  }

  @Test(arguments: [
    ("http://a.example/", RequestError.RedirectFailure.downgrade), ("/x", .loop),
    ("ftp://a.example/", .scheme("ftp")),
  ])
  func `an unsafe redirect ends the call and is logged`(
    location: String, failure: RequestError.RedirectFailure
  ) async throws {
    let transport = MockTransport(playing: [.status(302, ["Location": location])])
    let server = server(transport)
    let error = await #expect(throws: RequestError.self) { try await server.send(Call("/x")) }
    #expect(error?.kind == .redirect(failure))
    #expect(error?.attempts.map(\.outcome) == [.responded(302)])
    #expect(transport.requests.count == 1)
  }

  @Test func `a redirect is returned if none may be followed`() async {
    let transport = MockTransport(playing: [.status(302, ["Location": "/y"])])
    var call = Call("/x")
    call.redirects = RedirectPolicy()
    call.redirects?.maximum = 0
    #expect(await server(transport).outcome(call) == .responded(302))
  }

  @Test func `a failure after a redirect retries only the last hop`() async {
    let transport = MockTransport(playing: [
      .status(303, ["Location": "/result"]), .status(503), .status(200),
    ])
    let call = Call("/job", method: .post, body: .text("work"))
    #expect(await server(transport).outcome(call) == .responded(200))
    #expect(
      transport.requests.map { "\($0.method) \($0.url.path)" }
        == ["POST /job", "GET /result", "GET /result"])
  }

  @Test func `cancelling ends a delay between attempts promptly`() async {
    let clock = ManualClock()
    let server = server(MockTransport(playing: [.status(503)]), clock)
    let task = Task { await server.outcome(Call("/x", method: .put)) }
    await clock.sleepers(atLeast: 1)
    task.cancel()
    #expect(await task.value == .failed(.cancelled(.byCaller)))
    #expect(clock.sleepers == 0)
  }
}

import Foundation
import QuireTesting
import Support
import Testing

@testable import ServerAPI

@Suite(.timeLimit(.minutes(1))) struct RateLimitRaceTests {
  /// A quota that is reset at this many seconds after the start of a clock.
  static func exhausted(until reset: Int, status: Int = 403) -> MockResponse {
    .status(
      status,
      ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "\(1_700_000_000 + reset)"], "slow down")
  }

  func server(
    _ transport: MockTransport, _ clock: ManualClock,
    _ configure: (inout Server.Configuration) -> Void = { _ in }
  ) -> Server {
    Server("https://a.example", transport: transport) {
      $0.time = clock.timeSource
      $0.random = { 0 }
      configure(&$0)
    }
  }

  @Test(arguments: [
    exhausted(until: 40), .status(403, ["Retry-After": "40"]), .status(429, ["Retry-After": "40"]),
    .status(403, ["RateLimit": "\"day\";r=0;t=40"]),
  ])
  func `a rate limit is waited for and seen by monitors`(_ limited: MockResponse) async throws {
    let clock = ManualClock(skipsSleeps: true)
    let recorder = EventRecorder()
    let transport = MockTransport(playing: [limited, .status(200)])
    let server = server(transport, clock) { $0.monitors = [recorder] }
    let response = try await server.send(Call("/x"))
    #expect(response.status == 200)
    #expect(response.timings.queue == .seconds(40))
    #expect(clock.slept == [.seconds(40)])
    let waits = recorder.events.filter { $0.hasPrefix("rate limited") || $0.hasPrefix("queued") }
    #expect(waits == ["rate limited 40.0 seconds"])
  }

  @Test func `a plain 403 is final`() async {
    let clock = ManualClock(skipsSleeps: true)
    let transport = MockTransport(playing: [.status(403, ["X-RateLimit-Remaining": "9"])])
    let server = server(transport, clock)
    let error = await #expect(throws: RequestError.self) { try await server.send(Call("/x")) }
    #expect(error?.kind == .status(403))
    #expect(error?.requestedWait == nil)
    #expect(transport.requests.count == 1)
  }

  @Test func `waiting for a rate limit does not use up the time of the call`() async throws {
    let clock = ManualClock(skipsSleeps: true)
    let transport = MockTransport.numbered { _, index in
      clock.advance(by: .seconds(3))
      return index < 2 ? Self.exhausted(until: index == 0 ? 50 : 100) : .status(200)
    }
    var call = Call("/x")
    call.timeouts = HTTPRequest.Timeouts(total: .seconds(10))
    let response = try await server(transport, clock).send(call)
    #expect(response.status == 200)
    #expect(
      transport.requests.map(\.timeouts.total) == [.seconds(10), .seconds(7), .seconds(4)])
  }

  @Test func `a limit that lasts too long fails the call and says how long`() async {
    let clock = ManualClock(skipsSleeps: true)
    let transport = MockTransport(playing: [Self.exhausted(until: 2_400)])
    let server = server(transport, clock)
    let error = await #expect(throws: RequestError.self) { try await server.send(Call("/x")) }
    #expect(error?.kind == .rateLimited(wait: .seconds(2_400)))
    #expect(error?.requestedWait == .seconds(2_400) && error?.status == 403)
    #expect(error?.responseBody?.utf8Text == "slow down")
    #expect(error?.serverMessage == "slow down")
    #expect(
      error?.description
        == """
        GET https://a.example/x failed: the server responded with 403 and asked to wait 40 min, \
        until Tue, 14 Nov 2023 22:53:20 GMT: slow down; \
        wait that long, or raise retry.maximumRetryAfter
        """)
    let next = await #expect(throws: RequestError.self) { try await server.send(Call("/y")) }
    #expect(next?.kind == .rateLimited(wait: .seconds(2_400)))
    #expect(next?.status == nil && next?.serverMessage == nil)
    #expect(
      next?.description
        == """
        GET https://a.example/y failed: the server asked for a pause, which lasts for another 40 min, \
        until Tue, 14 Nov 2023 22:53:20 GMT; \
        wait that long, or raise retry.maximumRetryAfter
        """)
    #expect(clock.slept.isEmpty)
    #expect(transport.requests.count == 1)
  }

  @Test func `the bound is for all waits of a call together`() async {
    let clock = ManualClock(skipsSleeps: true)
    let transport = MockTransport.numbered { _, index in
      Self.exhausted(until: (index + 1) * 70)
    }
    let server = server(transport, clock)
    let error = await #expect(throws: RequestError.self) { try await server.send(Call("/x")) }
    #expect(error?.kind == .rateLimited(wait: .seconds(70)))
    #expect(clock.slept == [.seconds(70)])
    var patient = Call("/y")
    patient.retry = RetryPolicy()
    patient.retry?.maximumRetryAfter = .seconds(300)
    _ = await server.outcome(patient)
    #expect(clock.slept == [.seconds(70), .seconds(70), .seconds(70), .seconds(70), .seconds(70)])
  }

  @Test func `200 callers of a server that allows 50 requests a second all get a response`()
    async throws
  {
    let clock = ManualClock()
    let transport = MockTransport.limited(to: 50, clock)
    let server = server(transport, clock) {
      $0.random = SeededGenerator.unitInterval(seed: 1)
    }
    let (done, served) = (Counter(), Counter())
    async let outcomes: Void = withTaskGroup(of: Void.self) { group in
      for caller in 0..<200 {
        group.addTask {
          if await server.outcome(Call("/\(caller)")) == .responded(200) { served.add() }
          done.add()
        }
      }
    }
    while done.value < 200 {
      // All others wait for the clock.
      while done.value + clock.sleepers < 200 { await Task.yield() }
      if clock.sleepers > 0 { clock.advanceToNextSleeper() }
    }
    await outcomes
    #expect(served.value == 200)
    // The last 50 can't be served before the fourth second.
    #expect(clock.now.offset <= .seconds(3) * 1.15, "\(clock.now.offset)")
  }

  @Test func `64 callers wait for a limit, whatever the budget of retries`() async {
    let clock = ManualClock()
    let transport = MockTransport { _ in
      clock.now.offset < .seconds(40) ? Self.exhausted(until: 40) : .status(200)
    }
    let server = server(transport, clock) { $0.timeouts.total = .seconds(20) }
    let outcomes = await withTaskGroup(of: HTTPResponse.Attempt.Outcome.self) { group in
      for caller in 0..<64 { group.addTask { await server.outcome(Call("/\(caller)")) } }
      await clock.sleepers(atLeast: 64)
      clock.advance(by: .seconds(40))
      return await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(outcomes == [.responded(200)])
  }

  @Test func `timers around a call see the wait, and so do callers that join later`() async {
    struct Passing: Interceptor {
      func intercept(
        _ request: HTTPRequest, next: Next
      ) async throws(RequestError) -> HTTPResponse { try await next(request) }
    }
    let clock = ManualClock()
    let gate = Gate()
    let transport = MockTransport.numbered { _, index in
      index == 0 ? Self.exhausted(until: 40) : .status(200).held(by: gate)
    }
    let recorder = EventRecorder()
    let server = server(transport, clock) {
      $0.timeouts.total = .seconds(10)
      $0.monitors = [recorder]
      $0.interceptors = [Passing()]
    }
    let leader = Task { await server.outcome(Call("/x")) }
    // The limit and the timer of the call.
    await clock.sleepers(atLeast: 2)
    clock.advance(by: .seconds(30))
    let follower = Task { await server.outcome(Call("/x")) }
    // Two timers of each call, but one for the leader in its shared exchange, and the limit.
    await clock.sleepers(atLeast: 4)
    clock.advance(by: .seconds(10))
    await gate.reached()
    clock.advance(by: .seconds(9))
    gate.open()
    #expect(await leader.value == .responded(200))
    #expect(await follower.value == .responded(200))
    #expect(recorder.events.contains("joined"))
  }

  @Test func `a call that joined a limited one still has its deadline after the wait`() async {
    let clock = ManualClock()
    let gate = Gate()
    let transport = MockTransport.numbered { _, index in
      index == 0 ? Self.exhausted(until: 40) : .status(200).held(by: gate)
    }
    let server = server(transport, clock) { $0.timeouts.total = .seconds(1_000) }
    let leader = Task { await server.outcome(Call("/x")) }
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(30))
    let follower = Task {
      var call = Call("/x")
      call.timeouts = HTTPRequest.Timeouts(total: .seconds(10))
      return await server.outcome(call)
    }
    await clock.sleepers(atLeast: 2)
    clock.advance(by: .seconds(10))
    await gate.reached()
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(10))
    #expect(await follower.value == .failed(.timeout(.total)))
    gate.open()
    #expect(await leader.value == .responded(200))
  }

  @Test func `cancelling ends the wait promptly`() async {
    let clock = ManualClock()
    let server = server(MockTransport(playing: [Self.exhausted(until: 40)]), clock)
    let task = Task { await server.outcome(Call("/x", method: .put)) }
    await clock.sleepers(atLeast: 1)
    task.cancel()
    #expect(await task.value == .failed(.cancelled(.byCaller)))
    #expect(clock.sleepers == 0)
  }
}

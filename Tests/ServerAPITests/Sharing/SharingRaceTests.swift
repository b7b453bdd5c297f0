import QuireTesting
import Testing

@testable import ServerAPI

@Suite(.timeLimit(.minutes(1))) struct SharingRaceTests {
  /// A transport that responds when the gate opens, and a server that uses it.
  struct Setup {
    let gate = Gate()
    let recorder = EventRecorder()
    let clock = ManualClock()
    let transport: MockTransport
    let server: Server

    init(_ configure: (inout Server.Configuration) -> Void = { _ in }) {
      let gate = gate
      let transport = MockTransport { _ in .status(200).held(by: gate) }
      self.transport = transport
      server = Server("https://a.example", transport: transport) { [recorder, clock] in
        $0.monitors = [recorder]
        $0.time = clock.timeSource
        configure(&$0)
      }
    }
  }

  @Test func `equal reads share one exchange and get the same response`() async {
    let joined = JoinCounter()
    let setup = Setup { $0.monitors.append(joined) }
    let calls = (0..<50).map { _ in Task { await setup.server.outcome(Call("/x")) } }
    await joined.count.reaches(49)
    setup.gate.open()
    for call in calls { #expect(await call.value == .responded(200)) }
    #expect(setup.transport.requests.count == 1)
    #expect(setup.recorder.events.count { $0 == "sent /x" } == 1)
    #expect(setup.recorder.events.count { $0 == "finished 200" } == 50)
    #expect(setup.server.core.flights.count == 0)
    #expect(await setup.server.outcome(Call("/x")) == .responded(200))
    #expect(setup.transport.requests.count == 2)
  }

  @Test func `reads that differ in anything relevant do not share`() async {
    let setup = Setup()
    var strict = Call("/x")
    strict.limits = HTTPRequest.Limits()
    strict.limits?.wireBytes = 10
    var alone = Call("/x")
    alone.sharesExchange = false
    var watched = Call("/x")
    watched.progress = { _ in }
    let calls = [
      Call("/x"), Call("/x?a=1"), Call("/x", method: .head), Call("/x", method: .post), strict,
      Call("/x", headers: ["Authorization": "b"]), Call("/x", headers: ["Authorization": "c"]),
      alone, watched,
    ]
    let tasks = calls.map { call in Task { await setup.server.outcome(call) } }
    await setup.gate.reached(by: calls.count)
    setup.gate.open()
    for task in tasks { #expect(await task.value == .responded(200)) }
    #expect(setup.transport.requests.count == calls.count)
  }

  /// Sends two equal reads, with an action in between, and returns the number of exchanges.
  private func exchanges(
    _ setup: Setup, between: () -> Void = {}
  ) async -> Int {
    let first = Task { await setup.server.outcome(Call("/x")) }
    await setup.gate.reached()
    between()
    let second = Task { await setup.server.outcome(Call("/x")) }
    await setup.gate.reached(by: 2)
    setup.gate.open()
    for call in [first, second] { #expect(await call.value == .responded(200)) }
    return setup.transport.requests.count
  }

  @Test func `reads do not share if network interceptors may change the user`() async {
    struct Signing: Interceptor {
      func intercept(
        _ request: HTTPRequest, next: Interceptor.Next
      ) async throws(RequestError) -> HTTPResponse { try await next(request) }
    }
    #expect(await exchanges(Setup { $0.networkInterceptors = [Signing()] }) == 2)
  }

  @Test func `a read that needs other credentials does not share an earlier one`() async {
    let setup = Setup {
      $0.authentication = .provider { _ in .bearer("t", lifetime: .seconds(10)) }
    }
    let count = await exchanges(setup) { setup.clock.advance(by: .seconds(20)) }
    #expect(count == 2)
  }

  @Test func `a read with other cookies does not share an earlier one`() async throws {
    let setup = Setup { $0.keepsCookies = true }
    let url = try WebURL("https://a.example/")
    let count = await exchanges(setup) {
      setup.server.core.memory.storeCookies(["Set-Cookie": "user=bob"], from: url, now: 0)
    }
    #expect(count == 2)
  }

  @Test func `the leader may leave at once, and the exchange continues for the others`() async {
    let joined = JoinCounter()
    let setup = Setup { $0.monitors.append(joined) }
    let first = Task { await setup.server.outcome(Call("/x")) }
    await setup.gate.reached()
    let second = Task { await setup.server.outcome(Call("/x")) }
    await joined.count.reaches(1)
    first.cancel()
    #expect(await first.value == .failed(.cancelled(.byCaller)))
    #expect(setup.gate.cancellations == 0)
    setup.gate.open()
    #expect(await second.value == .responded(200))
    #expect(setup.transport.requests.count == 1)
    let ends = setup.recorder.eventsByCall.map { $0.last ?? "" }
    #expect(ends.contains("finished 200") && ends.contains { $0.hasPrefix("failed cancelled") })
  }

  @Test
  func `the exchange is cancelled when its last caller leaves, and the next read starts a new one`()
    async
  {
    let joined = JoinCounter()
    let setup = Setup { $0.monitors.append(joined) }
    let first = Task { await setup.server.outcome(Call("/x")) }
    await setup.gate.reached()
    let second = Task { await setup.server.outcome(Call("/x")) }
    await joined.count.reaches(1)
    first.cancel()
    second.cancel()
    #expect(await first.value == .failed(.cancelled(.byCaller)))
    #expect(await second.value == .failed(.cancelled(.byCaller)))
    await setup.gate.cancelled()
    let third = Task { await setup.server.outcome(Call("/x")) }
    await setup.gate.reached(by: 2)
    setup.gate.open()
    #expect(await third.value == .responded(200))
  }

  @Test func `a caller with an earlier deadline times out alone`() async {
    let joined = JoinCounter()
    let setup = Setup { $0.monitors.append(joined) }
    let first = Task { await setup.server.outcome(Call("/x")) }
    await setup.gate.reached()
    var hasty = Call("/x")
    hasty.timeouts = HTTPRequest.Timeouts(total: .seconds(5))
    let second = Task { [hasty] in await setup.server.outcome(hasty) }
    await joined.count.reaches(1)
    await setup.clock.sleepers(atLeast: 1)
    setup.clock.advance(by: .seconds(5))
    #expect(await second.value == .failed(.timeout(.total)))
    #expect(setup.gate.cancellations == 0)
    setup.gate.open()
    #expect(await first.value == .responded(200))
  }

  @Test func `a caller that joined an exchange that timed out starts its own`() async {
    let joined = JoinCounter()
    let clock = ManualClock()
    let gate = Gate()
    let transport = MockTransport(playing: [
      MockResponse().held(by: gate).failing(.timeout(.total)), .status(200),
    ])
    let server = Server("https://a.example", transport: transport) {
      $0.monitors = [joined]
      $0.time = clock.timeSource
    }
    let first = Task { await server.outcome(Call("/x")) }
    await gate.reached()
    clock.advance(by: .seconds(1))
    let second = Task { await server.outcome(Call("/x")) }
    await joined.count.reaches(1)
    gate.open()
    #expect(await first.value == .failed(.timeout(.total)))
    #expect(await second.value == .responded(200))
  }

  @Test func `an exchange has the highest priority of its callers`() async throws {
    let joined = JoinCounter()
    let setup = Setup { $0.monitors.append(joined) }
    let first = Task { await setup.server.outcome(Call("/x", priority: .prefetch)) }
    await setup.gate.reached()
    let handle = try #require(setup.transport.requests[0].priorityHandle)
    #expect(handle.value == .prefetch)
    let seen = PriorityLog(handle)
    let second = Task { await setup.server.outcome(Call("/x", priority: .visible)) }
    await seen.changes.reaches(1)
    #expect(handle.value == .visible)
    second.cancel()
    _ = await second.value
    #expect(handle.value == .prefetch)
    setup.gate.open()
    #expect(await first.value == .responded(200))
  }

  @Test func `a transport that responds at once works, alone and shared`() async {
    let transport = MockTransport(playing: [.status(200)])
    let server = Server("https://a.example", transport: transport)
    await withTaskGroup(of: HTTPResponse.Attempt.Outcome.self) { group in
      for _ in 0..<200 { group.addTask { await server.outcome(Call("/x")) } }
      for await outcome in group { #expect(outcome == .responded(200)) }
    }
    #expect(server.core.flights.count == 0)
  }

  @Test @MainActor func `a caller on the main actor shares with one elsewhere`() async {
    let joined = JoinCounter()
    let setup = Setup { $0.monitors.append(joined) }
    let here = Task { @MainActor in await setup.server.outcome(Call("/x")) }
    await setup.gate.reached()
    let elsewhere = Task.detached { await setup.server.outcome(Call("/x")) }
    await joined.count.reaches(1)
    setup.gate.open()
    #expect(await here.value == .responded(200))
    #expect(await elsewhere.value == .responded(200))
  }

  @Test func `an infinite time limit works`() async {
    let transport = MockTransport(playing: [.status(200)])
    let server = Server("https://a.example", transport: transport) {
      $0.timeouts = HTTPRequest.Timeouts(
        connect: .seconds(Int64.max), idle: .seconds(Int64.max), total: .seconds(Int64.max))
      $0.interceptors = [SlotAndInterceptorTests.mark("a")]
      $0.authentication = .provider { _ in
        // A response at once would need no wait.
        await Task.yield()
        return .bearer("t", lifetime: .seconds(Int64.max))
      }
    }
    #expect(await server.outcome(Call("/x")) == .responded(200))
    #expect(await server.outcome(Call("/x")) == .responded(200))
  }

  @Test(arguments: ["alone", "shared", "in a slot", "intercepted"])
  func `a call of an already cancelled task is never sent`(_ way: String) async {
    let transport = MockTransport(playing: [.status(200)])
    let server = Server("https://a.example", transport: transport) {
      if way == "intercepted" { $0.interceptors = [SlotAndInterceptorTests.mark("a")] }
    }
    var call = Call("/x")
    call.sharesExchange = way == "shared"
    let slot = Call.Slot()
    let pushedOut = Counter()
    let turn = slot.occupy { pushedOut.add() }
    if way == "in a slot" { call.slot = slot }
    let task = Task { [call] in
      withUnsafeCurrentTask { $0?.cancel() }
      return await server.outcome(call)
    }
    #expect(await task.value == .failed(.cancelled(.byCaller)))
    #expect(transport.requests.isEmpty)
    #expect(pushedOut.value == 0)
    slot.vacate(turn)
  }

  @Test(arguments: try SeededGenerator.runs(Thoroughness.runs(8)))
  func `callers that join and leave in any order all end, and nothing is left`(
    _ seeded: SeededGenerator
  ) async {
    let transport = MockTransport { _ in await Task { MockResponse() }.value }
    let server = Server("https://a.example", transport: transport)
    await withTaskGroup(of: HTTPResponse.Attempt.Outcome.self) { group in
      var seeds = seeded
      for _ in 0..<400 {
        group.addTask { [seed = seeds.next()] in
          var random = SeededGenerator(seed: seed)
          let call = Call("/\(Int.random(in: 0..<5, using: &random))")
          let task = Task { await server.outcome(call) }
          if Int.random(in: 0..<3, using: &random) == 0 { task.cancel() }
          return await task.value
        }
      }
      for await outcome in group {
        #expect(outcome == .responded(200) || outcome == .failed(.cancelled(.byCaller)))
      }
    }
  }
}

/// Counts the calls that joined another one.
private final class JoinCounter: EventMonitor {
  let count = Counter()
  func record(_ event: Call.Event, of call: Call.Info) {
    if case .joined = event { count.add() }
  }
}

/// Counts changes of a priority, as a transport would observe them.
private struct PriorityLog {
  let changes = Counter()
  init(_ handle: HTTPRequest.Priority.Handle) { handle.observe { [changes] _ in changes.add() } }
}

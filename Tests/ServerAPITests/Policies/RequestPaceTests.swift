import QuireTesting
import Support
import Testing

@testable import ServerAPI

@Suite(.timeLimit(.minutes(1))) struct RequestPaceTests {
  @Test func `requests start at even distances, and a burst after a pause`() {
    var schedule = PaceSchedule(interval: .seconds(2), burst: 3)
    let starts = Self.starts(of: 6, at: .seconds(100), &schedule)
    #expect(starts == [100, 100, 100, 102, 104, 106].map { .seconds($0) })
    let later = Self.starts(of: 2, at: .seconds(109), &schedule)
    #expect(later == [.seconds(109), .seconds(110)])
  }

  @Test func `a request of a greater weight takes the time of several, after its start`() {
    var schedule = PaceSchedule(interval: .seconds(1), burst: 1)
    #expect(schedule.start(weight: 5, now: .zero) == nil)
    #expect(schedule.start(weight: 0.5, now: .seconds(2)) == .seconds(3))
    #expect(schedule.start(weight: 0.5, now: .seconds(5)) == nil)
    #expect(schedule.start(weight: 1, now: .seconds(5)) == .milliseconds(500))
    #expect(schedule.start(weight: 1e300, now: .seconds(6)) == nil)
  }

  @Test func `no second has more requests than a limit and a burst allow`() throws {
    for seeded in try SeededGenerator.runs(200) {
      var random = seeded
      let (perSecond, burst) = (
        Int.random(in: 1...20, using: &random), Int.random(in: 1...9, using: &random)
      )
      var schedule = PaceSchedule(interval: .seconds(1) / perSecond, burst: burst)
      var (now, starts): (Duration, [Duration]) = (.zero, [])
      for _ in 0..<200 {
        now += .milliseconds(Int.random(in: 0...400, using: &random)) / perSecond
        starts += Self.starts(of: 1, at: now, &schedule)
        now = max(now, starts.last ?? now)
      }
      for (place, start) in starts.enumerated() {
        let count = starts[place...].prefix { $0 < start + .seconds(1) }.count
        #expect(count <= perSecond + burst, "\(seeded)")
      }
    }
  }

  /// Starts requests one after the other, and returns when.
  private static func starts(
    of count: Int, at now: Duration, _ schedule: inout PaceSchedule
  ) -> [Duration] {
    var now = now
    return (0..<count).map { _ in
      while let wait = schedule.start(weight: 1, now: now) { now += wait }
      return now
    }
  }

  @Test func `200 callers with a pace get a response each, and the server has to refuse none`()
    async throws
  {
    let clock = ManualClock()
    let transport = MockTransport.limited(to: 50, clock)
    let pace = CountedPace(pace: RequestPace(perSecond: 50, time: clock.timeSource))
    let servers = (0..<2).map { _ in
      Server("https://a.example", transport: transport) {
        $0.time = clock.timeSource
        $0.pace = pace
        $0.timeouts.total = .seconds(1)
      }
    }
    let done = Counter()
    async let outcomes = withTaskGroup(of: HTTPResponse.Attempt.Outcome.self) { group in
      for caller in 0..<200 {
        group.addTask {
          defer { done.add() }
          return await servers[caller % 2].outcome(Call("/\(caller)"))
        }
      }
      return await group.reduce(into: Set()) { $0.insert($1) }
    }
    // A caller that has not begun to wait would count the clock's steps as its own time.
    while pace.arrivals.value < 200 { await Task.yield() }
    for turn in 1...200 {
      while done.value < turn { await Task.yield() }
      guard turn < 200 else { break }
      await clock.sleepers(atLeast: 1)
      clock.advanceToNextSleeper()
    }
    #expect(await outcomes == [.responded(200)])
    #expect(clock.now.offset == .milliseconds(199 * 20))
    #expect(transport.requests.count == 200)
  }

  @Test func `a caller that gives up leaves the line, and is not counted`() async throws {
    let clock = ManualClock()
    let pace = RequestPace(perSecond: 1, time: clock.timeSource)
    try await pace.waitForTurn()
    let tasks = (0..<3).map { _ in Task.immediate { try await pace.waitForTurn() } }
    await clock.sleepers(atLeast: 1)
    for task in tasks[..<2] {
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    try await tasks[2].value
    #expect(clock.now.offset == .seconds(1))
  }

  @Test func `waits for a pace are events and no part of a time limit`() async throws {
    let clock = ManualClock(skipsSleeps: true)
    let recorder = EventRecorder()
    let server = Server("https://a.example", transport: MockTransport(playing: [.status(200)])) {
      $0.time = clock.timeSource
      $0.pace = RequestPace(perSecond: 0.1, time: clock.timeSource)
      $0.timeouts.total = .seconds(1)
      $0.monitors = [recorder]
    }
    _ = try await server.send(Call("/a"))
    let response = try await server.send(Call("/b"))
    #expect(recorder.events.contains("paced 10.0 seconds"))
    #expect(response.timings.queue == .seconds(10))
    var light = Call("/c")
    light.weight = 0
    _ = try await server.send(light)
    #expect(clock.now.offset == .seconds(10))
  }

  @Test func `a pace of the program may fail, and the call says why`() async throws {
    struct Broken: RequestPacing, Error {
      func waitForTurn(weight: Double) async throws { throw self }
    }
    let transport = MockTransport(playing: [.status(200)])
    let server = Server("https://a.example", transport: transport) { $0.pace = Broken() }
    let error = await #expect(throws: RequestError.self) { try await server.send(Call("/a")) }
    #expect(error?.description.contains("the pace of the server threw an error: Broken()") == true)
    #expect(transport.requests.isEmpty)
  }

  @Test(arguments: [(0, 1), (-1, 1), (.nan, 1), (.infinity, 1), (1, 0)] as [(Double, Int)])
  func `an impossible pace fails each call`(_ perSecond: Double, _ burst: Int) async throws {
    let server = Server("https://a.example", transport: MockTransport(playing: [.status(200)])) {
      $0.pace = RequestPace(perSecond: perSecond, burst: burst)
    }
    let error = await #expect(throws: RequestError.self) { try await server.send(Call("/a")) }
    #expect(error?.description.contains("pace") == true && error?.status == nil)
  }

  @Test(
    arguments: [
      (.origin, [40, 40, 0]), (.address, [40, 0, 0]), (.call, [0, 0, 0]),
    ] as [(RetryPolicy.LimitScope, [Int])])
  func `a limit holds for the origin, the address or the call`(
    _ scope: RetryPolicy.LimitScope, _ waits: [Int]
  ) async throws {
    for (address, wait) in zip(["/x?page=2", "/y", "https://b.example/x"], waits) {
      let clock = ManualClock(skipsSleeps: true)
      let transport = MockTransport(playing: [.status(429, ["Retry-After": "40"]), .status(200)])
      let server = Server("https://a.example", transport: transport) {
        $0.time = clock.timeSource
        $0.retry = .never
        $0.retry.limitScope = scope
      }
      #expect(
        await server.outcome(Call("/x")) == .failed(.rateLimited(wait: .seconds(40))))
      #expect(await server.outcome(Call(address)) == .responded(200))
      #expect(clock.slept == (wait == 0 ? [] : [.seconds(wait)]), "\(address)")
    }
  }
}

/// A pace that counts the callers that have begun to wait.
private struct CountedPace: RequestPacing {
  let pace: RequestPace
  let arrivals = Counter()

  func waitForTurn(weight: Double) async throws {
    arrivals.add()
    try await pace.waitForTurn(weight: weight)
  }
}

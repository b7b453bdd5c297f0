import QuireTesting
import ServerAPI
import Testing

@Suite struct MockTimeTests {
  let clock = ManualClock()
  let gate = Gate()

  func transport(_ response: MockResponse) -> MockTransport {
    MockTransport(time: clock.timeSource) { _ in response }
  }

  @Test func `a held response arrives when the gate opens`() async throws {
    let transport = transport(.text("late").held(by: gate))
    async let response = transport.send(request("/"))
    await gate.reached()
    clock.advance(by: .seconds(3))
    gate.open()
    let (body, timings) = (try await response.body, try await response.timings)
    #expect(body.utf8Text == "late")
    #expect(timings.wait == .seconds(3))
    #expect(timings.total == .seconds(3))
    #expect(clock.sleepers == 0)
  }

  @Test func `a gate counts arrivals and cancellations`() async throws {
    let transport = transport(.status(204).held(by: gate))
    let calls = try (1...3).map { _ in
      let request = try request("/")
      return Task { try await transport.send(request) }
    }
    await gate.reached(by: 3)
    #expect(gate.arrivals == 3)
    #expect(gate.cancellations == 0)
    calls[1].cancel()
    await gate.cancelled()
    gate.open()
    #expect(try await calls[0].value.status == 204)
    #expect(try await calls[2].value.status == 204)
    calls[0].cancel()
    #expect(gate.cancellations == 1)
    await expect(.cancelled(.byCaller)) { try await calls[1].value }
  }

  @Test func `an open gate holds nothing`() async throws {
    gate.open()
    #expect(try await transport(.status(204).held(by: gate)).send(request("/")).status == 204)
  }

  @Test(arguments: [
    (Duration.seconds(30), Duration.seconds(60), RequestError.Phase.idle, 30),
    (.seconds(30), .seconds(20), .total, 20),
  ])
  func `a held response hits the earliest timeout`(
    idle: Duration, total: Duration, phase: RequestError.Phase, seconds: Int
  ) async throws {
    let transport = transport(.status(204).held(by: gate))
    var held = try request("/")
    held.timeouts = HTTPRequest.Timeouts(idle: idle, total: total)
    let call = Task { [held] in try await transport.send(held) }
    await gate.reached()
    clock.advance(by: .seconds(seconds - 1))
    #expect(clock.sleepers == 1)
    clock.advance(by: .seconds(1))
    await expect(.timeout(phase)) { try await call.value }
  }

  @Test(arguments: [
    (2, RequestError.Kind?.none), (29, nil), (30, .timeout(.idle)), (100, .timeout(.idle)),
  ])
  func `a delay follows the clock, up to the timeout`(
    seconds: Int, kind: RequestError.Kind?
  ) async throws {
    let transport = transport(.status(204).delayed(by: .seconds(seconds)))
    let call = Task { try await transport.send(request("/")) }
    await clock.sleepers(atLeast: 1)
    clock.advanceToNextSleeper()
    if let kind {
      await expect(kind) { try await call.value }
    } else {
      #expect(try await call.value.timings.wait == .seconds(seconds))
    }
  }

  @Test func `delays below the idle timeout add up to the total timeout`() async throws {
    var response = MockResponse.text("abcdef")
    for offset in 1...5 { response = response.delayed(by: .seconds(20), afterBytes: offset) }
    let transport = transport(response)
    let call = Task { try await transport.send(request("/")) }
    for _ in 1...3 {
      await clock.sleepers(atLeast: 1)
      clock.advanceToNextSleeper()
    }
    await expect(.timeout(.total)) { try await call.value }
  }

  enum Wait: CaseIterable { case held, delayed, heldInBody, receiver }

  @Test(arguments: Wait.allCases)
  func `cancelling ends a wait at once`(wait: Wait) async throws {
    let response: MockResponse =
      switch wait {
      case .held: .text("abc").held(by: gate)
      case .delayed: .text("abc").delayed(by: .seconds(1))
      case .heldInBody: .text("abc").held(by: gate, afterBytes: 1)
      case .receiver: .text("abc")
      }
    let transport = transport(response)
    var request = try request("/")
    if wait == .receiver { request.receiver = { [gate] _ in try await gate.pass() } }
    let call = Task { [request] in try await transport.send(request) }
    if wait == .delayed { await clock.sleepers(atLeast: 1) } else { await gate.reached() }
    call.cancel()
    await expect(.cancelled(.byCaller)) { try await call.value }
    #expect(clock.sleepers == 0)
  }

  @Test func `a call cancelled before it starts sends nothing`() async throws {
    let transport = transport(.status(204))
    let call = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await transport.send(request("/"))
    }
    await expect(.cancelled(.byCaller)) { try await call.value }
    #expect(transport.requests.isEmpty)
  }

  @Test func `gates that open during cancellation end each call exactly once`() async {
    let outcomes = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<1_000 {
        group.addTask {
          let gate = Gate()
          let transport = MockTransport(time: clock.timeSource) { _ in .status(204).held(by: gate) }
          let call = Task { try await transport.send(request("/")) }
          if number % 3 != 0 { await gate.reached() }
          async let opening: Void = open(gate)
          if number % 2 == 0 { call.cancel() }
          let hasResponse = (try? await call.value) != nil
          await opening
          return hasResponse
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes.count == 1_000)
    #expect(outcomes.count(where: { $0 }) >= 500)
    #expect(clock.sleepers == 0)
  }

  @concurrent private func open(_ gate: Gate) async { gate.open() }
}

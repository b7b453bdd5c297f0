import QuireTesting
import Testing

@testable import ServerAPI

@Suite(.timeLimit(.minutes(1))) struct BatchTests {
  static func calls(_ count: Int) -> [Call] { (0..<count).map { Call("/\($0)") } }

  /// Responds with 404 for these paths and 200 for all others.
  static func server(failing: Set<String> = []) -> Server {
    Server(
      "https://a.example",
      transport: MockTransport { .status(failing.contains($0.url.path) ? 404 : 200) })
  }

  @Test func `results are in the order of the calls`() async {
    var seen: [Int] = []
    let batch = await Self.server(failing: ["/3"]).batch(Self.calls(9)) { done, of in
      #expect(of == 9)
      seen.append(done)
    }
    #expect(batch.results.count == 9)
    #expect(batch.responses.map(\.url.path) == ["/0", "/1", "/2", "/4", "/5", "/6", "/7", "/8"])
    #expect(batch.firstError?.kind == .status(404))
    #expect(!batch.isFulfilled)
    #expect(seen == Array(1...9))
  }

  @Test func `no more calls are in flight than the width allows`() async {
    let gate = Gate()
    let transport = MockTransport { _ in .status(200).held(by: gate) }
    let server = Server("https://a.example", transport: transport)
    async let batch = server.batch(Self.calls(10), width: 3)
    await gate.reached(by: 3)
    #expect(transport.requests.count == 3)
    gate.open()
    #expect(await batch.isFulfilled)
    #expect(transport.requests.count == 10)
  }

  @Test(arguments: [Int.min, 0, .max])
  func `an extreme width means one or all`(width: Int) async {
    let batch = await Self.server().batch(Self.calls(10), width: width)
    #expect(batch.responses.count == 10)
  }

  @Test func `the first failure ends a batch that needs all, and cancels the rest`() async {
    let gate = Gate()
    let transport = MockTransport { request in
      guard request.url.path == "/2" else { return .status(200).held(by: gate) }
      await gate.reached(by: 2)
      return .status(404)
    }
    let batch = await Server("https://a.example", transport: transport)
      .batch(Self.calls(20), width: 3, policy: .all)
    #expect(batch.results.map { $0 == nil } == (0..<20).map { $0 != 2 })
    #expect(gate.cancellations == 2)
    #expect(transport.requests.count == 3)
  }

  @Test(arguments: [
    (Server.Batch.Policy.collect, "++-", true, false, false), (.all, "+", false, false, true),
    (.all, "-", true, false, true), (.any, "-", false, false, true), (.any, "+", true, true, true),
    (.any, "---", true, false, true), (.quorum(2), "+-+", true, true, true),
    (.quorum(2), "--", true, false, true), (.quorum(9), "", true, false, true),
    (.quorum(0), "", true, true, true), (.all, "+++", true, true, true),
  ])
  func `the policy decides when a batch of three ends`(
    policy: Server.Batch.Policy, endings: String, isOver: Bool, isFulfilled: Bool, endsEarly: Bool
  ) {
    var tally = BatchTally(policy, count: 3)
    for ending in endings { tally.record(success: ending == "+") }
    #expect(tally.isOver == (isOver && endsEarly))
    #expect(tally.isFulfilled == isFulfilled)
  }

  @Test func `cancelling a batch ends all of its calls`() async {
    let gate = Gate()
    let transport = MockTransport { _ in .status(200).held(by: gate) }
    let server = Server("https://a.example", transport: transport)
    let task = Task { await server.batch(Self.calls(6), width: 2) }
    await gate.reached(by: 2)
    task.cancel()
    let batch = await task.value
    #expect(
      batch.results.allSatisfy { result in
        if case .failure(let error)? = result { error.kind == .cancelled(.byCaller) } else { false }
      })
  }

  @Test func `a chain follows its responses and ends with the first failure`() async throws {
    let responses = try await Self.server().chain(Call("/0")) { response in
      response.url.path == "/2" ? nil : Call("/\((Int(response.url.path.dropFirst()) ?? 9) + 1)")
    }
    #expect(responses.map(\.url.path) == ["/0", "/1", "/2"])
    let error = await #expect(throws: RequestError.self) {
      try await Self.server(failing: ["/1"]).chain(Call("/0")) { _ in Call("/1") }
    }
    #expect(error?.kind == .status(404))
  }
}

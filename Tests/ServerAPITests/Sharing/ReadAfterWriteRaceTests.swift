import QuireTesting
import Testing

@testable import ServerAPI

/// Reads that start after a write has ended return what the server has then.
@Suite(.timeLimit(.minutes(1))) struct ReadAfterWriteRaceTests {
  /// A server whose first reads wait at a gate, which also opens when a read joins another one.
  private final class Setup: EventMonitor {
    let gate = Gate()
    let reads = Counter()
    let joined = Counter()
    let write: MockResponse

    init(write: MockResponse = .status(204)) { self.write = write }

    /// The first `held` reads are held.
    func server(
      held: Int = 1, _ configure: (inout Server.Configuration) -> Void = { _ in }
    ) -> Server {
      let transport = MockTransport { [gate, reads, write] request in
        guard request.method == .get else { return write }
        let number = reads.add()
        let response = MockResponse.status(200, ["Cache-Control": "max-age=60"], "\(number)")
        return number <= held ? response.held(by: gate) : response
      }
      return Server("https://a.example", transport: transport) {
        $0.monitors = [self]
        $0.retry = .never
        configure(&$0)
      }
    }

    func record(_ event: Call.Event, of call: Call.Info) {
      guard case .joined = event else { return }
      joined.add()
      gate.open()
    }
  }

  private func text(_ server: Server, _ address: String = "/x") async -> String {
    (try? await server.send(Call(address)).bodyText) ?? "failed"
  }

  @Test(
    arguments: [HTTPMethod.put, .post, .patch, .delete],
    [
      MockResponse.status(204), .status(404),
      .failure(.connectionLost(bytesReceived: 0, reused: false)),
    ])
  func `a read after a write does not join a read from before it`(
    method: HTTPMethod, write: MockResponse
  ) async {
    let setup = Setup(write: write)
    let server = setup.server()
    let first = Task { await text(server) }
    await setup.gate.reached()
    _ = try? await server.send(Call("/x", method: method))
    #expect(await text(server) == "2")
    setup.gate.open()
    #expect(await first.value == "1")
  }

  @Test func `a read after a write does not join one that started during the write`() async {
    let writes = Gate()
    let setup = Setup(write: MockResponse.status(204).held(by: writes))
    let server = setup.server()
    let write = Task { try? await server.send(Call("/x", method: .put)) }
    await writes.reached()
    let first = Task { await text(server) }
    await setup.gate.reached()
    writes.open()
    #expect(await write.value?.status == 204)
    #expect(await text(server) == "2")
    setup.gate.open()
    #expect(await first.value == "1")
  }

  @Test func `a read during a write does not join one from before it`() async {
    let writes = Gate()
    let setup = Setup(write: MockResponse.status(204).held(by: writes))
    let server = setup.server()
    let first = Task { await text(server) }
    await setup.gate.reached()
    let write = Task { try? await server.send(Call("/x", method: .put)) }
    await writes.reached()
    #expect(await text(server) == "2")
    writes.open()
    #expect(await write.value?.status == 204)
    setup.gate.open()
    #expect(await first.value == "1")
  }

  @Test(arguments: ["Location", "Content-Location"])
  func `a read of an address that a write names does not join an earlier one`(
    field: String
  ) async {
    let setup = Setup(write: .status(201, [field: "/x"]))
    let server = setup.server()
    let first = Task { await text(server) }
    await setup.gate.reached()
    _ = try? await server.send(Call("/all", method: .post))
    #expect(await text(server) == "2")
    setup.gate.open()
    #expect(await first.value == "1")
  }

  @Test func `a redirected write counts at each of its addresses`() async {
    let setup = Setup()
    let transport = MockTransport { [gate = setup.gate, reads = setup.reads] request in
      if request.method == .put {
        return request.url.path == "/old"
          ? .status(307, ["Location": "/x"]) : .status(204)
      }
      let number = reads.add()
      return number == 1 ? .status(200, [:], "1").held(by: gate) : .status(200, [:], "\(number)")
    }
    let server = Server("https://a.example", transport: transport) { $0.monitors = [setup] }
    let first = Task { await text(server) }
    await setup.gate.reached()
    _ = try? await server.send(Call("/old", method: .put))
    #expect(await text(server) == "2")
    setup.gate.open()
    #expect(await first.value == "1")
  }

  @Test func `with a cache, a read after a write is not served what the earlier one receives`()
    async
  {
    let setup = Setup()
    let server = setup.server { $0.cache = HTTPCache() }
    let first = Task { await text(server) }
    await setup.gate.reached()
    _ = try? await server.send(Call("/x", method: .put))
    #expect(await text(server) == "2")
    setup.gate.open()
    #expect(await first.value == "1")
    #expect(await text(server) == "2")
  }

  @Test func `a write of another address and a named request leave reads shared`() async {
    let setup = Setup()
    let server = setup.server()
    let first = Task { await text(server) }
    await setup.gate.reached()
    _ = try? await server.send(Call("/y", method: .put))
    var search = Call("/x", method: .post, body: .text("q"))
    search.cacheKey = "search"
    _ = try? await server.send(search)
    #expect(await text(server) == "1")
    #expect(await first.value == "1")
    #expect(setup.joined.value == 1)
  }

  @Test func `a write through a copy of the server counts too`() async throws {
    let setup = Setup()
    let server = setup.server()
    let first = Task { await text(server) }
    await setup.gate.reached()
    let copy = server.with { $0.timeouts.total = .seconds(9) }
    _ = try await copy.send(Call("/x", method: .put))
    #expect(await text(server) == "2")
    setup.gate.open()
    #expect(await first.value == "1")
  }

  @Test func `a call that only reads leaves reads shared`() async throws {
    let setup = Setup()
    let server = setup.server()
    let first = Task { await text(server) }
    await setup.gate.reached()
    var search = Call("/x", method: .post, body: .text("q"))
    search.onlyReads = true
    _ = try await server.send(search)
    #expect(await text(server) == "1")
    #expect(await first.value == "1")
  }
}

import Quire
import QuireTesting
import Testing

/// The samples of “Testing without a network”, in their order.
@Suite struct TestingSamples {
  @Test func `a closure responds and requests are recorded`() async throws {
    let transport = MockTransport { request in
      .json(#"{"page": \#(request.query["page"] ?? "1")}"#)
    }
    let server = Server("https://api.example.com", transport: transport)
    let response = try await server.send(Call("/books", params: ["page": 2]))
    #expect(try response.text() == #"{"page": 2}"#)
    #expect(transport.requests.map(\.url.path) == ["/books"])
  }

  @Test func `responses can be scripted by path`() async throws {
    let transport = MockTransport()
    transport.enqueue(.get, "/books", .json("[]"))
    transport.enqueue(.post, "/orders", .failure(.connectRefused))
    let server = Server("https://api.example.com", transport: transport)
    #expect(try await server.send(Call("/books")).text() == "[]")
  }

  @Test func `a gate holds a response`() async throws {
    let gate = Gate()
    let transport = MockTransport { _ in .json("[]").held(by: gate) }
    let server = Server("https://api.example.com", transport: transport)
    let loading = Task { try await server.send(Call("/books")) }
    await gate.reached()
    loading.cancel()
    await #expect(throws: RequestError.self) { try await loading.value }
  }

  @Test func `a retry takes no time on a manual clock`() async throws {
    let clock = ManualClock()
    let transport = MockTransport(time: clock.timeSource)
    transport.enqueue(.status(503).headers(["Retry-After": "3"]), .status(204))
    let server = Server("https://api.example.com", transport: transport) {
      $0.time = clock.timeSource
    }
    async let response = server.send(Call("/books/17", method: .put))
    await clock.sleepers(atLeast: 1)
    clock.advanceToNextSleeper()
    #expect(try await response.attempts.count == 2)
  }

  @Test func `the login page of a hotel is an error`() async {
    let hotel = MockTransport { _ in .json("[]") }.with(.captivePortal)
    let server = Server("https://api.example.com", transport: hotel) { $0.content = .json }
    let error = await #expect(throws: RequestError.self) { try await server.send(Call("/books")) }
    #expect(error?.kind == .unexpectedContent(.captivePortal))
  }

  @Test func `a loopback server responds on this machine`() async throws {
    let loopback = try LoopbackServer { request in .text("you asked for \(request.path)") }
    let server = Server(loopback.baseURL, transport: CurlTransport())
    let response = try await server.send(Call("/books"))
    #expect(try response.text() == "you asked for /books")
  }
}

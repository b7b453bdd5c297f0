import QuireTesting
import Support
import Testing

@testable import ServerAPI

@Suite struct SendTests {
  @Test func `a successful call is reported step by step and exactly once`() async throws {
    let recorder = EventRecorder()
    let server = Server("https://a.example", transport: MockTransport(playing: [.status(200)])) {
      $0.monitors = [recorder]
    }
    let response = try await server.send(Call("/books"))
    #expect(response.attempts.map(\.outcome) == [.responded(200)])
    #expect(recorder.events == ["created GET", "sent /books", "received 200", "finished 200"])
  }

  @Test func `an invalid address is an error before any exchange`() async {
    let transport = MockTransport(playing: [.status(200)])
    let recorder = EventRecorder()
    let server = Server("https://", transport: transport) { $0.monitors = [recorder] }
    #expect(
      await server.outcome(Call("/x")) == .failed(.invalidRequest(.init(.baseURL, "has no host"))))
    #expect(transport.requests.isEmpty)
    #expect(recorder.events.count == 1 && recorder.events[0].hasPrefix("failed"))
  }

  @Test func `an error has the request without its secrets, and every exchange`() async throws {
    let clock = ManualClock(skipsSleeps: true)
    let transport = MockTransport(playing: [.status(503), .status(404)])
    let server = Server("https://a.example", transport: transport) { $0.time = clock.timeSource }
    let error = await #expect(throws: RequestError.self) {
      try await server.send(Call("/books?page=2&Api_Key=secret&q=a"))
    }
    #expect(error?.kind == .status(404))
    #expect(error?.request == "GET https://a.example/books?page=2&Api_Key=[redacted]&q=a")
    #expect(error?.attempts.map(\.outcome) == [.responded(503), .responded(404)])
    #expect(error?.attempts[0].followedBy == "retry after status 503")
    #expect(error?.attempts[0].address == "https://a.example/books?page=2&Api_Key=[redacted]&q=a")
    var inspected = String(reflecting: error)
    dump(error, to: &inspected)
    #expect(inspected.contains("q=a") && !inspected.contains("secret"))
  }

  @Test func `exchanges whose addresses differ only in a secret are equal`() throws {
    let attempts = try ["?key=a", "?key=b", "?q=a", "?q=b"].map {
      HTTPResponse.Attempt(
        address: try WebURL("https://a.example/books\($0)"), outcome: .responded(200))
    }
    #expect(attempts[0] == attempts[1] && attempts[2] != attempts[3])
    #expect(Set(attempts).count == 3)
  }

  @Test(arguments: [
    ("https://user:secret@a.example/books", "GET /books"), ("/books?key=secret", "GET /books"),
    ("/books?\u{301}key=secret", "GET /books"), ("https://a.example/books#secret", "GET /books"),
    ("user:secret@a.example/books", "GET "), ("", "GET "),
  ])
  func `a call without a name is reported by method and path`(
    address: String, name: String
  ) {
    final class Names: EventMonitor {
      let seen = Lock<Set<String>>([])
      func record(_ event: Call.Event, of call: Call.Info) {
        seen.withLock { _ = $0.insert(call.name) }
      }
    }
    let names = Names()
    CallTrace([names], Call(address)).finish(.failure(RequestError(.offline)))
    #expect(names.seen.withLock { $0 } == [name])
  }

  @Test func `timings add up the exchanges and count delays as queueing`() async throws {
    let clock = ManualClock(skipsSleeps: true)
    let transport = MockTransport(time: clock.timeSource)
    for response: MockResponse in [.redirect(to: "/2"), .text("x")] {
      transport.enqueue(
        response.delayed(by: .milliseconds(10)).delayed(by: .milliseconds(20), afterBytes: 1))
    }
    let server = Server("https://a.example", transport: transport) { $0.time = clock.timeSource }
    let response = try await server.send(Call("/1"))
    #expect(response.timings.wait == .milliseconds(20))
    #expect(response.timings.receive == .milliseconds(40))
    #expect(response.timings.wireBytes == 1)
    #expect(response.timings.total == .milliseconds(60))
    #expect(response.url.path == "/2")
  }

  @Test func `all copies of a server share what it learned, even changed ones`() async throws {
    let transport = MockTransport(playing: [.status(200, ["Set-Cookie": "id=7"]), .status(200)])
    let server = Server("https://a.example", transport: transport) { $0.keepsCookies = true }
    _ = try await server.send(Call("/"))
    _ = try await server.with { $0.headers["X-A"] = "1" }.send(Call("/"))
    #expect(transport.requests.map { $0.headers["Cookie"] } == [nil, "id=7"])
    #expect(transport.requests.map { $0.headers["X-A"] } == [nil, "1"])
  }

  @Test func `a stream delivers pieces and is not retried after the first`() async throws {
    let transport = MockTransport { _ in .text("piece 0 and more").cut(afterBytes: 7) }
    let server = Server("https://a.example", transport: transport)
    let pieces = Counter()
    let error = await #expect(throws: RequestError.self) {
      try await server.stream(Call("/big")) { _ in pieces.add() }
    }
    #expect(error?.kind == .connectionLost(bytesReceived: 7, reused: false))
    #expect(pieces.value == 1)
    #expect(transport.requests[0].limits == .unlimitedBody)
  }
}

import QuireTesting
import Testing

@testable import ServerAPI

@Suite struct CacheRaceTests {
  @Test func `concurrent calls share the revalidation of the first one`() async throws {
    let gate = Gate()
    let transport = MockTransport(playing: [
      .status(200, ["Cache-Control": "max-age=1", "ETag": "\"1\""], "one"),
      .status(304, ["ETag": "\"1\"", "Cache-Control": "max-age=60"]).held(by: gate),
    ])
    let books = CachedServer(transport)
    _ = try await books.get()
    books.clock.advance(by: .seconds(5))
    try await withThrowingTaskGroup(of: String.self) { group in
      for caller in 0..<16 {
        group.addTask {
          try await books.get("/books", headers: ["X-Request-Id": "\(caller)"]).bodyText
        }
      }
      await gate.reached()
      gate.open()
      for try await bodyText in group { #expect(bodyText == "one") }
    }
    #expect(books.requestCount == 2)
  }

  @Test func `when the revalidating call is cancelled, another one continues`() async throws {
    let gate = Gate()
    let transport = MockTransport.numbered { _, index in
      let response = MockResponse.status(
        200, ["Cache-Control": "max-age=1", "ETag": "\"1\""], "\(index)")
      return index == 1 ? response.held(by: gate) : response
    }
    let books = CachedServer(transport)
    _ = try await books.get()
    books.clock.advance(by: .seconds(5))
    let first = Task { try await books.get("/books", headers: ["X-Request-Id": "1"]).bodyText }
    await gate.reached()
    let second = Task { try await books.get("/books", headers: ["X-Request-Id": "2"]).bodyText }
    first.cancel()
    #expect(try await second.value == "2")
    await #expect(throws: RequestError.self) { try await first.value }
  }

  @Test func `concurrent readers and writers of one cache see complete responses only`()
    async throws
  {
    let transport = MockTransport.numbered { request, index in
      .status(
        200, ["Cache-Control": "max-age=\(index % 3)", "ETag": "\"\(index % 5)\""],
        String(repeating: request.url.query ?? "", count: 500))
    }
    let books = CachedServer(transport)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for caller in 0..<8 {
        group.addTask {
          for step in 0..<100 {
            let page = (caller + step) % 10
            let bodyText = try await books.get("/books?\(page)").bodyText
            #expect(bodyText == String(repeating: "\(page)", count: 500))
            if step % 9 == 0 { books.server.cache?.remove(prefix: "https://api.example.com/") }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `a call has time left while the one that validates its response waits for a limit`()
    async throws
  {
    let clock = ManualClock()
    let fields: HTTPHeaders = ["ETag": "\"1\"", "Cache-Control": "no-cache"]
    let transport = MockTransport(playing: [
      .status(200, fields, "x"), .status(429, ["Retry-After": "10"]), .status(304, fields),
    ])
    let server = Server("https://a.example", transport: transport) {
      $0.time = clock.timeSource
      $0.random = { 0 }
      $0.cache = HTTPCache(MemoryCacheStore())
      $0.sharesReads = false
      $0.timeouts.total = .seconds(1)
    }
    #expect(await server.outcome(Call("/x")) == .responded(200))
    let tasks = (0..<2).map { _ in Task { await server.outcome(Call("/x")) } }
    await clock.sleepers(atLeast: 2)
    clock.advance(by: .seconds(2))
    await clock.sleepers(atLeast: 2)
    clock.advance(by: .seconds(8))
    for task in tasks { #expect(await task.value == .responded(200)) }
    #expect(transport.requests.count >= 3)
  }
}

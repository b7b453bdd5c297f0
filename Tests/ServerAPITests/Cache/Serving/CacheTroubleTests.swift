import QuireTesting
import Support
import Testing

@testable import ServerAPI

/// Servers, users and races that must not mislead a cache.
@Suite(.timeLimit(.minutes(1))) struct CacheTroubleTests {
  private let fresh: HTTPHeaders = ["Cache-Control": "max-age=60"]

  @Test(arguments: [CacheMode.standard, .noStore, .revalidate])
  func `a server that always responds with 304 gets at most two requests`(_ mode: CacheMode)
    async
  {
    let books = CachedServer([.status(304, ["ETag": "\"1\""])]) { $0.retry = .never }
    #expect(await books.failure("/books", mode) == .status(304))
    #expect(books.requestCount <= 2)
  }

  @Test func `an API key in a field of any name separates users`() async throws {
    let store = MemoryCacheStore()
    func server(_ user: String, _ authentication: Authentication) -> CachedServer {
      CachedServer([.status(200, fresh, user)], store: store) {
        $0.authentication = authentication
      }
    }
    let ann = server("Ann's", .header("X-Functions", "ann"))
    let bob = server("Bob's", .header("X-Functions", "bob"))
    let eve = server(
      "Eve's", .provider { _ in Authentication.Credential(name: "X-Functions", value: "eve") })
    for (books, bodyText) in [(ann, "Ann's"), (bob, "Bob's"), (eve, "Eve's")] {
      #expect(try await books.get().bodyText == bodyText)
    }
  }

  @Test func `with network interceptors that may identify the user, a partition is required`() async {
    let books = CachedServer([.status(200, fresh, "one")]) {
      $0.networkInterceptors = [CountingInterceptor()]
    }
    guard case .invalidRequest(let defect) = await books.failure() else {
      Issue.record("it was sent")
      return
    }
    #expect(defect.place == .configuration && defect.problem.contains("cachePartition"))
  }

  @Test func `a call with its own credentials bypasses the responses of the named user`()
    async throws
  {
    let books = CachedServer([.status(200, fresh, "Ann's"), .status(200, fresh, "Bob's")]) {
      $0.authentication = .bearer("ann")
      $0.cachePartition = "ann"
    }
    _ = try await books.get()
    #expect(try await books.get(headers: ["Authorization": "Bearer bob"]).bodyText == "Bob's")
    #expect(try await books.get().bodyText == "Ann's")
  }

  @Test func `a response that is removed while in flight is not stored`() async throws {
    let gate = Gate()
    let transport = MockTransport { request in
      let response = MockResponse.status(200, ["Cache-Control": "max-age=60"], "old")
      return request.method == .get ? response.held(by: gate) : response
    }
    let books = CachedServer(transport) { $0.sharesReads = false }
    let reads = [Task { try await books.get() }, Task { try await books.get("/others") }]
    await gate.reached(by: 2)
    _ = try await books.server.send(Call("/books", method: .post, body: .text("new")))
    books.server.cache?.remove(prefix: "https://api.example.com/others")
    gate.open()
    for read in reads { _ = try await read.value }
    #expect(await books.server.cache?.contents().isEmpty == true)
  }

  @Test func `an older response that arrives late does not replace a newer one`() async throws {
    let gate = Gate()
    let transport = MockTransport.numbered { _, index in
      let response = MockResponse.status(200, ["Cache-Control": "max-age=60"], "\(index)")
      return index == 0 ? response.held(by: gate) : response
    }
    let books = CachedServer(transport) { $0.sharesReads = false }
    let slow = Task { try await books.get() }
    await gate.reached()
    books.clock.advance(by: .seconds(1))
    _ = try await books.get()
    gate.open()
    _ = try await slow.value
    #expect(try await books.get().bodyText == "1")
  }

  @Test func `a credential provider that calls the same server does not wait for itself`()
    async throws
  {
    let box = ServerBox()
    let books = CachedServer([.status(200, ["Cache-Control": "max-age=1", "ETag": "\"1\""], "one")]) {
      $0.cachePartition = "ann"
      $0.authentication = .provider { _ in
        _ = try await box.server.withLock { $0 }?.send(Call("/config"))
        return .bearer("ann", lifetime: .milliseconds(1))
      }
    }
    box.server.withLock { $0 = books.server }
    // Breaks the reference cycle.
    defer { box.server.withLock { $0 = nil } }
    _ = try await books.get("/config")
    books.clock.advance(by: .seconds(5))
    #expect(try await books.get("/config").bodyText == "one")
  }

  @Test func `a stored response that replaces a failure is handled like any response`() async throws {
    let gone = CachedServer([.status(404, fresh, "none"), .failure(.connectRefused)]) {
      $0.retry = .never
    }
    #expect(await gone.failure() == .status(404))
    gone.clock.advance(by: .seconds(600))
    #expect(await gone.failure("/books", .networkElseCache) == .status(404))
    let moved = CachedServer([
      .status(301, ["Cache-Control": "max-age=1, stale-if-error=1000", "Location": "/new"]),
      .status(200, ["Cache-Control": "max-age=1000"], "new"), .failure(.connectRefused),
    ]) { $0.retry = .never }
    _ = try await moved.get()
    moved.clock.advance(by: .seconds(5))
    #expect(try await moved.get().bodyText == "new")
  }

  @Test func `a stream does not use the network in cacheOnly mode`() async {
    let books = CachedServer([.status(200, fresh, "one")])
    var call = Call("/books")
    (call.cache, call.receiver) = (.cacheOnly, { _ in })
    #expect(await books.server.outcome(call) == .failed(.notStored))
    #expect(books.requestCount == 0)
  }

  @Test func `a storable error is not served to the next attempt`() async throws {
    let books = CachedServer([.status(503, fresh), .status(200, fresh, "one")])
    #expect(try await books.get().bodyText == "one")
    #expect(books.requestCount == 2)
  }

  @Test func `an unsafe request invalidates even if its response is unusable`() async throws {
    let transport = MockTransport.numbered { request, index in
      request.method == .post
        ? .status(200, ["Content-Type": "text/plain"], "OK")
        : .status(
          200, ["Cache-Control": "max-age=60", "Content-Type": "application/json"], "\(index)")
    }
    let books = CachedServer(transport) { $0.content = .json }
    _ = try await books.get()
    _ = await books.server.outcome(Call("/books", method: .post, body: .text("new")))
    #expect(try await books.get().bodyText == "2")
  }

  @Test func `an unreachable server gets no request for each stale response`() async throws {
    let books = CachedServer([
      .status(200, ["Cache-Control": "max-age=1, stale-while-revalidate=600"], "one"),
      .failure(.connectRefused),
    ]) { $0.retry = .never }
    _ = try await books.get()
    books.clock.advance(by: .seconds(5))
    for _ in 0..<50 { #expect(try await books.get().bodyText == "one") }
    #expect(books.requestCount <= 2)
  }

  @Test func `a response from another origin is not stored for a named user`()
    async throws
  {
    let transport = MockTransport { request in
      request.url.host == "api.example.com"
        ? .redirect(to: "https://files.example.net/bill")
        : .status(200, ["Cache-Control": "private, max-age=60"], "bill")
    }
    let books = CachedServer(transport) { $0.cachePartition = "ann" }
    _ = try await books.get()
    books.server.cache?.remove(partition: "ann")
    #expect(await books.server.cache?.contents().isEmpty == true)
  }

  @Test func `a refusal stays a refusal if credentials can't be renewed`()
    async throws
  {
    let requests = Counter()
    let books = CachedServer([
      .status(200, ["Cache-Control": "max-age=1", "ETag": "\"1\""], "one"), .status(401),
    ]) {
      $0.cachePartition = "ann"
      $0.authentication = .provider { _ in
        guard requests.add() == 1 else { throw RequestError(.offline) }
        return .bearer("ann")
      }
    }
    _ = try await books.get()
    books.clock.advance(by: .seconds(5))
    guard case .authentication = await books.failure("/books", .networkElseCache) else {
      Issue.record("the stored response was served")
      return
    }
  }

  @Test func `a response from a clock that was ahead keeps no newer one out`() async throws {
    let store = MemoryCacheStore()
    let ahead = CachedServer([.status(200, fresh, "old")], store: store)
    ahead.clock.advance(by: .seconds(86_400))
    _ = try await ahead.get()
    let books = CachedServer([.status(200, fresh, "new"), .status(500)], store: store)
    #expect(try await books.get("/books", .networkElseCache).bodyText == "new")
    let stored = try await books.get()
    #expect(stored.bodyText == "new" && stored.source.isCache)
    #expect(books.requestCount == 1)
  }

  @Test func `limits apply to stored responses too`() async throws {
    let books = CachedServer([.status(200, fresh, String(repeating: "x", count: 5_000))])
    _ = try await books.get()
    var call = Call("/books")
    call.limits = HTTPRequest.Limits()
    call.limits?.decodedBytes = 1_000
    #expect(
      await books.server.outcome(call) == .failed(.tooLarge(.decodedBytes, allowed: 1_000)))
  }
}

/// Holds a server for objects that are created before it.
private final class ServerBox: Sendable {
  let server = Lock<Server?>(nil)
}

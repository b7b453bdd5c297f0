import QuireTesting
import Support
import Testing

@testable import ServerAPI

/// Servers, users and moments that a cache must not be led astray by.
@Suite(.timeLimit(.minutes(1))) struct CacheTroubleTests {
  private let fresh: HTTPHeaders = ["Cache-Control": "max-age=60"]

  @Test(arguments: [CacheMode.standard, .noStore, .revalidate])
  func `a server that says unchanged to everything is asked no more than twice`(_ mode: CacheMode)
    async
  {
    let books = CachedServer([.status(304, ["ETag": "\"1\""])]) { $0.retry = .never }
    #expect(await books.failure("/books", mode) == .status(304))
    #expect(books.asked <= 2)
  }

  @Test func `a key in a field of any name tells users apart`() async throws {
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
    for (books, words) in [(ann, "Ann's"), (bob, "Bob's"), (eve, "Eve's")] {
      #expect(try await books.get().words == words)
    }
  }

  @Test func `where interceptors may say who is asking, the user has to be named`() async {
    let books = CachedServer([.status(200, fresh, "one")]) {
      $0.networkInterceptors = [CountingInterceptor()]
    }
    guard case .invalidRequest(let defect) = await books.failure() else {
      Issue.record("it was sent")
      return
    }
    #expect(defect.place == .configuration && defect.problem.contains("cachePartition"))
  }

  @Test func `a call with credentials of its own goes past what is kept for the named user`()
    async throws
  {
    let books = CachedServer([.status(200, fresh, "Ann's"), .status(200, fresh, "Bob's")]) {
      $0.authentication = .bearer("ann")
      $0.cachePartition = "ann"
    }
    _ = try await books.get()
    #expect(try await books.get(headers: ["Authorization": "Bearer bob"]).words == "Bob's")
    #expect(try await books.get().words == "Ann's")
  }

  @Test func `what was removed while it was on its way is not kept`() async throws {
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

  @Test func `an older answer that comes late does not take the place of a newer one`() async throws
  {
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
    #expect(try await books.get().words == "1")
  }

  @Test func `a provider that asks the same server does not wait for itself`() async throws {
    let box = ServerBox()
    let books = CachedServer([.status(200, ["Cache-Control": "max-age=1", "ETag": "\"1\""], "one")])
    {
      $0.cachePartition = "ann"
      $0.authentication = .provider { _ in
        _ = try await box.server.withLock { $0 }?.send(Call("/config"))
        return .bearer("ann", lifetime: .milliseconds(1))
      }
    }
    box.server.withLock { $0 = books.server }
    // Both would keep each other alive.
    defer { box.server.withLock { $0 = nil } }
    _ = try await books.get("/config")
    books.clock.advance(by: .seconds(5))
    #expect(try await books.get("/config").words == "one")
  }

  @Test func `what stands in for a failure is judged like any answer`() async throws {
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
    #expect(try await moved.get().words == "new")
  }

  @Test func `a stream is not taken from the network where only the cache may answer`() async {
    let books = CachedServer([.status(200, fresh, "one")])
    var call = Call("/books")
    (call.cache, call.receiver) = (.cacheOnly, { _ in })
    #expect(await books.server.outcome(call) == .failed(.notStored))
    #expect(books.asked == 0)
  }

  @Test func `an error that may be kept does not answer the next try`() async throws {
    let books = CachedServer([.status(503, fresh), .status(200, fresh, "one")])
    #expect(try await books.get().words == "one")
    #expect(books.asked == 2)
  }

  @Test func `an unsafe request counts, whatever is wrong with its answer`() async throws {
    let transport = MockTransport.numbered { request, index in
      request.method == .post
        ? .status(200, ["Content-Type": "text/plain"], "OK")
        : .status(
          200, ["Cache-Control": "max-age=60", "Content-Type": "application/json"], "\(index)")
    }
    let books = CachedServer(transport) { $0.content = .json }
    _ = try await books.get()
    _ = await books.server.outcome(Call("/books", method: .post, body: .text("new")))
    #expect(try await books.get().words == "2")
  }

  @Test func `a server that is away is not asked again for each stale answer`() async throws {
    let books = CachedServer([
      .status(200, ["Cache-Control": "max-age=1, stale-while-revalidate=600"], "one"),
      .failure(.connectRefused),
    ]) { $0.retry = .never }
    _ = try await books.get()
    books.clock.advance(by: .seconds(5))
    for _ in 0..<50 { #expect(try await books.get().words == "one") }
    #expect(books.asked <= 2)
  }

  @Test func `what came from elsewhere is not stored for a named user, so nothing of it stays`()
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

  @Test func `what the service refused stays refused where credentials can't be renewed`()
    async throws
  {
    let asked = Counter()
    let books = CachedServer([
      .status(200, ["Cache-Control": "max-age=1", "ETag": "\"1\""], "one"), .status(401),
    ]) {
      $0.cachePartition = "ann"
      $0.authentication = .provider { _ in
        guard asked.add() == 1 else { throw RequestError(.offline) }
        return .bearer("ann")
      }
    }
    _ = try await books.get()
    books.clock.advance(by: .seconds(5))
    guard case .authentication = await books.failure("/books", .networkElseCache) else {
      Issue.record("the stored response was given out")
      return
    }
  }

  @Test func `limits hold for what is stored too`() async throws {
    let books = CachedServer([.status(200, fresh, String(repeating: "x", count: 5_000))])
    _ = try await books.get()
    var call = Call("/books")
    call.limits = TransferLimits()
    call.limits?.decodedBytes = 1_000
    #expect(
      await books.server.outcome(call) == .failed(.tooLarge(.decodedBytes, allowed: 1_000)))
  }
}

/// Holds a server for those that are made before it.
private final class ServerBox: Sendable {
  let server = Lock<Server?>(nil)
}

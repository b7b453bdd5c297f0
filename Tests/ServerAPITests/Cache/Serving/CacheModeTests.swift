import Foundation
import QuireTesting
import Testing

@testable import ServerAPI

@Suite struct CacheModeTests {
  private let stale: HTTPHeaders = ["Cache-Control": "max-age=0, must-revalidate"]
  private let fresh: HTTPHeaders = ["Cache-Control": "max-age=60", "ETag": "\"1\""]

  @Test(arguments: [
    RequestError.Kind.offline, .connectRefused, .nameNotResolved(host: "api.example.com"),
    .timeout(.idle), .connectionLost(bytesReceived: 3, reused: false),
  ])
  func `a stored response replaces a failure if the mode allows it`(_ kind: RequestError.Kind)
    async throws
  {
    let books = CachedServer([.status(200, stale, "one"), .failure(kind)])
    _ = try await books.get()
    books.clock.advance(by: .seconds(600))
    let old = try await books.get("/books", .networkElseCache)
    #expect(old.bodyText == "one")
    #expect(old.source == .cache(asOf: Date(timeIntervalSince1970: 1_780_272_000), isFresh: false))
    #expect(await books.failure() == kind)
  }

  @Test func `a server error is retried before a stored response replaces it`()
    async throws
  {
    let books = CachedServer([.status(200, stale, "one"), .status(503)])
    _ = try await books.get()
    #expect(try await books.get("/books", .networkElseCache).bodyText == "one")
    #expect(books.requestCount == 4)
  }

  @Test func `a refusal by the server is not replaced`() async throws {
    let books = CachedServer([.status(200, stale, "one"), .status(404)])
    _ = try await books.get()
    #expect(await books.failure("/books", .networkElseCache) == .status(404))
  }

  @Test func `without the network, a stored response of any age is served`() async throws {
    let books = CachedServer([.status(200, stale, "one")])
    #expect(await books.failure("/books", .cacheOnly) == .notStored)
    #expect(books.requestCount == 0)
    _ = try await books.get("/books", .cacheElseNetwork)
    books.clock.advance(by: .seconds(86_400))
    #expect(try await books.get("/books", .cacheOnly).bodyText == "one")
    #expect(try await books.get("/books", .cacheElseNetwork).bodyText == "one")
    #expect(books.requestCount == 1)
  }

  @Test(
    arguments: [
      nil, .standard, .revalidate, .reload, .noStore, .networkElseCache, .cacheElseNetwork,
      .cacheOnly,
    ] as [CacheMode?], [HTTPMethod.get, .head, .post, .delete])
  func `a server that never uses the network doesn't use it for any call`(
    mode: CacheMode?, method: HTTPMethod
  ) async {
    for cache in [HTTPCache(MemoryCacheStore()), nil] {
      let books = CachedServer([.status(200, fresh, "one")]) {
        $0.cache = cache
        $0.cacheMode = .cacheOnly
      }
      for receives in [false, true] {
        var call = Call("/books", method: method)
        call.cache = mode
        if receives { call.receiver = { _ in } }
        await #expect(throws: RequestError.self) { try await books.server.send(call) }
      }
      #expect(books.requestCount == 0)
    }
  }

  @Test func `without a cache, the cache alone has nothing`() async {
    let books = CachedServer([.status(200, fresh, "one")]) { $0.cache = nil }
    #expect(await books.failure("/books", .cacheOnly) == .notStored)
    #expect(books.requestCount == 0)
  }

  @Test func `a fresh response is validated if the call requests it`() async throws {
    let books = CachedServer([.status(200, fresh, "one"), .status(304, ["ETag": "\"1\""])])
    _ = try await books.get()
    #expect(try await books.get("/books", .revalidate).source == .validated)
  }

  @Test func `a reload is sent without conditions and stores the response`() async throws {
    let books = CachedServer([.status(200, fresh, "one"), .status(200, fresh, "two")])
    _ = try await books.get()
    #expect(try await books.get("/books", .reload).bodyText == "two")
    #expect(books.transport.requests.last?.headers["If-None-Match"] == nil)
    #expect(try await books.get().bodyText == "two")
  }

  @Test func `a call that stores nothing keeps the stored response`() async throws {
    let books = CachedServer([.status(200, fresh, "one"), .status(200, fresh, "two")])
    _ = try await books.get()
    #expect(try await books.get("/books", .noStore).bodyText == "two")
    #expect(try await books.get().bodyText == "one")
  }

  @Test func `the cache mode of the server applies to a call without one`() async throws {
    let books = CachedServer([.status(200, stale, "one")]) { $0.cacheMode = .cacheElseNetwork }
    _ = try await books.get()
    #expect(try await books.get().source.isCache)
  }

  @Test func `the store is read once before a request and once before a put`()
    async throws
  {
    let store = CountingStore()
    let books = CachedServer(
      [.status(200, fresh, "one"), .status(304, fresh)], store: store)
    _ = try await books.get()
    #expect(store.reads.value == 2 && store.puts.value == 1)
    #expect(try await books.get().source.isCache)
    #expect(store.reads.value == 3)
    #expect(try await books.get("/books", .revalidate).source == .validated)
    #expect(store.reads.value == 5 && store.puts.value == 2)
  }

  @Test func `a stale response is served during a single revalidation`() async throws {
    let gate = Gate()
    let transport = MockTransport.numbered { _, index in
      let response = MockResponse.status(
        200, ["Cache-Control": "max-age=1, stale-while-revalidate=60"], "\(index)")
      return index > 0 ? response.held(by: gate) : response
    }
    let store = CountingStore()
    let books = CachedServer(transport, store: store)
    _ = try await books.get()
    books.clock.advance(by: .seconds(5))
    for _ in 0..<3 { #expect(try await books.get().bodyText == "0") }
    await gate.reached()
    gate.open()
    await store.puts.reaches(2)
    #expect(try await books.get().bodyText == "1")
    #expect(books.requestCount == 2)
  }
}

/// Counts the puts and reads of a store.
final class CountingStore: CacheStore {
  let puts = Counter()
  let reads = Counter()
  private let store = MemoryCacheStore()

  var salt: [UInt8] { store.salt }
  var problems: [CacheProblem] { [] }

  func entries(for key: CacheKey) -> [CacheEntry] {
    reads.add()
    return store.entries(for: key)
  }

  func remove(_ selection: CacheSelection) { store.remove(selection) }
  func listings(_ selection: CacheSelection) -> [CacheEntry.Listing] { store.listings(selection) }
  func flush() async {}

  func put(_ entry: CacheEntry) {
    store.put(entry)
    puts.add()
  }
}

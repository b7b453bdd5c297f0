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
  func `where no answer comes, what is stored stands in when it may`(_ kind: RequestError.Kind)
    async throws
  {
    let books = CachedServer([.status(200, stale, "one"), .failure(kind)])
    _ = try await books.get()
    books.clock.advance(by: .seconds(600))
    let old = try await books.get("/books", .networkElseCache)
    #expect(old.words == "one")
    #expect(old.source == .cache(asOf: Date(timeIntervalSince1970: 1_780_272_000), isFresh: false))
    #expect(await books.failure() == kind)
  }

  @Test func `an error of the server's side is tried again before what is stored stands in`()
    async throws
  {
    let books = CachedServer([.status(200, stale, "one"), .status(503)])
    _ = try await books.get()
    #expect(try await books.get("/books", .networkElseCache).words == "one")
    #expect(books.asked == 4)
  }

  @Test func `what the server refuses stays refused`() async throws {
    let books = CachedServer([.status(200, stale, "one"), .status(404)])
    _ = try await books.get()
    #expect(await books.failure("/books", .networkElseCache) == .status(404))
  }

  @Test func `without the network, what is stored will do, however old`() async throws {
    let books = CachedServer([.status(200, stale, "one")])
    #expect(await books.failure("/books", .cacheOnly) == .notStored)
    #expect(books.asked == 0)
    _ = try await books.get("/books", .cacheElseNetwork)
    books.clock.advance(by: .seconds(86_400))
    #expect(try await books.get("/books", .cacheOnly).words == "one")
    #expect(try await books.get("/books", .cacheElseNetwork).words == "one")
    #expect(books.asked == 1)
  }

  @Test func `without a cache, the cache alone has nothing`() async {
    let books = CachedServer([.status(200, fresh, "one")]) { $0.cache = nil }
    #expect(await books.failure("/books", .cacheOnly) == .notStored)
    #expect(books.asked == 0)
  }

  @Test func `a fresh answer is confirmed when the call asks for that`() async throws {
    let books = CachedServer([.status(200, fresh, "one"), .status(304, ["ETag": "\"1\""])])
    _ = try await books.get()
    #expect(try await books.get("/books", .revalidate).source == .validated)
  }

  @Test func `a reload asks for everything and stores it`() async throws {
    let books = CachedServer([.status(200, fresh, "one"), .status(200, fresh, "two")])
    _ = try await books.get()
    #expect(try await books.get("/books", .reload).words == "two")
    #expect(books.transport.requests.last?.headers["If-None-Match"] == nil)
    #expect(try await books.get().words == "two")
  }

  @Test func `a call that stores nothing leaves what is stored as it is`() async throws {
    let books = CachedServer([.status(200, fresh, "one"), .status(200, fresh, "two")])
    _ = try await books.get()
    #expect(try await books.get("/books", .noStore).words == "two")
    #expect(try await books.get().words == "one")
  }

  @Test func `the server's way of using the cache counts where the call has none`() async throws {
    let books = CachedServer([.status(200, stale, "one")]) { $0.cacheMode = .cacheElseNetwork }
    _ = try await books.get()
    #expect(try await books.get().source.isCache)
  }

  @Test func `the store is asked once before the server is, and once before it is written to`()
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

  @Test func `stale is given out while the server is asked, once`() async throws {
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
    for _ in 0..<3 { #expect(try await books.get().words == "0") }
    await gate.reached()
    gate.open()
    await store.puts.reaches(2)
    #expect(try await books.get().words == "1")
    #expect(books.asked == 2)
  }
}

/// Counts what is kept, and how often it is asked.
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

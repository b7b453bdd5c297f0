import Foundation
import Quire
import QuireTesting
import Synchronization
import Testing

/// The samples of “Caching and offline lists”, in their order.
@MainActor @Suite struct CachingSamples {
  struct Book: Decodable, Identifiable {
    let id: Int
    let title: String
  }

  private struct User { var name: String }

  private final class Network: Sendable {
    let isDown = Atomic(false)
  }

  private let user = User(name: "ann")
  private let network = Network()
  private let cache = HTTPCache.memory()
  private let server: Server
  private let now = Date()

  init() {
    let (network, cache) = (network, cache)
    let transport = MockTransport { request in
      guard !network.isDown.load(ordering: .relaxed) else { return .failure(.offline) }
      let page = request.query["page"] ?? "1"
      return .json(#"{"data": {"list": [{"id": \#(page), "title": "Emma"}]}}"#)
    }
    server = Server("https://api.example.com", transport: transport) {
      $0.cache = cache
      $0.retry = .never
    }
  }

  private func show(_ words: String) {}

  /// Compiled only: it would create a folder.
  private func caching(folder: URL) {
    let server = Server("https://api.example.com") {
      $0.cache = .disk(at: folder)
      $0.cachePartition = user.name
    }
    server.cache?.remove(partition: user.name)
  }

  private func checkFolder(_ cache: HTTPCache) async throws {
    try await cache.prepare()
  }

  @Test func `a response says where it comes from, and why`() async throws {
    _ = try await server.send(Call("/books"))
    network.isDown.store(true, ordering: .relaxed)
    var call = Call("/books")
    call.cache = .networkElseCache
    let response = try await server.send(call)
    switch response.source {
    case .network, .validated: show("up to date")
    case .cache(let asOf, let isFresh): show(isFresh ? "up to date" : "as of \(asOf)")
    }
    for attempt in response.attempts { print(attempt.address, attempt.cache ?? "") }
    #expect(response.source.isCache)
    #expect(await server.cache?.contents(prefix: "https://api.example.com").count == 1)
  }

  @Test func `an offline list shows stored rows and their age`() async {
    var banner: String?
    let books = ListModel<Book>(server, "/books", items: "data.list", paging: .pageNumber()) {
      $0.cachePolicy = .cacheThenNetwork
    }
    _ = await books.refresh().outcome
    network.isDown.store(true, ordering: .relaxed)
    _ = await books.refresh().outcome
    switch books.freshness {
    case .nothing, .live: banner = nil
    case .stored: banner = books.freshness.text(at: now)
    case .unreachable: banner = "No connection, " + (books.freshness.text(at: now) ?? "")
    }
    #expect(books.count == 1)
    #expect(banner?.hasPrefix("No connection, from ") == true)
  }

  @Test func `a restored list has all its pages`() async {
    let first = list
    _ = await first.loadNextPage().outcome
    _ = await first.loadNextPage().outcome
    network.isDown.store(true, ordering: .relaxed)
    let kept = ListModel<Book>(server, "/books", items: "data.list", paging: .pageNumber()) {
      $0.keeping = ListKeeping(in: cache)
    }
    kept.restore()
    kept.refresh()
    _ = await kept.refresh().outcome
    #expect(kept.rows.items.map(\.id) == [1, 2])
  }

  private var list: ListModel<Book> {
    ListModel<Book>(server, "/books", items: "data.list", paging: .pageNumber()) {
      $0.keeping = ListKeeping(in: cache)
    }
  }

  @Test func `a list of a new version requests its rows`() async throws {
    func list() -> ListModel<Book> {
      var catalog = Endpoint<Book>("/books", at: "data.list", paging: .pageNumber())
      catalog.call.cacheVersion = 2
      let books = ListModel(server, catalog)
      return books
    }
    let old = ListModel<Book>(server, "/books", items: "data.list", paging: .pageNumber())
    _ = await old.loadNextPage().outcome
    network.isDown.store(true, ordering: .relaxed)
    let books = list()
    _ = await books.loadNextPage().outcome
    #expect(old.items.map(\.title) == ["Emma"] && books.items.isEmpty)
  }

  @Test func `a search that is posted is stored`() async throws {
    let named = server.with { $0.cachePartition = "ann" }
    func list(_ server: Server) -> ListModel<Book> {
      var search = Endpoint<Book>(
        "/search", method: .post, params: ["q": "lem"], at: "data.list", paging: .pageNumber())
      search.call.paramsIn = .json
      search.call.cacheKey = "search"
      search.call.cacheLifetime = .seconds(60)
      let found = ListModel(server, search)
      return found
    }
    for isDown in [false, true] {
      network.isDown.store(isDown, ordering: .relaxed)
      let found = list(named)
      _ = await found.loadNextPage().outcome
      #expect(found.items.map(\.title) == ["Emma"])
    }
  }
}

import Foundation
import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI
import TestSupport
import Testing

/// Stored responses of another version of the program are not used.
@MainActor @Suite(.timeLimit(.minutes(1))) struct CacheVersionTests {
  /// A server that counts its responses in the id of a row. They stay fresh.
  private let transport: MockTransport

  init() {
    let reads = Counter()
    transport = MockTransport { _ in
      .json(#"{"rows":[{"id":\#(reads.add())}]}"#)
        .headers(["Cache-Control": "max-age=600", "ETag": "\"1\""])
    }
  }

  private func list(
    _ cache: HTTPCache, version: Int, _ policy: CachePolicy = .standard
  ) -> ListModel<Row> {
    let server = Server("https://test", transport: transport) {
      $0.retry = .never
      $0.cache = cache
    }
    let list = ListModel<Row>(server, "/rows", items: "rows", paging: .link) {
      $0.cachePolicy = policy
    }
    list.call.cacheVersion = version
    return list
  }

  private func row(_ list: ListModel<Row>) async -> Int? {
    _ = await list.refresh().outcome
    return list.rows.items.first?.id
  }

  @Test(arguments: [
    CachePolicy.standard, .cacheElseNetwork, .cacheThenNetwork, .networkElseCache,
  ])
  func `a list of another version requests its rows without a condition`(
    policy: CachePolicy
  ) async {
    let cache = HTTPCache()
    #expect(await row(list(cache, version: 1)) == 1)
    let next = list(cache, version: 2, policy)
    let delegate = RecordingDelegate()
    next.delegate = delegate
    #expect(await row(next) == 2)
    #expect(delegate.texts.count { $0 == "change" } == 1)
    #expect(transport.requests.last?.headers["If-None-Match"] == nil)
  }

  @Test func `nothing of another version is shown without the network`() async {
    let cache = HTTPCache()
    _ = await row(list(cache, version: 1))
    #expect(await row(list(cache, version: 2, .cacheOnly)) == nil)
    #expect(await row(list(cache, version: 1, .cacheOnly)) == 1)
  }

  @Test func `the new response takes the place of the old one`() async {
    let cache = HTTPCache()
    _ = await row(list(cache, version: 1))
    _ = await row(list(cache, version: 2))
    #expect(await cache.contents().count == 1)
    #expect(await row(list(cache, version: 2, .cacheOnly)) == 2)
    #expect(await row(list(cache, version: 1, .cacheOnly)) == nil)
  }

  @Test(arguments: [Int.min, -1, Int.max])
  func `a store on disk keeps the version`(version: Int) async {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    for policy in [CachePolicy.standard, .cacheOnly] {
      let store = SQLiteCacheStore(folder: folder)
      #expect(await row(list(HTTPCache(store), version: version, policy)) == 1)
      await store.flush()
    }
    let store = SQLiteCacheStore(folder: folder)
    #expect(await row(list(HTTPCache(store), version: 0, .cacheOnly)) == nil)
    await store.flush()
  }

  @Test func `calls of two versions share no exchange`() async throws {
    let gate = Gate()
    transport.enqueue(.json("1").headers(["Cache-Control": "max-age=600"]).held(by: gate))
    let server = Server("https://test", transport: transport) { $0.cache = HTTPCache() }
    let first = Task { try await server.send(Call("/rows")).text() }
    await gate.reached()
    var call = Call("/rows")
    call.cacheVersion = 1
    #expect(try await server.send(call).text() != "1")
    gate.open()
    #expect(try await first.value == "1")
  }
}

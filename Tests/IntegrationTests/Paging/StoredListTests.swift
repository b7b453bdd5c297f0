import Foundation
import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI
import Synchronization
import Testing

/// Lists over libcurl, a real server, and a store in a file.
@Suite(.timeLimit(.minutes(1))) @MainActor final class StoredListTests {
  private struct Entry: Decodable, Identifiable, Equatable {
    let id: Int
    let text: String
  }

  /// Fifty rows, ten on a page, each page with a validator.
  private final class Shelf: Sendable {
    let isAway = Atomic(false)
    let hasChanged = Atomic(false)

    func response(_ request: LoopbackRequest) -> LoopbackResponse {
      guard !isAway.load(ordering: .relaxed) else { return .fault(.close(.requestRead)) }
      let hasChanged = hasChanged.load(ordering: .relaxed)
      let page = request.query("page").flatMap { Int($0) } ?? 1
      let tag = "\"\(page)\(hasChanged ? "b" : "a")\""
      let head = LoopbackResponse.json("").with("ETag", tag).with("Cache-Control", "max-age=0")
      if request.header("If-None-Match") == tag {
        return .status(304).with("ETag", tag)
      }
      let rows = (0..<10).filter { page * 10 + $0 < 60 }.map {
        #"{"id": \#(page * 10 + $0), "text": "\#(hasChanged && $0 == 3 ? "new" : "old")"}"#
      }
      var response = head
      response.body = .bytes(Array("[\(rows.joined(separator: ","))]".utf8))
      return response
    }
  }

  private let shelf = Shelf()
  private let loopback: LoopbackServer
  private nonisolated let folder = NSTemporaryDirectory() + "quire-lists-" + UUID().uuidString

  init() throws { loopback = try LoopbackServer { [shelf] in shelf.response($0) } }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// A list as a program creates it at its start.
  private func list(
    policy: CachePolicy = .standard, keeps: Bool = false
  ) -> (rows: ListModel<Entry>, store: SQLiteCacheStore) {
    let store = SQLiteCacheStore(folder: URL(filePath: folder))
    let server = Server(loopback.baseURL, transport: CurlTransport.shared) {
      $0.cache = HTTPCache(store)
      $0.retry = .never
    }
    let rows = ListModel<Entry>(server, "/rows", paging: .pageNumber(size: 10)) {
      $0.cachePolicy = policy
      if keeps { $0.keeping = ListKeeping(in: store) }
    }
    return (rows, store)
  }

  @Test func `an unchanged page is not sent again`() async {
    let (rows, _) = list()
    await rows.loadAll()
    #expect(rows.count == 50)
    _ = await rows.refresh().outcome
    #expect(rows.page?.source == .validated)
    #expect(rows.count == 10)
  }

  @Test func `stored rows are shown first and replaced by changed ones`() async {
    let first = list()
    _ = await first.rows.loadNextPage().outcome
    await first.store.flush()
    shelf.hasChanged.store(true, ordering: .relaxed)
    let (rows, _) = list(policy: .cacheThenNetwork)
    let steps = rows.events
    rows.refresh()
    var changes: [ListChange] = []
    for await step in steps {
      if case .didChange(let change) = step.event { changes.append(change) }
      if case .didFinish = step.event { break }
    }
    #expect(changes == [ListChange(inserted: [0..<10]), ListChange(updated: [3..<4])])
    #expect(rows.rows.items[3].text == "new")
  }

  @Test func `without the server a list shows stored rows, and is live again later`() async {
    let first = list()
    _ = await first.rows.loadNextPage().outcome
    await first.store.flush()
    shelf.isAway.store(true, ordering: .relaxed)
    let (rows, _) = list(policy: .networkElseCache)
    _ = await rows.refresh().outcome
    #expect(rows.count == 10)
    #expect(rows.page?.source.isCache == true)
    guard case .failed = await rows.refresh().outcome, case .unreachable = rows.freshness else {
      Issue.record("\(rows.freshness)")
      return
    }
    #expect(rows.count == 10)
    shelf.isAway.store(false, ordering: .relaxed)
    _ = await rows.retry().outcome
    guard case .live = rows.freshness else {
      Issue.record("\(rows.freshness)")
      return
    }
  }

  @Test func `a list is restored from its file offline, and continues when the server is back`()
    async
  {
    let first = list(keeps: true)
    for _ in 0..<3 { _ = await first.rows.loadNextPage().outcome }
    await first.store.flush()
    let asked = loopback.requests.count
    shelf.isAway.store(true, ordering: .relaxed)
    let (rows, store) = list(keeps: true)
    _ = await rows.restore().outcome
    #expect(rows.rows.items.map(\.id) == Array(10..<40))
    #expect(loopback.requests.count == asked)
    shelf.isAway.store(false, ordering: .relaxed)
    await rows.loadAll()
    #expect(rows.rows.items.map(\.id) == Array(10..<60))
    #expect(loopback.requests[asked].query("page") == "4")
    #expect(store.problems.isEmpty)
  }
}

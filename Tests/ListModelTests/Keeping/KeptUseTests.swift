import Foundation
import ItemMapping
import QuireTesting
import ServerAPI
import TestSupport
import Testing

@testable import ListModel
@testable import ListReading

/// Which lists are kept, and which kept ones are used again.
@MainActor @Suite(.timeLimit(.minutes(5))) struct KeptUseTests {
  private let bench = KeptListBench(pages: 5)

  @Test func `a kept list with another signature is dropped`() async {
    func isGone(_ change: (KeptListBench) -> Void) async -> Bool {
      let bench = KeptListBench(pages: 2)
      _ = await bench.list().loadAll()
      change(bench)
      let rows = await bench.restored()
      return rows.isEmpty && bench.store.keys.isEmpty
    }
    #expect(await isGone { $0.version = 1 })
    #expect(
      await isGone { bench in
        bench.store.manifestKey.map { bench.store.change($0) { $0.head[0] = 9 } }
        bench.store.pages.forEach { place in
          bench.store.key(ofPage: place).map { key in
            bench.store.remove(CacheSelection(key: key))
          }
        }
      })
    // Another paging or partition is another list.
    let bench = KeptListBench(pages: 2)
    _ = await bench.list().loadAll()
    bench.paging = .offset(limit: 3)
    #expect(await bench.restored() == [])
    bench.paging = KeptListBench(pages: 1).paging
    bench.partition = "ann"
    #expect(await bench.restored() == [])
    bench.partition = nil
    #expect(await bench.restored() == Array(0..<6))
  }

  @Test func `another item type under the same name restores nothing`() async {
    let bench = KeptListBench(pages: 2)
    _ = await bench.list { $0.keeping?.name = "rows" }.loadAll()
    struct Other: Decodable, Identifiable { let id: Int }
    let other = ListModel<Other>(bench.server(), "/rows", items: "rows", paging: bench.paging) {
      $0.keeping = ListKeeping(in: bench.store, as: "rows")
    }
    #expect(await other.restore().outcome == .notNeeded)
    #expect(bench.store.keys.isEmpty)
  }

  @Test(arguments: [
    (0, 4, 3..<15), (1, 4, 6..<15), (3, 4, 12..<15), (2, 0, 0..<6), (4, 1, 0..<12), (2, 2, 0..<6),
  ])
  func `a missing or broken page limits what is restored around the visible row`(
    broken: Int, anchor: Int, rows: Range<Int>
  ) async throws {
    for isMissing in [true, false] {
      let bench = KeptListBench(pages: 5)
      var old: ListModel<Row>? = bench.list()
      _ = await old?.loadAll()
      old?.rowsWillAppear(anchor * 3..<anchor * 3 + 1)
      old = nil
      let key = try #require(bench.store.key(ofPage: broken))
      if isMissing {
        bench.store.remove(CacheSelection(key: key))
      } else {
        bench.store.change(key) { $0.body = ResponseBody(text: "{") }
      }
      let list = bench.list()
      _ = await list.restore().outcome
      #expect(list.ids == Array(rows))
      // And it continues from there, on both sides.
      _ = await list.loadAll()
      while case .prepended = await list.loadPreviousPage().outcome {}
      #expect(list.ids == Array(0..<15))
    }
  }

  @Test(arguments: [
    "private, No-Store", "no-store=x", "a=\"b,c\",no-store", "max-age=1,\tno-store",
  ])
  func `a kept list ends before a page that may not be stored`(control: String) async {
    let bench = KeptListBench(
      MockTransport { request in
        let number = request.query["page"].flatMap { Int($0) } ?? 0
        let response = MockResponse.json(ListBench.page(number, of: 5))
        return number == 2 ? response.headers(["Cache-Control": control]) : response
      })
    _ = await bench.list().loadAll()
    #expect(bench.store.pages == [0, 1])
    let list = bench.list()
    _ = await list.restore().outcome
    #expect(list.ids == Array(0..<6))
    _ = await list.loadNextPage().outcome
    #expect(bench.requestedPages.last == "2" && list.ids == Array(0..<9))
  }

  @Test(arguments: ["a=\"b, no-store\"", "no-stored", "x=no-store", "max-age=0, must-revalidate"])
  func `a list is kept whole where no page forbids it`(control: String) async {
    let bench = KeptListBench(
      MockTransport { request in
        let number = request.query["page"].flatMap { Int($0) } ?? 0
        return .json(ListBench.page(number, of: 5)).headers(["Cache-Control": control])
      })
    _ = await bench.list().loadAll()
    while bench.store.pages.count < 5 { await Task.yield() }
    #expect(bench.store.pages == [0, 1, 2, 3, 4])
  }

  @Test func `with a first page that may not be stored, nothing is kept`() async {
    _ = await bench.list().loadAll()
    let list = bench.list()
    bench.transport.enqueue(
      .json(ListBench.page(0, of: 5)).headers(["Cache-Control": "no-store"]))
    _ = await list.refresh().outcome
    _ = await list.loadNextPage().outcome
    while !bench.store.pages.isEmpty { await Task.yield() }
    #expect(bench.store.keys.isEmpty)
  }

  @Test func `lists with different parameters are kept side by side`() async {
    let list = bench.list()
    _ = await list.loadAll(upTo: 6)
    list.params = ["q": "x"]
    _ = await list.refresh().outcome
    #expect(await bench.restored() == Array(0..<6))
    let other = bench.list()
    other.params = ["q": "x"]
    _ = await other.restore().outcome
    #expect(other.ids == [0, 1, 2])
    other.params = [:]
    _ = await other.restore().outcome
    #expect(other.ids == Array(0..<6))
  }

  @Test
  func `a list whose request has a key or password is not kept without a partition`()
    async
  {
    let secrets: [(String, Call)] = [
      ("https://test", Call("/rows?api_key=ann")), ("https://test/?token=ann", Call("/rows")),
      ("https://test", Call("/rows", headers: ["X-User-Id": "ann"])),
      ("https://test", Call("/rows", params: ["access_token": "ann"])),
      (
        "https://test",
        Call("/rows", method: .post, body: .text(#"{"access_token":"ann","query":"rows"}"#))
      ), ("https://test", Call("/rows", method: .post, body: .text("password=ann"))),
    ]
    for (base, call) in secrets {
      let store = TestCacheStore()
      let list = ListModel<Row>(
        Server(base, transport: bench.transport), call,
        reading: .decodables(at: "rows", decoder: ItemDecoder()), paging: bench.paging,
        identity: .id
      ) { $0.keeping = ListKeeping(in: store, as: "rows") }
      await list.loadAll(upTo: 1)
      #expect(store.keys.isEmpty, "\(call.address) at \(base)")
    }
  }

  @Test(arguments: ["/rows\u{600}?x=secret", "/rows?\u{301}x=secret"])
  func `the name of a kept list has no parameters`(address: String) async {
    await bench.list(address).loadAll(upTo: 1)
    #expect(!bench.store.keys.isEmpty)
    #expect(!bench.store.keys.contains { $0.text.contains("secret") })
  }

  @Test func `a server with credentials and no partition keeps nothing`() async {
    let store = TestCacheStore()
    func list(_ partition: String?) -> ListModel<Row> {
      let server = Server("https://test", transport: bench.transport) {
        $0.authentication = .bearer("secret")
        $0.cachePartition = partition
      }
      return ListModel<Row>(server, "/rows", items: "rows", paging: bench.paging) {
        $0.keeping = ListKeeping(in: store)
      }
    }
    await list(nil).loadAll(upTo: 1)
    #expect(store.keys.isEmpty)
    await list("ann").loadAll(upTo: 1)
    #expect(store.keys.count == 2)
    let (bob, ann) = (list("bob"), list("ann"))
    #expect(await bob.restore().outcome == .notNeeded)
    #expect(await ann.restore().outcome == .replaced(ListChange(inserted: [0..<3])))
  }

  @Test func `a store says once which list it does not keep, and why`() async {
    let store = MemoryCacheStore()
    func list(_ address: String, partition: String? = nil) -> ListModel<Row> {
      let server = Server("https://test", transport: bench.transport) {
        $0.authentication = .bearer("secret")
        $0.cachePartition = partition
      }
      return ListModel<Row>(server, address, items: "rows", paging: bench.paging) {
        $0.keeping = ListKeeping(in: store)
      }
    }
    _ = list("/rows", partition: "ann")
    #expect(store.problems.isEmpty)
    let first = list("/rows?key=secret")
    #expect(store.problems.map(\.kind) == [.unknownOwner], "it is known before the first load")
    await first.loadAll(upTo: 1)
    _ = list("/rows?key=secret")
    #expect(store.problems.count == 1)
    let text = store.problems.first?.text ?? ""
    #expect(text.contains("the list /rows?key=") && !text.contains("secret"), "\(text)")
    #expect(text.contains("set cachePartition in the configuration of the server"), "\(text)")
    _ = list("/books")
    #expect(store.problems.count == 2)
  }
}

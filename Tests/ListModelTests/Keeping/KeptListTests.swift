import Foundation
import ItemMapping
import QuireTesting
import ServerAPI
import TestSupport
import Testing

@testable import ListModel
@testable import ListReading

/// Lists that are restored when the program starts.
@MainActor @Suite(.timeLimit(.minutes(5))) struct KeptListTests {
  private let bench = KeptListBench(pages: 5)

  @Test func `a list is restored without a request and continues where it was`() async {
    let old = bench.list()
    for _ in 0..<3 { _ = await old.loadNextPage().outcome }
    let list = bench.list()
    let events = RecordingDelegate()
    events.notesFreshness = true
    list.delegate = events
    let requests = bench.requestedPages.count
    #expect(await list.restore().outcome == .replaced(ListChange(inserted: [0..<9])))
    #expect(bench.requestedPages.count == requests)
    #expect(list.ids == Array(0..<9))
    #expect(
      list.freshness == .stored(asOf: Date(timeIntervalSince1970: bench.clock.secondsSince1970)))
    #expect(
      events.texts == [
        "start restore", "change", "fresh stored", "refreshed restore", "first page",
        "finish restore",
      ])
    _ = await list.loadNextPage().outcome
    #expect(bench.requestedPages.last == "3" && list.ids == Array(0..<12))
    #expect(await bench.restored() == Array(0..<12))
    #expect(events.mismatches.isEmpty)
  }

  @Test func `restoring nothing changes nothing, and waiting loads continue`() async {
    let list = bench.list()
    let events = RecordingDelegate()
    list.delegate = events
    let (restore, next) = (list.restore(), list.loadNextPage())
    #expect(await restore.outcome == .notNeeded)
    #expect(await next.outcome == .replaced(ListChange(inserted: [0..<3])))
    #expect(events.texts.prefix(3) == ["start restore", "finish restore", "start first"])
    #expect(await list.restore().outcome == .notNeeded)
    let plain = ListBench(pages: 2)
    #expect(await plain.model.restore().outcome == .notNeeded)
    #expect(plain.delegate.texts.isEmpty && plain.requestedPages.isEmpty)
  }

  @Test func `a refresh requested during a restore runs after it`() async {
    _ = await bench.list().loadAll(upTo: 6)
    let list = bench.list()
    let (restore, refresh) = (list.restore(), list.refresh())
    #expect(await restore.outcome == .replaced(ListChange(inserted: [0..<6])))
    #expect(await refresh.outcome == .replaced(ListChange(removed: [3..<6])))
    #expect(
      list.freshness == .live(asOf: Date(timeIntervalSince1970: bench.clock.secondsSince1970)))
    #expect(await bench.restored() == [0, 1, 2])
    // The old pages are removed in the background.
    while bench.store.pages.count > 1 { await Task.yield() }
    #expect(bench.store.pages == [0])
  }

  @Test func `a refresh without a response leaves the restored rows`() async {
    _ = await bench.list().loadAll(upTo: 6)
    let list = bench.list()
    _ = await list.restore().outcome
    bench.transport.enqueue(.failure(.connectRefused))
    guard case .failed(let error) = await list.refresh().outcome else {
      Issue.record("it did not fail")
      return
    }
    #expect(list.ids == Array(0..<6))
    #expect(
      list.freshness
        == .unreachable(asOf: Date(timeIntervalSince1970: bench.clock.secondsSince1970), error))
    #expect(await bench.restored() == Array(0..<6))
  }

  @Test func `the visible row is restored, and written when the list is deallocated`() async {
    var old: ListModel<Row>? = bench.list()
    _ = await old?.loadAll()
    old?.rowsWillAppear(7..<10)
    old = nil
    let list = bench.list()
    _ = await list.restore().outcome
    #expect(list.restoredAnchor == 7)
    list.rowsWillAppear(2..<4)
    await bench.clock.sleepers(atLeast: 1)
    bench.clock.advance(by: .seconds(2))
    while bench.store.manifest?.anchor != .init(place: 0, row: 2) { await Task.yield() }
    let other = bench.list()
    _ = await other.restore().outcome
    #expect(other.restoredAnchor == 2)
    _ = await other.refresh().outcome
    #expect(other.restoredAnchor == nil)
  }

  @Test func `previous pages are restored before the first one`() async {
    let old = bench.list()
    _ = await old.loadPage(3).outcome
    _ = await old.loadPreviousPage().outcome
    _ = await old.loadNextPage().outcome
    #expect(old.ids == Array(6..<15))
    let list = bench.list()
    _ = await list.restore().outcome
    #expect(list.ids == Array(6..<15))
    _ = await list.loadPreviousPage().outcome
    #expect(bench.requestedPages.last == "1" && list.ids == Array(3..<15))
    #expect(await list.loadNextPage().outcome == .reachedEnd(.complete))
  }

  @Test func `a list with automatic paging is restored with its recognized paging`() async {
    let transport = MockTransport { request in
      let number = request.query["page"].flatMap { Int($0) } ?? 1
      return .json(
        #"{"rows":[{"id":\#(number * 2)},{"id":\#(number * 2 + 1)}],"#
          + #""page":\#(number),"total_pages":4}"#)
    }
    let store = TestCacheStore()
    func list() -> ListModel<Row> {
      ListModel<Row>(Server("https://test", transport: transport), "/rows", paging: .automatic) {
        $0.keeping = ListKeeping(in: store)
      }
    }
    let old = list()
    _ = await old.loadAll(upTo: 6)
    let list = list()
    _ = await list.restore().outcome
    #expect(list.ids == Array(2..<8) && list.recognized == old.recognized)
    let count = transport.requests.count
    _ = await list.loadNextPage().outcome
    #expect(transport.requests.count == count + 1 && transport.requests.last?.query["page"] == "4")
    #expect(list.ids == Array(2..<10))
  }

  @Test func `a long list is restored in two steps, the rows around the visible one first`() async {
    let bench = KeptListBench(
      MockTransport { request in
        let number = request.query["page"].flatMap { Int($0) } ?? 0
        return .json(page(number * 400..<number * 400 + 400, #""more":\#(number < 7)"#))
      })
    var old: ListModel<Row>? = bench.list()
    _ = await old?.loadAll()
    old?.rowsWillAppear(1_700..<1_710)
    old = nil
    let list = bench.list()
    let events = RecordingDelegate()
    list.delegate = events
    var anchors: [Int?] = []
    events.onEvent = { [weak list] in if $0 == "change" { anchors.append(list?.restoredAnchor) } }
    _ = await list.restore().outcome
    #expect(list.ids == Array(0..<3_200))
    #expect(anchors == [100, 1_700])
    #expect(events.mismatches.isEmpty)
    #expect(events.texts.filter { $0 == "change" }.count == 2)
    #expect(list.duplicateCount == 0 && bench.requestedPages.count == 8)
  }

  @Test func `a long list closed during its restore is complete the next time`() async {
    let bench = KeptListBench(
      MockTransport { request in
        let number = request.query["page"].flatMap { Int($0) } ?? 0
        return .json(page(number * 400..<number * 400 + 400, #""more":\#(number < 7)"#))
      })
    _ = await bench.list().loadAll()
    var closed: ListModel<Row>? = bench.list()
    let events = RecordingDelegate()
    closed?.delegate = events
    events.onEvent = {
      guard $0 == "change" else { return }
      closed?.rowsWillAppear(4..<10)
      closed = nil
    }
    let load = closed?.restore()
    _ = await load?.outcome
    #expect(closed == nil)
    let list = bench.list()
    _ = await list.restore().outcome
    #expect(list.ids == Array(0..<3_200))
  }

  @Test func `page subclasses are also created for restored pages`() async {
    final class Watching: ListModel<Row> {
      var applied: [[Int]] = []
      override func didApply(_ page: ListPage<Row>) { applied.append(page.items.map(\.id)) }
    }
    _ = await bench.list().loadAll(upTo: 6)
    let list = Watching(bench.server(), "/rows", items: "rows", paging: bench.paging) {
      $0.keeping = ListKeeping(in: bench.store)
    }
    _ = await list.restore().outcome
    #expect(list.applied == [[0, 1, 2], [3, 4, 5]])
    #expect(list.page?.source.isCache == true)
  }
}

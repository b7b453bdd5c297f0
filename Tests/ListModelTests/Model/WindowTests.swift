import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI
import TestSupport
import Testing

/// Lists that keep a part of their rows in memory, and prefetch.
@MainActor struct WindowTests {
  @Test func `a page just loaded is not evicted at once`() async {
    let bench = ListBench(pages: 6) { $0.window = .rows(6) }
    for _ in 0..<4 { _ = await bench.model.loadNextPage().outcome }
    #expect(bench.model.rows.pages.last?.isLoaded == true)
    #expect(bench.delegate.mismatches.isEmpty)
  }

  @Test func `visible rows stay when others are inserted before them`() async {
    let bench = ListBench(pages: 6) {
      $0.window = .rows(3)
      $0.prefetchDistance = 0
    }
    _ = await bench.model.loadPage(3).outcome
    bench.model.rowsWillAppear(1..<3)
    _ = await bench.model.loadPreviousPage().outcome
    #expect(bench.ids.contains(10))
  }

  @Test func `an evicted page of rows without ids is reloaded`() async {
    let transport = MockTransport { request in
      let number = request.query["page"].flatMap { Int($0) } ?? 0
      let rows = (number * 3..<number * 3 + 3).map { "\($0)" }.joined(separator: ",")
      return .json(#"{"rows":[\#(rows)],"more":\#(number < 3)}"#)
    }
    let model = ListModel<Int>(
      Server("https://test", transport: transport), "/rows", items: "rows",
      paging: .pageNumber(first: 0, endsBy: .hasNext("more")), identity: .none
    ) {
      $0.window = .rows(3)
      $0.prefetchDistance = 0
    }
    _ = await model.refresh().outcome
    for number in 1..<3 {
      model.rowsWillAppear(number * 3 - 1..<number * 3)
      _ = await model.loadNextPage().outcome
    }
    guard let gone = model.rows.pages.first(where: { !$0.isLoaded }) else {
      Issue.record("nothing was evicted")
      return
    }
    var events = model.events.makeAsyncIterator()
    model.rowsWillAppear(gone.range)
    while let step = await events.next(), step.event != .didFinish(.evicted(gone.id)) {}
    #expect(model.rows.row(at: gone.range.lowerBound)?.item == gone.range.lowerBound)
  }

  @Test func `a halted search is not resumed by scrolling`() async {
    let bench = ListBench(pages: 1_000) {
      $0.filter = { $0.id < 3 }
      $0.searchPages = 3
    }
    _ = await bench.model.refresh().outcome
    #expect(await bench.model.loadNextPage().outcome == .stillSearching(pages: 3))
    #expect(bench.model.state(of: .next) == .stillSearching(pages: 3))
    let requested = bench.requestedPages.count
    for _ in 0..<5 { bench.model.rowsWillAppear(0..<3) }
    #expect(bench.model.state(of: .next) == .stillSearching(pages: 3))
    #expect(bench.requestedPages.count == requested)
    _ = await bench.model.loadNextPage().outcome
    #expect(bench.requestedPages.count == requested + 3)
  }

  @Test func `a constant cursor leads past pages that the filter empties`() async {
    let transport = MockTransport()
    for number in 0..<4 {
      transport.enqueue(
        .json(
          page(
            number * 3..<number * 3 + 3, number < 3 ? #""next":"same""# : #""next":null"#)))
    }
    let bench = ListBench(paging: .cursor(at: "next"), transport) {
      $0.filter = { $0.id < 3 || $0.id >= 9 }
    }
    #expect(await bench.model.loadAll() == .reachedEnd(.complete))
    #expect(bench.ids == [0, 1, 2, 9, 10, 11])
  }
}

/// Lists with several users, and the limits of their loads.
@MainActor struct SharedListTests {
  @Test func `cancelling a refresh leaves other loads running`() async {
    let gate = Gate()
    let bench = ListBench(pages: 3)
    bench.transport.enqueue(.json(ListBench.page(0, of: 3)).held(by: gate))
    let mine = bench.model.refresh()
    let theirs = bench.model.loadNextPage()
    await gate.reached()
    mine.cancel()
    gate.open()
    #expect(await mine.outcome == .cancelled(.byCaller))
    #expect(await theirs.outcome == .appended(ListChange(inserted: [3..<6])))
  }

  @Test func `a retry repeats the load that failed last, and then the one before it`() async {
    let bench = ListBench(pages: 5)
    _ = await bench.model.loadPage(2).outcome
    bench.transport.enqueue(.status(503))
    _ = await bench.model.loadNextPage().outcome
    bench.transport.enqueue(.status(503))
    _ = await bench.model.loadPreviousPage().outcome
    #expect(await bench.model.retry().outcome == .prepended(ListChange(inserted: [0..<3])))
    #expect(await bench.model.retry().outcome == .appended(ListChange(inserted: [6..<9])))
    #expect(bench.requestedPages == ["2", "3", "1", "1", "3"])
  }

  @Test func `a delegate that loads in every event does not starve other tasks`() async {
    let bench = ListBench(pages: 1)
    _ = await bench.model.refresh().outcome
    var rounds = 0
    bench.delegate.onEvent = { event in
      guard event == "finish next", rounds < 10_000 else { return }
      rounds += 1
      bench.model.loadNextPage()
    }
    _ = await bench.model.loadNextPage().outcome
    await Task { @MainActor in }.value
    #expect(rounds < 10_000)
    bench.delegate.onEvent = nil
  }

  @Test func `nothing is requested when there are enough rows`() async {
    let bench = ListBench(pages: 3)
    _ = await bench.model.refresh().outcome
    #expect(await bench.model.loadAll(upTo: 3) == .notNeeded)
    #expect(bench.requestedPages.count == 1)
  }

  @Test func `a refresh finds the path of the rows again`() async {
    let transport = MockTransport { _ in .json(page(0..<2)) }
    transport.enqueue(.json(#"{"tags":["x"],"rows":null}"#))
    let model = ListModel<Row>(
      Server("https://test", transport: transport), "/rows", paging: .single)
    _ = await model.refresh().outcome
    _ = await model.refresh().outcome
    #expect(model.rows.items.map(\.id) == [0, 1])
  }

  @Test func `a refresh around a row loads the first page if the paging can't go back`() async {
    let transport = MockTransport { request in
      let start = request.query["cursor"].flatMap { Int($0) } ?? 0
      return .json(page(start..<start + 3, #""next":\#(start + 3)"#))
    }
    let bench = ListBench(paging: .cursor(at: "next"), transport)
    for _ in 0..<3 { _ = await bench.model.loadNextPage().outcome }
    _ = await bench.model.refresh(.around(7)).outcome
    #expect(bench.ids == [0, 1, 2])
  }

  @Test func `the rows of a page are visible when the subclass gets it`() async {
    final class Counting: ListModel<Row> {
      var counts: [Int] = []
      override func didApply(_ page: ListPage<Row>) { counts.append(count) }
    }
    let model = Counting(
      Server("https://test", transport: MockTransport { _ in .json(page(0..<2)) }), "/rows",
      items: "rows", paging: .single)
    _ = await model.refresh().outcome
    #expect(model.counts == [2])
  }

  @Test func `a page larger than requested is reported, and all its rows are kept`() async {
    let bench = ListBench(
      paging: .offset(limit: 3, endsBy: .total("total")),
      MockTransport { _ in .json(page(0..<9, #""total":9"#)) })
    _ = await bench.model.refresh().outcome
    #expect(bench.ids == Array(0..<9))
    #expect(bench.delegate.reports.first?.description.contains("at most 3 rows") == true)
  }

  @Test func `editing rows without ids throws`() async {
    let model = ListModel<Int>(
      Server("https://test", transport: MockTransport { _ in .json("[1]") }), "/rows",
      items: .root, paging: .single, identity: .none)
    #expect(throws: ListEditError.noIdentity) { try model.edit(.remove(1)) }
  }
}

import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI
import Support
import TestSupport
import Testing

/// Known defects of earlier list implementations, each with its number: which rows a list has, and how it ends.
@MainActor @Suite(.timeLimit(.minutes(1))) struct RowScenarioTests {
  @Test func `R-14 overlapping pages insert each row once and report duplicates`() async {
    let transport = MockTransport { request in
      request.query["page"] == "0"
        ? .json(page(0..<40, #""more":true"#)) : .json(page(38..<80, #""more":false"#))
    }
    let bench = ListBench(
      paging: .pageNumber(size: 40, first: 0, endsBy: .hasNext("more")), transport)
    _ = await bench.model.refresh().outcome
    _ = await bench.model.loadNextPage().outcome
    #expect(bench.ids == Array(0..<80))
    #expect(bench.model.duplicateCount == 2)
    #expect(bench.model.position(of: 79) == 79 && bench.model.position(of: 38) == 38)
    #expect(bench.model.position(of: 80) == nil)
    #expect(bench.delegate.reports.map(\.duplicates) == [2])
  }

  @Test func `R-15 rows inserted by the server between two pages are not duplicated`() async {
    let transport = MockTransport { request in
      request.query["page"] == "0"
        ? .json(page([0, 1, 2, 3, 4], #""more":true"#))
        : .json(page([2, 3, 4, 5, 6], #""more":false"#))
    }
    let bench = ListBench(
      paging: .pageNumber(size: 5, first: 0, endsBy: .hasNext("more")), transport)
    _ = await bench.model.refresh().outcome
    _ = await bench.model.loadNextPage().outcome
    #expect(bench.ids == Array(0..<7))
    #expect(bench.model.duplicateCount == 3)
  }

  /// A server of six rows, three a page, that deletes row 0 after its first response.
  private func deletingServer(reports: @escaping @Sendable (Int) -> Int) -> MockTransport {
    let count = Lock(0)
    return MockTransport { request in
      let served = count.withLock { count in
        defer { count += 1 }
        return count
      }
      let rows = (served == 0 ? 0..<6 : 1..<6).dropFirst(request.query["page"] == "0" ? 0 : 3)
      return .json(page(rows.prefix(3), #""total":\#(reports(served))"#))
    }
  }

  @Test func `R-16 rows deleted by the server between two pages are looked for, and found`() async {
    let bench = ListBench(
      paging: .pageNumber(size: 3, first: 0, endsBy: .total("total")),
      deletingServer { $0 == 0 ? 6 : 5 })
    _ = await bench.model.refresh().outcome
    for _ in 0..<2 { _ = await bench.model.loadNextPage().outcome }
    // Row 3 had moved to page 0. Row 0 is still shown: nothing says which row is gone.
    #expect(bench.requestedPages == ["0", "1", "0"])
    #expect(bench.ids == [0, 1, 2, 3, 4, 5])
    #expect(bench.model.state(of: .next) == .reachedEnd(.complete))
    #expect(bench.model.page?.facts.total == 5)
  }

  @Test func `a number of rows that goes up and down ends the list as incomplete`() async {
    let bench = ListBench(
      paging: .pageNumber(size: 3, first: 0, endsBy: .total("total")),
      deletingServer { 6 - $0 % 2 })
    _ = await bench.model.refresh().outcome
    for _ in 0..<3 { _ = await bench.model.loadNextPage().outcome }
    #expect(bench.ids == [0, 1, 2, 3, 4, 5])
    #expect(bench.requestedPages.count < 10)
    guard case .reachedEnd(.incomplete(let error)) = bench.model.state(of: .next) else {
      Issue.record("\(bench.model.state(of: .next))")
      return
    }
    #expect("\(error)".contains("fell from 6 to 5"))
  }

  @Test func `R-17 pages of duplicates are skipped, up to a limit`() async {
    let transport = MockTransport { request in
      let number = request.query["page"].flatMap { Int($0) } ?? 0
      return .json(page(number == 5 ? 3..<6 : 0..<3 - number % 2, #""more":true"#))
    }
    let bench = ListBench(
      paging: .pageNumber(first: 0, endsBy: .hasNext("more")), transport
    ) { $0.searchPages = 2 }
    _ = await bench.model.refresh().outcome
    #expect(await bench.model.loadNextPage().outcome == .stillSearching(pages: 2))
    #expect(bench.delegate.texts.contains("searching 1"))
    #expect(bench.model.state(of: .next) == .stillSearching(pages: 2))
  }

  @Test func `R-17 a server that repeats a page forever is detected`() async {
    let transport = MockTransport { _ in .json(page(0..<3, #""more":true"#)) }
    let bench = ListBench(
      paging: .pageNumber(first: 0, endsBy: .hasNext("more")), transport)
    _ = await bench.model.refresh().outcome
    _ = await bench.model.loadNextPage().outcome
    guard case .reachedEnd(.incomplete(.noProgress)) = bench.model.state(of: .next) else {
      Issue.record("\(bench.model.state(of: .next))")
      return
    }
    #expect(bench.requestedPages.count == 3)
  }

  @Test func `R-18 a full last page ends the list if the server says so`() async {
    let bench = ListBench(pages: 2)
    _ = await bench.model.refresh().outcome
    bench.delegate.forget()
    _ = await bench.model.loadNextPage().outcome
    #expect(
      bench.delegate.texts == ["start next", "change", "loaded next", "last page", "finish next"])
    bench.delegate.forget()
    let beyond = bench.model.loadNextPage()
    #expect(bench.delegate.texts.isEmpty)
    #expect(await beyond.outcome == .reachedEnd(.complete))
    #expect(bench.delegate.texts == ["last page", "finish next"])
    #expect(bench.requestedPages == ["0", "1"])
  }

  @Test func `R-19 a list with an empty first page has loaded`() async {
    let bench = ListBench(
      MockTransport { _ in .json(page([], #""more":false"#)) })
    #expect(await bench.model.refresh().outcome == .replaced(ListChange()))
    #expect(bench.model.hasLoaded && bench.model.count == 0)
    #expect(
      bench.delegate.texts == [
        "start first", "refreshed first", "first page", "last page", "finish first",
      ])
  }

  @Test func `R-21 a failed first load is reported, and a retry repeats it`() async {
    let bench = ListBench(pages: 1)
    bench.transport.enqueue(.status(503))
    _ = await bench.model.refresh().outcome
    #expect(bench.delegate.texts == ["start first", "fail first", "finish first"])
    guard case .failed = bench.model.refreshState else {
      Issue.record("\(bench.model.refreshState)")
      return
    }
    #expect(await bench.model.retry().outcome == .replaced(ListChange(inserted: [0..<3])))
    #expect(bench.model.refreshState == .idle)
    #expect(await bench.model.retry().outcome == .notNeeded)
  }

  @Test func `R-22 a failed refresh leaves the rows and the position unchanged`() async {
    let bench = ListBench(pages: 4)
    _ = await bench.model.refresh().outcome
    _ = await bench.model.loadNextPage().outcome
    bench.transport.enqueue(.status(500))
    _ = await bench.model.refresh().outcome
    #expect(bench.ids == Array(0..<6))
    _ = await bench.model.loadNextPage().outcome
    #expect(bench.ids == Array(0..<9))
    #expect(bench.requestedPages.last == "2")
  }

  @Test
  func `R-23 a previous page is inserted before the first row, and page 0 has none`()
    async
  {
    let bench = ListBench(pages: 5)
    _ = await bench.model.loadPage(2).outcome
    _ = await bench.model.loadNextPage().outcome
    _ = await bench.model.loadPreviousPage().outcome
    #expect(bench.ids == Array(3..<12))
    _ = await bench.model.loadPreviousPage().outcome
    #expect(bench.delegate.texts.suffix(2) == ["first page", "finish previous"])
    #expect(await bench.model.loadPreviousPage().outcome == .reachedEnd(.complete))
    #expect(bench.ids == Array(0..<12))
    #expect(bench.requestedPages == ["2", "3", "1", "0"])
    #expect(bench.delegate.mismatches.isEmpty)
  }

  @Test func `R-25 an unreadable element is left out and reported`() async {
    let bench = ListBench(
      MockTransport { _ in .json(#"{"rows":[{"id":1},{"id":null},{"id":3}],"more":false}"#) })
    _ = await bench.model.refresh().outcome
    #expect(bench.ids == [1, 3])
    #expect(bench.delegate.reports.first?.mapping.droppedItems == 1)
  }
}

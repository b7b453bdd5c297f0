import Dispatch
import ItemMapping
import ListModel
import QuireTesting
import ServerAPI
import Support
import TestSupport
import Testing

/// Known defects of earlier list implementations, each with its number.
@MainActor @Suite(.timeLimit(.minutes(1))) struct ScenarioTests {
  @Test func `R-01 a failed next page is requested again`() async {
    let bench = ListBench(pages: 4)
    _ = await bench.model.refresh().outcome
    bench.transport.enqueue(.failure(.connectRefused))
    let failed = await bench.model.loadNextPage().outcome
    guard case .failed(.request) = failed else {
      Issue.record("\(failed)")
      return
    }
    _ = await bench.model.loadNextPage().outcome
    #expect(bench.requestedPages == ["0", "1", "1"])
    #expect(bench.ids == Array(0..<6))
  }

  @Test func `R-02 next twice quickly is one request`() async {
    let bench = ListBench(pages: 4)
    _ = await bench.model.refresh().outcome
    let (a, b) = (bench.model.loadNextPage(), bench.model.loadNextPage())
    let outcomes = (await a.outcome, await b.outcome)
    #expect(outcomes.0 == outcomes.1)
    #expect(outcomes.0 == .appended(ListChange(inserted: [3..<6])))
    #expect(bench.requestedPages == ["0", "1"])
    _ = await bench.model.loadNextPage().outcome
    #expect(bench.ids == Array(0..<9))
  }

  @Test func `R-03 a refresh supersedes a running load of the next page`() async {
    let gate = Gate()
    let bench = ListBench(
      MockTransport { request in
        let number = request.query["page"].flatMap { Int($0) } ?? 0
        // Not a held response: the deadline of the call would end it.
        if number == 1 { try? await gate.pass() }
        return .json(ListBench.page(number, of: 4))
      })
    _ = await bench.model.refresh().outcome
    bench.delegate.forget()
    let next = bench.model.loadNextPage()
    await gate.reached()
    let refresh = bench.model.refresh()
    #expect(await next.outcome == .cancelled(.superseded))
    await gate.cancelled()
    _ = await refresh.outcome
    #expect(bench.ids == Array(0..<3))
    #expect(
      bench.delegate.texts == [
        "start next", "cancel next superseded", "finish next", "start refresh",
        "refreshed refresh", "first page", "finish refresh",
      ])
    bench.transport.enqueue(.json(ListBench.page(1, of: 4)))
    _ = await bench.model.loadNextPage().outcome
    #expect(bench.ids == Array(0..<6))
  }

  @Test func `R-04 next during the first refresh waits for it and then loads the second page`()
    async
  {
    let gate = Gate()
    let bench = ListBench(pages: 4)
    bench.transport.enqueue(.json(ListBench.page(0, of: 4)).held(by: gate))
    let refresh = bench.model.refresh()
    let next = bench.model.loadNextPage()
    await gate.reached()
    #expect(bench.requestedPages == ["0"])
    #expect(bench.model.state(of: .next) == .loading)
    gate.open()
    #expect(await refresh.outcome == .replaced(ListChange(inserted: [0..<3])))
    #expect(await next.outcome == .appended(ListChange(inserted: [3..<6])))
    #expect(
      bench.delegate.texts == [
        "start first", "change", "refreshed first", "first page", "finish first", "start next",
        "change", "loaded next", "finish next",
      ])
  }

  @Test func `R-05 each refresh reaches the network, and two at once share one request`() async {
    let bench = ListBench(pages: 4)
    _ = await bench.model.refresh().outcome
    _ = await bench.model.refresh().outcome
    #expect(bench.requestedPages.count == 2)
    let (a, b) = (bench.model.refresh(), bench.model.refresh())
    _ = (await a.outcome, await b.outcome)
    #expect(bench.requestedPages.count == 3)
  }

  @Test func `R-06 next before anything is loaded is the first load`() async {
    let bench = ListBench(pages: 4)
    let (a, b) = (bench.model.loadNextPage(), bench.model.loadNextPage())
    #expect(await a.outcome == .replaced(ListChange(inserted: [0..<3])))
    _ = await b.outcome
    #expect(bench.requestedPages == ["0"])
    #expect(bench.delegate.texts.first == "start first")
  }

  @Test func `R-07 a refresh finds out again whether there is a next page`() async {
    let bench = ListBench(pages: 2)
    bench.transport.enqueue(.json(page(0..<3, #""more":false"#)))
    _ = await bench.model.refresh().outcome
    #expect(bench.model.state(of: .next) == .reachedEnd(.complete))
    _ = await bench.model.refresh().outcome
    #expect(bench.model.state(of: .next) == .idle)
    _ = await bench.model.loadNextPage().outcome
    #expect(bench.ids == Array(0..<6))
  }

  @Test func `R-08 a transport that responds at once is a normal success`() async {
    let bench = ListBench(pages: 1)
    let load = bench.model.refresh()
    #expect(bench.model.refreshState == .loading)
    #expect(bench.delegate.texts.isEmpty, "a callback ran inside the call")
    #expect(await load.outcome == .replaced(ListChange(inserted: [0..<3])))
    #expect(bench.model.refreshState == .idle)
  }

  @Test func `R-09 a late response to a cancelled load changes nothing`() async {
    let transport = LateTransport()
    let model = ListModel<Row>(
      // Otherwise the second load could share the exchange of the first, which is still in flight.
      Server("https://test", transport: transport) { $0.sharesReads = false }, "/rows",
      items: "rows", paging: .pageNumber(first: 0, endsBy: .hasNext("more")))
    let first = model.refresh()
    await transport.reached(1)
    first.cancel()
    #expect(await first.outcome == .cancelled(.byCaller))
    let second = model.refresh()
    await transport.reached(2)
    transport.respond(0, page(100..<103, #""more":true"#))
    transport.respond(1, page(0..<3, #""more":true"#))
    _ = await second.outcome
    #expect(model.rows.items.map(\.id) == [0, 1, 2])
  }

  @Test func `R-10 a load cancelled during decoding is not delivered`() async {
    let decoder = HeldDecoder()
    let model = ListModel<Int>(
      Server("https://test", transport: MockTransport { _ in .json("[]") }), Call("/rows"),
      reading: .format(decoder), paging: .single, identity: .by { $0 })
    let load = model.refresh()
    try? await decoder.hasStarted.pass()
    load.cancel()
    decoder.mayContinue.signal()
    #expect(await load.outcome == .cancelled(.byCaller))
    #expect(model.count == 0 && !model.hasLoaded)
  }

  @Test(arguments: ["", "not JSON", #"{"rows":{}}"#, #"{"other":[]}"#, "<html></html>"])
  func `R-11 a response that is not a page fails and leaves the list unchanged`(body: String) async
  {
    let bench = ListBench(pages: 3)
    _ = await bench.model.refresh().outcome
    bench.transport.enqueue(.json(body))
    let outcome = await bench.model.loadNextPage().outcome
    guard case .failed(let error) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(!"\(error)".isEmpty)
    #expect(bench.ids == Array(0..<3))
    #expect(await bench.model.retry().outcome == .appended(ListChange(inserted: [3..<6])))
  }

  @Test func `R-11 a top-level array is a page`() async {
    let transport = MockTransport { _ in .json(#"[{"id":1},{"id":2}]"#) }
    let model = ListModel<Row>(
      Server("https://test", transport: transport), "/rows", items: .root, paging: .single)
    _ = await model.refresh().outcome
    #expect(model.rows.items.map(\.id) == [1, 2])
  }

  @Test func `R-12 an error of the service in a successful response is a failure`() async {
    let transport = MockTransport { _ in .json(#"{"code":7,"message":"closed","rows":[]}"#) }
    let model = ListModel<Row>(
      Server("https://test", transport: transport) {
        $0.businessCheck = .envelope(code: "code", message: "message")
      }, "/rows", items: "rows", paging: .single)
    let outcome = await model.refresh().outcome
    guard case .failed(.request(let error)) = outcome, case .business = error.kind else {
      Issue.record("\(outcome)")
      return
    }
    #expect(!model.hasLoaded)
  }

  @Test func `R-13 other parameters start a new list and end running loads`() async {
    let gate = Gate()
    let bench = ListBench(pages: 4)
    _ = await bench.model.refresh().outcome
    bench.transport.enqueue(.json(ListBench.page(1, of: 4)).held(by: gate))
    let next = bench.model.loadNextPage()
    await gate.reached()
    bench.model.params = ["q": "new"]
    #expect(await next.outcome == .cancelled(.superseded))
    #expect(!bench.model.hasLoaded)
    _ = await bench.model.loadNextPage().outcome
    gate.open()
    #expect(bench.ids == Array(0..<3))
    #expect(bench.transport.requests.last?.query["q"] == "new")
    #expect(bench.delegate.mismatches.isEmpty)
  }

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

  @Test func `R-24 a released list ends its requests and loads`() async {
    let gate = Gate()
    let transport = MockTransport { _ in
      try? await gate.pass()
      return .json(page(0..<3))
    }
    var bench: ListBench? = ListBench(transport)
    weak let model = bench?.model
    let delegate = bench?.delegate
    let load = bench?.model.refresh()
    await gate.reached()
    bench = nil
    #expect(model == nil)
    #expect(await load?.outcome == .cancelled(.ownerGone))
    await gate.cancelled()
    #expect(delegate?.texts == ["start first"])
  }

  @Test func `R-25 an unreadable element is left out and reported`() async {
    let bench = ListBench(
      MockTransport { _ in .json(#"{"rows":[{"id":1},{"id":null},{"id":3}],"more":false}"#) })
    _ = await bench.model.refresh().outcome
    #expect(bench.ids == [1, 3])
    #expect(bench.delegate.reports.first?.mapping.droppedItems == 1)
  }

  @Test func `every start has one finish`() async {
    let bench = ListBench(pages: 6)
    let loads = [
      bench.model.refresh(), bench.model.loadNextPage(), bench.model.loadPage(2),
      bench.model.retry(), bench.model.refresh(), bench.model.loadNextPage(),
    ]
    for load in loads { _ = await load.outcome }
    let steps = bench.delegate.texts.map { $0.split(separator: " ") }
    func kinds(_ step: String) -> [Substring] { steps.filter { $0[0] == step }.map { $0[1] } }
    #expect(kinds("start") == ["first", "page(2)", "first", "next"])
    #expect(kinds("start") == kinds("finish"))
    #expect(bench.delegate.mismatches.isEmpty)
  }
}

import Dispatch
import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI
import Support
import TestSupport
import Testing

/// Known defects of earlier list implementations, each with its number: which loads run, and what they report.
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
  func `R-11 a response that is not a page fails and leaves the list unchanged`(body: String) async {
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

  @Test func `every start has one finish`() async {
    let bench = ListBench(pages: 6)
    let loads = [
      bench.model.refresh(), bench.model.loadNextPage(), bench.model.loadPage(2),
      bench.model.retry(), bench.model.refresh(), bench.model.loadNextPage(),
    ]
    for load in loads { _ = await load.outcome }
    let steps = bench.delegate.texts.map { $0.split(separator: " ", maxSplits: 1) }
    func kinds(_ step: String) -> [Substring] { steps.filter { $0[0] == step }.map { $0[1] } }
    #expect(kinds("start") == ["first", "page 2", "first", "next"])
    #expect(kinds("start") == kinds("finish"))
    #expect(bench.delegate.mismatches.isEmpty)
  }
}

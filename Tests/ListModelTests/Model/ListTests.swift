import ItemMapping
import ListModel
import ListReading
import Observation
import QuireTesting
import ServerAPI
import Support
import TestSupport
import Testing

@MainActor struct ListTests {
  @Test func `an event is described in one line`() {
    let error = LoadError.custom("a\r\nb\nc\u{2028}d")
    #expect(ListEvent.didFail(.next, error).description == "didFail next: a b c d")
  }

  // MARK: - Refreshing

  @Test func `a refresh that keeps rows visible changes them in one step`() async {
    let bench = ListBench(pages: 3)
    _ = await bench.model.loadAll()
    bench.delegate.forget()
    bench.transport.enqueue(.json(page([9, 2, 0], #""more":true"#)))
    _ = await bench.model.refresh().outcome
    #expect(bench.ids == [9, 2, 0])
    #expect(bench.delegate.texts.filter { $0 == "change" }.count == 1)
    #expect(bench.delegate.mismatches.isEmpty)
  }

  @Test func `a refresh that hides the rows shows them again when it fails`() async {
    let bench = ListBench(pages: 3)
    _ = await bench.model.loadAll()
    bench.delegate.forget()
    bench.transport.enqueue(.status(500))
    _ = await bench.model.refresh(.replace).outcome
    #expect(bench.ids == Array(0..<9))
    #expect(
      bench.delegate.texts == [
        "start refresh", "change", "change", "fail refresh", "finish refresh",
      ])
    #expect(bench.delegate.mismatches.isEmpty)
  }

  @Test func `a refresh that hides the rows shows the new ones when they are loaded`() async {
    let gate = Gate()
    let bench = ListBench(pages: 3)
    _ = await bench.model.loadAll()
    bench.transport.enqueue(.json(ListBench.page(0, of: 3)).held(by: gate))
    let load = bench.model.refresh(.replace)
    await gate.reached()
    #expect(bench.ids == [])
    gate.open()
    #expect(await load.outcome == .replaced(ListChange(inserted: [0..<3])))
    #expect(bench.ids == [0, 1, 2])
    #expect(bench.delegate.mismatches.isEmpty)
  }

  @Test func `a refresh around a row loads the page of that row`() async {
    let bench = ListBench(pages: 5)
    _ = await bench.model.loadAll()
    _ = await bench.model.refresh(.around(7)).outcome
    #expect(bench.requestedPages.last == "2")
    #expect(bench.ids == [6, 7, 8])
    _ = await bench.model.loadPreviousPage().outcome
    _ = await bench.model.loadNextPage().outcome
    #expect(bench.ids == Array(3..<12))
    #expect(bench.delegate.mismatches.isEmpty)
  }

  // MARK: - Loads

  @Test func `all pages are loaded one by one, with their progress`() async {
    let bench = ListBench(pages: 4)
    var rows: [Int] = []
    let outcome = await bench.model.loadAll { rows.append($0.rows) }
    #expect(outcome == .reachedEnd(.complete))
    #expect(rows == [3, 6, 9, 12])
    #expect(bench.ids == Array(0..<12))
  }

  @Test func `several pages are in flight at once if the server states the total`() async {
    let gate = Gate()
    let transport = MockTransport { request in
      let number = request.query["page"].flatMap { Int($0) } ?? 0
      let response = MockResponse.json(page(number * 3..<min(number * 3 + 3, 20), #""total":20"#))
      return number == 0 ? response : response.held(by: gate)
    }
    let bench = ListBench(
      paging: .pageNumber(size: 3, first: 0, endsBy: .total("total")), transport)
    async let outcome = bench.model.loadAll(parallel: 4)
    await gate.reached(by: 4)
    #expect(Set(bench.requestedPages) == ["0", "1", "2", "3", "4"])
    gate.open()
    #expect(await outcome == .reachedEnd(.complete))
    #expect(bench.ids == Array(0..<20))
    #expect(bench.requestedPages.count == 7)
  }

  @Test func `loading all pages stops when there are enough rows`() async {
    let bench = ListBench(pages: 9)
    await bench.model.loadAll(upTo: 5)
    #expect(bench.ids == Array(0..<6))
  }

  @Test func `one of two loads that wait for a page can be cancelled`() async {
    let gate = Gate()
    let bench = ListBench(pages: 3)
    _ = await bench.model.refresh().outcome
    bench.transport.enqueue(.json(ListBench.page(1, of: 3)).held(by: gate))
    let (leaves, stays) = (bench.model.loadNextPage(), bench.model.loadNextPage())
    await gate.reached()
    leaves.cancel()
    #expect(await leaves.outcome == .cancelled(.byCaller))
    gate.open()
    #expect(await stays.outcome == .appended(ListChange(inserted: [3..<6])))
  }

  @Test func `cancelling the waiting task cancels the load`() async {
    let gate = Gate()
    let bench = ListBench(MockTransport { _ in .json("{}").held(by: gate) })
    let load = bench.model.refresh()
    let task = Task { await load.outcome }
    await gate.reached()
    task.cancel()
    #expect(await task.value == .cancelled(.byCaller))
    #expect(bench.delegate.texts == ["start first", "cancel first byCaller", "finish first"])
  }

  @Test func `a load whose request is superseded is cancelled, not failed`() async {
    let bench = ListBench(pages: 3)
    bench.transport.enqueue(.failure(.cancelled(.superseded)))
    #expect(await bench.model.refresh().outcome == .cancelled(.superseded))
    #expect(bench.delegate.texts == ["start first", "cancel first superseded", "finish first"])
    #expect(bench.model.discardedResponses == 0)
  }

  @Test func `a page number is rejected if pages have none`() async {
    let bench = ListBench(
      paging: .cursor(at: "next"), MockTransport { _ in .json(page(0..<3)) })
    guard case .failed(.paging(.notNumbered(let paging))) = await bench.model.loadPage(2).outcome
    else {
      Issue.record("the load was not rejected")
      return
    }
    #expect(paging == #".cursor(at: "next")"#)
    #expect(bench.delegate.texts == ["start page 2", "fail page 2", "finish page 2"])
  }

  // MARK: - Prefetching

  @Test func `visible rows near the end load the next page`() async {
    let bench = ListBench(pages: 3) { $0.prefetchDistance = 1 }
    _ = await bench.model.refresh().outcome
    bench.model.rowsWillAppear(0..<1)
    #expect(bench.model.state(of: .next) == .idle)
    bench.model.rowsWillAppear(0..<2)
    #expect(bench.model.state(of: .next) == .loading)
    _ = await bench.model.loadNextPage().outcome
    #expect(bench.requestedPages == ["0", "1"])
  }

  @Test func `pages outside the window are evicted and reloaded when they are visible`() async {
    let bench = ListBench(pages: 6) {
      $0.window = .rows(6)
      $0.prefetchDistance = 0
    }
    _ = await bench.model.refresh().outcome
    for number in 1..<5 {
      bench.model.rowsWillAppear(number * 3 - 1..<number * 3 - 1)
      _ = await bench.model.loadNextPage().outcome
    }
    #expect(bench.model.count == 15)
    #expect(bench.ids.count <= 6)
    let gone = bench.model.rows.pages.first { !$0.isLoaded }
    guard let gone else {
      Issue.record("nothing was evicted")
      return
    }
    bench.model.rowsWillAppear(gone.range)
    // A gap has no load handle, and a refresh would supersede it, so wait for its event.
    for await step in bench.model.events where step.event == .didFinish(.evicted(gone.id)) { break }
    #expect(bench.model.rows.row(at: gone.range.lowerBound)?.item?.id == gone.range.lowerBound)
  }

  // MARK: - Pages

  @Test func `a page class reads more of the envelope`() async {
    final class Inbox: ListPage<Row> {
      var unread = 0
      override class var fields: FieldTable {
        FieldTable(Inbox.self) { f in f(\.unread, "meta.unread") }
      }
    }
    let transport = MockTransport { _ in .json(page(0..<2, #""meta":{"unread":5}"#)) }
    let model = ListModel<Row>(
      Server("https://test", transport: transport), "/rows", items: "rows", paging: .single,
      page: Inbox.self)
    _ = await model.refresh().outcome
    #expect((model.page as? Inbox)?.unread == 5)
    #expect(model.page?.items.map(\.id) == [0, 1])
  }

  @Test func `the timings of a page include the mapping of its items`() async {
    struct Decoder: PageDecoder {
      let clock: ManualClock
      func decode(_ bytes: PageBytes) throws -> sending DecodedPage<Int> {
        clock.advance(by: .seconds(3))
        return DecodedPage(items: [1, 2, 3])
      }
    }
    let clock = ManualClock()
    let server = Server(
      "https://test", transport: MockTransport(time: clock.timeSource) { _ in .json("[]") }
    ) { $0.time = clock.timeSource }
    let model = ListModel<Int>(
      server, Call("/rows"), reading: .format(Decoder(clock: clock)), paging: .single,
      identity: .by { $0 })
    _ = await model.refresh().outcome
    #expect(model.page?.timings.decode == .seconds(3))
    #expect(model.page?.timings.total == .seconds(3))
  }

  @Test(arguments: [
    (
      #"[{"id":1},{}]"#,
      "no value at $[1]['id']; make the property optional if it may be missing"
    ),
    (
      #"[{"id":null}]"#,
      "expected Int at $[0]['id'], found null; make the property optional if it may be null"
    ),
    (#"[{"id":"1"}]"#, "$[0]['id']: expected a number for Int, found a string"),
  ])
  func `a page that its decoder rejects is a failure that names the place`(
    body: String, reason: String
  ) async {
    struct Decoder: PageDecoder {
      func decode(_ bytes: PageBytes) throws -> sending DecodedPage<Row> {
        DecodedPage(items: try ItemDecoder().decode([Row].self, from: bytes))
      }
    }
    let model = ListModel<Row>(
      Server("https://test", transport: MockTransport { _ in .json(body) }), Call("/rows"),
      reading: .format(Decoder()), paging: .single, identity: .by { $0.id })
    let outcome = await model.refresh().outcome
    #expect(outcome == .failed(.decoding("can't decode the page: \(reason)")))
  }

  @Test func `a filter that empties pages does not look like the end`() async {
    let bench = ListBench(pages: 5) { $0.filter = { $0.id >= 10 } }
    // Requested at once: after a refresh without rows the list searches by itself, and might have ended by then.
    let loads = [bench.model.refresh(), bench.model.loadNextPage()]
    for load in loads { _ = await load.outcome }
    #expect(bench.ids == [10, 11])
    #expect(bench.delegate.reports.first?.filtered == 3)
  }

  @Test func `a subclass prepares each request and gets each page`() async {
    final class Tenant: ListModel<Row> {
      var applied = 0
      override func prepare(_ call: inout Call) { call.headers["X-Tenant"] = "7" }
      override func didApply(_ page: ListPage<Row>) { applied += page.items.count }
    }
    let transport = MockTransport { _ in .json(page(0..<2)) }
    let model = Tenant(
      Server("https://test", transport: transport), "/rows", items: "rows", paging: .single)
    _ = await model.refresh().outcome
    #expect(transport.requests.first?.headers["X-Tenant"] == "7")
    #expect(model.applied == 2)
  }

  // MARK: - Observers

  @Test func `delegate, events and loads see the same events`() async {
    let bench = ListBench(pages: 2)
    let (a, b) = (bench.model.events, bench.model.events)
    var (first, second) = (a.makeAsyncIterator(), b.makeAsyncIterator())
    _ = await bench.model.refresh().outcome
    for expected in bench.delegate.texts {
      guard let x = await first.next(), let y = await second.next() else {
        Issue.record("an event is missing: \(expected)")
        return
      }
      #expect(x.event == y.event)
      #expect(x.rows.count == (expected == "start first" ? 0 : 3))
    }
  }

  @Test func `a slow consumer receives the number of dropped events`() async {
    let bench = ListBench(pages: 1)
    var lazy = bench.model.events.makeAsyncIterator()
    for _ in 0..<300 { _ = await bench.model.refresh().outcome }
    var missed = 0
    var last: ListEvent?
    for _ in 0..<ListEvents<Row>.limit {
      guard let step = await lazy.next() else { break }
      if case .didDropEvents(let count) = step.event { missed = count }
      last = step.event
      if step.event == .didFinish(.refresh), missed > 0, step.rows.count == 3 { break }
    }
    #expect(missed > 0 && last != nil)
  }

  @Test func `events end when the list is released`() async {
    var bench: ListBench? = ListBench(pages: 1)
    var iterator = bench?.model.events.makeAsyncIterator()
    _ = await bench?.model.refresh().outcome
    bench = nil
    var events = 0
    while await iterator?.next() != nil { events += 1 }
    #expect(events > 0)
  }

  @Test func `Observation notifies of rows, states and pages`() async {
    let bench = ListBench(pages: 1)
    let changes = Lock<[String]>([])
    withObservationTracking {
      _ = bench.model.rows
    } onChange: {
      changes.withLock { $0.append("rows") }
    }
    withObservationTracking {
      _ = bench.model.refreshState
    } onChange: {
      changes.withLock { $0.append("state") }
    }
    withObservationTracking {
      _ = bench.model.page
    } onChange: {
      changes.withLock { $0.append("page") }
    }
    let load = bench.model.refresh()
    #expect(changes.withLock { $0 } == ["state"])
    _ = await load.outcome
    #expect(changes.withLock { $0 } == ["state", "page", "rows"])
  }

  @Test func `a delegate may call the list during an event`() async {
    let bench = ListBench(pages: 3)
    var next: Load?
    bench.delegate.onEvent = { if $0 == "finish first" { next = bench.model.loadNextPage() } }
    _ = await bench.model.refresh().outcome
    #expect(await next?.outcome == .appended(ListChange(inserted: [3..<6])))
    #expect(bench.requestedPages == ["0", "1"])
    bench.delegate.onEvent = nil
  }

  @Test func `a list released during an event notifies nothing more`() async {
    var bench: ListBench? = ListBench(pages: 1)
    let delegate = bench?.delegate
    let load = bench?.model.refresh()
    delegate?.onEvent = { if $0 == "change" { bench = nil } }
    _ = await load?.outcome
    delegate?.onEvent = nil
    #expect(delegate?.texts.last == "change")
  }
}

@MainActor struct ItemsWithoutIdentityTests {
  @Test func `a server that repeats a page forever is detected, and equal rows are kept`()
    async
  {
    let transport = MockTransport { request in
      let number = request.query["page"].flatMap { Int($0) } ?? 0
      return .json(#"{"rows":[0,0,\#(number < 4 ? 0 : 1)],"more":true}"#)
    }
    let model = ListModel<Int>(
      Server("https://test", transport: transport), "/rows", items: "rows",
      paging: .pageNumber(first: 0, endsBy: .hasNext("more")), identity: .none
    ) { $0.searchPages = 5 }
    guard case .reachedEnd(.incomplete(.noProgress)) = await model.loadAll() else {
      Issue.record("\(model.state(of: .next))")
      return
    }
    // Four pages of zeros, and six of the other kind before the repetition was detected.
    #expect(model.count == 30)
  }
}

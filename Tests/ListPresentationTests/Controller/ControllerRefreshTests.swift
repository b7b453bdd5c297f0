import ItemMapping
import ListModel
import ListPresentation
import ListReading
import QuireTesting
import ServerAPI
import Testing

/// Refreshes of a list on a screen, and the header that shows them.
@MainActor struct ControllerRefreshTests {
  @Test func `a pull refreshes, and its header ends with the load`() async {
    let bench = ScreenBench(count: 2)
    _ = await bench.model.refresh().outcome
    bench.view.calls = []
    bench.controller.didScroll(offset: -30, viewport: 100, content: 50)
    #expect(bench.view.header == .pulling(0.5))
    bench.controller.didPullDown(80)
    bench.controller.didRelease()
    #expect(bench.view.header == .loading && bench.view.refreshing == 1)
    await bench.settle()
    #expect(bench.view.calls == ["begin", "end"] && bench.view.header == .idle)
  }

  @Test func `a refresh that fails above rows is shown until the next one`() async {
    let bench = ScreenBench(count: 2)
    bench.transport.enqueue(.failure(.connectRefused))
    bench.controller.refresh()
    await bench.settle()
    // Without rows, the placeholder shows it.
    #expect(bench.controller.refreshFailure == nil && bench.view.placeholder != nil)
    bench.controller.refresh()
    await bench.settle()
    for isSilent in [false, true] {
      bench.transport.enqueue(.failure(.connectRefused))
      bench.controller.refresh(silently: isSilent)
      await bench.settle()
      #expect(bench.view.failure != nil && bench.view.failure == bench.controller.refreshFailure)
      bench.controller.refresh()
      #expect(bench.view.failure == nil && bench.controller.refreshFailure == nil)
      await bench.settle()
      #expect(bench.view.failure == nil)
    }
  }

  @Test func `a refresh by program, list and pull is one request`() async {
    let bench = ScreenBench(count: 2)
    bench.model.refresh()
    bench.controller.refresh(silently: true)
    bench.controller.refresh()
    bench.controller.didPullDown(80)
    bench.controller.didRelease()
    await bench.settle()
    #expect(bench.requestedPages == ["0"])
    #expect(bench.view.refreshing == 0 && bench.view.mismatches.isEmpty)
  }

  @Test(arguments: [true, false])
  func `a refresh of the screen after a write shows what was written`(isPull: Bool) async throws {
    let bench = ScreenBench(count: 2)
    _ = await bench.model.refresh().outcome
    let gate = Gate()
    bench.transport.enqueue(
      page([Row(id: 0)], more: false).held(by: gate), .status(204), page([Row(id: 7)], more: false))
    bench.controller.refresh(silently: true)
    await gate.reached()
    _ = try await bench.model.server.send(Call("/rows/7", method: .put))
    if isPull {
      bench.controller.didPullDown(80)
      bench.controller.didRelease()
    } else {
      bench.controller.refresh()
    }
    await bench.settle()
    #expect(bench.model.rows.items.map(\.id) == [7])
    #expect(bench.view.calls.filter { ["begin", "end"].contains($0) } == ["begin", "end"])
    gate.open()
  }

  @Test func `a controller created during a refresh joins it`() async {
    let bench = ScreenBench(count: 9)
    _ = await bench.model.refresh().outcome
    let refresh = bench.model.refresh()
    let controller = ListController(bench.model)
    let view = RecordingListView()
    view.controller = controller
    controller.attach(view)
    controller.loadMore()
    controller.refresh()
    #expect(bench.model.state(of: .next) == .idle && view.refreshing == 1)
    _ = await refresh.outcome
    #expect(view.refreshing == 0 && bench.requestedPages == ["0", "0"])
    controller.loadMore()
    #expect(controller.footer == .loading)
    await bench.settle()
    #expect(view.rows == [["0", "1", "2", "3", "4", "5"]] && view.mismatches.isEmpty)
  }

  @Test func `a cancelled refresh closes the header`() async {
    let bench = ScreenBench(count: 2)
    let gate = Gate()
    bench.transport.enqueue(page([], more: false).held(by: gate))
    bench.controller.refresh()
    await gate.reached()
    bench.model.cancel()
    for await step in bench.model.events { if step.event == .didFinish(.first) { break } }
    #expect(bench.view.calls.suffix(2) == ["begin", "end cancelled"])
    #expect(bench.controller.placeholder == nil)
  }

  @Test func `a refresh right after a cancellation is sent`() async {
    let bench = ScreenBench(count: 2)
    bench.controller.refresh()
    bench.model.cancel()
    bench.controller.refresh()
    await bench.settle()
    #expect(bench.view.rows == [["0", "1"]])
    #expect(
      bench.view.calls.filter { $0.contains("e") && !$0.contains("section") } == [
        "begin", "end cancelled", "begin", "end",
      ])
    #expect(bench.view.mismatches.isEmpty)
  }

  @Test func `the header closes when another request replaces the list`() async {
    let bench = ScreenBench(count: 9)
    _ = await bench.model.refresh().outcome
    bench.view.calls = []
    bench.controller.refresh()
    _ = await bench.model.loadPage(2).outcome
    #expect(bench.view.calls.first == "begin" && bench.view.calls.last == "end")
    #expect(bench.view.refreshing == 0 && bench.view.rows == [["6", "7", "8"]])
  }

  @Test func `releasing the controller closes the header`() async {
    let bench = ScreenBench(count: 2)
    let view = RecordingListView()
    var controller: ListController<Row>? = ListController(bench.model)
    view.controller = controller
    controller?.attach(view)
    controller?.refresh()
    #expect(view.refreshing == 1)
    weak let gone = controller
    controller = nil
    #expect(gone == nil && view.refreshing == 0)
    await bench.settle()
    #expect(bench.view.rows == [["0", "1"]])
  }

  @Test func `a custom refresh ends once, with or without its token`()
    async
  {
    let bench = ScreenBench(count: 2)
    var tokens: [LoadToken] = []
    bench.controller.settings.refreshHandler = { tokens.append($0) }
    bench.controller.refresh()
    bench.controller.refresh()
    #expect(tokens.count == 1 && bench.view.refreshing == 1)
    // Loads of the list meanwhile don't end it.
    _ = await bench.model.refresh().outcome
    #expect(bench.view.refreshing == 1)
    tokens[0].end(.succeeded)
    tokens[0].end(.cancelled)
    await bench.controller.eventsDelivered()
    #expect(bench.view.refreshing == 0 && bench.view.calls.last == "end")
    bench.controller.refresh()
    tokens[0].end(.succeeded)
    #expect(tokens.count == 2 && bench.view.refreshing == 1)
    tokens = []
    await bench.controller.eventsDelivered()
    #expect(bench.view.refreshing == 0 && bench.view.calls.last == "end cancelled")
    bench.controller.settings.refreshHandler = { _ in }
    bench.controller.refresh()
    await bench.controller.eventsDelivered()
    #expect(bench.view.refreshing == 0 && bench.view.mismatches.isEmpty)
  }

  @Test func `a refresh of the list continues after the token ends`() async {
    let bench = ScreenBench(count: 9)
    _ = await bench.model.refresh().outcome
    bench.controller.settings.refreshHandler = { [model = bench.model] token in
      model.refresh()
      token.end(.succeeded)
    }
    bench.controller.refresh()
    bench.controller.loadMore()
    #expect(bench.model.state(of: .next) == .idle)
    await bench.settle()
    bench.controller.loadMore()
    #expect(bench.model.state(of: .next) == .loading)
    await bench.settle()
  }

  @Test func `a list that is old enough is refreshed when it appears`() async {
    let bench = ScreenBench(count: 2) { $0.refresh.autoRefresh = .ifOlderThan(.seconds(60)) }
    bench.controller.appeared()
    await bench.settle()
    bench.clock.advance(by: .seconds(59))
    bench.controller.appeared()
    bench.controller.disappeared()
    bench.controller.appeared()
    #expect(bench.requestedPages == ["0"] && bench.model.refreshState == .idle)
    bench.clock.advance(by: .seconds(1))
    bench.controller.disappeared()
    bench.controller.appeared()
    await bench.settle()
    #expect(bench.requestedPages == ["0", "0"])
    bench.transport.enqueue(.failure(.connectRefused))
    bench.clock.advance(by: .seconds(60))
    for requested in 3...4 {
      // A failed refresh doesn't change the age of the rows.
      bench.controller.disappeared()
      bench.controller.appeared()
      await bench.settle()
      #expect(bench.requestedPages.count == requested)
    }
  }

  @Test func `the age of the rows counts from a custom refresh`() async {
    let bench = ScreenBench(count: 2) { $0.refresh.autoRefresh = .ifOlderThan(.seconds(60)) }
    _ = await bench.model.refresh().outcome
    var refreshes = 0
    bench.controller.settings.refreshHandler = { token in
      refreshes += 1
      token.end(.succeeded)
    }
    bench.clock.advance(by: .seconds(60))
    for _ in 0..<2 {
      bench.controller.appeared()
      await bench.controller.eventsDelivered()
      bench.controller.disappeared()
    }
    #expect(refreshes == 1)
    bench.clock.advance(by: .seconds(60))
    bench.controller.appeared()
    #expect(refreshes == 2)
  }

  @Test func `a refresh doesn't join the load of stored rows`() async {
    let bench = ScreenBench(count: 2) { $0.refresh.autoRefresh = .first }
    let restore = bench.model.restore()
    bench.controller.appeared()
    #expect(await restore.outcome == .notNeeded)
    await bench.settle()
    #expect(bench.requestedPages == ["0"] && bench.view.rows == [["0", "1"]])
    #expect(bench.view.refreshing == 0 && bench.view.header == .idle)
  }

  @Test func `releasing a screen releases its list`() async {
    let transport = MockTransport { _ in page([Row(id: 0)], more: false) }
    var controller: ListController<Row>? = ListController(
      ListModel<Row>(
        Server("https://test", transport: transport), "/rows", items: "rows", paging: .single))
    weak let model = controller?.model
    controller?.refresh()
    controller = nil
    #expect(model == nil)
  }
}

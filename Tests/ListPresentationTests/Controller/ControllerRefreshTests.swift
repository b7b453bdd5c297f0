import ItemMapping
import ListModel
import ListPresentation
import QuireTesting
import ServerAPI
import Testing

/// Refreshes of a list on a screen, and the header that shows them.
@MainActor struct ControllerRefreshTests {
  @Test func `a pull refreshes, and its header ends with the load`() async {
    let bench = ScreenBench(count: 2)
    _ = await bench.model.refresh().outcome
    bench.view.told = []
    bench.controller.didScroll(ScrollGeometry(offset: -30, viewport: 100, content: 50))
    #expect(bench.view.header == .pulling(0.5))
    bench.controller.didPullDown(80)
    bench.controller.didRelease()
    #expect(bench.view.header == .loading && bench.view.refreshing == 1)
    await bench.settle()
    #expect(bench.view.told == ["begin", "end"] && bench.view.header == .idle)
  }

  @Test func `a refresh by program, one of the list and a pull are one request`() async {
    let bench = ScreenBench(count: 2)
    bench.model.refresh()
    bench.controller.refresh(silently: true)
    bench.controller.refresh()
    bench.controller.didPullDown(80)
    bench.controller.didRelease()
    await bench.settle()
    #expect(bench.asked == ["0"])
    #expect(bench.view.refreshing == 0 && bench.view.mismatches.isEmpty)
  }

  @Test func `a controller made while its list is refreshed waits for that`() async {
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
    #expect(view.refreshing == 0 && bench.asked == ["0", "0"])
    controller.loadMore()
    #expect(controller.footer == .loading)
    await bench.settle()
    #expect(view.rows == [["0", "1", "2", "3", "4", "5"]] && view.mismatches.isEmpty)
  }

  @Test func `a header whose refresh is cancelled ends`() async {
    let bench = ScreenBench(count: 2)
    let gate = Gate()
    bench.transport.enqueue(page([], more: false).held(by: gate))
    bench.controller.refresh()
    await gate.reached()
    bench.model.cancel()
    for await step in bench.model.events { if step.event == .didFinish(.first) { break } }
    #expect(bench.view.told.suffix(2) == ["begin", "end cancelled"])
    #expect(bench.controller.placeholder == nil)
  }

  @Test func `a refresh asked for right after a cancel is made`() async {
    let bench = ScreenBench(count: 2)
    bench.controller.refresh()
    bench.model.cancel()
    bench.controller.refresh()
    await bench.settle()
    #expect(bench.view.rows == [["0", "1"]])
    #expect(
      bench.view.told.filter { $0.contains("e") && !$0.contains("section") } == [
        "begin", "end cancelled", "begin", "end",
      ])
    #expect(bench.view.mismatches.isEmpty)
  }

  @Test func `a header ends with the list that takes another one's place`() async {
    let bench = ScreenBench(count: 9)
    _ = await bench.model.refresh().outcome
    bench.view.told = []
    bench.controller.refresh()
    _ = await bench.model.loadPage(2).outcome
    #expect(bench.view.told.first == "begin" && bench.view.told.last == "end")
    #expect(bench.view.refreshing == 0 && bench.view.rows == [["6", "7", "8"]])
  }

  @Test func `a header that shows ends when its controller goes`() async {
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

  @Test func `a refresh of the program's own ends once, by its token or without it`()
    async
  {
    let bench = ScreenBench(count: 2)
    var tokens: [RefreshToken] = []
    bench.controller.settings.refreshHandler = { tokens.append($0) }
    bench.controller.refresh()
    bench.controller.refresh()
    #expect(tokens.count == 1 && bench.view.refreshing == 1)
    // What the list does meanwhile does not end it.
    _ = await bench.model.refresh().outcome
    #expect(bench.view.refreshing == 1)
    tokens[0].end(.succeeded)
    tokens[0].end(.cancelled)
    #expect(bench.view.refreshing == 0 && bench.view.told.last == "end")
    bench.controller.refresh()
    tokens[0].end(.succeeded)
    #expect(tokens.count == 2 && bench.view.refreshing == 1)
    tokens = []
    #expect(bench.view.refreshing == 0 && bench.view.told.last == "end cancelled")
    bench.controller.settings.refreshHandler = { _ in }
    bench.controller.refresh()
    #expect(bench.view.refreshing == 0 && bench.view.mismatches.isEmpty)
  }

  @Test func `a refresh that its token leaves to the list goes on as one of the list`() async {
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

  @Test func `what is old enough is refreshed when it appears`() async {
    let bench = ScreenBench(count: 2) { $0.refresh.autoRefresh = .ifOlderThan(.seconds(60)) }
    bench.controller.appeared()
    await bench.settle()
    bench.clock.advance(by: .seconds(59))
    bench.controller.appeared()
    bench.controller.disappeared()
    bench.controller.appeared()
    #expect(bench.asked == ["0"] && bench.model.refreshState == .idle)
    bench.clock.advance(by: .seconds(1))
    bench.controller.disappeared()
    bench.controller.appeared()
    await bench.settle()
    #expect(bench.asked == ["0", "0"])
    bench.transport.enqueue(.failure(.connectRefused))
    bench.clock.advance(by: .seconds(60))
    for asked in 3...4 {
      // A refresh that failed makes rows no younger.
      bench.controller.disappeared()
      bench.controller.appeared()
      await bench.settle()
      #expect(bench.asked.count == asked)
    }
  }

  @Test func `what a refresh of the program's own brought is as old as that refresh`() async {
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
      bench.controller.disappeared()
    }
    #expect(refreshes == 1)
    bench.clock.advance(by: .seconds(60))
    bench.controller.appeared()
    #expect(refreshes == 2)
  }

  @Test func `what was kept is no refresh: who wants one does not join it`() async {
    let bench = ScreenBench(count: 2) { $0.refresh.autoRefresh = .first }
    let restore = bench.model.restore()
    bench.controller.appeared()
    #expect(await restore.outcome == .notNeeded)
    await bench.settle()
    #expect(bench.asked == ["0"] && bench.view.rows == [["0", "1"]])
    #expect(bench.view.refreshing == 0 && bench.view.header == .idle)
  }

  @Test func `a screen that goes takes its list along`() async {
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

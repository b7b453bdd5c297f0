import ListModel
import ListPresentation
import ServerAPI
import Testing

/// Refreshes of a screen that wait for a restore of its list.
@MainActor @Suite(.timeLimit(.minutes(1))) struct ControllerRestoreTests {
  /// What drops a refresh that waits.
  enum Drop: CaseIterable { case reset, cancel, params, jump }

  private func bench() -> ScreenBench {
    let store = MemoryCacheStore()
    return ScreenBench(
      rows: (0..<9).map { Row(id: $0) }, model: { $0.keeping = ListKeeping(in: store) })
  }

  /// The screen works: a refresh and a further page are shown.
  private func check(_ bench: ScreenBench) async {
    #expect(bench.view.refreshing == 0)
    #expect(bench.view.header != .loading)
    bench.controller.refresh()
    #expect(bench.controller.header == .loading)
    await bench.settle()
    await bench.controller.eventsDelivered()
    #expect(bench.controller.header == .idle && bench.view.refreshing == 0)
    bench.controller.loadMore()
    await bench.settle()
    await bench.controller.eventsDelivered()
    #expect(bench.controller.sections.rowCount == 6)
  }

  @Test(arguments: Drop.allCases)
  func `a screen goes on after a refresh that waited for a restore was dropped`(
    drop: Drop
  ) async {
    let bench = bench()
    let restore = bench.model.restore()
    bench.controller.refresh()
    #expect(bench.controller.header == .loading)
    switch drop {
    case .reset: bench.model.reset()
    case .cancel: bench.model.cancel()
    case .params: bench.model.params = ["q": "x"]
    case .jump: bench.model.loadPage(1).cancel()
    }
    _ = await restore.outcome
    await bench.controller.eventsDelivered()
    await check(bench)
  }

  @Test func `a screen that is created during a restore does not take it for a refresh`() async {
    let bench = bench()
    let restore = bench.model.restore()
    let controller = ListController(bench.model)
    let view = RecordingListView()
    view.controller = controller
    controller.attach(view)
    #expect(controller.header != .loading)
    _ = await restore.outcome
    controller.refresh()
    #expect(controller.header == .loading)
    await bench.settle()
    await controller.eventsDelivered()
    #expect(controller.header == .idle && view.refreshing == 0)
    #expect(controller.sections.rowCount == 3)
  }
}

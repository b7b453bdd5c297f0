import ListPresentation
import ListReading
import QuireTesting
import ServerAPI
import Support
import Testing

@testable import ListModel

/// New rows above a list on a screen.
@MainActor @Suite(.timeLimit(.minutes(1))) struct ControllerNewRowsTests {
  private func bench(_ schedule: Duration? = nil) async -> ScreenBench {
    let bench = ScreenBench(rows: (0..<9).map { Row(id: $0) }, { $0.refresh.pullsUp = false }) {
      $0.probe = schedule
    }
    _ = await bench.model.refresh().outcome
    _ = await bench.model.loadNextPage().outcome
    bench.view.calls = []
    return bench
  }

  private func insert(_ ids: Int..., in bench: ScreenBench) {
    bench.server.rows.withLock { $0.insert(contentsOf: ids.map { Row(id: $0) }, at: 0) }
  }

  /// Waits for a refresh of the screen, and joins nothing: it would replace all rows.
  private func refreshed(_ bench: ScreenBench) async {
    while bench.model.refreshState == .loading { await Task.yield() }
    await bench.controller.eventsDelivered()
  }

  @Test func `new rows are shown on request, and nothing scrolls`() async throws {
    let bench = await bench()
    insert(100, 101, in: bench)
    try await bench.model.checkForNewRows()
    #expect(bench.controller.newRows == NewRows(count: 2) && bench.view.newRows == NewRows(count: 2))
    #expect(bench.view.calls.isEmpty && bench.view.rows == [(0..<6).map { "\($0)" }])
    #expect(bench.controller.settings.placeholders.texts.newRows(NewRows(count: 2)) == "2 new rows")
    bench.controller.showNewRows()
    #expect(bench.controller.header == .idle)
    await refreshed(bench)
    #expect(bench.view.calls.count == 1 && bench.view.changes.last?.insertedRows.count == 2)
    #expect(bench.view.rows == [["100", "101"] + (0..<6).map { "\($0)" }])
    #expect(bench.controller.newRows == nil && bench.view.newRows == nil && bench.view.mismatches.isEmpty)
  }

  @Test func `a view that is attached later shows them, and a pull does`() async throws {
    let bench = await bench()
    insert(100, in: bench)
    try await bench.model.checkForNewRows()
    let other = RecordingListView()
    other.controller = bench.controller
    bench.controller.attach(other)
    #expect(other.newRows == NewRows(count: 1))
    bench.controller.refresh()
    await refreshed(bench)
    #expect(other.newRows == nil && other.rows.joined().first == "100")
  }

  @Test func `rows of the program have no new rows above`() {
    let controller = ListController(LocalList([Row(id: 1)]))
    controller.appeared()
    controller.cameToFront()
    #expect(controller.newRows == nil)
  }

  @Test func `a list is probed while its screen and its app are in front`() async {
    let bench = await bench(.seconds(60))
    func isInFront() -> Bool { bench.model.probes.isInFront }
    // Without a screen that has ever appeared, the program decides.
    #expect(isInFront())
    bench.controller.appeared()
    #expect(isInFront())
    bench.controller.leftFront()
    #expect(!isInFront())
    bench.controller.disappeared()
    bench.controller.cameToFront()
    #expect(!isInFront())
    insert(100, in: bench)
    bench.clock.advance(by: .seconds(600))
    #expect(bench.requestedPages == ["0", "1"])
    bench.controller.appeared()
    while bench.controller.newRows == nil { await Task.yield() }
    #expect(bench.requestedPages == ["0", "1", "0"] && bench.view.newRows == NewRows(count: 1))
  }

  @Test func `a screen that is gone holds nothing up`() async {
    let model = ListModel<Row>(
      Server("https://test", transport: MockTransport { _ in page([], more: false) }), "/rows", paging: .single
    ) { $0.probe = .seconds(60) }
    var screen: ListController<Row>? = ListController(model)
    screen?.appeared()
    screen?.disappeared()
    #expect(!model.probes.isInFront)
    screen = nil
    #expect(model.probes.isInFront)
  }
}

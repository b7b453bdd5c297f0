import ListModel
import ListPresentation
import ListReading
import QuireTesting
import ServerAPI
import Support
import Testing

/// Further pages on a screen: the footer, rows near an end, evicted rows.
@MainActor struct ControllerPagesTests {
  @Test func `the end is shown, and determined again by a refresh`() async {
    let bench = ScreenBench(count: 5)
    await bench.model.loadAll()
    #expect(bench.view.footer == .noMore(.complete))
    bench.controller.loadMore()
    bench.server.rows.withLock { $0 += [Row(id: 5), Row(id: 6)] }
    bench.controller.refresh()
    #expect(bench.view.footer == .noMore(.complete))
    await bench.settle()
    #expect(bench.view.footer == .idle)
    await bench.model.loadAll()
    #expect(bench.view.rows == [["0", "1", "2", "3", "4", "5", "6"]])
  }

  @Test func `a failed next page shows in the footer, and a tap retries it`() async {
    let bench = ScreenBench(count: 5)
    _ = await bench.model.refresh().outcome
    bench.transport.enqueue(.failure(.connectRefused))
    bench.controller.loadMore()
    #expect(bench.view.footer == .loading)
    await bench.settle()
    guard case .failed = bench.view.footer else {
      Issue.record("\(bench.view.footer)")
      return
    }
    #expect(bench.view.rows == [["0", "1", "2"]] && bench.controller.placeholder == nil)
    bench.controller.loadMore()
    await bench.settle()
    #expect(
      bench.requestedPages == ["0", "1", "1"] && bench.view.rows == [["0", "1", "2", "3", "4"]])
  }

  @Test func `the next page is loaded when the last rows come near`() async {
    let bench = ScreenBench(count: 30) { $0.refresh.prefetchDistance = 1 }
    _ = await bench.model.refresh().outcome
    bench.controller.rowsWillAppear(visible(0, 0))
    #expect(bench.model.state(of: .next) == .idle)
    bench.controller.rowsWillAppear(visible(0, 1))
    #expect(bench.model.state(of: .next) == .loading)
    await bench.settle()
    #expect(bench.requestedPages == ["0", "1"])
    bench.controller.rowsWillAppear(RowPosition(row: 7)...RowPosition(row: 9), fillsView: true)
    #expect(bench.model.state(of: .next) == .idle)
  }

  private func visible(_ first: Int, _ last: Int, fills: Bool = true) -> (
    rows: ClosedRange<RowPosition>?, fillsView: Bool
  ) {
    (RowPosition(row: first)...RowPosition(row: last), fillsView: fills)
  }

  @Test func `a list without a footer doesn't load ahead`() async {
    let bench = ScreenBench(count: 30) { $0.refresh.pullsUp = false }
    _ = await bench.model.refresh().outcome
    bench.controller.rowsWillAppear(visible(0, 2))
    _ = await bench.model.refresh().outcome
    #expect(bench.model.state(of: .next) == .idle && bench.requestedPages == ["0", "0"])
  }

  @Test func `rows that don't fill the view load a few more pages`() async {
    let bench = ScreenBench(count: 60) { $0.refresh.automaticPages = 3 }
    bench.view.visibleRows = (nil, fillsView: false)
    bench.controller.refresh()
    await bench.settle()
    #expect(bench.view.calls.contains("end"))
    #expect(bench.view.calls.contains("section 0: inserted 0…2"))
    #expect(bench.requestedPages == ["0", "1", "2", "3"])
    #expect(bench.view.footer == .idle)
  }

  @Test func `evicted rows are reloaded when they become visible`() async {
    let bench = ScreenBench(
      rows: (0..<30).map { Row(id: $0) }, { $0.refresh.pullsUp = false },
      model: { $0.window = .rows(6) })
    await bench.model.loadAll()
    #expect(bench.view.rows[0].contains("…") && bench.view.rows[0].count == 30)
    bench.controller.rowsWillAppear(visible(0, 1))
    for await step in bench.model.events { if case .didFinish = step.event { break } }
    #expect(bench.view.rows[0].first == "0")
    #expect(bench.view.mismatches.isEmpty)
  }

  @Test func `previous pages are loaded near the first row`() async {
    let bench = ScreenBench(count: 30) { $0.refresh.prefetchDistance = 0 }
    _ = await bench.model.loadPage(4).outcome
    bench.controller.rowsWillAppear(visible(1, 1))
    #expect(bench.model.state(of: .previous) == .idle)
    bench.controller.rowsWillAppear(visible(0, 0))
    #expect(bench.model.state(of: .previous) == .loading)
    var isPrevious: [Bool] = []
    bench.view.onApply = { isPrevious.append(bench.controller.isLoadingPrevious) }
    _ = await bench.model.loadPreviousPage().outcome
    #expect(bench.view.rows == [["9", "10", "11", "12", "13", "14"]])
    #expect(bench.view.mismatches.isEmpty)
    // The view knows that these rows are inserted above those that are visible.
    #expect(isPrevious == [true] && !bench.controller.isLoadingPrevious)
  }

  @Test func `a view at the first row doesn't load all previous pages`() async {
    let bench = ScreenBench(count: 90) { $0.refresh.pullsUp = false }
    bench.view.visibleRows = visible(0, 1)
    _ = await bench.model.loadPage(20).outcome
    while bench.model.state(of: .previous) == .loading {
      _ = await bench.model.loadPreviousPage().outcome
    }
    #expect(bench.requestedPages == ["20", "19", "18", "17"])
  }

  @Test(arguments: [false, true])
  func `evicted rows stay in their sections, and reload there`(isFiltered: Bool) async {
    let rows = (0..<30).map { Row(id: $0, group: $0 / 6) }
    let bench = ScreenBench(
      rows: rows,
      {
        $0.rows.section = { SectionLabel($0.group, header: "group \($0.group)") }
        if isFiltered { $0.rows.filter = { $0.id != 17 } }
        $0.refresh.pullsUp = false
      }, model: { $0.window = .rows(9) })
    await bench.model.loadAll()
    let headers = (0..<5).map { "group \($0)" }
    #expect(bench.view.rows.map(\.count) == [6, 6, 6, 6, 6])
    #expect(bench.controller.sections.sections.map(\.header) == headers)
    #expect(bench.view.rows[0].allSatisfy { $0 == "…" })
    // Rows above them are removed and inserted while they are evicted.
    _ = try? bench.model.edit(.remove(29))
    _ = try? bench.model.edit(.insert(Row(id: 99, group: 4), id: 99, at: .end))
    await bench.flush()
    #expect(bench.view.rows.map(\.count) == [6, 6, 6, 6, 6])
    bench.controller.rowsWillAppear(visible(0, 5))
    for await _ in bench.model.events where !bench.view.rows[0].contains("…") { break }
    #expect(bench.view.rows[0] == (0..<6).map { "\($0)" })
    #expect(bench.controller.sections.sections.map(\.header) == headers)
    #expect(bench.view.mismatches.isEmpty)
  }

  private final class Framed: ListController<Row> {
    override func sections(of rows: ListSnapshot<Row>) -> ListSections<Row>? {
      ListSections([
        ListSection("own", items: [Row(id: -1)]), ListSection("list", rows: ListSection.Rows(rows)),
        ListSection("last", items: [Row(id: -2)]),
      ])
    }
  }

  @Test func `evicted rows reload while custom rows are visible`()
    async
  {
    let bench = ScreenBench(rows: (0..<30).map { Row(id: $0) }, model: { $0.window = .rows(9) })
    let controller = Framed(bench.model) { $0.refresh.pullsUp = false }
    let view = RecordingListView()
    view.controller = controller
    controller.attach(view)
    await bench.model.loadAll()
    #expect(view.rows[1].prefix(6).allSatisfy { $0 == "…" })
    let (first, last) = (RowPosition(row: 0), RowPosition(section: 1, row: 5))
    controller.rowsWillAppear(first...last, fillsView: true)
    for await _ in bench.model.events where !view.rows[1].prefix(6).contains("…") { break }
    #expect(view.rows[1].prefix(6) == ["0", "1", "2", "3", "4", "5"])
    #expect(view.mismatches.isEmpty)
  }
}

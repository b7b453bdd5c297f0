import ListModel
import ListPresentation
import ListReading
import Observation
import QuireTesting
import ServerAPI
import Testing

/// Rows made from a model while it loads.
@MainActor struct TransformedListTests {
  /// Rows of even items grouped by tens, with a footer.
  private func evenRows(of model: ListModel<Row>) -> TransformedList<Row, String> {
    TransformedList(model, row: { "\($0.id)" }) {
      $0.filter = { $0.id.isMultiple(of: 2) }
      $0.separator = { $0.id / 10 == $1.id / 10 ? nil : "\($1.id / 10)0s" }
      $0.footer = { standing in
        switch standing.nextState {
        case .idle: nil
        case .loading: "…"
        case .failed, .stillSearching: "try again"
        case .reachedEnd: "that is all"
        }
      }
    }
  }

  /// A list with three rows per page, and a view without notifications.
  private func bench(
    pages: Int, _ configure: (inout ListSettings<Row>) -> Void = { _ in }
  ) -> ScreenBench {
    ScreenBench(
      rows: (0..<pages * 3).map { Row(id: $0) }, { $0.refresh.pullsUp = false }, model: configure)
  }

  private func texts(_ sections: ListSections<String>) -> [String] {
    sections.sections.flatMap(\.items)
  }

  @Test func `rows follow the list with exact changes`() async {
    let bench = bench(pages: 5)
    let shown = evenRows(of: bench.model)
    var copy = texts(shown.sections)
    var seen: [[String]] = []
    shown.onChange = { change, sections in
      let now = texts(sections)
      let applied = change.applied(to: [copy], newRow: { now[$0.row] }, newSection: { _ in [] })
      #expect(applied == [now])
      copy = now
      seen.append(now)
    }
    _ = await bench.model.refresh().outcome
    #expect(copy == ["0", "2"])
    for _ in 0..<4 { _ = await bench.model.loadNextPage().outcome }
    #expect(copy == ["0", "2", "4", "6", "8", "10s", "10", "12", "14", "that is all"])
    #expect(seen.contains(["0", "2", "…"]))
    #expect(texts(shown.sections) == copy)
  }

  @Test func `the footer shows a failed page until it loads`() async {
    let bench = bench(pages: 3)
    let shown = evenRows(of: bench.model)
    _ = await bench.model.refresh().outcome
    bench.transport.enqueue(.failure(.connectRefused))
    _ = await bench.model.loadNextPage().outcome
    #expect(texts(shown.sections) == ["0", "2", "try again"])
    _ = await bench.model.retry().outcome
    #expect(texts(shown.sections) == ["0", "2", "4"])
  }

  private final class ChangeObserver: ListModelDelegate {
    private let onChange: () -> Void
    init(_ onChange: @escaping () -> Void) { self.onChange = onChange }
    func listModel(_ model: ListModel<Row>, didChange change: ListChange) { onChange() }
  }

  @Test func `rows have changed when the delegate is notified`() async {
    let bench = bench(pages: 3)
    let shown = evenRows(of: bench.model)
    var atChange: [[String]] = []
    let observer = ChangeObserver { atChange.append(texts(shown.sections)) }
    bench.model.delegate = observer
    _ = await bench.model.refresh().outcome
    _ = await bench.model.loadNextPage().outcome
    #expect(atChange.map { $0.filter { $0 != "…" } } == [["0", "2"], ["0", "2", "4"]])
  }

  @Test func `rows of a loaded list start with its rows`() async {
    let bench = bench(pages: 3)
    _ = await bench.model.refresh().outcome
    let shown = TransformedList(bench.model)
    #expect(shown.sections.section(at: 0)?.items.map(\.id) == [0, 1, 2])
    await confirmation("observers of the rows are notified") { notified in
      withObservationTracking {
        _ = shown.sections
      } onChange: {
        notified()
      }
      _ = await bench.model.loadNextPage().outcome
    }
    #expect(shown.sections.rowCount == 6)
  }

  @Test func `a visible last row loads the next page, filtered or not`() async {
    let bench = bench(pages: 3) { $0.prefetchDistance = 0 }
    let shown = TransformedList(bench.model, row: \.id) { $0.filter = { $0.id == 0 || $0.id > 3 } }
    _ = await bench.model.refresh().outcome
    #expect(shown.sections.sections.flatMap(\.items) == [0])
    shown.rowsWillAppear(rows(0...0))
    _ = await bench.model.loadNextPage().outcome
    #expect(bench.requestedPages == ["0", "1"])
    #expect(shown.sections.sections.flatMap(\.items) == [0, 4, 5])
    shown.rowsWillAppear(rows(0...1))
    #expect(bench.model.state(of: .next) == .idle)
    shown.rowsWillAppear(rows(1...2))
    #expect(bench.model.state(of: .next) == .loading)
  }

  private func rows(_ rows: ClosedRange<Int>) -> ClosedRange<RowPosition> {
    RowPosition(row: rows.lowerBound)...RowPosition(row: rows.upperBound)
  }

  @Test func `rows of a plan have sections, also in a controller`() async {
    let bench = ScreenBench(rows: (0..<9).map { Row(id: $0, group: $0 / 4) }) {
      $0.refresh.pullsUp = false
      $0.rows.filter = { $0.id != 1 }
      $0.rows.section = { SectionLabel($0.group, header: "group \($0.group)") }
      $0.rows.header = { $0.shownRows == 0 ? nil : Row(id: -1) }
      $0.rows.separator = { above, below in above.group == below.group ? nil : Row(id: -2) }
      $0.rows.footer = { $0.nextState == .loading ? Row(id: -3) : nil }
    }
    let shown = TransformedList(bench.model, row: \.id) {
      $0.filter = { $0.id != 1 }
      $0.section = { SectionLabel($0.group, header: "group \($0.group)") }
      $0.header = { $0.shownRows == 0 ? nil : -1 }
      $0.separator = { above, below in above.group == below.group ? nil : -2 }
      $0.footer = { $0.nextState == .loading ? -3 : nil }
    }
    var copy: [[Int]] = []
    shown.onChange = { change, sections in
      let now = sections.sections.map(\.items)
      let applied = change.applied(
        to: copy, newRow: { now[$0.section][$0.row] }, newSection: { now[$0] })
      #expect(applied == now)
      copy = now
    }
    await bench.model.loadAll()
    #expect(copy == [[-1, 0, 2, 3], [-2, 4, 5, 6, 7], [-2, 8]])
    #expect(bench.controller.sections.sections.map { $0.items.map(\.id) } == copy)
    #expect(bench.view.calls.contains { $0.contains("section 0: inserted 3") }, "no footer")
    #expect(shown.sections.header(ofSection: 1) == "group 1")
    #expect(shown.sections.section(at: 1)?.rows.listPosition(at: 0) == nil)
    #expect(shown.sections.section(at: 1)?.rows.listPosition(at: 1) == 4)
    #expect(bench.controller.position(of: 4) == RowPosition(section: 1, row: 1))
    #expect(bench.controller.position(of: 1) == nil)
    bench.controller.settings.rows = RowPlan()
    #expect(bench.view.rows == [(0..<9).map { "\($0)" }])
    #expect(bench.view.mismatches.isEmpty)
  }

  @Test func `a plan set during a notification keeps the list's position`() async {
    let bench = bench(pages: 3)
    let (first, second) = (evenRows(of: bench.model), evenRows(of: bench.model))
    first.onChange = { _, _ in second.plan.filter = nil }
    _ = await bench.model.refresh().outcome
    _ = await bench.model.loadNextPage().outcome
    #expect(texts(second.sections) == ["0", "1", "2", "3", "4", "5"])
  }

  @Test func `list and rows don't keep each other alive`() async {
    var bench: ScreenBench? = bench(pages: 3)
    var shown = bench.map { evenRows(of: $0.model) }
    weak let model = bench?.model
    weak let list = shown
    _ = await model?.refresh().outcome
    shown = nil
    #expect(list == nil)
    _ = await model?.loadNextPage().outcome
    #expect(model?.rows.count == 6)
    let kept = bench.map { evenRows(of: $0.model) }
    bench = nil
    #expect(model == nil)
    #expect(kept.map { texts($0.sections) } == ["0", "2", "4"])
    kept?.rowsWillAppear(rows(0...0))
  }

  @Test func `rows of the program are arranged as those of a server are`() async throws {
    let list = LocalList((0..<6).map { Row(id: $0, group: $0 / 4) })
    let shown = TransformedList(list, row: { "\($0)" }) {
      $0.filter = { $0.id.isMultiple(of: 2) }
      $0.section = { SectionLabel($0.group) }
      $0.mergesSections = false
      $0.footer = { "\($0.shownRows) rows, \($0.nextState == .reachedEnd(.complete))" }
    }
    var copy = shown.sections.sections.map(\.items)
    #expect(copy == [["0", "2"], ["4", "3 rows, true"]])
    shown.onChange = { change, sections in
      let now = sections.sections.map(\.items)
      let applied = change.applied(
        to: copy, newRow: { now[$0.section][$0.row] }, newSection: { now[$0] })
      #expect(applied == now)
      copy = now
    }
    list.append(contentsOf: [Row(id: 6, group: 1), Row(id: 7, group: 1)])
    try list.edit(.move(4, to: .start))
    try list.edit(.update(2, Row(id: 2, text: "!")))
    await list.eventsDelivered()
    #expect(copy == [["4"], ["0", "2!"], ["6", "4 rows, true"]])
    list.items = []
    await list.eventsDelivered()
    #expect(copy == [["0 rows, true"]])
    shown.rowsWillAppear(rows(0...0))
  }

  @Test func `rows of the program may be the items, and don't keep their list alive`() async {
    var list: LocalList<Row>? = LocalList([Row(id: 3), Row(id: 4)])
    weak let gone = list
    let shown = list.map { list in TransformedList(list) { $0.filter = { $0.id > 3 } } }
    #expect(shown?.sections.sections.map { $0.items.map(\.id) } == [[4]])
    list = nil
    #expect(gone == nil && shown?.sections.rowCount == 1)
  }
}

import ItemMapping
import ListModel
import ListPresentation
import ListReading
import Observation
import QuireTesting
import ServerAPI
import Support
import Testing

/// The rows of a list on a screen: replaced, appended, divided and followed.
@MainActor struct ControllerRowsTests {
  @Test func `a controller made right after an edit follows its event`() async throws {
    let bench = ScreenBench(count: 3)
    _ = await bench.model.refresh().outcome
    try bench.model.edit(.remove(1))
    let controller = ListController(bench.model)
    let rows = TransformedList(bench.model)
    await bench.model.eventsDelivered()
    #expect(controller.sections.rowCount == 2 && rows.sections.rowCount == 2)
    #expect(controller.item(at: RowPosition(row: 1))?.id == 2)
  }

  @Test func `rows are replaced in one step and appended exactly`() async {
    let bench = ScreenBench(count: 7)
    _ = await bench.model.refresh().outcome
    _ = await bench.model.loadNextPage().outcome
    _ = bench.server.rows.withLock { $0.remove(at: 1) }
    _ = await bench.model.refresh().outcome
    #expect(
      bench.view.calls == [
        "all", "section 0: inserted 0…2", "section 0: inserted 3…5",
        "section 0: removed 1 4…5",
      ])
    #expect(bench.view.rows == [["0", "2", "3"]])
    #expect(bench.view.mismatches.isEmpty)
  }

  @Test func `the view has the rows before the delegate is notified`() async {
    let bench = ScreenBench(count: 7)
    final class Delegate: ListModelDelegate {
      var seen: [Int] = []
      var count: () -> Int = { 0 }
      func listModel(_ model: ListModel<Row>, didChange change: ListChange) { seen.append(count()) }
    }
    let delegate = Delegate()
    delegate.count = { bench.view.rows.joined().count }
    bench.model.delegate = delegate
    _ = await bench.model.refresh().outcome
    _ = await bench.model.loadNextPage().outcome
    #expect(delegate.seen == [3, 6])
  }

  @Test func `pages that overlap show each row once`() async {
    let transport = MockTransport { request in
      request.query["page"] == "1"
        ? page((38..<80).map { Row(id: $0) }, more: false)
        : page((0..<40).map { Row(id: $0) }, more: true)
    }
    let model = ListModel<Row>(
      Server("https://test", transport: transport), "/rows", items: "rows",
      paging: .pageNumber(size: 40, first: 0, endsBy: .hasNext("more")))
    let controller = ListController(model)
    let view = RecordingListView()
    view.controller = controller
    controller.attach(view)
    controller.refresh()
    _ = await model.loadAll()
    #expect(view.rows == [(0..<80).map { "\($0)" }])
    #expect(model.duplicateCount == 2)
    #expect(view.mismatches.isEmpty)
  }

  @Test func `a view that doesn't commit gets the new rows anyway`() async {
    let bench = ScreenBench(count: 3)
    bench.view.commits = false
    _ = await bench.model.refresh().outcome
    #expect(bench.controller.sections.rowCount == 3)
  }

  @Test func `a view can replace all rows with each change`() async {
    let bench = ScreenBench(count: 5) { $0.replacesRows = true }
    _ = await bench.model.refresh().outcome
    _ = await bench.model.loadNextPage().outcome
    #expect(bench.view.calls == ["all", "all", "all"])
    #expect(bench.view.rows == [["0", "1", "2", "3", "4"]])
  }

  @Test func `a view attached later gets the current state`() async {
    let bench = ScreenBench(count: 3)
    let gate = Gate()
    _ = await bench.model.refresh().outcome
    bench.transport.enqueue(page([Row(id: 9)], more: false).held(by: gate))
    bench.controller.refresh()
    #expect(bench.view.refreshing == 1)
    let second = RecordingListView()
    second.controller = bench.controller
    bench.controller.attach(second)
    #expect(bench.view.refreshing == 0 && second.refreshing == 1)
    #expect(second.rows == [["0", "1", "2"]] && second.header == .loading)
    await gate.reached()
    gate.open()
    await bench.settle()
    #expect(second.rows == [["9"]] && second.refreshing == 0)
    #expect(bench.view.rows == [["0", "1", "2"]])
    #expect(second.mismatches.isEmpty && bench.view.mismatches.isEmpty)
  }

  @Test func `rows are divided where the section of an item changes, and filtered`() async {
    let rows = (0..<9).map { Row(id: $0, group: $0 / 2 % 2) }
    let bench = ScreenBench(rows: rows) {
      $0.rows.section = { SectionLabel($0.group, header: "group \($0.group)") }
      $0.rows.mergesSections = false
      $0.rows.filter = { $0.id != 3 }
      $0.refresh.pullsUp = false
    }
    await bench.model.loadAll()
    #expect(bench.view.rows == [["0", "1"], ["2"], ["4", "5"], ["6", "7"], ["8"]])
    let sections = bench.controller.sections
    #expect(sections.header(ofSection: 1) == "group 1")
    #expect(Set(sections.sections.map(\.id)).count == 5)
    #expect(sections.section(at: 1)?.rows.listPosition(at: 0) == 2)
    #expect(sections.section(at: 2)?.rows.listPosition(at: 0) == 4)
    bench.controller.settings.rows.filter = nil
    #expect(bench.view.rows == [["0", "1"], ["2", "3"], ["4", "5"], ["6", "7"], ["8"]])
    bench.controller.settings.rows.section = nil
    #expect(bench.view.rows == [(0..<9).map { "\($0)" }])
    #expect(bench.view.mismatches.isEmpty)
  }

  @Test func `appending a page divides only its rows and copies none`() async {
    var asked = 0
    let bench = ScreenBench(rows: (0..<300).map { Row(id: $0, group: $0 / 50) }) {
      $0.rows.section = { row in
        asked += 1
        return SectionLabel(row.group)
      }
      $0.refresh.pullsUp = false
    }
    await bench.model.loadAll(upTo: 297)
    asked = 0
    _ = await bench.model.loadNextPage().outcome
    #expect(asked == 3)
    #expect(bench.view.rows.map(\.count) == Array(repeating: 50, count: 6))
    #expect(bench.view.changes.last?.rows.map(\.change) == [ListChange(inserted: [47..<50])])
    #expect(bench.view.mismatches.isEmpty)
  }

  @Test func `only changed rows are updated in each section`() async {
    let bench = ScreenBench(rows: (0..<3).map { Row(id: $0, group: $0 / 2) }) {
      $0.rows.section = { SectionLabel($0.group, header: $0.text) }
    }
    _ = await bench.model.refresh().outcome
    bench.server.rows.withLock { rows in
      rows[1].text = "!"
      rows[2].text = "?"
    }
    _ = await bench.model.refresh().outcome
    #expect(
      bench.view.calls.last == "sections: updated 1; section 0: updated 1; section 1: updated 0")
    #expect(bench.view.rows == [["0", "1!"], ["2?"]] && bench.view.mismatches.isEmpty)
  }

  /// Custom rows above and below those of the list.
  private final class Framed: ListController<Row> {
    var pinned = [Row(id: -1)]

    override func sections(of rows: ListSnapshot<Row>) -> ListSections<Row>? {
      ListSections([
        ListSection("pinned", header: "Pinned", items: pinned),
        ListSection("list", rows: ListSection.Rows(rows)),
      ])
    }
  }

  @Test func `a subclass can divide the rows`() async {
    let bench = ScreenBench(count: 5)
    let controller = Framed(bench.model)
    let view = RecordingListView()
    view.controller = controller
    controller.attach(view)
    #expect(view.rows == [["-1"], []])
    _ = await bench.model.refresh().outcome
    #expect(view.rows == [["-1"], ["0", "1", "2"]])
    #expect(view.calls.last == "section 1: inserted 0…2")
    controller.pinned.append(Row(id: -2))
    controller.updateSections()
    #expect(view.rows == [["-1", "-2"], ["0", "1", "2"]])
    #expect(view.calls.last == "section 0: inserted 1")
    #expect(view.mismatches.isEmpty)
  }

  /// Rows of another list below those of the list.
  private final class Both: ListController<Row> {
    var other: ListSnapshot<Row>?
    var copies = false

    override func sections(of rows: ListSnapshot<Row>) -> ListSections<Row>? {
      let other = other ?? rows
      let below = copies ? ListSection.Rows(other.items) : ListSection.Rows(other, 0..<4)
      return ListSections([
        ListSection("list", rows: ListSection.Rows(rows, 0..<5)), ListSection("other", rows: below),
        ListSection("all", rows: ListSection.Rows(other)),
      ])
    }
  }

  @Test(arguments: [false, true])
  func `rows of another list are never reported as rows of this one`(copies: Bool) async {
    let (bench, other) = (ScreenBench(count: 9), ScreenBench(count: 30))
    let both = Both(bench.model)
    both.copies = copies
    let view = RecordingListView()
    view.controller = both
    both.attach(view)
    for _ in 0..<3 {
      _ = await other.model.loadNextPage().outcome
      both.other = other.model.rows
      both.updateSections()
      _ = await bench.model.loadNextPage().outcome
    }
    bench.server.rows.withLock { $0.removeFirst(2) }
    _ = await bench.model.refresh().outcome
    #expect(RecordingListView.texts(both.sections) == view.rows)
    #expect(view.structure.isEmpty, "\(view.structure)")
  }

  @Test func `settings changed while the view applies rows wait for it`() async {
    let bench = ScreenBench(count: 5)
    bench.view.onApply = { [weak controller = bench.controller] in
      if controller?.settings.rows.filter == nil {
        controller?.settings.rows.filter = { $0.id != 1 }
      }
    }
    _ = await bench.model.refresh().outcome
    #expect(bench.view.rows == [["0", "2"]])
    #expect(bench.view.mismatches.isEmpty)
  }

  @Test func `observers are notified of rows, controls and placeholder`() async {
    let bench = ScreenBench(count: 3)
    let seen = Lock<[String]>([])
    func observe(_ name: String, _ read: () -> Void) {
      withObservationTracking(read) { seen.withLock { $0.append(name) } }
    }
    observe("placeholder") { _ = bench.controller.placeholder }
    observe("rows") { _ = bench.controller.sections }
    bench.controller.refresh(silently: true)
    #expect(seen.withLock { $0 } == ["placeholder"])
    await bench.settle()
    #expect(seen.withLock { $0 } == ["placeholder", "rows"])
  }
}

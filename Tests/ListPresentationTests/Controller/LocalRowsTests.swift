import ListModel
import ListPresentation
import ListReading
import Observation
import QuireTesting
import ServerAPI
import Testing

/// A controller of rows that the program has itself.
@MainActor struct LocalRowsTests {
  @Test func `XT-02 an array is shown with kinds, heights, actions and no load controls`() async {
    let log = RowLog()
    let kinds = CellKinds<Row> {
      $0.height = { row, _ in Double(row.id * 10) }
      $0.content = { RowContent("Row \($0.id)") }
      $0.select = { row, _ in log.ids.append(row.id) }
    }
    let bench = LocalBench(count: 3, kinds: kinds)
    bench.controller.appeared()
    let second = RowPosition(row: 1)
    #expect(bench.view.rows == [["0", "1", "2"]])
    #expect(bench.controller.height(at: second) == 10)
    #expect(bench.controller.content(at: second) == RowContent("Row 1"))
    #expect(bench.controller.select(second) == .handled(by: "kind standard"))
    #expect(log.ids == [1] && bench.controller.position(of: 2) == RowPosition(row: 2))
    // Nothing can be loaded, so there is nothing to pull or to promise.
    #expect(bench.controller.header == .hidden && bench.controller.footer == .hidden)
    bench.controller.refresh()
    bench.controller.loadMore()
    #expect(bench.view.refreshing == 0 && bench.isInStep && bench.controller.model == nil)
  }

  @Test func `XT-02 a controller without rules uses the defaults`() {
    let bench = LocalBench(count: 1)
    let row = RowPosition(row: 0)
    #expect(bench.controller.height(at: row) == 44 && bench.controller.content(at: row) == nil)
    #expect(bench.controller.select(row) == .unhandled)
    #expect(bench.controller.height(at: RowPosition(row: 1)) == 0)
    #expect(bench.controller.select(RowPosition(section: 4, row: -1)) == .noRow)
  }

  @Test func `XT-04 rows that are added one by one reach the view exactly`() async throws {
    let bench = LocalBench(count: 2)
    for id in 2..<5 { bench.list.append(Row(id: id)) }
    try bench.list.edit(.remove(0))
    try bench.list.edit(.update(1, Row(id: 1, text: "!")))
    await bench.list.eventsDelivered()
    #expect(bench.view.rows == [["1!", "2", "3", "4"]] && bench.isInStep)
    #expect(bench.view.calls.filter { $0 == "all" }.count == 1)
    bench.list.items = [Row(id: 4), Row(id: 9)]
    await bench.list.eventsDelivered()
    #expect(bench.view.rows == [["4", "9"]] && bench.isInStep)
  }

  @Observable @MainActor final class Store {
    var rows = [Row(id: 1)]
  }

  @Test func `XT-04 a screen follows an observable store`() async {
    let store = Store()
    let list = LocalList { store.rows }
    let bench = LocalBench(list)
    let changed = AsyncStream.makeStream(of: Void.self)
    bench.view.onApply = { changed.continuation.yield() }
    store.rows.append(Row(id: 2))
    for await _ in changed.stream { break }
    #expect(bench.view.rows == [["1", "2"]] && bench.isInStep)
  }

  @Test func `rows with equal ids are shown once`() {
    let bench = LocalBench(LocalList([Row(id: 1), Row(id: 1, text: "again"), Row(id: 2)]))
    #expect(bench.view.rows == [["1", "2"]] && bench.list.repeatedIDs == [1])
  }

  @Test func `heights that are no numbers are replaced by the standard height`() {
    let kinds = CellKinds<Row> {
      $0.height = { row, _ in [.nan, -1, .infinity, -.infinity][row.id] }
    }
    let bench = LocalBench(count: 4, kinds: kinds) {
      $0.rows.section = {
        SectionLabel($0.id, header: "\($0.id)", headerHeight: .nan, footerHeight: -3)
      }
    }
    for section in 0..<4 {
      #expect(bench.controller.height(at: RowPosition(section: section, row: 0)) == 44)
      #expect(bench.controller.sections.sections[section].headerHeight == nil)
      #expect(bench.controller.sections.sections[section].footerHeight == 0)
    }
  }
}

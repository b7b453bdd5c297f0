import ListModel
import ListPresentation
import ListReading
import QuireTesting
import Support
import Testing

/// Kinds, contents and heights of the rows on a screen.
@MainActor struct ControllerCellsTests {
  @Test func `kind, content and cell follow the item, the rules or the default`() async {
    final class Cell { var text = "" }
    var kinds = CellKinds<Row>()
    kinds.add("row", for: Row.self) {
      $0.content = {
        $0.text == "untitled"
          ? nil : RowContent("row \($0.id)", image: .address("https://test/\($0.id).png"))
      }
      $0.configure(Cell.self) { cell, row, position in cell.text = "\(row) at \(position)" }
    }
    kinds.add("special", for: Row.self) { $0.content = { _ in RowContent("special") } }
    kinds.choose = { $0.id == 0 || $0.text == "untitled" ? "row" : "" }
    let bench = ScreenBench(
      rows: [Row(id: 0), Row(id: 1), Row(id: 2, text: "untitled")], kinds: kinds)
    _ = await bench.model.refresh().outcome
    let (first, second) = (RowPosition(row: 0), RowPosition(row: 1))
    #expect(bench.controller.kind(at: first) == "row")
    #expect(bench.controller.kind(at: second) == "special")
    #expect(bench.controller.kind(at: RowPosition(row: 3)) == nil)
    #expect(bench.controller.content(at: first)?.title == "row 0")
    #expect(bench.controller.content(at: second)?.title == "special")
    #expect(bench.controller.content(at: RowPosition(row: 3)) == nil)
    #expect(bench.controller.content(at: RowPosition(row: 2)) == nil, "its rule says nothing")
    let cell = Cell()
    #expect(bench.controller.configure(cell, at: first) && cell.text == "0 at 0/0")
    #expect(!bench.controller.configure("no cell", at: first))
    #expect(!bench.controller.configure(cell, at: second))
    #expect(!bench.controller.configure(cell, at: RowPosition(row: 3)))
  }

  @Test func `a changed row is measured again, and the view is notified`()
    async
  {
    var kinds = CellKinds<Row>()
    kinds.addStandard { $0.height = { row, width in width + Double(row.text.count) } }
    let bench = ScreenBench(rows: [Row(id: 0), Row(id: 1)], kinds: kinds)
    _ = await bench.model.refresh().outcome
    bench.controller.widthChanged(to: 100)
    let first = RowPosition(row: 0)
    #expect(bench.controller.height(at: first) == 100)
    bench.server.rows.withLock { $0[0].text = "abc" }
    _ = await bench.model.refresh().outcome
    #expect(bench.controller.height(at: first) == 103)
    #expect(bench.controller.height(at: RowPosition(row: 5)) == 0)
    bench.view.calls = []
    bench.controller.widthChanged(to: 100)
    bench.controller.widthChanged(to: .nan)
    #expect(bench.view.calls.isEmpty)
    bench.controller.widthChanged(to: 200)
    #expect(bench.controller.height(at: first) == 203)
    bench.controller.invalidateHeight(of: 0)
    bench.controller.invalidateHeights(of: .standard)
    bench.controller.invalidateHeights()
    #expect(bench.view.calls == ["heights", "heights", "heights", "heights"])
  }

  @Test func `a row has the height of its chosen kind`() async {
    var kinds = CellKinds<Row>()
    kinds.add("high", for: Row.self) { $0.height = { _, _ in 100 } }
    kinds.add("low", for: Row.self) { $0.height = { _, _ in 30 } }
    kinds.choose = { $0.id == 0 ? "high" : "low" }
    let bench = ScreenBench(rows: [Row(id: 0), Row(id: 1)], kinds: kinds)
    _ = await bench.model.refresh().outcome
    #expect(bench.controller.height(at: RowPosition(row: 0)) == 100)
    #expect(bench.controller.height(at: RowPosition(row: 1)) == 30)
  }

  @Test func `the view scrolls to a row by its id`() async {
    let bench = ScreenBench(count: 3) { $0.rows.section = { SectionLabel($0.id) } }
    _ = await bench.model.refresh().outcome
    #expect(bench.controller.scroll(to: 2) && bench.view.calls.last == "scroll 2/0")
    #expect(!bench.controller.scroll(to: 7))
  }

  @Test(arguments: [false, true])
  func `a row is found by its id among many, in sections or picked`(isFiltered: Bool) async {
    let bench = ScreenBench(rows: (0..<30).map { Row(id: $0, group: $0 / 4) }) {
      $0.rows.section = { SectionLabel($0.group) }
      if isFiltered { $0.rows.filter = { $0.id % 2 == 0 } }
      $0.refresh.pullsUp = false
    }
    await bench.model.loadAll()
    let row = isFiltered ? 1 : 2
    #expect(bench.controller.position(of: 14) == RowPosition(section: 3, row: row))
    #expect(
      bench.controller.position(of: 13) == (isFiltered ? nil : RowPosition(section: 3, row: 1)))
    #expect(bench.controller.position(of: 99) == nil)
  }
}

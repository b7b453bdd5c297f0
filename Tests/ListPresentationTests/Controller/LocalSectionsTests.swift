import ListModel
import ListPresentation
import ListReading
import QuireTesting
import ServerAPI
import Testing

/// Sections of rows of the program, by their labels.
@MainActor struct LocalSectionsTests {
  private func grouped(_ groups: String, from first: Int = 0) -> [Row] {
    groups.enumerated().map { Row(id: first + $0, group: $1.wholeNumberValue ?? 0) }
  }

  @Test func `XT-08 labels have titles, heights and kinds`() throws {
    let bench = LocalBench(LocalList(grouped("112"))) {
      $0.rows.section = {
        SectionLabel(
          $0.group, header: "Group \($0.group)", footer: "end", headerHeight: 30,
          footerHeight: $0.group == 1 ? 0 : nil, headerKind: "banner",
          footerKind: $0.group == 1 ? nil : "line")
      }
    }
    let sections = bench.controller.sections.sections
    #expect(sections.map(\.header) == ["Group 1", "Group 2"])
    #expect(sections.map(\.headerHeight) == [30, 30] && sections.map(\.footerHeight) == [0, nil])
    #expect(sections.map(\.headerKind) == ["banner", "banner"])
    #expect(sections.map(\.footerKind) == [nil, "line"])
  }

  @Test func `XT-08 a header can have a kind and a height without a title`() {
    let bench = LocalBench(LocalList(grouped("1"))) {
      $0.rows.section = { SectionLabel($0.group, headerHeight: 12, headerKind: "line") }
    }
    let section = bench.controller.sections.sections[0]
    #expect(section.header == nil && section.headerHeight == 12 && section.footerHeight == 0)
  }

  @Test func `XT-09 kinds handle selection and deselection, after the delegate`() {
    final class Delegate: ListControllerDelegate {
      func handle(_ action: RowAction, on item: Row?, at position: RowPosition) -> Bool {
        item?.id == 0
      }
    }
    let log = RowLog()
    let kinds = CellKinds<Row> {
      $0.select = { row, position in log.ids.append(row.id * 10 + position.row) }
      $0.deselect = { row, _ in log.ids.append(-row.id) }
    }
    let bench = LocalBench(count: 3, kinds: kinds)
    let delegate = Delegate()
    bench.controller.delegate = delegate
    bench.controller.actions.add("last") { _, _, _ in true }
    #expect(bench.controller.select(RowPosition(row: 0)) == .handled(by: "delegate"))
    #expect(bench.controller.select(RowPosition(row: 2)) == .handled(by: "kind standard"))
    #expect(bench.controller.deselect(RowPosition(row: 1)) == .handled(by: "kind standard"))
    #expect(bench.controller.act(.delete, at: RowPosition(row: 1)) == .handled(by: "last"))
    #expect(bench.controller.act(.delete, on: 1) == .handled(by: "last"))
    #expect(bench.controller.act(.delete, on: 9) == .noRow)
    #expect(log.ids == [22, -1])
  }

  @Test func `rows with equal labels are in one section, or start new ones where asked`() async {
    let bench = LocalBench(LocalList(grouped("1121"))) {
      $0.rows.section = { SectionLabel($0.group, header: "\($0.group)") }
      $0.rows.mergesSections = false
    }
    #expect(bench.view.rows == [["0", "1"], ["2"], ["3"]])
    bench.controller.settings.rows.mergesSections = true
    #expect(bench.view.rows == [["0", "1", "3"], ["2"]])
    bench.list.append(contentsOf: grouped("231", from: 4))
    await bench.list.eventsDelivered()
    #expect(bench.view.rows == [["0", "1", "3", "6"], ["2", "4"], ["5"]] && bench.isInStep)
    #expect(bench.controller.sections.sections.map(\.header) == ["1", "2", "3"])
    #expect(
      bench.view.changes.last?.description == "sections: inserted 2; section 0: inserted 3; "
        + "section 1: inserted 1")
  }

  @Test func `merged sections keep header, footer, separators and filter of the plan`() async {
    let bench = LocalBench(LocalList(grouped("1212"))) {
      $0.rows.section = { SectionLabel($0.group) }
      $0.rows.mergesSections = true
      $0.rows.header = { _ in Row(id: -1, text: "top") }
      $0.rows.footer = { Row(id: -2, text: "\($0.shownRows)") }
      $0.rows.filter = { $0.id != 1 }
    }
    #expect(bench.view.rows == [["-1top", "0", "2"], ["3", "-23"]])
    bench.list.append(contentsOf: grouped("1", from: 4))
    await bench.list.eventsDelivered()
    #expect(bench.view.rows == [["-1top", "0", "2", "4"], ["3", "-24"]] && bench.isInStep)
  }

  @Test(arguments: try SeededGenerator.runs(Thoroughness.runs(20, full: 500)))
  func `merged sections follow random changes`(random: SeededGenerator) async throws {
    var random = random
    let bench = LocalBench(LocalList(grouped("1213"))) {
      $0.rows.section = { SectionLabel($0.group, header: "\($0.group)") }
      $0.rows.mergesSections = true
    }
    for step in 0..<60 {
      let rows = bench.list.items
      let new = Row(id: 100 + step, group: Int.random(in: 0..<4, using: &random))
      switch (Int.random(in: 0..<6, using: &random), rows.randomElement(using: &random)) {
      case (0, let row?): try bench.list.edit(.remove(RowID(row.id)))
      case (1, let row?):
        var row = row
        row.group = new.group
        try bench.list.edit(.update(RowID(row.id), row))
      case (2, let row?): try bench.list.edit(.move(RowID(row.id), to: .start))
      case (3, _): bench.list.items = rows.shuffled(using: &random)
      case (4, _): bench.controller.settings.rows.mergesSections = Bool.random(using: &random)
      default: bench.list.append(new)
      }
      if Bool.random(using: &random) { await bench.list.eventsDelivered() }
    }
    bench.controller.settings.rows.mergesSections = true
    await bench.list.eventsDelivered()
    var expected: [(group: Int, rows: [String])] = []
    for row in bench.list.items {
      if let place = expected.firstIndex(where: { $0.group == row.group }) {
        expected[place].rows.append("\(row)")
      } else {
        expected.append((row.group, ["\(row)"]))
      }
    }
    #expect(bench.view.rows == expected.map(\.rows) && bench.isInStep)
  }

  @Test func `a section that vanishes while a row is dragged traps nothing`() async throws {
    final class Delegate: ListControllerDelegate {
      let list: LocalList<Row>
      init(_ list: LocalList<Row>) { self.list = list }
      func canMove(_ item: Row?, at position: RowPosition) -> Bool { true }
      func handle(_ action: RowAction, on item: Row?, at position: RowPosition) -> Bool {
        guard case .move = action, let row = item else { return false }
        return (try? list.edit(.move(RowID(row.id), to: .end))) != nil
      }
    }
    let bench = LocalBench(LocalList(grouped("1123"))) {
      $0.rows.section = { SectionLabel($0.group) }
    }
    let delegate = Delegate(bench.list)
    bench.controller.delegate = delegate
    #expect(bench.controller.canMove(RowPosition(section: 0, row: 0)))
    // The user holds the row while its target and then its own section go away.
    bench.list.items = grouped("11")
    await bench.list.eventsDelivered()
    let target = RowPosition(section: 2, row: 0)
    #expect(bench.controller.move(from: RowPosition(section: 0, row: 0), to: target) == .noRow)
    bench.list.items = []
    await bench.list.eventsDelivered()
    let home = RowPosition(section: 0, row: 0)
    #expect(bench.controller.move(from: home, to: home) == .noRow)
    #expect(bench.view.rows == [[]] || bench.view.rows.isEmpty)
    #expect(bench.isInStep)
  }
}

import ListModel
import ListPresentation
import ListReading
import QuireTesting
import Testing

/// Changes of custom sections, found by comparison.
struct SectionsChangeTests {
  private func compared(
    _ old: [ListSection<Row>], _ new: [ListSection<Row>],
    identity: ItemIdentity<Row> = .id
  ) -> SectionsChange? {
    SectionsChange(
      from: ListSections(old), to: ListSections(new), by: ListChange(), identity: identity)
  }

  private func section(_ id: RowID, _ ids: [Int], header: String? = nil) -> ListSection<Row> {
    ListSection(id, header: header, items: ids.map { Row(id: $0) })
  }

  @Test func `sections change as a whole, and rows in those that stay`() {
    let change = compared(
      [section("a", [1, 2]), section("b", [3]), section("c", [])],
      [section("c", [4]), section("a", [2, 1, 5], header: "A"), section("d", [6])])
    #expect(change?.sections.removed == [1..<2])
    #expect(change?.sections.inserted == [2..<3])
    #expect(change?.sections.updated == [1..<2])
    #expect(change?.rows.map(\.after) == [0, 1])
    #expect(change?.rows.map(\.before) == [2, 0])
    #expect("\(SectionsChange())" == "no change")
  }

  @Test func `toolkit positions are before for removed and after for new rows`() {
    let change = SectionsChange(
      sections: ListChange(inserted: [0..<1]),
      rows: [
        .init(
          before: 0, after: 1,
          change: ListChange(
            removed: [0..<2], inserted: [3..<4], moved: [.init(from: 5, to: 0)], updated: [1..<2])),
        .init(before: 2, after: 3, change: ListChange(removed: [7..<8])),
      ])
    #expect("\(change.removedRows)" == "[0/0, 0/1, 2/7]")
    #expect("\(change.insertedRows)" == "[1/3]")
    #expect("\(change.updatedRows)" == "[1/1]")
    #expect("\(change.movedRows)" == "[(from: 0/5, to: 1/0)]")
  }

  @Test func `only rows with changed content are updated`() {
    let old = ListSection(0, items: [Row(id: 1), Row(id: 2)])
    let new = ListSection(0, items: [Row(id: 1), Row(id: 2, text: "!")])
    #expect(compared([old], [new])?.rows.map(\.change) == [ListChange(updated: [1..<2])])
    #expect(compared([new], [new])?.isEmpty == true)
  }

  @Test func `rows without identity are replaced unless nothing changed`() {
    let (old, new) = (section(0, [1, 2]), section(0, [1, 2, 3]))
    #expect(compared([old], [old], identity: .none)?.isEmpty == true)
    #expect(
      compared([old], [new], identity: .none)?.rows.map(\.change)
        == [ListChange(removed: [0..<2], inserted: [0..<3])])
  }

  @Test func `sections with the same id can't be matched`() {
    #expect(compared([section(0, [])], [section(0, [1]), section(0, [2])]) == nil)
    #expect(compared([section(0, [1]), section(0, [2])], []) == nil)
  }

  @Test(arguments: [
    SectionsChange(sections: ListChange(removed: [1..<2])),
    SectionsChange(sections: ListChange(updated: [1..<2])),
    SectionsChange(rows: [.init(before: 0, after: 1, change: ListChange(inserted: [0..<1]))]),
    SectionsChange(rows: [.init(before: 0, after: 0, change: ListChange(removed: [0..<9]))]),
    SectionsChange(rows: [.init(before: 3, after: 3, change: ListChange())]),
  ])
  func `a change of other rows is rejected`(change: SectionsChange) {
    #expect(change.applied(to: [["a"]], newRow: { _ in "x" }, newSection: { _ in [] }) == nil)
  }

  @Test func `the change between two states turns one into the other`() throws {
    var random = try SeededGenerator.fromEnvironment()
    for _ in 0..<Thoroughness.runs(400, full: 100_000) {
      let (old, new) = (sections(&random), sections(&random))
      let change = try #require(compared(old, new), "\(random)")
      let texts = new.map { $0.items.map(\.description) }
      let changed = change.applied(
        to: old.map { $0.items.map(\.description) }, newRow: { texts[$0.section][$0.row] },
        newSection: { texts[$0] })
      #expect(changed == texts, "\(change) · \(random)")
    }
  }

  private func sections(_ random: inout SeededGenerator) -> [ListSection<Row>] {
    let ids = (0..<5).shuffled(using: &random).prefix(Int.random(in: 0...5, using: &random))
    return ids.map { id in
      let rows = (0..<8).shuffled(using: &random).prefix(Int.random(in: 0...8, using: &random))
      return ListSection(
        RowID(id), header: Bool.random(using: &random) ? "h" : nil,
        items: rows.map { Row(id: $0, text: Bool.random(using: &random) ? "!" : "") })
    }
  }
}

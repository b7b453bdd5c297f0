import ListModel
import ListPresentation
import ListReading
import Testing

/// Rows in custom sections.
struct ListSectionsTests {
  private var two: ListSections<String> {
    ListSections([
      ListSection("a", header: "A", items: ["a0", "a1"]),
      ListSection("b", header: "", footer: "end", items: ["b0"]),
    ])
  }

  private func texts(_ sections: ListSections<String>) -> [[String]] {
    sections.sections.map(\.items)
  }

  @Test(arguments: [-1, 2, Int.max, Int.min])
  func `lookups outside of the sections are safe`(number: Int) {
    let sections = two
    #expect(sections.section(at: number) == nil)
    #expect(sections.rowCount(inSection: number) == 0)
    #expect(sections.header(ofSection: number) == nil)
    #expect(sections.footer(ofSection: number) == nil)
    for position in [RowPosition(section: number, row: 0), RowPosition(section: 0, row: number)] {
      #expect(sections.row(at: position) == nil)
      #expect(sections.item(at: position) == nil)
      #expect(sections.number(ofRowAt: position) == nil)
    }
    if number != 2 { #expect(sections.position(ofRow: number) == nil) }
    #expect(sections.section(at: 0)?.rows.row(at: number) == nil)
    #expect(sections.section(at: 0)?.rows.listPosition(at: number) == nil)
  }

  @Test func `row numbers and positions convert both ways`() {
    let sections = ListSections([
      ListSection(0, items: ["a"]), ListSection(1), ListSection(2, items: ["b", "c"]),
    ])
    #expect(sections.rowCount == 3)
    for number in 0..<3 {
      let position = sections.position(ofRow: number)
      #expect(position.flatMap { sections.number(ofRowAt: $0) } == number)
    }
    #expect(sections.position(ofRow: 1) == RowPosition(section: 2, row: 0))
    #expect(sections.position(ofRow: 3) == nil)
  }

  @Test func `an empty title counts as none`() {
    var section = ListSection<String>("a", header: "", footer: "")
    #expect(section.header == nil && section.footer == nil)
    section.header = "A"
    section.footer = "B"
    #expect(section.header == "A" && section.footer == "B")
    section.header = ""
    section.footer = ""
    #expect(section.header == nil && section.footer == nil)
    #expect(two.header(ofSection: 1) == nil && two.footer(ofSection: 1) == "end")
  }

  @Test(arguments: [Double.nan, -1, .infinity])
  func `a header has its set height, and invalid ones are ignored`(
    wrong: Double
  ) {
    var section = ListSection<String>("a", header: "A")
    #expect(section.headerHeight == nil && section.footerHeight == 0)
    section.headerHeight = 30
    section.headerHeight = wrong
    #expect(section.headerHeight == 30)
    section.header = nil
    #expect(section.headerHeight == 0)
    section.footer = "end"
    section.footerHeight = 20
    section.footerHeight = wrong
    #expect(section.footerHeight == 20)
  }

  @Test func `appending without sections creates one`() throws {
    var byNumber = ListSections<String>()
    #expect(try byNumber.append(["a"]).sections == ListChange(inserted: [0..<1]))
    #expect(texts(byNumber) == [["a"]])
    var byID = ListSections<String>()
    try byID.append(["a"], to: "new")
    try byID.append(["b"], to: "new")
    #expect(texts(byID) == [["a", "b"]] && byID.section("new") != nil)
  }

  @Test func `an unknown section is an error that lists the known ones`() {
    var sections = two
    #expect(throws: SectionsChange.Failure.unknownSection("c", known: ["a", "b"])) {
      try sections.append(["x"], to: "c")
    }
    #expect(throws: SectionsChange.Failure.noSection(2, count: 2)) {
      try sections.append(["x"], toSection: 2)
    }
    #expect(throws: SectionsChange.Failure.noSection(1, count: 0)) {
      var none = ListSections<String>()
      try none.append(["x"], toSection: 1)
    }
    #expect(throws: SectionsChange.Failure.noRow(RowPosition(section: 0, row: 3), count: 2)) {
      try sections.insert("x", at: RowPosition(section: 0, row: 3))
    }
    #expect(throws: SectionsChange.Failure.noRow(RowPosition(section: 1, row: -1), count: 1)) {
      try sections.remove(at: RowPosition(section: 1, row: -1))
    }
    #expect(throws: SectionsChange.Failure.noRow(RowPosition(section: 0, row: 2), count: 1)) {
      try sections.move(from: RowPosition(row: 0), to: RowPosition(row: 2))
    }
    #expect(texts(sections) == [["a0", "a1"], ["b0"]])
    #expect("\(SectionsChange.Failure.unknownSection("c", known: ["a", "b"]))".contains("“a”, “b”"))
  }

  @Test func `removing all rows keeps or drops the sections`() {
    var sections = two
    let cleared = sections.removeAllRows(keepingSections: true)
    #expect(sections.sections.map(\.id) == ["a", "b"] && sections.isEmpty)
    #expect(sections.header(ofSection: 0) == "A")
    #expect(
      cleared.rows.map(\.change) == [ListChange(removed: [0..<2]), ListChange(removed: [0..<1])])
    #expect(sections.removeAllRows(keepingSections: true).isEmpty)
    #expect(
      sections.removeAllRows(keepingSections: false).sections == ListChange(removed: [0..<2]))
    #expect(sections.sectionCount == 0)
    #expect(sections.removeAllRows(keepingSections: false).isEmpty)
  }

  @Test func `each edit returns its exact change`() throws {
    var sections = two
    var copy = texts(sections)
    func follow(_ change: SectionsChange) {
      let now = texts(sections)
      let changed = change.applied(
        to: copy, newRow: { now[$0.section][$0.row] }, newSection: { now[$0] })
      #expect(changed == now, "\(change)")
      copy = now
    }
    follow(try sections.append(["b1", "b2"], to: "b"))
    follow(try sections.append(["a2"]))
    follow(try sections.append([], to: "b"))
    follow(try sections.insert("a!", at: RowPosition(section: 0, row: 1)))
    follow(try sections.replace(at: RowPosition(section: 0, row: 0), with: "a?"))
    follow(
      try sections.move(from: RowPosition(section: 0, row: 0), to: RowPosition(section: 0, row: 3)))
    follow(
      try sections.move(from: RowPosition(section: 0, row: 3), to: RowPosition(section: 1, row: 0)))
    follow(
      try sections.move(from: RowPosition(section: 1, row: 1), to: RowPosition(section: 0, row: 0)))
    follow(
      try sections.move(from: RowPosition(section: 0, row: 0), to: RowPosition(section: 0, row: 0)))
    follow(try sections.remove(at: RowPosition(section: 1, row: 2)))
    #expect(copy == [["b0", "a!", "a1", "a2"], ["a?", "b1"]])
  }
}

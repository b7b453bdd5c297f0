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
}

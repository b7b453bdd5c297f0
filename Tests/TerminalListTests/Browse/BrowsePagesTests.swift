import ItemMapping
import ListModel
import ListReading
import Testing

@testable import QuireCommand
@testable import TerminalList

/// The JSON of a row, and the facts about a list.
struct BrowsePagesTests {
  private func lines(_ json: String) throws -> [String] {
    let outline = JSONOutline.outline(of: try JSONDocument(json).root)
    return outline.lines.map { String(repeating: "  ", count: $0.depth) + $0.text }
  }

  @Test func `a row is shown as it was sent, and its values fold`() throws {
    let json = #"{"a": 1.10, "b": [], "c": {"d": [true, null], "e": {}}, "f": "x\n\"y\""}"#
    #expect(
      try lines(json) == [
        "{", #"  "a": 1.10,"#, #"  "b": [],"#, #"  "c": {"#, #"    "d": ["#, "      true,",
        "      null", "    ],", #"    "e": {}"#, "  },", #"  "f": "x\n\"y\"""#, "}",
      ])
    let outline = JSONOutline.outline(of: try JSONDocument(json).root)
    #expect(outline.lines.compactMap(\.end) == [11, 9, 7])
    #expect(
      outline.lines.map(\.folded).filter { !$0.isEmpty } == [
        "{ 4 members }", #""c": { 2 members },"#, #""d": [ 2 elements ],"#,
      ])
    for scalar in ["1", "null", #""x""#] { #expect(try lines(scalar) == [scalar]) }
  }

  @Test func `what a reader can't see is written as an escape`() throws {
    let json = #"{"a\u202e": "\u009b2J\u200bx\u2066\u061c\ufeff\u00ad\u2028\u001b[2J 👩🏽‍🚀❤️"}"#
    let value =
      #"  "a\u202E": "\u009B2J\u200Bx\u2066\u061C\uFEFF\u00AD\u2028\u001b[2J 👩🏽‍🚀❤️""#
    #expect(try lines(json)[1].lowercased() == value.lowercased())
  }

  @Test func `a huge row is cut, and says so`() throws {
    let many = "[" + (0..<60_000).map { "\($0)" }.joined(separator: ",") + "]"
    let cut = try lines(many)
    #expect(cut.count < JSONOutline.maximumLines + 5)
    #expect(cut.last == "… the rest is left out: the row is too long")
    let long = try lines("\"" + String(repeating: "é", count: 30_000) + "\"")
    #expect(long[0].hasSuffix("… (60000 bytes)") && long[0].count < 21_000)
    let deep = String(repeating: "[", count: 500) + String(repeating: "]", count: 500)
    #expect(try lines(deep).count == 999)
  }

  @Test(arguments: [
    (LoadState.idle, "end:     not reached, more rows load as you scroll"),
    (.reachedEnd(.complete), "end:     end of the list: all 30 rows are loaded"),
    (
      .stillSearching(pages: 1),
      "end:     not reached, the last page had no rows to show; press ↓ at the end to continue"
    ),
    (
      .reachedEnd(.incomplete(.missingRows("a\nend:     complete"))),
      "end:     the list ended early: rows may be missing: a end:     complete; read the list again"
    ),
  ])
  func `facts end with the end of the list`(state: LoadState, end: String) {
    var facts = BrowseFacts()
    facts.explanation = ListExplanation(
      itemsPath: "data.rows", isItemsGiven: false, idPath: "id", declared: .automatic,
      recognized: nil, end: .complete)
    (facts.rows, facts.page) = (30, PageFacts(next: .end, total: 30, pageCount: 3))
    (facts.duplicates, facts.state) = (1, state)
    #expect(
      facts.text.split(separator: "\n", omittingEmptySubsequences: false) == [
        "rows:    data.rows, detected", "id:      id",
        "paging:  one page, the response leads to no other",
        "options: --items data.rows --id id --paging none", "", "loaded:  30 rows",
        "total:   30, as the server says", "pages:   3, as the server says", "dropped: 1 duplicate",
        Substring(end),
      ])
  }

  @Test(
    arguments: [
      (
        .assumed, nil,
        "sure:    rows may be skipped if others are removed meanwhile, as positions are counted"
      ),
      (.chained, nil, "sure:    no row that stays is skipped, provided that cursors mark places"),
      (nil, Consistency(.exact), "sure:    these are the rows of one instant"), (nil, nil, nil),
    ] as [(Seam?, Consistency?, String?)])
  func `an explanation says how sure the rows are`(
    seam: Seam?, consistency: Consistency?, line: String?
  ) {
    let explanation = ListExplanation(
      itemsPath: "rows", isItemsGiven: true, idPath: "id", declared: .pageNumber(),
      recognized: nil, end: nil, consistency: consistency, firstSeam: seam)
    #expect(explanation.lines.first { $0.hasPrefix("sure:") } == line)
  }

  @Test func `nothing is known before the first page`() {
    #expect(BrowseFacts().text.hasPrefix("No rows are loaded yet.\n\nloaded:  0 rows\nend:"))
  }
}

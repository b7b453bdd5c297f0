import ItemMapping
import Testing

@testable import QuireCommand
@testable import TerminalList

/// The columns that `quire browse` chooses.
struct BrowseTableTests {
  private func table(_ rows: [String], title: JSONPath? = nil) throws -> BrowseTable? {
    let page = try JSONDocument("[\(rows.joined(separator: ","))]").root
    return BrowseTable(of: Array(page.elements), row: BrowseRow(title: title))
  }

  private func names(_ rows: [String]) throws -> [String]? {
    try table(rows)?.columns.map(\.name)
  }

  @Test(arguments: [
    [#"{"id": 1, "title": "A"}"#, #"{"id": 2, "title": "B"}"#],
    [#"{"title": "A"}"#], ["1", "2"], ["{}"], ["[]", "null"], [#"{"id": 1}"#, #"{"id": 2}"#],
    [#"{"name": "A", "url": "https://a.test/x"}"#],
    [#"{"name": "A", "tags": [1, 2], "id": 7}"#],
    [#"{"id": "1", "attributes": {"name": "E"}}"#],
  ])
  func `rows with one telling field have no columns`(rows: [String]) throws {
    #expect(try names(rows) == nil)
  }

  @Test func `telling members are columns, in the order of the server`() throws {
    let rows = (1...5).map {
      """
      {"id": \($0), "node_id": "MDQ6VXNlcjE5Njg5Nzc=\($0)", "url": "https://a.test/\($0)", "state": "open",
       "title": "Book \($0)", "author": {"id": 9, "name": "Author \($0)"}, "price": {"amount": \($0).5},
       "sold": \($0 > 2), "made": "2024-05-0\($0)T10:00:00Z", "body": "\(
         String(repeating: "long text ", count: 9))\($0)", "note": \($0 == 1 ? "\"x\"" : "null")}
      """
    }
    let table = try #require(try table(rows))
    #expect(table.columns.map(\.name) == ["title", "id", "author", "price", "sold", "made"])
    #expect(table.columns.map(\.kind) == [.text, .number, .text, .number, .text, .date])
    let row = try JSONDocument(rows[1]).root
    #expect(table.cells(of: row) == ["Book 2", "2", "Author 2", "2.5", "no", "2024-05-02"])
  }

  @Test func `a row that lacks members has empty cells`() throws {
    let table = try #require(
      try table((1...3).map { #"{"id": \#($0), "name": "n\#($0)", "size": \#($0 * 7)}"# }))
    for (json, cells) in [
      (#"{"name": "x"}"#, ["x", "", ""]), ("7", ["7", "", ""]), ("null", ["null", "", ""]),
      (#"{"name": "x", "size": [1], "id": null}"#, ["x", "", ""]),
      (#"{"name": "x", "size": "much"}"#, ["x", "", "much"]),
    ] {
      #expect(table.cells(of: try JSONDocument(json).root) == cells)
    }
  }

  @Test func `rows without a title begin with a text, or with their first member`() throws {
    for (rows, names, cells) in [
      ([#"{"id": 1, "city": "A", "size": 2}"#], ["city", "id", "size"], ["A", "1", "2"]),
      ([#"{"id": 1, "size": 2}"#, #"{"id": 3, "size": 9}"#], ["id", "size"], ["1", "2"]),
    ] {
      let table = try #require(try table(rows))
      #expect(table.columns.map(\.name) == names)
      #expect(table.cells(of: try JSONDocument(rows[0]).root) == cells)
    }
  }

  @Test(arguments: [
    (["1", "-2.5", "3e4"], FieldFormat.number), (["1", "x"], .text), (["9.50", "16"], .number),
    (["2024-05-03", "2023-01-01"], .day), (["2024-05-03T12:00:00Z", "2023-01-01 10:00"], .day),
    (["2024-05-03T12:00:00Z", "2024-05-03T13:00:00Z"], .minute), (["2024-05-03x"], .text),
    (["inf", "nan"], .text), (["a", "a", "a", "a"], nil), (["a", "a", "a"], .text),
    (["https://a.test"], nil), (["9f86d081884c7d659a2feaa0c55ad015"], nil), ([], nil),
    (["2024-05-03T", "2024-05-03T1"], .text), (["１２", "３"], .text),
  ])
  func `a format follows from the values`(samples: [String], format: FieldFormat?) {
    #expect(FieldFormat(of: samples) == format)
  }

  @Test func `dates are short`() {
    #expect(FieldFormat.day.text("2024-05-03T12:34:56Z") == "2024-05-03")
    #expect(FieldFormat.minute.text("2024-05-03T12:34:56Z") == "2024-05-03 12:34")
    #expect(FieldFormat.minute.text("2024-05-03") == "2024-05-03")
    #expect(FieldFormat.day.text("soon") == "soon")
  }

  @Test func `rows with very many members have few columns`() throws {
    let members = (0..<5_000).map { #""m\#($0)": \#($0)"# }.joined(separator: ",")
    let table = try #require(try table(["{\(members)}", "{}"]))
    #expect(table.columns.count == 12)
  }
}

import Quire
import Testing

@testable import QuireCommand

@Suite struct RowWriterTests {
  private static let rows = #"""
    [{"id": 1, "title": "Ä \"quoted\", with comma", "price": 1.10, "tags": ["a","b"]},
     {"id": 12345678901234567890123, "title": "two\nlines", "price": null, "more": {"x": 1e2}}]
    """#

  private func written(
    _ format: RowFormat, _ json: String = rows, select: String? = nil
  ) throws -> String {
    let rows = Array(try JSONDocument(json).root.elements)
    var writer = RowWriter(format, try select.map { try Selection([$0]) })
    var bytes: [UInt8] = []
    // One row per page.
    for row in rows { bytes += try writer.bytes(of: [row]) }
    return String(decoding: bytes + writer.end(), as: UTF8.self)
  }

  @Test func `ndjson writes each row unchanged`() throws {
    #expect(
      try written(.ndjson) == #"""
        {"id": 1, "title": "Ä \"quoted\", with comma", "price": 1.10, "tags": ["a","b"]}
        {"id": 12345678901234567890123, "title": "two\nlines", "price": null, "more": {"x": 1e2}}

        """#)
  }

  @Test func `a row on several lines is joined to one, and its strings stay`() throws {
    #expect(
      try written(.ndjson, "[{\n  \"a b\" : \"c \\\" d\" ,\r\n\t\"n\": 1.0 }]")
        == "{\"a b\":\"c \\\" d\",\"n\":1.0}\n")
  }

  @Test func `selected members keep their digits, and missing ones are null`() throws {
    #expect(
      try written(.ndjson, select: "id,cost=price,x=more.x,$['tags'][0]") == """
        {"id":1,"cost":1.10,"x":null,"$['tags'][0]":"a"}
        {"id":12345678901234567890123,"cost":null,"x":1e2,"$['tags'][0]":null}

        """)
  }

  @Test func `json is one array`() throws {
    #expect(try written(.json, "[1,2]") == "[\n1,\n2\n]\n")
    #expect(try written(.json, "[]") == "[]\n")
  }

  @Test func `csv has the columns of the first page and quotes where needed`() throws {
    #expect(
      try written(.csv) == """
        id,title,price,tags
        1,"Ä ""quoted"", with comma",1.10,"[""a"",""b""]"
        12345678901234567890123,"two
        lines",,

        """)
    #expect(try written(.csv, #"["a","b, c"]"#) == "value\na\n\"b, c\"\n")
    #expect(try written(.csv, select: "n=id") == "n\n1\n12345678901234567890123\n")
  }

  @Test func `rows that are not objects have a column, and omitted names are kept`() throws {
    let rows = Array(try JSONDocument(#"[{"a":1},"x",{"b":2},null]"#).root.elements)
    var writer = RowWriter(.csv, nil)
    let text = String(decoding: try writer.bytes(of: Array(rows[..<2])), as: UTF8.self)
    #expect(text == "a,value\n1,\n,x\n" && writer.omittedNames.isEmpty)
    _ = try writer.bytes(of: Array(rows[2...]))
    #expect(writer.omittedNames == ["b"])
    var plain = RowWriter(.csv, nil, columns: ["a"])
    _ = try plain.bytes(of: rows)
    #expect(plain.omittedNames == ["b", "value"])
    var selected = RowWriter(.csv, try Selection(["a"]))
    _ = try selected.bytes(of: rows)
    #expect(selected.omittedNames.isEmpty)
  }

  @Test func `rows can't control the terminal`() throws {
    let rows = Array(
      try JSONDocument(#"[{"a":"\u001b[31mred\u009b2J\u202e\nx"}]"#).root.elements)
    var table = RowWriter(.table, nil)
    #expect(
      try String(decoding: table.bytes(of: rows), as: UTF8.self).hasSuffix(" [31mred�2J� x\n"))
    var csv = RowWriter(.csv, nil)
    let raw = String(decoding: try csv.bytes(of: rows), as: UTF8.self)
    #expect(raw == "a\n\"\u{1B}[31mred\u{9B}2J\u{202E}\nx\"\n")
    var shown = RowWriter(.csv, nil)
    shown.isTerminal = true
    #expect(
      try String(decoding: shown.bytes(of: rows), as: UTF8.self) == "a\n\"�[31mred�2J�\nx\"\n")
    #expect("日本 é 👩‍🚀\nok".terminalSafe == "日本 é 👩‍🚀\nok" && "a\u{7F}\r".terminalSafe == "a��")
    let marks = "\u{61C}\u{200E}\u{200F}\u{2028}\u{202E}\u{2066}\u{9B}"
    for mark in marks.unicodeScalars { #expect("a\(mark)b".terminalSafe == "a�b", "\(mark.value)") }
    #expect("سلام".terminalSafe == "سلام")
  }

  @Test func `csv that continues has no second header`() throws {
    var writer = RowWriter(.csv, nil, columns: ["b", "a"])
    let rows = Array(try JSONDocument(#"[{"a":1,"b":2}]"#).root.elements)
    #expect(String(decoding: try writer.bytes(of: rows), as: UTF8.self) == "2,1\n")
  }

  @Test func `the first page chooses the widths of a table, and no later cell is cut`() throws {
    var writer = RowWriter(.table, nil)
    let first = Array(
      try JSONDocument(#"[{"id":1,"t":"日本"},{"id":22,"t":"abc"}]"#).root.elements)
    let second = Array(try JSONDocument(#"[{"id":12345,"t":"x\ny"}]"#).root.elements)
    let text = String(
      decoding: try writer.bytes(of: first) + writer.bytes(of: second), as: UTF8.self)
    #expect(
      text == """
        id  t
        --  ----
        1   日本
        22  abc
        12345  x y

        """)
  }

  @Test(arguments: [
    ("a,b", ["a", "b"]), ("a['x,y'],b", ["a['x,y']", "b"]), (#"$["a]","b"]"#, [#"$["a]","b"]"#]),
    (" a , ", ["a"]), ("", []),
  ])
  func `lists are split at commas outside of quotes and brackets`(
    _ text: String, _ parts: [String]
  ) {
    #expect(OptionSyntax.list(text) == parts)
  }

  @Test(arguments: [
    (CrawlProgress(rows: 0, pages: 0), "0 rows, 0 pages"),
    (CrawlProgress(rows: 50, pages: 1, seconds: 2), "50 rows, 1 page, 25 rows/s"),
    (CrawlProgress(rows: 3, pages: 1, seconds: 2), "3 rows, 1 page, 1.5 rows/s"),
    (
      CrawlProgress(rows: 1_200, pages: 24, total: 5_000, seconds: 4),
      "[████················] 1,200 of 5,000 rows, 24 pages, 300 rows/s, 13 s left"
    ),
    (
      CrawlProgress(rows: 100, pages: 2, rowsBefore: 900, total: 1_000, seconds: 1),
      "[████████████████████] 1,000 of 1,000 rows, 2 pages, 100 rows/s"
    ),
    (
      CrawlProgress(rows: 10, pages: 1, total: 5, seconds: 0),
      "[████████████████████] 10 of 5 rows, 1 page"
    ),
  ])
  func `progress is one line`(_ progress: CrawlProgress, _ line: String) {
    #expect(progress.line() == line)
    #expect(progress.line(width: 20).count <= 20)
  }
}

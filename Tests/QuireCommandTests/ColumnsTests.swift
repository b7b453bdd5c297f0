import Foundation
import Quire
import QuireTesting
import Testing

@testable import QuireCommand

/// Rows with many members as csv and as a table.
@Suite(.timeLimit(.minutes(1))) struct ColumnsTests {
  private func row(_ names: some Sequence<Int>) -> String {
    "{" + names.map { #""m\#($0)":\#($0)"# }.joined(separator: ",") + "}"
  }

  @Test func `each member of a row is visited once, for any number of columns`() throws {
    let root = try JSONDocument(row((0..<60_000).reversed())).root
    let columns = Columns((0..<1_000).map { "m\($0)" } + ["none"])
    var visited = 0
    var others = 0
    let members = root.members.lazy.map { member in
      visited += 1
      return member
    }
    let values = columns.values(of: members) { _ in others += 1 }
    #expect(visited == 60_000 && others == 59_000)
    #expect(values.prefix(1_000).map { $0?.int } == (0..<1_000).map { $0 })
    #expect(values.count == 1_001 && values[1_000] == nil)
  }

  @Test func `the first of repeated names counts, and names are compared by bytes`()
    throws
  {
    let rows = Array(
      try JSONDocument("[{\"a\":null,\"a\":2,\"e\u{301}\":3,\"\u{E9}\":4}]").root.elements)
    var writer = RowWriter(.csv, nil)
    let text = String(decoding: try writer.bytes(of: rows), as: UTF8.self)
    #expect(text.utf8.elementsEqual("a,e\u{301},\u{E9}\n,3,4\n".utf8))
    #expect(writer.omittedNames.isEmpty)
  }

  @Test(arguments: [RowFormat.csv, .table])
  func `more than a thousand columns are refused`(
    _ format: RowFormat
  ) throws {
    let rows = Array(try JSONDocument("[\(row(0..<600)),\(row(400..<1_001))]").root.elements)
    var writer = RowWriter(format, nil)
    #expect(
      throws: UsageError(
        "too many columns for --format \(format): the rows of the first page have more than 1,000"
          + " members; choose some with --select NAME,…")
    ) { try writer.bytes(of: rows) }
    let most = Array(try JSONDocument("[\(row(0..<1_000))]").root.elements)
    #expect(try !writer.bytes(of: most).isEmpty && writer.columns?.count == 1_000)
    // A thousand members and a row that is not an object need one more column.
    let mixed = Array(try JSONDocument("[\(row(0..<1_000)),1]").root.elements)
    var other = RowWriter(format, nil)
    #expect(throws: UsageError.self) { try other.bytes(of: mixed) }
    // The limit doesn't apply to selected columns.
    let names = (0..<1_100).map { "m\($0)" }.joined(separator: ",")
    var selected = RowWriter(format, try Selection([names]))
    #expect(try !selected.bytes(of: most).isEmpty)
  }

  @Test func `one pass over many selected members equals separate searches`() throws {
    let texts = [
      "a", "b.c", "b.d[0]", "x=$['b']", "$", "p=/b/c", "/0", "[1]", "q=a.c", "n.one", "é",
      "b.e=b.c",
    ]
    let selection = try Selection([texts.joined(separator: ",")])
    #expect(selection.fields.count > 8)
    for text in [
      #"{"a":1,"b":{"c":[2],"d":[3]},"é":4,"a":5,"0":6}"#, "{}", "[7,8]", "9", "null",
      #"{"b":[{"c":1}],"a":{"c":2}}"#,
    ] {
      let row = try JSONDocument(text).root
      let searched = selection.fields.map { row[$0.path]?.text }
      #expect(selection.values(of: row).map { $0?.text } == searched, "\(text)")
    }
  }

  @Test func `names without a column are kept up to a limit`() throws {
    var writer = RowWriter(.csv, nil, columns: ["id"])
    let rows = Array(try JSONDocument("[\(row(0..<5_000))]").root.elements)
    _ = try writer.bytes(of: rows)
    #expect(writer.omittedNames.count == 1_000)
  }

  @Test func `too many columns exit with 1 before a row is written`() async throws {
    let json = row(0..<1_001)
    let server = try LoopbackServer { _ in .json(#"{"data":[\#(json)]}"#) }
    let words = ["crawl", server.baseURL, "--paging", "none", "--format"]
    for format in ["csv", "table"] {
      let result = try await QuireProcess.run(words + [format])
      #expect(result.status == 1 && result.output == "", "\(result.output.prefix(80))")
      #expect(result.errors.contains("choose some with --select"), "\(result.errors)")
    }
    let chosen = try await QuireProcess.run(words + ["csv", "--select", "m1000,m0"])
    #expect(chosen.status == 0 && chosen.output == "m1000,m0\n1000,0\n")
    // The other formats have no columns.
    #expect(try await QuireProcess.run(words + ["ndjson"]).status == 0)
  }

  @Test func `new members of a later page add no column and lose no row`() async throws {
    let json = row(0..<5_000)
    let server = try LoopbackServer { request in
      request.number("page") == 2
        ? .json(#"{"data":[\#(json)],"page":2,"total_pages":2}"#)
        : .json(#"{"data":[{"m7":0}],"page":1,"total_pages":2}"#)
    }
    let result = try await QuireProcess.run("crawl", server.baseURL, "--format", "csv")
    #expect(result.status == 3 && result.output == "m7\n0\n7\n")
    #expect(result.errors.contains("members of later rows are left out: m0, m1, "))
  }

  @Test(arguments: ["csv", "table"])
  func `a page of many rows has one header and the columns of all rows`(
    _ format: String
  ) async throws {
    let rows = (0..<2_500).map { $0 == 2_300 ? #"{"id":2300,"late":"wide"}"# : #"{"id":\#($0)}"# }
    let server = try LoopbackServer { _ in .json(#"{"data":[\#(rows.joined(separator: ","))]}"#) }
    let result = try await QuireProcess.run(
      "crawl", server.baseURL, "--paging", "none", "--format", format)
    #expect(result.status == 0, "\(result.errors)")
    // A table has the widths of the rows that fill a screen, so that it needn't wait for the others.
    let head = format == "csv" ? ["id,late"] : ["id  late", "--  ----"]
    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(Array(lines.prefix(head.count)) == head)
    let expected = (0..<2_500).map { id in
      let late = id == 2_300 ? "wide" : ""
      return format == "csv" ? "\(id),\(late)" : "\(id)" + (late.isEmpty ? "" : "  " + late)
    }
    #expect(Array(lines.dropFirst(head.count)) == expected)
  }
}

import Foundation
import Quire
import QuireTesting
import Testing

@testable import QuireCommand

/// Protection of spreadsheets from formulas.
@Suite(.timeLimit(.minutes(1))) struct SafeCSVTests {
  private func written(_ json: String, isSafe: Bool, select: String? = nil) throws -> String {
    let rows = Array(try JSONDocument(json).root.elements)
    var writer = RowWriter(.csv, try select.map { try Selection([$0]) })
    writer.isSafe = isSafe
    return String(decoding: try writer.bytes(of: rows), as: UTF8.self)
  }

  @Test(arguments: [
    (#""=1+1""#, "'=1+1"), (#""+49 30""#, "'+49 30"), (#""-5""#, "'-5"),
    (#""@SUM(A1)""#, "'@SUM(A1)"),
    (#""\t=1""#, "'\t=1"), (#""\tx""#, "'\tx"), (#""\r=1""#, "\"'\r=1\""), (#""\nx""#, "\"'\nx\""),
    (#""  =1""#, "'  =1"), (#""\u00a0=1""#, "'\u{A0}=1"), (#""\ufeff=1""#, "'\u{FEFF}=1"),
    (#""\u0000=1""#, "'\0=1"), (#""＝1""#, "'＝1"), (#""＠x""#, "'＠x"), (#""＋1""#, "'＋1"),
    (#""－1""#, "'－1"),
    (#""=1,\"x\"""#, "\"'=1,\"\"x\"\"\""),
  ])
  func `a text that a spreadsheet takes for a formula gets an apostrophe`(
    _ text: String, _ cell: String
  ) throws {
    #expect(try written(#"[{"a":\#(text)}]"#, isSafe: true) == "a\n\(cell)\n")
    // Without the option the text is unchanged.
    let exact = cell.replacing("'", with: "")
    let plain = try written(#"[{"a":\#(text)}]"#, isSafe: false)
    #expect(plain.replacing("\"", with: "") == "a\n\(exact)\n".replacing("\"", with: ""))
    #expect(!plain.contains("'"))
  }

  @Test func `no invisible character hides a sign`() {
    for value in 0...0x10FFFF as ClosedRange<UInt32> {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let properties = scalar.properties
      let isInvisible =
        properties.isWhitespace || properties.isDefaultIgnorableCodePoint
        || [.control, .format, .nonspacingMark, .enclosingMark].contains(properties.generalCategory)
      guard isInvisible else { continue }
      for sign in ["=", "+", "-", "@"] {
        let text = "\(scalar)\(sign)1"
        #expect(CSV.escapingFormula(text) == "'" + text, "U+\(String(value, radix: 16))")
      }
    }
  }

  @Test(arguments: [
    ("-5", "-5"), ("-1.50e+3", "-1.50e+3"), ("true", "true"), ("null", ""), (#""a=b""#, "a=b"),
    (#""a\n=b""#, "\"a\n=b\""), (#""'=1""#, "'=1"), (#""""#, ""), (#""   ""#, "\"   \""),
    (#"["=1"]"#, "\"[\"\"=1\"\"]\""), (#"{"=":1}"#, "\"{\"\"=\"\":1}\""),
  ])
  func `numbers and all other cells are unchanged`(
    _ value: String, _ cell: String
  ) throws {
    for isSafe in [true, false] {
      #expect(try written(#"[{"a":\#(value)}]"#, isSafe: isSafe) == "a\n\(cell)\n")
    }
  }

  @Test func `column names are protected too`() throws {
    #expect(try written(#"[{"=1+1":"=2","b":-1}]"#, isSafe: true) == "'=1+1,b\n'=2,-1\n")
    #expect(try written(#"["-x",-1]"#, isSafe: true) == "value\n'-x\n-1\n")
    #expect(try written(#"[{"a":"@x"}]"#, isSafe: true, select: "+n=a") == "'+n\n'@x\n")
  }

  @Test func `--safe-csv works only with --format csv`() async throws {
    let server = try LoopbackServer { _ in .json(#"{"data":[{"id":-1,"a":"=1+1"}]}"#) }
    let words = ["crawl", server.baseURL, "--paging", "none"]
    let exact = try await QuireProcess.run(words + ["--format", "csv"])
    #expect(exact.output == "id,a\n-1,=1+1\n")
    let safe = try await QuireProcess.run(words + ["--format", "csv", "--safe-csv"])
    #expect(safe.status == 0 && safe.output == "id,a\n-1,'=1+1\n", "\(safe.errors)")
    for format in [[], ["--format", "ndjson"], ["--format", "table"]] {
      let refused = try await QuireProcess.run(words + ["--safe-csv"] + format)
      #expect(refused.status == 1 && refused.output == "")
      #expect(refused.errors.contains("--safe-csv needs --format csv"), "\(refused.errors)")
    }
  }
}

import ItemMapping
import QuireTesting
import Testing

@testable import QuireCommand

/// Rows as lines of ndjson.
struct RowLinesTests {
  private func lines(_ rows: [JSONView]) -> String {
    var bytes = Array("x\n".utf8)
    JSONView.appendLines(of: rows, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private func rows(_ text: String) throws -> [JSONView] {
    Array(try JSONDocument(text).root.elements)
  }

  @Test(arguments: [
    (#"[{"a":1},{"b":[2,"]"]},{}]"#, ["{\"a\":1}", #"{"b":[2,"]"]}"#, "{}"]),
    (#"[{"a":1} , {"b":2},{"c":3}]"#, ["{\"a\":1}", #"{"b":2}"#, #"{"c":3}"#]),
    (
      "[{\"a\":\n1},{\"b\": \"x \"},{\"c\":\r\"\\\"\"}]",
      ["{\"a\":1}", #"{"b": "x "}"#, #"{"c":"\""}"#]
    ),
    (#"[1,"a",[true],null]"#, ["1", "\"a\"", "[true]", "null"]), ("[]", []),
  ])
  func `rows keep their text, on a line each`(text: String, expected: [String]) throws {
    #expect(try lines(rows(text)) == (["x"] + expected).map { $0 + "\n" }.joined())
  }

  @Test func `rows may be some of a page, in another order, and of several pages`() throws {
    let first = try rows(#"[{"a":1},{"a":2},{"a":3},{"a":4},{"a":5}]"#)
    let second = try rows(#"[{"b":1},{"b":2}]"#)
    let some = [first[1], first[2], first[4], second[0], second[1], first[0], first[1]]
    let expected = some.map(\.text)
    #expect(lines(some) == (["x"] + expected).map { $0 + "\n" }.joined())
  }

  /// Rows that follow each other are copied in one piece. That must not differ from copying one after the other.
  @Test func `many rows have the lines of each`() throws {
    let values = [
      "1", "-0.0", "1e400", #""a""#, #""[,]{\"}\\""#, #""\ud800""#, #""書\n""#, "null", "{}", "[]",
      #"{"a" : 1}"#, "{\"a\":\n[1,\r\n 2]}", #"{"b":{"c":[true, "\\"]}}"#,
      "12345678901234567890123",
    ]
    for seeded in try SeededGenerator.runs(Thoroughness.runs(200)) {
      var random = seeded
      let rows = try (0..<Int.random(in: 1...3, using: &random)).flatMap { _ in
        let values = (0..<Int.random(in: 0...20, using: &random)).map { _ in
          values.randomElement(using: &random) ?? "0"
        }
        let between = [",", ",", ",", " ,", ", ", ",\n"].randomElement(using: &random) ?? ","
        let mark = Bool.random(using: &random) ? "\u{FEFF}" : ""
        return try self.rows("\(mark)[\(values.joined(separator: between))]")
      }
      let some = rows.filter { _ in Int.random(in: 0..<5, using: &random) > 0 }
      #expect(lines(some) == (["x"] + some.map(\.oneLine)).map { $0 + "\n" }.joined(), "\(seeded)")
    }
  }
}

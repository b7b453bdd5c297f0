import ItemMapping
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
}

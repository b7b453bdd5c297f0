import Testing

@testable import ItemMapping

struct JSONFilterTests {
  private static let rows = #"""
    {"limit": 10, "rows": [{"id": 1, "price": 8.95}, {"id": 2, "price": 12, "tags": ["x"]}, 3, "ab"]}
    """#

  @Test(arguments: [
    ("@.price < 10", [0]), ("?@.price < $.limit", [0]), (" ? @.price > 1 ", [0, 1]),
    ("@.tags[0] == 'x' || @ == 3", [1, 2]), ("length(@) == 2", [0, 3]), ("!@.id", [2, 3]),
    ("@.nothing", []),
  ])
  func `a filter selects the matching rows`(_ text: String, _ positions: [Int]) throws {
    let rows = try JSONDocument(Self.rows).root["rows"].map { Array($0.elements) } ?? []
    let filter = try JSONFilter(text)
    #expect(try rows.indices.filter { try filter.holds(for: rows[$0]) } == positions)
    #expect("\(filter)" == text)
  }

  @Test(arguments: ["", "?", "@.a <", "@.a == 1 x", "$.a]", "@['a'"])
  func `an invalid filter is rejected with the position of its error`(_ text: String) {
    #expect(throws: JSONPath.ParsingError.self) { try JSONFilter(text) }
  }

  @Test func `a filter stops at its budget`() throws {
    let view = try JSONDocument("[[[[1,2],[3]]]]").root
    let filter = try JSONFilter("@..[?@..[?@ == 9]]")
    #expect(throws: JSONQuery.LimitExceeded.self) { try filter.holds(for: view, budget: 10) }
  }

  @Test func `a view can be filtered, digit for digit`() throws {
    let document = try JSONDocument(#"{"rows": [{"n": 1.10}, null, 5]}"#)
    let mapped = try ItemMapper().items(JSONView.self, in: document, at: "rows")
    #expect(mapped.report.isClean)
    #expect(mapped.value.map(\.text) == [#"{"n": 1.10}"#, "null", "5"])
    #expect(mapped.value[0].write(as: .usual)?.text() == #"{"n":1.10}"#)
  }
}

import Testing

@testable import ItemMapping

struct JSONQueryTests {
  private static let store = #"""
    {"books": [
      {"id": 1, "title": "A", "price": 8.95, "tags": ["x", "y"]},
      {"id": 2, "title": "Bä", "price": 12, "tags": []},
      {"id": 3, "title": "C", "isbn": "0-1", "price": 123456789012345678901}
    ], "limit": 10, "nested": {"a": {"a": {"a": 1}}}}
    """#

  @Test(arguments: [
    ("$.books[*].id", "[1,2,3]"), ("$..id", "[1,2,3]"), ("$.books[-1:].id", "[3]"),
    ("$.books[::-1].id", "[3,2,1]"), ("$.books[0,0].id", "[1,1]"), ("$.books[5:0:-2].id", "[3]"),
    ("$.books[::0]", "[]"), ("$.books[?@.price < $.limit].id", "[1]"),
    ("$.books[?@.price > 100].id", "[3]"), ("$.books[?@.isbn].id", "[3]"),
    ("$.books[?!@.isbn && @.id != 1].id", "[2]"),
    ("$.books[?(@.id==1 || @.id==3)].title", #"["A","C"]"#),
    ("$.books[?length(@.title) == 2].id", "[2]"), ("$.books[?count(@.tags[*]) == 2].id", "[1]"),
    ("$.books[?value(@..title) == 'A'].id", "[1]"),
    ("$.books[?match(@.title, '[A-B].?')].id", "[1,2]"),
    ("$.books[?search(@.isbn, '\\\\p{Nd}')].id", "[3]"),
    ("$.books[?@.tags == $.books[1].tags].id", "[2]"),
    ("$.books[?@.missing == @.gone].id", "[1,2,3]"), ("$..a..a", #"[{"a":1},1,1]"#),
    ("$.books[?@.price == 123456789012345678901].id", "[3]"), ("$[?@ == 10]", "[10]"),
    ("$.nested[?@.a == $.nested.a.a]", #"[{"a":{"a":1}}]"#), ("$.limit.*", "[]"),
    ("$..nothing", "[]"),
  ])
  func `a query finds its values in order`(query: String, result: String) throws {
    let found = try JSONDocument(Self.store).root.query(query)
    #expect(JSONAny.array(found.map { JSONAny($0) }).text() == result)
  }

  @Test(arguments: [
    ("", 0), ("a", 0), ("$.", 2), ("$[", 2), ("$[?]", 3), ("$[?@.a=1]", 6), ("$[?@.* == 1]", 3),
    ("$[?1 == @..a]", 8), ("$[?1]", 4), ("$[?length(@.a)]", 14), ("$[?match(@.a,'b')==true]", 3),
    ("$[?foo(@)]", 3), ("$[?count(1)]", 9), ("$[?length(@.*)==1]", 10), ("$[?!1]", 4), ("$.a ", 3),
    ("$[1:2:3:4]", 7),
  ])
  func `an invalid query is rejected with the position of its error`(query: String, position: Int) {
    let error = #expect(throws: JSONPath.ParsingError.self) { try JSONQuery(query) }
    #expect(error?.position == position)
  }

  @Test(arguments: ["(", "!(", "count($[?"])
  func `a query nested too deeply is rejected instead of overflowing the stack`(piece: String) {
    let text = "$[?" + String(repeating: piece, count: 50_000)
    #expect(throws: JSONPath.ParsingError.self) { try JSONQuery(text) }
  }

  @Test func `an expensive query stops at its budget`() throws {
    let text = String(repeating: #"{"a":"#, count: 500) + "1" + String(repeating: "}", count: 500)
    let root = try JSONDocument(text).root
    let error = #expect(throws: JSONQuery.LimitExceeded.self) {
      try root.query(JSONQuery("$..a..a..a..a..a"), budget: 100_000)
    }
    #expect(
      error?.description == "the query “$..a..a..a..a..a” takes more than 100000 steps; simplify it"
    )
  }

  @Test(arguments: [
    // Patterns that are long when unrolled, that only take time, or that are long as written; and a
    // long text that is compared.
    ("[a-z]{9999}", 1, "$.list[?match('', @)]"),
    ("((((){100}){100}){100})", 1, "$.list[?match('x', @)]"),
    ("()", 2_000, "$.list[?match('x', @)]"), ("x", 20_000, "$.list[?@ == $.none]"),
  ])
  func `costs that a document causes are charged`(part: String, times: Int, query: String) throws {
    let text = #""\#(String(repeating: part, count: times))""#
    let list = repeatElement(text, count: 20).joined(separator: ",")
    let root = try JSONDocument(#"{"list":[\#(list)]}"#).root
    let query = try JSONQuery(query)
    let error = #expect(throws: JSONQuery.LimitExceeded.self) {
      try root.query(query, budget: 20_000).count
    }
    #expect(error?.budget == 20_000)
    #expect(try root.query(query).isEmpty)
  }

  /// Returns a document of one row with a text and a pattern.
  private static func row(_ text: String, _ pattern: String) throws -> JSONView {
    try JSONDocument(#"[{"t":"\#(text)","p":"\#(pattern)"}]"#).root
  }

  @Test(arguments: ["match", "search"])
  func `each character of a class that is compared is charged`(function: String) throws {
    let query = try JSONQuery("$[?\(function)(@.t, @.p)]")
    let text = String(repeating: "z", count: 1_000)
    let letters = String(repeating: "abcdefghijklmnop", count: 200)
    let costly = try Self.row(text, "[^\(letters)]*y")
    #expect(throws: JSONQuery.LimitExceeded.self) { try costly.query(query, budget: 1_000_000) }
    // An equally long pattern, of which each character is compared with only a part.
    let cheap = try Self.row(text, "[z\(letters)]*")
    #expect(try cheap.query(query, budget: 1_000_000).count == 1)
  }

  @Test func `a category costs more than a character`() throws {
    let query = try JSONQuery("$[?match(@.t, @.p)]")
    let text = String(repeating: "z", count: 1_000)
    let categories = String(repeating: #"\\p{Lu}"#, count: 200)
    let row = try Self.row(text, "[^\(categories)]*")
    #expect(throws: JSONQuery.LimitExceeded.self) { try row.query(query, budget: 1_000_000) }
    #expect(try row.query(query).count == 1)
  }

  @Test func `a long pattern is charged before it is read`() throws {
    let query = try JSONQuery("$[?match(@.t, @.p)]")
    // The error is at the end, so it is only found if the pattern is read.
    let row = try Self.row("", String(repeating: "a", count: 100_000) + "(")
    #expect(throws: JSONQuery.LimitExceeded.self) { try row.query(query, budget: 700_000) }
    #expect(try row.query(query, budget: 1_000_000).isEmpty)
  }

  @Test func `equal objects are equal in any order, and deep values compare`() throws {
    let root = try JSONDocument(
      #"{"list": [{"a": [1, {"x": 2.0, "y": "é"}]}, {"a": [1]}, {"b": 1}], "same": {"a": [1.0, {"y": "é", "x": 2}]}}"#
    ).root
    #expect(try root.query("$.list[?@ == $.same]").map(\.path.description) == ["$['list'][0]"])
  }
}

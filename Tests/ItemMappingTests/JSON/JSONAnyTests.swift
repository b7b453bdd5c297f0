import Testing

@testable import ItemMapping

struct JSONAnyTests {
  @Test(
    arguments: [
      ("null", nil), ("true", true), ("1", 1), ("-1", -1), ("1.5", 1.5), ("\"x\"", "x"),
      ("[]", []), ("{}", [:]), ("[[],[1,[2]],{}]", [[], [1, [2]], [:]]),
      (#"{"a":{"b":[{"c":null}]},"d":false}"#, ["a": ["b": [["c": nil]]], "d": false]),
      ("18446744073709551615", .uint(.max)),
    ] as [(String, JSONAny)])
  func `a text becomes a value and is written back`(text: String, value: JSONAny) throws {
    #expect(try JSONAny(parsing: text) == value)
    #expect(value.text() == text)
    #expect(value.description == text)
  }

  @Test func `digits are kept on request, and when no other type fits`() throws {
    let text = #"[1.10,-0,1E5,100,123456789012345678901,1e999]"#
    let root = try JSONDocument(text).root
    #expect(JSONAny(root, keepingDigits: true).text() == text)
    #expect(JSONAny(root).text() == "[1.1,0,100000.0,100,123456789012345678901,1e999]")
  }

  @Test(
    arguments: [
      (1, 1.0, true), (.int(.max), .double(0x1p63), false),
      (.uint(.max), .double(0x1p64), false), (.int(7), .uint(7), true),
      (.int(-1), .uint(.max), false),
      (["a": 1, "b": 2], ["b": 2.0, "a": 1], true), ([1, 2], [2, 1], false), (1, "1", false),
      (["a": nil], [:], false), (.double(0), .double(-0.0), true),
    ] as [(JSONAny, JSONAny, Bool)])
  func `equivalent values are equal`(a: JSONAny, b: JSONAny, areEqual: Bool) {
    #expect((a == b) == areEqual)
    if areEqual { #expect(Set([a, b]).count == 1) }
  }

  @Test func `only characters that need an escape are escaped`() {
    let text = "\"\\/\u{8}\t\n\u{C}\r\u{1}\u{1F}\u{7F}é\u{2028}😀"
    #expect(
      JSONAny.string(text).text()
        == #""\"\\/\b\t\n\f\r\u0001\u001f"# + "\u{7F}é\u{2028}😀\"")
  }

  @Test func `pretty text has one member per line`() {
    let value: JSONAny = ["a": [1, [:], []], "b": ["c": "d"]]
    #expect(
      value.text(isPretty: true) == """
        {
          "a": [
            1,
            {},
            []
          ],
          "b": {
            "c": "d"
          }
        }
        """)
  }

  @Test func `a number that is not finite is written as null`() {
    #expect(JSONAny.array([.double(.nan), .double(.infinity)]).text() == "[null,null]")
  }

  @Test func `values are reached by name, position and path`() throws {
    let value: JSONAny = ["data": ["list": [["id": 7], ["id": 8]]]]
    #expect(value["data"]?["list"]?[-1]?["id"]?.int == 8)
    #expect(value["data.list[0].id" as JSONPath]?.int == 7)
    #expect(value["/data/list/1/id" as JSONPath]?.int == 8)
    #expect(value["data.nothing.id" as JSONPath] == nil)
    #expect(value[0] == nil)
  }

  @Test(arguments: ["", "-", "01", "1.", "1e", "+1", "1 ", " 1", "NaN", "0x1", "1,2"])
  func `text that is not a number is rejected`(text: String) {
    #expect(JSONAny.Number(text) == nil)
  }

  @Test(arguments: [3, 40]) func `an object keeps its order and has each name once`(count: Int) {
    var object = JSONAny.Object((0..<count).map { ("n\($0)", .int($0)) })
    object["n1"] = "changed"
    object["n0"] = nil
    object["new"] = true
    #expect(object.map(\.name) == (1..<count).map { "n\($0)" } + ["new"])
    #expect(object["n1"] == "changed")
    #expect(object["n0"] == nil)
    #expect(object["n\(count - 1)"] == (count == 2 ? "changed" : .int(count - 1)))
    #expect(JSONAny.Object([("a", 1), ("a", 2)]) == ["a": 1])
  }

  @Test func `two spellings of one letter are two names`() throws {
    let object = try #require(try JSONAny(parsing: "{\"\u{E9}\": 1, \"e\u{301}\": 2}").object)
    #expect(object.count == 2)
    #expect(object["\u{E9}"] == 1)
    #expect(object["e\u{301}"] == 2)
  }

  @Test func `a document nested to the limit can be copied and written`() throws {
    let text = String(repeating: #"{"a":["#, count: 512) + "1" + String(repeating: "]}", count: 512)
    #expect(try JSONAny(parsing: text).text() == text)
  }
}

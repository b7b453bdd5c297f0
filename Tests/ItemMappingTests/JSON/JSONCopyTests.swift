import Testing

@testable import ItemMapping

/// A copy has the values of its document, although it keeps only the text.
struct JSONCopyTests {
  private static let documents = [
    #"{"rows":[{"id":1,"t":"Ü\u00e9\ud83d\ude00"},{"id":1.0e2,"t":""},{"id":-0}],"n":null}"#,
    "\u{FEFF} [ [ ] , {} , [[1], \"\\/\"] , 18446744073709551616 ] \n",
    #"["\ud800", {"a":{"a":[]}}, true, false, 0.5]"#,
  ]

  @Test(arguments: documents) func `each value is found again`(_ text: String) throws {
    let values = Self.values(in: try JSONDocument(text).root)
    var copy = try #require(JSONCopy(values, limit: 1_000))
    for (number, value) in values.enumerated() {
      #expect(copy.value(number)?.text == value.text)
      #expect(copy.value(number)?.kind == value.kind)
    }
  }

  private static func values(in view: JSONView) -> [JSONView] {
    [view] + (Array(view.elements) + view.members.map(\.value)).flatMap(values)
  }

  @Test func `values of two documents and long texts have no copy`() throws {
    let document = try JSONDocument("[1, 2]")
    let other = try JSONDocument("[1, 2]")
    #expect(JSONCopy([document.root, other.root], limit: 1_000) == nil)
    #expect(JSONCopy([document.root], limit: 5) == nil)
    #expect(JSONCopy([document.root], limit: 6) != nil)
    #expect(JSONCopy([], limit: 6) == nil)
  }
}

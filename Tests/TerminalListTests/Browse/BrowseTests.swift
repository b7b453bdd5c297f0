import ItemMapping
import ListModel
import ListPresentation
import Testing

@testable import QuireCommand

/// What `quire browse` makes of its arguments, and of items that nobody has described to it.
@MainActor struct BrowseTests {
  @Test(arguments: [
    (#"{"id": 7, "title": "A"}"#, "A", "7"),
    (#"{"id": 7, "name": "B", "description": "long"}"#, "B", "7"),
    (#"{"uuid": "u", "title": "", "name": "C"}"#, "C", "u"),
    (#"{"book": {"title": "D"}, "id": "x"}"#, "D", "x"),
    (#"{"id": "1", "attributes": {"name": "E"}}"#, "E", "1"),
    (#"{"login": "f"}"#, "f", nil), (#""text""#, "text", nil), ("12", "12", nil),
    (#"{"a": [1, {"b": null}], "c": "x\n"}"#, #"{a: [1, {b: null}], c: "x\n"}"#, nil),
    ("null", "null", nil), ("[]", "[]", nil),
    (#"{"title": {"en": "G"}}"#, #"{title: {en: "G"}}"#, nil),
  ])
  func `a row says what a reader would look at`(json: String, title: String, id: String?) throws {
    let content = BrowseRow().content(of: try JSONAny(parsing: json))
    #expect(content.title == title && content.subtitle == id)
  }

  @Test func `a title may be anywhere, and an item of any size costs a line`() throws {
    let item = try JSONAny(parsing: #"{"title": "A", "price": {"amount": 7}}"#)
    #expect(BrowseRow(title: ["price", "amount"]).content(of: item).title == "7")
    #expect(BrowseRow(title: ["price"]).content(of: item).title == "A")
    let huge = JSONAny.array(
      Array(repeating: .string(String(repeating: "x", count: 9_999)), count: 99))
    #expect(BrowseRow().content(of: huge).title.count < 1_200)
  }

  @Test func `items are told apart by what looks like an id, else by all they say`() throws {
    let items = try [
      #"{"id": 1, "a": 1}"#, #"{"id": 1, "a": 2}"#, #"{"id": "1"}"#, #"{"key": "1"}"#,
      #"{"a": 1}"#, #"{"a": 1.0}"#, #"{"a": 2}"#, #"{"id": null}"#,
    ].map { BrowseRow.identity(of: try JSONAny(parsing: $0)) }
    #expect(items[0] == items[1] && items[1] != items[2] && items[2] == items[3])
    #expect(items[4] == items[5] && items[5] != items[6] && items[6] != items[7])
  }

  @Test func `arguments come in any order`() throws {
    let options = try BrowseOptions([
      "--header", "Accept: application/json", "https://x.test/a?b=c", "--title", "book.title",
      "--header", "X-A:b:c", "--items", "data.list",
    ])
    #expect(options.url == "https://x.test/a?b=c")
    #expect(options.headers.map(\.name) == ["Accept", "X-A"])
    #expect(options.headers.map(\.value) == ["application/json", "b:c"])
    #expect(options.title == ["book", "title"] && options.items == ["data", "list"])
  }

  @Test(arguments: [
    ([], "the address of a list is missing"), (["x", "y"], "“y” is not expected"),
    (["--what"], "“--what” is not expected"), (["x", "--items"], "--items lacks its value"),
    (["x", "--header", "nothing"], "expected 'NAME: VALUE'"),
    (["x", "--header", ": v"], "expected"),
    (["x", "--title", "a[b"], ""),
  ])
  func `what can't be meant is said`(arguments: [String], problem: String) {
    let error = #expect(throws: (any Error).self) { try BrowseOptions(arguments) }
    #expect(error.map { "\($0)".contains(problem) } == true || problem.isEmpty)
  }
}

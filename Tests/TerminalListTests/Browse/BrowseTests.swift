import ItemMapping
import ListModel
import ListPresentation
import ListReading
import ServerAPI
import Testing

@testable import QuireCommand

/// How `quire browse` treats its arguments, and items of unknown structure.
@MainActor struct BrowseTests {
  @Test(arguments: [
    (#"{"id": 7, "title": "A"}"#, "A", "7"),
    (#"{"id": 7, "name": "B", "description": "long"}"#, "B", "7"),
    (#"{"uuid": "u", "title": "", "name": "C"}"#, "C", "u"),
    (#"{"book": {"title": "D"}, "id": "x"}"#, "D", "x"),
    (#"{"id": "1", "attributes": {"name": "E"}}"#, "E", "1"),
    (#"{"login": "f"}"#, "f", nil), (#""text""#, "text", nil), ("12", "12", nil),
    (#"{"a": [1, {"b": null}], "c": "x\n"}"#, #"{a: [1, {b: null}], c: "x\n"}"#, nil),
    ("null", "null", nil), ("[]", "[]", nil), ("1.10", "1.10", nil),
    (#"{"a": 12345678901234567890123}"#, "{a: 12345678901234567890123}", nil),
    (#"{"title": {"en": "G"}}"#, #"{title: {en: "G"}}"#, nil),
  ])
  func `a row shows the most relevant members`(json: String, title: String, id: String?) throws {
    let content = BrowseRow().content(of: try JSONDocument(json).root)
    #expect(content.title == title && content.subtitle == id)
  }

  @Test func `a title can be nested, and a large item takes one line`() throws {
    let item = try JSONDocument(#"{"title": "A", "price": {"amount": 7}}"#).root
    #expect(BrowseRow(title: ["price", "amount"]).content(of: item).title == "7")
    #expect(BrowseRow(title: ["price"]).content(of: item).title == "A")
    let huge = JSONAny.array(
      Array(repeating: .string(String(repeating: "x", count: 9_999)), count: 99))
    #expect(BrowseRow().content(of: try JSONDocument(huge.text()).root).title.count < 1_200)
  }

  /// Returns the identity of rows whose list has these on its first page.
  private func ids(
    _ rows: [String], _ identity: PageWalk.Identity = .recognized, items: JSONPath? = nil
  ) throws -> [RowID] {
    let page = try JSONDocument("[\(rows.joined(separator: ","))]").root
    let id = try #require(BrowseIdentity.of(identity, at: items).id)
    return page.elements.map(id)
  }

  @Test func `items are identified by an id-like member, else by their content`() throws {
    let named = try ids([#"{"id": 1, "a": 1}"#, #"{"id": "1", "a": 1}"#, #"{"id": 2}"#])
    #expect(named == [.number(1), .text("1"), .number(2)])
    #expect(try ids([#"{"node_id": "x", "a": 1}"#]) == [.text("x")])
    // A member that repeats or is missing in some rows is no id.
    let twice = try ids([#"{"id": 1, "a": 1}"#, #"{"id": 1, "a": 2}"#, #"{"id": 1, "a": 1}"#])
    #expect(twice[0] != twice[1] && twice[0] == twice[2])
    let lacking = try ids([#"{"id": 1}"#, #"{"a": 1}"#, #"{"a": 1.0}"#, #"{"a": 2}"#])
    #expect(lacking[0] != .number(1))
    #expect(lacking[1] == lacking[2] && lacking[2] != lacking[3])
    #expect(try ids(["1", "2", #""1""#]) == [.number(1), .number(2), .text("1")])
    #expect(try ids([#"{"sku": 7, "id": 1}"#], .by("sku")) == [.number(7)])
    #expect(BrowseIdentity.of(.none, at: nil).id == nil)
  }

  @Test func `the ids of the first page apply to the next pages`() throws {
    let id = try #require(BrowseIdentity.of(.recognized, at: "rows").id)
    let first = try JSONDocument(#"{"rows": [{"id": 1}, {"id": 2}]}"#).root
    let second = try JSONDocument(#"{"rows": [{"id": 3, "a": 1}, {"id": 3, "a": 2}]}"#).root
    #expect(try #require(first["rows"]).elements.map(id) == [.number(1), .number(2)])
    #expect(try #require(second["rows"]).elements.map(id) == [.number(3), .number(3)])
  }

  @Test(arguments: ["key", "url", "href"])
  func `rows that share a reference stay separate`(name: String) throws {
    let rows = try ids(["red", "blue"].map { #"{"\#(name)": "color", "value": "\#($0)"}"# })
    #expect(rows[0] != rows[1])
  }

  private func options(_ words: [String]) throws(UsageError) -> BrowseOptions {
    try BrowseOptions(try Arguments(words, for: BrowseCommand.spec))
  }

  @Test func `arguments come in any order`() throws {
    let options = try options([
      "--header", "Accept: application/json", "x.test/a?b=c", "--title", "book.title",
      "--header", "X-A:b:c", "--items=data.list", "--cursor", "next",
    ])
    #expect(options.list.call.address == "https://x.test/a?b=c")
    #expect(options.list.call.headers["Accept"] == "application/json")
    #expect(options.list.call.headers["X-A"] == "b:c")
    #expect(options.title == ["book", "title"] && options.list.items == ["data", "list"])
    #expect("\(options.list.paging)" == #".cursor(at: "next")"#)
  }

  @Test func `a list is described by the same options as in a crawl`() {
    func names(_ groups: [OptionGroup]) -> Set<String> {
      Set(groups.flatMap(\.options).map(\.name))
    }
    let (browse, crawl) = (BrowseCommand.spec, CrawlCommand.spec)
    #expect(names(browse.groups).subtracting(names(crawl.groups)) == ["title", "probe"])
    #expect(
      names(crawl.groups.filter { $0.title != "output" }).subtracting(names(browse.groups)) == [
        "select", "parallel", "merge",
      ])
  }

  @Test(arguments: [
    ([], "URL is missing"), (["x", "y"], "unexpected argument “y”"),
    (["x", "--itms", "a"], "did you mean --items?"), (["x", "--items"], "--items needs a value"),
    (["x", "--header", "nothing"], "--header must be 'NAME: VALUE'"),
    (["x", "--title", "a[b"], "--title: "),
    (["x", "--paging", "page", "--cursor", "c"], "it belongs to --paging cursor"),
    (["x", "--offline"], "--offline needs --cache"),
    (["x", "--format", "csv"], "unknown option --format"),
  ])
  func `invalid arguments are reported`(words: [String], problem: String) {
    let error = #expect(throws: UsageError.self) { try options(words) }
    #expect(error?.description.contains(problem) == true, "\(String(describing: error))")
  }
}

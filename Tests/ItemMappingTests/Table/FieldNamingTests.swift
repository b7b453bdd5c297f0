import Testing

@testable import ItemMapping

@Suite struct FieldNamingTests {
  static let names = [
    ("title", "title"), ("pageURL", "page_url"), ("itemsPerPage", "items_per_page"),
    ("URLString", "url_string"), ("isOK", "is_ok"), ("a", "a"), ("aB", "a_b"), ("ABC", "abc"),
    ("value2Text", "value2_text"), ("über", "über"), ("straßeName", "straße_name"),
    ("snake_case", "snake_case"), ("utf8View", "utf8_view"),
  ]

  @Test(arguments: names)
  func `a property's name becomes a name with underscores`(_ name: String, _ key: String) {
    #expect(FieldTable.Naming.snakeCase.key(for: name) == key)
    #expect(FieldTable.Naming.same.key(for: name) == name)
  }

  final class Page: BaseItem {
    var pageURL = ""
    var itemsPerPage = 0
    var first = ItemValueTests.Size()
    final var noPath = 0

    override class var fields: FieldTable {
      FieldTable(Page.self, naming: .snakeCase) { f in
        f(\.pageURL)
        f(\.itemsPerPage, .required)
        f(\.first.width)
        f(\.noPath, .default(4))
      }
    }
  }

  class OpenPage: BaseItem {
    var title = ""
    var note: String?
    var isOn = false
    override class var fields: FieldTable {
      FieldTable(OpenPage.self) { f in
        f(\.title)
        f(\.note)
        f(\.isOn)
      }
    }
  }

  @Test func `without a path the name is the path`() throws {
    let page = try read(
      Page.self, #"{"page_url":"u","items_per_page":3,"first":{"width":2}}"#
    ).value
    #expect(page.pageURL == "u")
    #expect(page.itemsPerPage == 3)
    #expect(page.first.width == 2)
    #expect(page.noPath == 4)
  }

  @Test func `the name is found for properties that can be overridden`() throws {
    let page = try read(OpenPage.self, #"{"title":"t","note":"n","isOn":true}"#).value
    #expect(page.title == "t")
    #expect(page.note == "n")
    #expect(page.isOn)
  }
}

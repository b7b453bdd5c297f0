import ItemMapping
import Testing

/// A class that is only known at run time.
struct RuntimeClassTests {
  private class Entry: BaseItem {
    var id = 0
    override class var fields: FieldTable { FieldTable(Entry.self) { f in f(\.id, "id") } }
  }

  private final class Book: Entry {
    var title = ""
    override class var fields: FieldTable { FieldTable(Book.self) { f in f(\.title, "title") } }
  }

  private let given: Entry.Type = Book.self

  @Test func `an item has the given class, not the declared one`() throws {
    let document = try JSONDocument(#"{"id":1,"title":"Emma"}"#)
    let entry = try ItemMapper().item(given, in: document).value
    #expect((entry as? Book)?.title == "Emma")
    #expect(entry.id == 1)
  }

  @Test func `the items of a list have the given class`() throws {
    let document = try JSONDocument(#"[{"id":1,"title":"Emma"}]"#)
    let entries = try ItemMapper().items(given, in: document).value
    #expect((entries.first as? Book)?.title == "Emma")
  }
}

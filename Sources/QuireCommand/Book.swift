internal import Quire

/// A row of the list in `Fixtures/books`.
final class Book: BaseItem, Identifiable, CellItem {
  var id = 0
  var title = ""
  var author = ""
  var price: String?

  override class var fields: FieldTable {
    FieldTable(Book.self) { f in
      f(\.id, "id", .required)
      f(\.title, "book.title")
      f(\.author, "author.name")
      f(\.price, "price")
    }
  }

  var rowContent: RowContent? {
    RowContent(title, subtitle: "\(author), \(price ?? "not for sale"), number \(id)")
  }

  var row: String {
    "\(id < 10 ? " " : "")\(id)  \(title), \(author), " + (price ?? "not for sale")
  }
}

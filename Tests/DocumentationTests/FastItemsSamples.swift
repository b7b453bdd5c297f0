import Foundation
import Quire
import Testing

/// The samples of “Fast items”, in their order.
@Suite struct FastItemsSamples {
  class Work: BaseItem {
    final var id = 0
    var title = ""
    final var kind = "" { didSet { isChanged = true } }
    final var isChanged = false
    final var price = Decimal(0)

    override class var fields: FieldTable {
      FieldTable(Work.self) { f in
        f(\.id, "id", .required)
        f(\.title, "title")
        f(\.kind, "kind", .interned)
        f(\.price, "price")
        f.ignore("isChanged")
      }
    }
  }

  final class Book: BaseItem {
    var id = 0

    override class var fields: FieldTable {
      FieldTable(Book.self) { f in f(\.id, "id") }
    }
  }

  @Test func `slow fields are named`() {
    print(FieldTable.Inspection(of: Work.self))
    #expect(
      FieldTable.Inspection(of: Work.self).description == """
        id: Int from $['id'], required
        title: String from $['title'], slow
        kind: String from $['kind'], slow
        price: Decimal from $['price']
        """)
  }

  @Test func `the table of a book is sound and fast`() {
    let table = FieldTable.Inspection(of: Book.self)
    #expect(table.problems.isEmpty)
    #expect(table.slowFields.isEmpty)
  }
}

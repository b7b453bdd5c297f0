internal import Quire
internal import QuireTesting
internal import Synchronization

/// A server on this machine that sells the books of `Fixtures/books`, six on a page.
///
/// The last books of the fixture are not there from the start: they come in on top of the others.
final class Bookshop: Sendable {
  static let pageSize = 6
  static let newBooks = 2

  let loopback: LoopbackServer
  private let stock: Stock

  init() throws {
    let stock = Stock(rows: try Fixture.rows(of: "books"))
    self.stock = stock
    loopback = try LoopbackServer { request in
      guard request.method == "GET" else { return .status(409) }
      return .json(stock.page(request.query("page").flatMap { Int($0) } ?? 1))
    }
  }

  /// Puts the new books on top, so that each page begins with rows of the one before.
  func receiveNewBooks() { stock.hasNewBooks.store(true, ordering: .relaxed) }

  var bookCount: Int { stock.onSale.count }
}

private final class Stock: Sendable {
  /// Each book as JSON.
  let rows: [String]
  let hasNewBooks = Atomic(false)

  init(rows: [String]) { self.rows = rows }

  var onSale: [String] {
    let old = rows.dropLast(Bookshop.newBooks)
    let new = rows.suffix(Bookshop.newBooks)
    return hasNewBooks.load(ordering: .relaxed) ? Array(new + old) : Array(old)
  }

  func page(_ number: Int) -> String {
    let (books, size) = (onSale, Bookshop.pageSize)
    let rows = number < 1 ? [] : books.dropFirst((number - 1) * size).prefix(size)
    let pages = (books.count + size - 1) / size
    return """
      {"code": 0, "page": \(number), "pages": \(pages), "total": \(books.count),
       "data": {"list": [\(rows.joined(separator: ", "))]}}
      """
  }
}

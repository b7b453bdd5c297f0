internal import Quire
internal import QuireTesting
internal import Support

/// A server on this machine that sells the books of `Fixtures/books`, and further copies of them.
final class Bookshop: Sendable {
  let loopback: LoopbackServer
  let pageSize: Int
  private let shelf: Shelf

  /// A shop with so many books, and so many of them on a page.
  init(books: Int, onPage pageSize: Int) throws {
    let shelf = Shelf(Stock(titles: try Fixture.rows(of: "books"), books: books))
    (self.shelf, self.pageSize) = (shelf, pageSize)
    loopback = try LoopbackServer { request in
      guard request.method == "GET" else { return .status(409) }
      let page = request.query("page").flatMap { Int($0) } ?? 1
      return .json(shelf.stock.withLock { $0.page(page, of: pageSize) })
    }
  }

  /// Puts new books on top, so that each page begins with rows of the one before.
  func receive(_ count: Int) { shelf.stock.withLock { $0.receive(count) } }

  /// A book comes in, and most of the time one near the top is sold.
  func trade() {
    shelf.stock.withLock { stock in
      stock.receive(1)
      if stock.received % 3 > 0 { stock.sell(2 + stock.received * 5 % 12) }
    }
  }

  var bookCount: Int { shelf.stock.withLock { $0.onSale.count } }

  /// What has changed so far.
  var tally: String { shelf.stock.withLock { "\($0.received) came in, \($0.sold) were sold" } }
}

/// What the threads of the server share.
private final class Shelf: Sendable {
  let stock: Lock<Stock>

  init(_ stock: Stock) { self.stock = Lock(stock) }
}

private struct Stock {
  private let titles: [JSONObject]
  /// Each book as JSON.
  private(set) var onSale: [String] = []
  private(set) var received = 0
  private(set) var sold = 0
  private var lastID = 0

  init(titles: [JSONObject], books: Int) {
    self.titles = titles
    onSale = (0..<books).map { _ in next() }
  }

  private mutating func next() -> String {
    var book = titles[lastID % titles.count]
    lastID += 1
    book["id"] = .int(lastID)
    return JSONAny.object(book).text()
  }

  mutating func receive(_ count: Int) {
    onSale.insert(contentsOf: (0..<count).map { _ in next() }, at: 0)
    received += count
  }

  mutating func sell(_ place: Int) {
    guard onSale.indices.contains(place) else { return }
    onSale.remove(at: place)
    sold += 1
  }

  func page(_ number: Int, of size: Int) -> String {
    let pages = (onSale.count + size - 1) / size
    let isThere = (1...max(1, pages)).contains(number)
    let rows = isThere ? onSale.dropFirst((number - 1) * size).prefix(size) : []
    return """
      {"code": 0, "page": \(number), "pages": \(pages), "total": \(onSale.count),
       "data": {"list": [\(rows.joined(separator: ", "))]}}
      """
  }
}

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

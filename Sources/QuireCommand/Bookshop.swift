internal import Quire
internal import QuireTesting
internal import Support

/// A local server with a list of books that changes: those of `Fixtures/books`, then further editions of them.
final class Bookshop: Sendable {
  let loopback: LoopbackServer
  let pageSize: Int
  private let stock: SharedStock

  /// Starts a server with a number of books.
  init(books: Int, onPage pageSize: Int) throws {
    let stock = SharedStock(Stock(titles: try Fixture.rows(of: "books"), books: books))
    (self.stock, self.pageSize) = (stock, pageSize)
    loopback = try LoopbackServer { request in
      guard request.method == "GET" else { return .status(409) }
      let page = request.query("page").flatMap { Int($0) } ?? 1
      return .json(stock.value.withLock { $0.page(page, of: pageSize) })
    }
  }

  /// Inserts books at the start, so that each page starts with rows of the one before.
  func insert(_ count: Int) { stock.value.withLock { $0.insert(count) } }

  /// Inserts a book at the start and, two times out of three, removes one near the top.
  func change() {
    stock.value.withLock { stock in
      stock.insert(1)
      if stock.insertedCount % 3 > 0 { stock.remove(at: 2 + stock.insertedCount * 5 % 12) }
    }
  }

  var bookCount: Int { stock.value.withLock { $0.books.count } }

  /// The number of books inserted and removed so far.
  var changes: String {
    stock.value.withLock { "\($0.insertedCount) added, \($0.removedCount) removed" }
  }
}

/// The stock, shared by the threads of the server.
private final class SharedStock: Sendable {
  let value: Lock<Stock>

  init(_ stock: Stock) { value = Lock(stock) }
}

private struct Stock {
  private let titles: [JSONAny.Object]
  /// Each book as JSON.
  private(set) var books: [String] = []
  private(set) var insertedCount = 0
  private(set) var removedCount = 0
  private var lastID = 0

  init(titles: [JSONAny.Object], books: Int) {
    self.titles = titles
    self.books = (0..<books).map { _ in next() }
  }

  private mutating func next() -> String {
    var book = titles[lastID % titles.count]
    let edition = lastID / titles.count + 1
    // A list about duplicates must not show a title twice.
    if edition > 1, let title = book["book"]?["title"]?.string {
      book["book"] = .object(["title": .string("\(title), edition \(edition)")])
    }
    lastID += 1
    book["id"] = .int(lastID)
    return JSONAny.object(book).text()
  }

  mutating func insert(_ count: Int) {
    books.insert(contentsOf: (0..<count).map { _ in next() }, at: 0)
    insertedCount += count
  }

  mutating func remove(at index: Int) {
    guard books.indices.contains(index) else { return }
    books.remove(at: index)
    removedCount += 1
  }

  func page(_ number: Int, of size: Int) -> String {
    let pages = (books.count + size - 1) / size
    let exists = (1...max(1, pages)).contains(number)
    let rows = exists ? books.dropFirst((number - 1) * size).prefix(size) : []
    return """
      {"code": 0, "page": \(number), "pages": \(pages), "total": \(books.count),
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

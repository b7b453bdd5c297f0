import Quire
import QuireTesting
import Testing

private final class Book: BaseItem, Identifiable {
  var id = 0
  var title = ""

  override class var fields: FieldTable {
    FieldTable(Book.self) { f in
      f(\.id, "id", .required)
      f(\.title, "title")
    }
  }
}

/// The samples of “One place for a service”, in their order.
@MainActor @Suite struct ServiceSamples {
  /// Three books, two a page. The shop is closed on the second page, for those who ask as a shop.
  private let transport = MockTransport { request in
    func book(_ id: Int) -> String { #"{"id":\#(id),"title":"Book \#(id)"}"# }
    guard request.url.path == "/books" else {
      return .json(#"{"data":\#(book(Int(request.url.path.suffix(1)) ?? 0))}"#)
    }
    let page = request.query["page"].flatMap { Int($0) } ?? 1
    let rows = (1...3).dropFirst(page * 2 - 2).prefix(2).map(book)
    let json = #"{"errno":0,"data":{"list":[\#(rows.joined(separator: ","))]},"total":3}"#
    let isClosed = page == 2 && request.headers["X-Shop"] == "berlin"
    return .json(json).headers(isClosed ? ["X-Closed": "1"] : [:])
  }

  @Test func `one declaration serves lists, loops and single requests`() async throws {
    let server = Server("https://api.example.com", transport: transport)
    var titles: [String] = []
    func print(_ title: String) { titles.append(title) }
    let books = ListModel(server, Book.list)
    for try await book in server.items(Book.list) { print(book.title) }
    let solaris = try await server.send(Book.one(1))
    let firstPage = try await server.send(Book.list, as: [Book].self)
    let details = BaseModel(server, Book.one(2))
    await books.loadAll()
    _ = await details.run()
    #expect(titles == ["Book 1", "Book 2", "Book 3"])
    #expect(books.items.map(\.title) == titles)
    #expect(solaris.title == "Book 1" && firstPage.count == 2 && details.value?.title == "Book 2")
  }

  /// Compiled only: it would call a real host.
  private func shared() {
    let server = Server("https://api.example.com") {
      $0.headers["X-Client"] = "demo"
      $0.businessCheck = .envelope(code: "errno", message: "errmsg")
    }
    _ = server
  }

  final class ShopAPI: BaseServerAPI {
    override func prepare(_ call: inout Call) { call.headers["X-Shop"] = "berlin" }

    override func validate(_ response: HTTPResponse) throws(RequestError) {
      guard response.headers["X-Closed"] == nil else {
        throw RequestError(.business(code: "closed", message: "the shop is closed"))
      }
    }
  }

  @Test func `a list follows the rules of a class`() async {
    let server = Server("https://api.example.com", transport: transport)
    let shop = ListModel(server, Book.list) { $0.rules = ShopAPI(server) }
    _ = await shop.refresh().outcome
    guard case .failed = await shop.loadNextPage().outcome else {
      Issue.record("\(shop.state(of: .next))")
      return
    }
    #expect(shop.items.count == 2)
  }
}

extension Book {
  static var list: Endpoint<Book> {
    Endpoint("/books", at: "data.list", paging: .pageNumber(size: 20, endsBy: .total("total")))
  }
  static func one(_ id: Int) -> Endpoint<Book> { Endpoint("/books/\(id)", at: "data") }
}

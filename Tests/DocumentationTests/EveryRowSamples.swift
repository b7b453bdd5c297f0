import Quire
import QuireTesting
import Testing

/// The samples of “Reading every row”, in their order.
@Suite struct EveryRowSamples {
  private final class Book: BaseItem {
    var id = 0
    var title = ""

    override class var fields: FieldTable {
      FieldTable(Book.self) { f in
        f(\.id, "id", .required)
        f(\.title, "title")
      }
    }
  }

  /// Seven books, three a page.
  private let transport = MockTransport { request in
    let size = request.query["per_page"].flatMap { Int($0) } ?? 3
    let page = request.query["page"].flatMap { Int($0) } ?? 1
    let books = (1...7).dropFirst((page - 1) * size).prefix(size)
      .map { #"{"id":\#($0),"title":"Book \#($0)"}"# }
    return .json(#"{"books":[\#(books.joined(separator: ","))],"page":\#(page),"total":7}"#)
  }

  private var server: Server { Server("https://api.example.com", transport: transport) }

  @Test func `a loop has every row`() async throws {
    var titles: [String] = []
    func print(_ title: String) { titles.append(title) }
    for try await book in server.items(Book.self, "/books") { print(book.title) }
    #expect(titles == (1...7).map { "Book \($0)" })
  }

  @Test func `a loop that lacks rows throws`() async throws {
    let transport = MockTransport { _ in .json(#"{"books":[{"id":1}],"total":7,"next":null}"#) }
    let server = Server("https://api.example.com", transport: transport)
    var texts: [String] = []
    func print(_ text: String) { texts.append(text) }
    do throws(LoadError) {
      for try await book in server.items(Book.self, "/books") { print(book.title) }
    } catch {
      print("there may be more: \(error)")
    }
    #expect(texts.count == 2 && texts.last?.hasPrefix("there may be more: ") == true)
  }

  @Test func `a loop over pages has progress`() async throws {
    var counts: [String] = []
    func print(_ text: String, _ count: Int) { counts.append("\(text): \(count)") }
    let books = server.items(
      Book.self, "/books", paging: .pageNumber(size: 100, endsBy: .total("total")), parallel: 4)
    while let page = try await books.nextPage() {
      print("\(books.count) of \(books.walk.total ?? 0)", page.items.count)
    }
    #expect(counts.first == "7 of 7: 7")
  }

  @Test func `a walk continues from a checkpoint`() async throws {
    var titles: [String] = []
    func print(_ title: String) { titles.append(title) }
    let first = server.items(Book.self, "/books")
    for try await book in first where book.id == 3 { break }
    let text = first.checkpoint?.text ?? ""

    let rest = server.items(Book.self, "/books", from: PageWalk.Checkpoint(text: text))
    for try await book in rest { print(book.title) }
    #expect(titles == (4...7).map { "Book \($0)" })
  }
}

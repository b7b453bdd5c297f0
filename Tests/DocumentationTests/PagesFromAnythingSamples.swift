import Foundation
import Quire
import QuireTesting
import Testing

/// The samples of “Pages from anything”, in their order.
@MainActor @Suite struct PagesFromAnythingSamples {
  // MARK: - What a generator for OpenAPI makes of an operation

  enum Components {
    enum Schemas {
      struct Book: Codable, Hashable, Sendable, Identifiable {
        var id: Int
        var title: String
      }
      struct BookPage: Codable, Hashable, Sendable {
        var items: [Book]
        var nextCursor: String?
        var total: Int?
      }
    }
  }

  enum Operations {
    enum listBooks {
      struct Query: Sendable {
        var cursor: String?
        var limit: Int?
      }
      struct OK: Sendable {
        struct Body: Sendable {
          var page: Components.Schemas.BookPage
          var json: Components.Schemas.BookPage { get throws { page } }
        }
        var body: Body
      }
      struct Output: Sendable {
        var response: OK
        var ok: OK { get throws { response } }
      }
    }
  }

  struct Client: Sendable {
    func listBooks(query: Operations.listBooks.Query) async throws -> Operations.listBooks.Output {
      let start = query.cursor.flatMap { Int($0) } ?? 0
      let size = query.limit ?? 10
      let books = (start..<min(start + size, 120)).map { Components.Schemas.Book(id: $0, title: "Book \($0)") }
      let page = Components.Schemas.BookPage(
        items: books, nextCursor: start + size < 120 ? "\(start + size)" : nil, total: 120)
      return .init(response: .init(body: .init(page: page)))
    }
  }

  private let client = Client()

  @Test func `an operation becomes a list`() async throws {
    let client = client
    let books = ListModel(of: Components.Schemas.Book.self, paging: .cursor) { cursor in
      let page = try await client.listBooks(query: .init(cursor: cursor, limit: 50)).ok.body.json
      return Page(page.items, next: page.nextCursor, total: page.total)
    }
    await books.loadAll()
    #expect(books.rows.items.count == 120 && books.state(of: .next) == .reachedEnd(.complete))
  }

  @Test func `an operation becomes a loop that resumes`() async throws {
    let client = client
    var titles: [String] = []
    func print(_ title: String) { titles.append(title) }
    func everyBook(from checkpoint: PageWalk.Checkpoint?) -> ItemWalk<Components.Schemas.Book> {
      ItemWalk(of: Components.Schemas.Book.self, paging: .cursor, from: checkpoint) { cursor in
        let page = try await client.listBooks(query: .init(cursor: cursor, limit: 50)).ok.body.json
        return Page(page.items, next: page.nextCursor, total: page.total)
      }
    }

    let first = everyBook(from: nil)
    for try await book in first where book.id == 60 { break }
    for try await book in everyBook(from: first.checkpoint) { print(book.title) }
    #expect(titles.first == "Book 61" && titles.count == 59)
  }

  // MARK: - A database

  struct Row: Identifiable, Sendable {
    var id: Int
    var name: String
  }

  struct Database: Sendable {
    func rows(after name: String?, limit: Int) async throws -> [Row] {
      let all = ["Ann", "Ben", "Cem", "Dan", "Eve"].enumerated().map { Row(id: $0, name: $1) }
      return Array(all.drop { row in name.map { row.name <= $0 } ?? false }.prefix(limit))
    }
    func rows(from offset: Int, limit: Int) async throws -> [Row] {
      Array(try await rows(after: nil, limit: 10).dropFirst(offset).prefix(limit))
    }
    func count() async throws -> Int { 5 }
  }

  @Test func `a database is paged by offset or by key`() async throws {
    let database = Database()
    let byOffset = ListModel(of: Row.self, paging: .offset(limit: 2)) { offset, limit in
      Page(
        try await database.rows(from: offset, limit: limit), total: try await database.count())
    }

    let byKey = ListModel(of: Row.self, paging: .cursor) { name in
      let rows = try await database.rows(after: name, limit: 2)
      return Page(rows, next: rows.last?.name)
    }
    await byOffset.loadAll()
    await byKey.loadAll()
    #expect(byOffset.rows.items.map(\.name) == ["Ann", "Ben", "Cem", "Dan", "Eve"])
    #expect(byKey.rows.items.map(\.name) == ["Ann", "Ben", "Cem", "Dan", "Eve"])
    #expect(byKey.state(of: .next) == .reachedEnd(.complete))
  }

  // MARK: - gRPC

  struct ListBooksResponse: Sendable {
    var books: [Row] = []
    var nextPageToken = ""
  }

  struct BookService: Sendable {
    func listBooks(pageSize: Int, pageToken: String) async throws -> ListBooksResponse {
      pageToken.isEmpty
        ? .init(books: [Row(id: 1, name: "A")], nextPageToken: "b") : .init(books: [Row(id: 2, name: "B")])
    }
  }

  @Test func `a method of a service is paged by its token`() async throws {
    let service = BookService()
    let books = ListModel(of: Row.self, paging: .cursor) { token in
      let response = try await service.listBooks(pageSize: 100, pageToken: token ?? "")
      return Page(response.books, next: response.nextPageToken)
    }
    await books.loadAll()
    #expect(books.rows.items.map(\.id) == [1, 2] && books.state(of: .next) == .reachedEnd(.complete))
  }

  @Test func `a list of a closure is kept under a name`() async throws {
    let client = client
    let cache = HTTPCache.memory()
    let user = "ann"
    let books = ListModel(
      of: Components.Schemas.Book.self, paging: .cursor,
      configure: { $0.keeping = ListKeeping(in: cache, as: "books of \(user)") }
    ) { cursor in
      let page = try await client.listBooks(query: .init(cursor: cursor, limit: 50)).ok.body.json
      return Page(page.items, next: page.nextCursor)
    }
    await books.loadAll()
    #expect(cache.problems.isEmpty)
  }
}

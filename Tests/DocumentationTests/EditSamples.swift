import Quire
import QuireTesting
import Testing

/// The samples about edits in “States, events and the delegate”, in their order.
@MainActor @Suite struct EditSamples {
  struct Book: Decodable, Identifiable, Equatable {
    var id: Int
    var title = ""
  }

  /// Counts the changes of a list.
  final class Changes: ListModelDelegate {
    var changes = 0

    func listModel(_ model: ListModel<Book>, didChange change: ListChange) { changes += 1 }
  }

  /// Four books, two on a page. It stores each new book under the id 70.
  private let transport = MockTransport { request in
    guard request.method == .get else { return .json(#"{"id": 70, "title": "Saved"}"#) }
    let page = request.query["page"].flatMap { Int($0) } ?? 1
    let rows = (page * 2 - 1...page * 2).map { #"{"id": \#($0), "title": "Book \#($0)"}"# }
    return .json(#"{"rows": [\#(rows.joined(separator: ", "))], "pages": 2}"#)
  }
  private let delegate = Changes()
  private let draft = Book(id: -1, title: "Draft")
  private let create = Call("/books", method: .post)

  private func list() async -> (Server, ListModel<Book>) {
    let server = Server("https://api.example.com", transport: transport) { $0.retry = .never }
    let books = ListModel<Book>(
      server, "/books", items: "rows", paging: .pageNumber(size: 2, endsBy: .pageCount("pages")))
    await books.loadAll()
    books.delegate = delegate
    return (server, books)
  }

  private func ids(_ books: ListModel<Book>) -> [Int] { books.rows.items.map(\.id) }

  @Test func `an edit is sent and becomes the server's row`() async throws {
    let (server, books) = await list()
    let saved = try await books.edit(.insert(draft, at: .start)) {
      try await server.send(create, as: Book.self)
    }
    #expect(saved.id == 70 && ids(books) == [70, 1, 2, 3, 4])
    #expect(delegate.changes == 2)
  }

  @Test func `a removal is sent, and rolled back if the server refuses it`() async throws {
    let (server, books) = await list()
    try await books.edit(.remove(2)) {
      try await server.send(Call("/books/2", method: .delete))
    }
    #expect(ids(books) == [1, 3, 4])
    transport.enqueue(.status(409))
    await #expect(throws: RequestError.self) {
      try await books.edit(.remove(3)) {
        try await server.send(Call("/books/3", method: .delete))
      }
    }
    #expect(ids(books) == [1, 3, 4])
  }

  @Test func `an edit is in the rows at once, and observers are notified later`() async throws {
    let (_, books) = await list()
    try books.edit(.move(1, to: .end))
    #expect(books.rows.items.map(\.id) == [2, 3, 4, 1])
    await books.eventsDelivered()
    #expect(delegate.changes == 1)
  }

  @Test func `a draft is confirmed as the server's row`() async throws {
    let (server, books) = await list()
    let edit = try books.edit(.insert(draft, at: .after(1)))
    let saved = try await server.send(create, as: Book.self)
    books.confirm(edit, as: saved)
    #expect(ids(books) == [1, 70, 2, 3, 4])
    #expect(throws: ListEditError.replaced(-1, by: 70)) { try books.edit(.remove(-1)) }
  }
}

import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI
import TestSupport
import Testing

/// One declaration of an address for lists, walks, loops and single requests.
@MainActor @Suite(.timeLimit(.minutes(1))) struct EndpointTests {
  final class Book: BaseItem, Identifiable {
    var id = 0

    override class var fields: FieldTable {
      FieldTable(Book.self) { f in f(\.id, "id", .required) }
    }

    static var list: Endpoint<Book> {
      Endpoint(
        "/books", params: ["sort": "id"], at: "data.list", paging: .pageNumber(endsBy: .total("n")))
    }
    static func one(_ id: Int) -> Endpoint<Book> { Endpoint("/books/\(id)", at: "data") }
  }

  /// Has a table and can be decoded, each from other JSON.
  struct Both: ItemValue, Decodable, Identifiable, Equatable {
    var id = 0

    static var fields: FieldTable {
      FieldTable(Both.self) { f in f(\.id, "mapped", .required) }
    }
  }

  /// Five books, two a page, and each of them at an address of its own.
  private let transport = MockTransport { request in
    if request.url.path != "/books" {
      let id = request.url.path.split(separator: "/").last ?? ""
      return .json(#"{"data":{"id":\#(id)}}"#)
    }
    guard request.query["sort"] == "id" else { return .status(400) }
    let page = request.query["page"].flatMap { Int($0) } ?? 1
    let rows = (1...5).dropFirst(page * 2 - 2).prefix(2).map { #"{"id":\#($0)}"# }
    return .json(#"{"data":{"list":[\#(rows.joined(separator: ","))]},"n":5}"#)
  }

  private var server: Server {
    Server("https://test", transport: transport) { $0.retry = .never }
  }

  @Test func `a list, a walk, a loop and single requests use one declaration`() async throws {
    let list = ListModel(server, Book.list)
    #expect(await list.loadAll() == .reachedEnd(.complete))
    #expect(list.items.map(\.id) == [1, 2, 3, 4, 5])

    let walk = PageWalk(server, Book.list)
    var ids: [Int] = []
    while let page = try await walk.next() { ids += page.rows.compactMap { $0["id"]?.int } }
    #expect(ids == [1, 2, 3, 4, 5] && walk.end == .complete)

    ids = []
    for try await book in server.items(Book.list, parallel: 2) { ids.append(book.id) }
    #expect(ids == [1, 2, 3, 4, 5])

    #expect(try await server.send(Book.one(7)).id == 7)
    #expect(try await server.send(Book.list, as: [Book].self).map(\.id) == [1, 2])

    let model = BaseModel(server, Book.one(3))
    _ = await model.run()
    #expect(model.value?.id == 3)
  }

  @Test func `a type with a table is mapped, and decoded with a decoder`() async throws {
    let transport = MockTransport { _ in .json(#"[{"id":1,"mapped":2}]"#) }
    let server = Server("https://test", transport: transport)
    let mapped = Endpoint<Both>("/x", paging: .single)
    let decoded = Endpoint<Both>("/x", paging: .single, decoder: ItemDecoder())
    #expect(try await server.send(mapped, as: [Both].self) == [Both(id: 2)])
    #expect(try await server.send(decoded, as: [Both].self) == [Both(id: 1)])
    let list = ListModel(server, decoded)
    _ = await list.refresh().outcome
    #expect(list.items.map(\.id) == [1])
  }

  @Test func `the rows are found where no path is declared`() async throws {
    let transport = MockTransport { _ in .json(#"{"results":[{"id":1},{"id":2}]}"#) }
    let server = Server("https://test", transport: transport)
    let found = try await server.send(Endpoint<Row>("/x"), as: [Row].self)
    #expect(found == [Row(id: 1), Row(id: 2)])
  }

  @Test func `an item of a list that can't be read is an error of a single request`() async {
    let transport = MockTransport { _ in .json(#"[{"id":1},{"id":"x"}]"#) }
    let server = Server("https://test", transport: transport)
    await #expect(throws: LoadError.self) {
      _ = try await server.send(Endpoint<Row>("/x"), as: [Row].self)
    }
    await #expect(throws: LoadError.self) {
      _ = try await server.send(Endpoint<Book>("/x"), as: [Book].self)
    }
  }

  @Test func `an endpoint without an address is an error that says what to write`() async throws {
    let nowhere = Endpoint<Row>("")
    let error = await #expect(throws: LoadError.self) { try await server.send(nowhere) }
    #expect("\(try #require(error))".contains("the address of the endpoint is empty"))
    let list = ListModel(server, nowhere)
    guard case .failed(let failure) = await list.refresh().outcome else {
      Issue.record("\(list.refreshState)")
      return
    }
    #expect("\(failure)".contains("expected a path such as “/books”"))
    #expect(transport.requests.isEmpty)
  }

  @Test func `a list in place of an item is named in the error`() async throws {
    let error = await #expect(throws: LoadError.self) {
      try await server.send(Endpoint<Book>("/books", params: ["sort": "id"], at: "data.list"))
    }
    #expect("\(try #require(error))".contains("array"))
  }
}

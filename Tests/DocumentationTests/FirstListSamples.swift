import Quire
import QuireTesting
import Testing

/// The samples of the README and of “Your first list”, in their order.
@MainActor @Suite struct FirstListSamples {
  struct Issue: Decodable, Identifiable {
    let id: Int
    let title: String
  }

  final class Book: BaseItem, Identifiable {
    var id = 0
    var title = ""

    override class var fields: FieldTable {
      FieldTable(Book.self) { f in
        f(\.id, "id", .required)
        f(\.title, "book.title")
      }
    }
  }

  private nonisolated static let titles = [
    "Solaris", "Kindred", "Beloved", "Petersburg", "The Waves",
  ]

  /// Five books, two on a page. Numbers above the last page give an empty page.
  private let server = Server(
    "https://api.example.com",
    transport: MockTransport { request in
      let page = request.query["page"].flatMap { Int($0) } ?? 1
      let rows = Self.titles.enumerated().dropFirst(page * 2 - 2).prefix(2).map { number, title in
        #"{"id": \#(number + 1), "book": {"title": "\#(title)"}}"#
      }
      return .json(
        #"{"data": {"list": [\#(rows.joined(separator: ", "))]}, "pages": 3, "unread": 7}"#)
    })

  private var books: ListModel<Book> {
    ListModel(
      server, "/books", items: "data.list",
      paging: .pageNumber(size: 2, endsBy: .pageCount("pages")))
  }

  private func show(_ value: some Sendable) {}

  /// Compiled only: it would call a real host.
  private func readme() async throws {
    final class Screen: ListModelDelegate { typealias Item = Book }
    let screen = Screen()

    final class Book: BaseItem, Identifiable {
      var id = 0
      var title = ""
      var author: String?

      override class var fields: FieldTable {
        FieldTable(Book.self) { f in
          f(\.id, "id", .required)
          f(\.title, "book.title")
          f(\.author, "author.name")
        }
      }
    }

    let server = Server("https://api.example.com")
    let books = ListModel<Book>(server, "/books", items: "data.list", paging: .pageNumber(size: 20))
    books.delegate = screen
    books.refresh()
    books.loadNextPage()

    let book = try await server.send(Call("/books/1"), as: Book.self, at: "data")
    show(book.title)
  }

  /// Compiled only: it would call a real host.
  private func readmeOfIssues() async throws {
    struct Issue: Decodable, Identifiable {
      let id: Int
      let title: String
    }

    let server = Server("https://api.github.com")

    for try await issue in server.items(Issue.self, "/repos/swiftlang/swift/issues") {
      print(issue.title)
    }

    let issues = ListModel<Issue>(server, "/repos/swiftlang/swift/issues", paging: .automatic)
    print(await issues.loadNextPage().outcome)
  }

  @Test func `a list is loaded page by page`() async {
    let books = ListModel<Book>(
      server, "/books", items: "data.list",
      paging: .pageNumber(size: 2, endsBy: .pageCount("pages")))
    books.refresh()
    let load = books.loadNextPage()
    switch await load.outcome {
    case .replaced(let change), .appended(let change): print("new rows:", change)
    case .reachedEnd: print("no more rows")
    case .failed(let error): print(error)
    default: break
    }
    print(books.rows.items.map(\.title))
    #expect(load.outcomeIfFinished == .appended(ListChange(inserted: [2..<4])))
    #expect(
      "new rows: \(ListChange(inserted: [2..<4]))\n\(books.rows.items.map(\.title))" == """
        new rows: inserted 2…3
        ["Solaris", "Kindred", "Beloved", "Petersburg"]
        """)
  }

  final class Screen: ListModelDelegate {
    private(set) var titles: [String] = []
    private(set) var message: String?
    private(set) var isBusy = false

    func listModel(_ model: ListModel<Book>, didStart kind: LoadKind) { isBusy = true }

    func listModel(_ model: ListModel<Book>, didChange change: ListChange) {
      let new = { model.rows[$0]?.title ?? "…" }
      titles = change.applied(to: titles, new: new) ?? titles
    }

    func listModel(_ model: ListModel<Book>, didFail kind: LoadKind, error: LoadError) {
      message = "\(error)"
    }

    func listModel(_ model: ListModel<Book>, didFinish kind: LoadKind) { isBusy = false }
  }

  @Test func `a delegate has the rows of the list`() async {
    let (books, screen) = (books, Screen())
    books.delegate = screen
    await books.loadAll()
    #expect(screen.titles == Self.titles)
    #expect(screen.message == nil && !screen.isBusy)
  }

  @Test func `generic code reads rows of any type, and a task keeps the type of its errors`()
    async throws
  {
    let server = Server(
      "https://api.example.com",
      transport: MockTransport { _ in
        .json(#"{"rows": [{"id": 1, "title": "Crash"}], "total": 1}"#)
      })
    func titles<Item: Decodable & SendableMetatype>(
      of type: Item.Type, title: (Item) -> String
    ) async throws -> [String] {
      var titles: [String] = []
      for try await item in server.items(type, "/books") { titles.append(title(item)) }
      return titles
    }
    #expect(try await titles(of: Issue.self, title: \.title) == ["Crash"])

    @Sendable func show(_ value: some Sendable) { #expect("\(value)" == "200") }
    let task =
      Task {
        do throws(RequestError) {
          show(try await server.send(Call("/books")).status)
        } catch {
          show(error.kind)
        }
      }
    await task.value
  }

  @Test func `visible rows near the end load the next page`() async {
    let books = books
    _ = await books.refresh().outcome
    books.rowsWillAppear(0..<2)
    #expect(books.state(of: .next) == .loading)
  }

  @Test func `loadAll loads every page`() async {
    let books = books
    let outcome = await books.loadAll(upTo: 10_000)
    guard outcome == .reachedEnd(.complete) else { return show(outcome) }
    #expect(books.count == 5)
  }

  @Test func `new parameters start a new list`() async {
    let books = books
    await books.loadAll()
    books.params = ["sort": "title"]
    let load = books.refresh()
    #expect(await load.outcome == .replaced(ListChange(inserted: [0..<2])))
  }

  @Test func `a Decodable type works as an item`() async {
    let server = Server(
      "https://api.example.com",
      transport: MockTransport { _ in .json(#"[{"id": 1, "title": "Crash"}]"#) })
    let issues = ListModel<Issue>(server, "/issues", paging: .link)
    _ = await issues.refresh().outcome
    #expect(issues.rows.items.map(\.title) == ["Crash"])
  }

  @Test func `rows without an id are compared by another value`() async {
    final class Line: BaseItem {
      var title = ""

      override class var fields: FieldTable {
        FieldTable(Line.self) { f in f(\.title, "book.title") }
      }
    }

    let lines = ListModel<Line>(
      server, Call("/books"), reading: .items(at: "data.list"), paging: .pageNumber(size: 2),
      identity: .by(\.title))
    await lines.loadAll()
    #expect(lines.count == 5)
  }

  @Test func `a page class reads the values around the rows`() async {
    final class Inbox: ListPage<Book> {
      var unread = 0

      override class var fields: FieldTable {
        FieldTable(Inbox.self) { f in f(\.unread, "unread") }
      }
    }

    let books = ListModel<Book>(
      server, "/books", items: "data.list", paging: .pageNumber(size: 2), page: Inbox.self)
    _ = await books.refresh().outcome
    #expect((books.page as? Inbox)?.unread == 7)
  }

  @Test func `a base model loads one value`() async {
    let server = Server(
      "https://api.example.com",
      transport: MockTransport { _ in .json(#"{"data": {"id": 1, "book": {"title": "Emma"}}}"#) })
    let book = BaseModel<Book>(BaseServerAPI(server, "/books/1"), at: "data")
    if case .loaded(let book) = await book.run() { print(book.title) }
    #expect(book.value?.title == "Emma")
  }
}

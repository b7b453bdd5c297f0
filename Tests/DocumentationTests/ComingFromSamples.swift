import Foundation
import Quire
import QuireTesting
import Testing

@MainActor private var opened: [Int] = []

@MainActor private func open(_ book: ComingFromSamples.Book) { opened.append(book.id) }

/// The samples of “Coming from an iOS table library”.
@MainActor @Suite struct ComingFromSamples {
  struct Book: Decodable, Identifiable, Equatable, Sendable {
    let id: Int
    var title = ""
    var year = 2000
  }

  /// A view that keeps the texts of its rows.
  final class TextTable: ListView {
    weak var screen: ListController<Book>?
    var rows: [String] = []
    var isRefreshing = false

    func replaceAll(commit: () -> Void) {
      commit()
      rows = screen?.sections.sections.flatMap { $0.items.map(\.title) } ?? []
    }

    func beginRefreshing() { isRefreshing = true }
    func endRefreshing(_ outcome: LoadToken.Outcome) { isRefreshing = false }
  }

  private let table = TextTable()

  private func server() -> Server {
    Server(
      "https://api.example.com",
      transport: MockTransport { request in
        let form = (try? request.body?.bytes()) ?? []
        let page = Int(String(decoding: form, as: UTF8.self).dropFirst("nextPage=".count)) ?? 0
        let rows = (1...2).map {
          #"{"id":\#(page * 10 + $0),"title":"Book \#(page).\#($0)","year":2000}"#
        }
        return .json(#"{"books":[\#(rows.joined(separator: ","))],"page_number":1}"#)
      })
  }

  @Test func `a list model with its screen`() async {
    let server = server()
    let table = table
    let books = ListModel<Book>(
      server, "/books", method: .post, items: "books",
      paging: .pageNumber(
        first: 0, parameter: "nextPage", sizeParameter: nil, endsBy: .lastPage("page_number")))
    books.call.paramsIn = .form
    books.call.onlyReads = true
    let screen = ListController(books)
    screen.attach(table)
    screen.appeared()
    table.screen = screen
    for await step in books.events where step.event == .didFinish(.first) { break }
    await books.loadAll()
    #expect(table.rows == ["Book 0.1", "Book 0.2", "Book 1.1", "Book 1.2"])
  }

  @Test func `sections and refresh controls`() async {
    let book = Book(id: 1, year: 1999)
    let books = LocalList([book])
    let screen = ListController(books) {
      $0.rows.section = { SectionLabel($0.year, header: "\($0.year)") }
      $0.refresh.autoRefresh = .first
      $0.refresh.footerTrigger = .pulling
      $0.loadMoreHandler = { token in token.end(.succeeded, hasMore: false) }
    }
    books.append(Book(id: 2))
    await books.eventsDelivered()
    #expect(screen.sections.sections.map(\.header) == ["1999", "2000"])
  }

  @Test func `a placeholder of one's own`() {
    let screen = ListController(LocalList<Book>([]))
    screen.settings.placeholders.parts = { reason, parts in
      var parts = parts
      if reason == .empty {
        parts = Placeholder.Content("No books yet", image: .named("shelf"), offset: -40)
      }
      return parts
    }
    guard case .parts(let parts)? = screen.placeholder?.body else {
      Issue.record("no placeholder")
      return
    }
    #expect(parts.message == "No books yet" && parts.offset == -40)
  }

  @Test func `an array and closures`() {
    opened = []
    let table = table
    let books = [Book(id: 1, title: "Dune"), Book(id: 2, title: "Emma")]
    let kinds = CellKinds<Book> {
      $0.content = { RowContent($0.title) }
      $0.height = { _, _ in 60 }
      $0.select = { book, _ in open(book) }
    }
    let screen = ListController(LocalList(books), kinds: kinds)
    screen.attach(table)
    #expect(screen.height(at: RowPosition(row: 0)) == 60)
    screen.select(RowPosition(row: 1))
    #expect(opened == [2])
  }

  @MainActor private final class Shop {
    func allBooks() async throws -> [Book] { [Book(id: 1, title: "Dune")] }
  }

  @Test func `own loads`() async {
    let books = LocalList<Book>()
    let shop = Shop()
    let screen = ListController(books)
    let table = table
    table.screen = screen
    screen.attach(table)
    screen.settings.refreshHandler = { token in
      Task {
        do {
          books.items = try await shop.allBooks()
          token.end(.succeeded)
        } catch {
          token.fail(error)
        }
      }
    }
    screen.refresh()
    while table.rows.isEmpty { await Task.yield() }
    #expect(table.rows == ["Dune"])
  }
}

import Foundation
import Observation
import Quire
import Testing

/// The samples of “Rows of your own”.
@MainActor @Suite struct LocalRowsSamples {
  struct Book: Identifiable, Equatable, Sendable {
    let id: Int
    var title = ""
    var genre = "novel"
  }

  @Observable @MainActor final class Library {
    var books: [Book] = []
    var favorites: Set<Int> = []
  }

  /// A page of a service that this module doesn't know.
  struct Page {
    var books: [Book]
    var hasMore: Bool
  }

  @MainActor final class Shop {
    var asked: [Int] = []

    func books(after count: Int) async throws -> Page {
      asked.append(count)
      return Page(books: [Book(id: count), Book(id: count + 1)], hasMore: count < 4)
    }
  }

  private let savedBooks = [Book(id: 1, title: "Dune"), Book(id: 2, title: "Emma")]

  @Test func `an array is shown like the list of a server`() async throws {
    let books = LocalList(savedBooks)
    let screen = ListController(books, kinds: CellKinds { $0.content = { RowContent($0.title) } })
    books.append(Book(id: 3, title: "Ulysses"))
    try books.edit(.move(3, to: .start))
    try books.edit(.remove(1))
    await books.eventsDelivered()
    #expect(screen.sections.sections[0].items.map(\.title) == ["Ulysses", "Emma"])
    #expect(screen.content(at: RowPosition(row: 0)) == RowContent("Ulysses"))
    books.items = savedBooks.reversed() + savedBooks
    #expect(books.items.map(\.id) == [2, 1] && books.repeatedIDs == [1, 2])
  }

  @Test func `a loop follows the changes`() async {
    let books = LocalList(savedBooks)
    var log: [String] = []
    Task {
      books.append(Book(id: 3))
      books.items = []
    }
    for await step in books.events {
      guard case .didChange(let change) = step.event else { continue }
      log.append("\(change) of \(step.rows.count)")
      if step.rows.isEmpty { break }
    }
    #expect(log == ["inserted 2 of 3", "removed 0…2 of 0"])
  }

  @Test func `rows are transformed`() async {
    let books = LocalList(savedBooks)
    var shown: [String] = []
    let titles = TransformedList(books, row: \.title) { $0.filter = { $0.genre == "novel" } }
    titles.onChange = { change, sections in shown = sections.sections.flatMap(\.items) }
    books.append(Book(id: 3, title: "Odes", genre: "poem"))
    books.append(Book(id: 4, title: "Ulysses"))
    await books.eventsDelivered()
    #expect(shown == ["Dune", "Emma", "Ulysses"])
  }

  @Test func `a store is followed`() async {
    let library = Library()
    library.books = savedBooks
    let favorites = LocalList { library.books.filter { library.favorites.contains($0.id) } }
    let screen = ListController(favorites)
    #expect(screen.placeholder?.reason == .empty)
    library.favorites.insert(2)
    while favorites.items.isEmpty { await Task.yield() }
    await favorites.eventsDelivered()
    #expect(screen.sections.rowCount == 1)
  }

  @Test func `rows are grouped by a label`() {
    let shelf = [
      Book(id: 1, genre: "novel"), Book(id: 2, genre: "poem"), Book(id: 3, genre: "novel"),
    ]
    let screen = ListController(LocalList(shelf)) {
      $0.rows.section = { SectionLabel($0.genre, header: $0.genre, headerHeight: 28) }
      $0.rows.mergesSections = false
    }
    #expect(screen.sections.sections.map(\.items.count) == [1, 1, 1])
  }

  @Test func `further rows come from the program`() async {
    let books = LocalList<Book>()
    let shop = Shop()
    let screen = ListController(books)
    screen.settings.loadMoreHandler = { token in
      Task {
        do {
          let page = try await shop.books(after: books.rows.count)
          guard !token.hasEnded else { return }
          books.append(contentsOf: page.books)
          token.end(.succeeded, hasMore: page.hasMore)
        } catch {
          token.fail(error)
        }
      }
    }
    for _ in 0..<3 {
      let count = books.items.count
      screen.loadMore()
      while books.items.count == count { await Task.yield() }
    }
    while screen.footer == .loading { await Task.yield() }
    #expect(screen.footer == .noMore(.complete) && shop.asked == [0, 2, 4])
  }
}

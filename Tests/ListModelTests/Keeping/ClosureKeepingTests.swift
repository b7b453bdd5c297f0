import Foundation
import QuireTesting
import ServerAPI
import Synchronization
import TestSupport
import Testing

@testable import ListModel
@testable import ListReading

/// Lists of closures that are kept, and restored without a call.
@MainActor @Suite(.timeLimit(.minutes(1))) struct ClosureKeepingTests {
  struct Book: Codable, Identifiable, Hashable, Sendable {
    var id: UUID
    var title: String
    var published: Date
  }

  nonisolated private static let books = (0..<9).map { number in
    Book(
      id: UUID(), title: "Book \"\(number)\" 📖", published: Date(timeIntervalSinceReferenceDate: 0.1 * Double(number)))
  }

  private let store = TestCacheStore()

  private func list(_ calls: Calls = Calls()) -> ListModel<Book> {
    ListModel(of: Book.self, paging: .cursor, configure: { $0.keeping = ListKeeping(in: store, as: "books") }) {
      cursor in
      calls.add(cursor)
      let start = cursor.flatMap { Int($0) } ?? 0
      return Page(
        Array(Self.books[start..<start + 3]), next: start < 6 ? "\(start + 3)" : nil, total: 9)
    }
  }

  /// The cursors that a closure was called with.
  private final class Calls: Sendable {
    private let cursors = Mutex<[String?]>([])

    var all: [String?] { cursors.withLock { $0 } }
    func add(_ cursor: String?) { cursors.withLock { $0.append(cursor) } }
  }

  @Test func `a list is restored without a call, and continues where it was`() async {
    let old = list()
    await old.loadAll(upTo: 6)
    let calls = Calls()
    let new = list(calls)
    _ = await new.restore().outcome
    #expect(Array(new.rows.items) == Array(Self.books.prefix(6)) && calls.all.isEmpty)
    #expect(new.consistency.claim == old.consistency.claim && new.page?.url == nil)
    await new.loadAll()
    #expect(Array(new.rows.items) == Self.books && calls.all == ["6"])
    #expect(new.state(of: .next) == .reachedEnd(.complete))
    let whole = list(calls)
    _ = await whole.restore().outcome
    #expect(Array(whole.rows.items) == Self.books && whole.state(of: .next) == .reachedEnd(.complete))
    _ = await whole.refresh().outcome
    #expect(calls.all == ["6", nil])
  }

  @Test func `a list without a name is not kept, and says so`() async {
    let cache = HTTPCache.memory()
    let list = ListModel(of: Book.self, paging: .cursor, configure: { $0.keeping = ListKeeping(in: cache) }) { _ in
      Page(Self.books)
    }
    await list.loadAll()
    let texts = cache.problems.map { "\($0)" }.joined()
    #expect(texts.contains("not kept without a name"), "\(texts)")
    #expect(Array(list.rows.items) == Self.books)
  }

  @Test func `items that can't be encoded are not kept, and it says so`() async {
    struct Plain: Identifiable, Sendable { var id: Int }
    let cache = HTTPCache.memory()
    let list = ListModel(
      of: Plain.self, paging: .cursor, configure: { $0.keeping = ListKeeping(in: cache, as: "plain") }
    ) { _ in Page([Plain(id: 1)]) }
    await list.loadAll()
    let texts = cache.problems.map { "\($0)" }.joined()
    #expect(texts.contains("Codable"), "\(texts)")
    #expect(list.rows.items.count == 1)
  }
}

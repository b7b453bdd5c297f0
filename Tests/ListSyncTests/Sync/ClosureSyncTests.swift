import ItemMapping
import ListReading
import ListSync
import Support
import Testing

/// A sync of pages that a closure returns.
@Suite struct ClosureSyncTests {
  private struct Book: Codable, Identifiable, Equatable, Sendable {
    var id: Int
    var title: String
    var updated: Int
  }

  private final class Shelf: Sendable {
    private let state: Lock<(books: [Book], requests: Int)>

    init(_ count: Int) {
      state = Lock(((0..<count).map { Book(id: $0, title: "\($0)", updated: count - $0) }, 0))
    }

    var requests: Int { state.withLock { $0.requests } }
    var ids: Set<Int> { Set(state.withLock { $0.books }.map(\.id)) }

    func change(_ change: (inout [Book]) -> Void) { state.withLock { change(&$0.books) } }

    func page(_ offset: Int, _ limit: Int) -> Page<Book> {
      state.withLock { state in
        state.requests += 1
        return Page(Array(state.books.dropFirst(offset).prefix(limit)), total: state.books.count)
      }
    }

    func sync(_ records: [[UInt8]]) throws -> ListSync<Book> {
      ListSync(of: Book.self, paging: .offset(limit: 10), from: try SyncState(records: records)) { offset, limit in
        self.page(offset, limit)
      }
    }
  }

  @Test func `rounds report the items of a closure that are new, changed and gone`() async throws {
    let shelf = Shelf(25)
    var (records, table): ([[UInt8]], [Int: Book]) = ([], [:])
    func round() async throws -> SyncReceipt? {
      var receipt: SyncReceipt?
      try await shelf.sync(records).run { step in
        for change in step.changes {
          guard case .number(let id) = change.id else { continue }
          switch change {
          case .insert(_, let book), .update(_, let book): table[id] = book
          case .delete: table[id] = nil
          }
        }
        records.append(step.record)
        receipt = step.receipt ?? receipt
      }
      return receipt
    }
    #expect(try await round()?.inserted == 25)
    #expect(try await round()?.updated == 0)
    shelf.change { books in
      books[20].title = "changed"
      books.remove(at: 3)
      books.insert(Book(id: 99, title: "new", updated: 99), at: 0)
    }
    let receipt = try #require(try await round())
    #expect((receipt.inserted, receipt.updated, receipt.deleted) == (1, 1, 1) && receipt.consistency.claim.isProven)
    #expect(Set(table.keys) == shelf.ids && table[20]?.title == "changed")
  }

  @Test func `the stamp of an item is found in its JSON`() async throws {
    let shelf = Shelf(60)
    let sync = try shelf.sync([])
    sync.watermark = .newestFirst(by: "updated")
    try await sync.run { _ in }
    let before = shelf.requests
    shelf.change { $0.insert(Book(id: 99, title: "new", updated: 99), at: 0) }
    var receipts: [SyncReceipt] = []
    try await sync.run { step in
      if let receipt = step.receipt { receipts.append(receipt) }
    }
    #expect(receipts.first?.inserted == 1 && receipts.first?.isFull == false && receipts.first?.watermark?.mark == "99")
    #expect(shelf.requests <= before + 3)
  }
}

import ListSync
import Quire
import QuireTesting
import Testing

/// The samples of “What changed since”, in their order.
@Suite @MainActor struct ChangesSamples {
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

  private let run = ServedRun(
    ServedList(at: "books", rows: 12, pageSize: 5, by: .offsets, total: .exact) {
      #"{"id":\#($0.id),"title":"Book \#($0.id), \#($0.version)"}"#
    })

  private var server: Server { Server("https://api.example.com", transport: run.transport) }

  @Test func `a list reports what has changed since a digest`() async throws {
    let books = ListModel<Book>(
      server, "/books", items: "books", paging: .offset(limit: 5, endsBy: .total("total")))
    _ = await books.loadNextPage().outcome
    let before = books.digest
    await books.loadAll()
    if let before, let changes = books.changes(since: before) {
      print("\(changes.inserted.count) new, \(changes.updated.count) changed, \(changes.removed.count) gone")
    }
    #expect(books.digest?.count == 12 && before?.count == 5)
  }

  @Test func `a sync reports changes`() async throws {
    var table: [RowID: String] = [:]
    let sync = ListSync<Book>(server, Call("/books"), reading: .items(at: "books"), consistency: .whole)
    try await sync.run { step in
      for change in step.changes {
        switch change {
        case .insert(let id, let book), .update(let id, let book): table[id] = book.title
        case .delete(let id): table[id] = nil
        }
      }
      if let receipt = step.receipt { print("round \(receipt.round): \(receipt.consistency)") }
    }
    #expect(table.count == 12)
  }

  @Test func `a sync reads only what may have changed`() async throws {
    let server = Server(
      "https://test", transport: MockTransport { _ in .json(#"{"books":[{"id":1,"updated_at":5}],"total":1}"#) })
    let sync = ListSync<Book>(server, Call("/books"), reading: .items(at: "books"))
    sync.watermark = .newestFirst(by: "updated_at", fullEvery: 50)
    var receipt: SyncReceipt?
    try await sync.run { step in receipt = step.receipt }
    #expect(receipt?.watermark?.mark == "5", "\(String(describing: receipt))")
    sync.watermark = .since("updated_after", "updated_at")
  }

  private struct Volume: Codable, Identifiable, Sendable {
    var id: Int
    var updated: Int
  }

  private struct Database: Sendable {
    func volumes(from offset: Int, count: Int) async throws -> [Volume] {
      offset == 0 ? [Volume(id: 1, updated: 2)] : []
    }
  }

  @Test func `a sync of a closure reports changes`() async throws {
    let database = Database()
    let sync = ListSync(of: Volume.self, paging: .offset(limit: 100)) { offset, limit in
      Page(try await database.volumes(from: offset, count: limit))
    }
    sync.watermark = .newestFirst(by: "updated")
    var inserted = 0
    try await sync.run { step in inserted += step.changes.count }
    #expect(inserted == 1)
  }

  @Test func `a sync goes on from its records`() async throws {
    var records: [[UInt8]] = []
    for _ in 1...2 {
      let stored = try SyncState(records: records)
      let sync = ListSync<Book>(server, Call("/books"), reading: .items(at: "books"), from: stored)
      try await sync.run { step in
        records.append(step.record)
      }
    }
    let state = try SyncState(records: records)
    #expect(state.round == 2 && state.rowCount == 12)
  }
}

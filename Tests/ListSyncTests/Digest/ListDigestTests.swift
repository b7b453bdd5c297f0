import Foundation
import ItemMapping
import ListModel
import ListReading
import ListSync
import QuireTesting
import ServerAPI
import Testing

/// What has changed between two looks at a list.
@Suite @MainActor struct ListDigestTests {
  private func digest(
    _ rows: [(RowID, UInt64)], _ claim: Consistency.Claim = .whole, isWholeList: Bool = true
  ) -> ListDigest {
    ListDigest(rows.map { (id: $0, mark: $1) }, Consistency(claim, on: [.order]), isWholeList: isWholeList)
  }

  @Test func `rows are inserted, updated and removed by id and mark`() {
    let old = digest([(1, 1), (2, 1), (3, 0), ("x", 1)])
    let new = digest([(4, 1), (2, 2), (3, 9), ("x", 1)])
    let changes = new.changes(since: old)
    #expect(changes.inserted == [4] && changes.updated == [2] && changes.removed == [1])
    #expect(changes.heldBack.isEmpty && changes.consistency.claim == .whole)
    #expect(new.changes(since: new).isEmpty && new.contains("x") && !new.contains("1"))
  }

  @Test(arguments: [(Consistency.Claim.unproven, true), (.mayLack(atMost: 1), true), (.exact, false), (.whole, false)])
  func `rows that are not proven to be gone are held back`(claim: Consistency.Claim, isWholeList: Bool) {
    let changes = digest([(2, 1)], claim, isWholeList: isWholeList).changes(since: digest([(1, 1), (2, 1)]))
    #expect(changes.removed.isEmpty && changes.heldBack == [1])
  }

  @Test func `a stored digest is the same, and a damaged one is refused`() throws {
    let ids: [RowID] = [1, "a", "123e4567-e89b-12d3-a456-426614174000", .number(.min)]
    let old = digest(ids.enumerated().map { ($1, UInt64($0) << 40 + 7) }, .exact)
    let data = try JSONEncoder().encode([old])
    let copy = try #require(try JSONDecoder().decode([ListDigest].self, from: data).first)
    #expect(copy.changes(since: old).isEmpty && old.changes(since: copy).isEmpty)
    #expect(copy.consistency == old.consistency && copy.isWholeList && copy.count == 4)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode([ListDigest].self, from: Data("[\"AAAA\"]".utf8)) }
  }

  @Test func `a list reports what has changed since a digest of it`() async throws {
    let run = ServedRun(ServedList(rows: 9, pageSize: 4, by: .offsets, total: .exact))
    func list() -> ListModel<SyncedRow> {
      ListModel<SyncedRow>(
        Server("https://test", transport: run.transport), Call("/rows"), reading: .items(at: "rows"),
        paging: .offset(limit: 4, endsBy: .total("total")), identity: .by { $0.id }
      ) { $0.consistency = .seams }
    }
    let first = list()
    _ = await first.loadNextPage().outcome
    let early = try #require(first.digest)
    #expect(early.count == 4 && !early.isWholeList)
    _ = await first.loadAll()
    let old = try #require(first.digest)
    #expect(old.count == 9 && old.isWholeList && old.changes(since: early).inserted.count == 5)
    run.change(.delete(at: 2), .update(at: 5), .insert(at: 0))
    let second = list()
    _ = await second.loadNextPage().outcome
    #expect(second.changes(since: old)?.heldBack.isEmpty == false && second.changes(since: old)?.removed == [])
    _ = await second.loadAll()
    let changes = try #require(second.changes(since: old))
    #expect(changes.inserted == [10] && changes.updated == [7] && changes.removed == [3], "\(changes)")
    #expect(second.digest { "\($0.id)" }?.count == 9)
  }
}

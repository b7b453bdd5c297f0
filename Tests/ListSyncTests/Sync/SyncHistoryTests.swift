import ItemMapping
import ListReading
import ListSync
import QuireTesting
import ServerAPI
import Support
import TestSupport
import Testing

/// Rounds over served lists that change between requests.
@Suite(.timeLimit(.minutes(15))) struct SyncHistoryTests {
  @Test func `no row is reported as gone that is there, and after faults stop the next round converges`() async throws {
    var (proven, deletes, held) = (0, 0, 0)
    for start in try SeededGenerator.runs(Thoroughness.runs(150, full: 2_000)) {
      var random = start
      let level: Consistency.Level = Bool.random(using: &random) ? .exact : .whole
      let list = ChurningList(
        ServedList(
          rows: Int.random(in: 0...14, using: &random), pageSize: Int.random(in: 2...5, using: &random),
          by: ChurningList.ways.randomElement(using: &random) ?? .pages,
          total: Bool.random(using: &random) ? .exact : .absent), random)
      let table = FeedTable()
      list.setRates(changes: random.nextUnit() * 0.6, faults: random.nextUnit() * 0.2)
      var sync = try list.sync(table.records, level)
      for _ in 0..<8 {
        // A program that is killed goes on from what it stored.
        if Int.random(in: 0..<4, using: &random) == 0 { sync = try list.sync(table.records, level) }
        table.failsNext = Int.random(in: 0..<6, using: &random) == 0
        do {
          try await sync.run { step in try table.store(step, there: Set(list.run.ids)) }
        } catch is FeedTable.Failure {
        } catch is LoadError {
        }
      }
      list.setRates(changes: 0, faults: 0)
      table.failsNext = false
      // The rest of the interrupted round, and one that sees the list as it is now.
      for _ in 0..<2 { try await sync.run { step in try table.store(step, there: Set(list.run.ids)) } }
      let last = try #require(table.receipts.last)
      #expect(table.problems.isEmpty, "\(table.problems), \(start)")
      #expect(Set(table.rows.keys).isSuperset(of: list.run.ids), "\(start)")
      #expect(last.rows == table.rows.count, "\(start)")
      #expect(last.heldBack > 0 || Set(table.rows.keys) == Set(list.run.ids), "\(list.run.list.way) \(last), \(start)")
      proven += table.receipts.count { $0.consistency.claim.isProven }
      deletes += table.receipts.reduce(0) { $0 + $1.deleted }
      held += last.heldBack
      let copy = try SyncState(records: table.records)
      #expect(copy.rowCount == table.rows.count, "\(start)")
    }
    // A sync that never deletes would pass all of the above.
    #expect(
      proven > 3 && deletes > held || Thoroughness.current == .brief,
      "\(proven) proven rounds, \(deletes) deletes, \(held) held back")
  }

  @Test func `a table that applies the feed has the list after each whole round of a still list`() async throws {
    for way in [ServedList.Way.offsets, .offsetsOfCappedSize, .keys, .cursors] {
      let list = ChurningList(ServedList(rows: 23, pageSize: 4, by: way, total: .exact), SeededGenerator(seed: 1))
      let table = FeedTable()
      let sync = try list.sync([], .whole)
      for round in 1...4 {
        list.run.change(.delete(at: round), .insert(at: 2 * round), .update(at: 3 * round), .insert(at: 0))
        try await sync.run { step in try table.store(step, there: Set(list.run.ids)) }
        #expect(table.receipts.last?.consistency.claim.isProven == true, "\(way)")
        #expect(Set(table.rows.keys) == Set(list.run.ids) && table.problems.isEmpty, "\(way), round \(round)")
      }
      #expect(table.receipts.map(\.round) == [1, 2, 3, 4])
      #expect(table.receipts.dropFirst().allSatisfy { $0.deleted == 1 && $0.inserted == 2 }, "\(way)")
    }
  }

  @Test func `a step that isn't stored is reported again`() async throws {
    let list = ChurningList(ServedList(rows: 9, pageSize: 4, by: .offsets, total: .exact), SeededGenerator(seed: 1))
    let table = FeedTable()
    let sync = try list.sync([], .whole)
    for _ in 0..<2 {
      table.failsNext = true
      await #expect(throws: FeedTable.Failure.self) {
        try await sync.run { step in try table.store(step, there: []) }
      }
    }
    #expect(table.rows.isEmpty && table.records.isEmpty)
    try await sync.run { step in try table.store(step, there: []) }
    #expect(table.rows.count == 9 && table.problems.isEmpty && table.receipts.map(\.round) == [1])
    #expect(try SyncState(records: table.records).rowCount == 9)
  }

  @Test func `rows without an id and rows that can't be read are counted, and none is reported as gone for it`()
    async throws
  {
    let pages = Pages([
      #"[{"id":1,"version":0},{"id":2,"version":0}]"#,
      #"[{"id":1,"version":0},{"id":2,"version":"?"},{"version":3},{"id":3,"version":"?"}]"#,
      #"[{"id":1,"version":0},{"id":2,"version":4},{"id":3,"version":5}]"#,
    ])
    struct Strict: Decodable, Sendable {
      let id: Int
      let version: Int
    }
    let sync = ListSync<Strict>(
      Server("https://test", transport: pages.transport), Call("/rows"), reading: .decodables(at: .root),
      paging: .single, id: "id")
    var reported: [[String]] = []
    var receipts: [SyncReceipt] = []
    for _ in 0..<3 {
      reported.append([])
      try await sync.run { step in
        for change in step.changes {
          switch change {
          case .insert(let id, let row): reported[reported.count - 1].append("insert \(id) \(row.version)")
          case .update(let id, let row): reported[reported.count - 1].append("update \(id) \(row.version)")
          case .delete(let id): reported[reported.count - 1].append("delete \(id)")
          }
        }
        if let receipt = step.receipt { receipts.append(receipt) }
      }
    }
    #expect(reported == [["insert 1 0", "insert 2 0"], [], ["update 2 4", "insert 3 5"]])
    #expect(receipts.map(\.unreadable) == [0, 3, 0] && receipts.map(\.rows) == [2, 2, 3])
  }

  @Test func `a page that can't be requested ends a round, also one that goes on`() async throws {
    let requests = Lock(0)
    let transport = MockTransport { _ in
      requests.withLock { $0 += 1 }
      return .json(#"{"rows":[{"id":1}],"next":"a text, which has no members"}"#)
    }
    var records: [[UInt8]] = []
    for expected in [1, 2, 3] {
      let sync = ListSync<SyncedRow>(
        Server("https://test", transport: transport), Call("/rows"), reading: .items(at: "rows"),
        paging: .cursor(at: "next", into: .members), from: try SyncState(records: records))
      await #expect(throws: LoadError.self) { try await sync.run { records.append($0.record) } }
      // A round that goes on may have stopped at a place of another paging, and is followed by one from the start.
      #expect(requests.withLock { $0 } == expected)
    }
  }

  @Test func `rows without ids can't be synced`() async throws {
    let pages = Pages([#"[{"name":"a"},{"name":"a"}]"#])
    let sync = ListSync<SyncedRow>(
      Server("https://test", transport: pages.transport), Call("/rows"), reading: .items(at: .root), paging: .single)
    await #expect(throws: SyncError.noIDs) { try await sync.run { _ in } }
  }

  /// Responds with one page after the other.
  private final class Pages: Sendable {
    private let next = Lock(0)
    private let pages: [String]

    init(_ pages: [String]) { self.pages = pages }

    var transport: MockTransport {
      MockTransport { [self] _ in
        let number = next.withLock { number in
          defer { number += 1 }
          return number
        }
        return .json(pages[min(number, pages.count - 1)])
      }
    }
  }
}

import ItemMapping
import ListReading
import ListSync
import QuireTesting
import SQLiteFile
import ServerAPI
import Support
import TestSupport
import Testing

@testable import QuireCollect

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Rounds over served lists that change between requests, with programs that are killed, faults of the server, full disks
/// and losses of power. The served list's own history is what decides.
@Suite(.timeLimit(.minutes(30))) struct CollectHistoryTests {
  @Test func `no row is deleted that is there, none stands twice, and after faults stop the next round converges`()
    async throws
  {
    var (proven, gone, deleted, killed, naive) = (0, 0, 0, 0, 0)
    for start in try SeededGenerator.runs(Thoroughness.runs(500, full: 10_000)) {
      var random = start
      let history = try CollectedHistory(&random)
      history.list.setRates(changes: random.nextUnit() * 0.6, faults: random.nextUnit() * 0.2)
      for _ in 0..<Int.random(in: 2...6, using: &random) { try await history.round(&random) }
      killed += history.kills
      history.list.setRates(changes: 0, faults: 0)
      // The rest of the interrupted round, and one that sees the list as it is now.
      for _ in 0..<2 { _ = try await history.program().run() }
      let receipt = try #require(history.receipts.last)
      let there = Set(history.list.run.ids)
      let live = try history.liveIDs()
      #expect(history.problems.isEmpty, "\(history.problems), \(start)")
      #expect(live.isSuperset(of: there), "\(start)")
      #expect(receipt.rows == live.count, "\(start)")
      #expect(receipt.heldBack > 0 || live == there, "\(history.list.run.list.way) \(receipt), \(start)")
      #expect(try history.database.text("PRAGMA integrity_check") == "ok", "\(start)")
      proven += history.receipts.count { $0.consistency.claim.isProven }
      if receipt.consistency.claim.isProven {
        gone += receipt.deleted + receipt.heldBack
        deleted += receipt.deleted
      }
      naive += history.rowsThatOthersLose
    }
    // A collector that never deletes would pass all of the above, and so would a list that never moves.
    #expect(
      proven > 3 && killed > 0 && naive > 0 && deleted * 100 >= gone * 99 || Thoroughness.current == .brief,
      "\(proven) proven rounds, \(deleted) of \(gone) deleted, \(killed) kills, \(naive) rows lost by others")
    print("rows deleted that are there: 0, by a program that deletes what it doesn't see: \(naive); kills: \(killed)")
  }
}

/// A database, a served list, and the programs that collect the list one after the other.
private final class CollectedHistory {
  let list: ChurningList
  private let folder: String
  private var file = 0
  private let level: Consistency.Level
  private let deletes: CollectList.Deletes
  private let paging: Paging
  private var running: (collector: Collector, sink: KilledSink)?
  private(set) var receipts: [SyncReceipt] = []
  private(set) var problems: [String] = []
  private(set) var kills = 0
  /// How many rows that are there a program would delete that takes all rows for gone that a round didn't have.
  private(set) var rowsThatOthersLose = 0

  init(_ random: inout SeededGenerator) throws {
    level = Bool.random(using: &random) ? .exact : .whole
    deletes = Bool.random(using: &random) ? .soft : .hard
    list = ChurningList(
      ServedList(
        rows: Int.random(in: 0...14, using: &random), pageSize: Int.random(in: 2...5, using: &random),
        by: ChurningList.ways.randomElement(using: &random) ?? .pages,
        total: Bool.random(using: &random) ? .exact : .absent), random)
    // Where a cursor leads is only known once it was followed.
    let isRecognized = [.cursors, .snapshots].contains(list.run.list.way) && Bool.random(using: &random)
    paging = isRecognized ? .automatic : list.paging
    folder = FileManager.default.temporaryDirectory.path + "/quire-history-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private var path: String { "\(folder)/\(file).db" }

  var database: SQLiteConnection { get throws { try SQLiteConnection(path, .readWrite, isPassive: false) } }

  func liveIDs() throws -> Set<Int> {
    guard try database.number("SELECT count(*) FROM sqlite_master WHERE name = 'rows'") > 0 else { return [] }
    let ids = try database.text("SELECT group_concat(_quire_id) FROM \"rows\" WHERE _quire_gone_at IS NULL")
    return Set(ids.split(separator: ",").compactMap { Int($0) })
  }

  /// The running program, or another one.
  func program() throws -> Collector {
    if let running {
      running.sink.plan(.none)
      return running.collector
    }
    let sink = KilledSink(try SQLiteSink(path)) { [unowned self] in check($0) }
    try sink.inner.database.run("PRAGMA wal_autocheckpoint = 0")
    var rows = CollectList("rows", Call("/rows"), items: "rows", id: "id")
    (rows.paging, rows.consistency, rows.deletes, rows.deleteLimit) = (paging, level, deletes, .none)
    let server = Server("https://test", transport: NotingTransport(list, seen)) { $0.retry = .never }
    let collector = Collector(server, CollectPlan([rows]), into: sink)
    running = (collector, sink)
    return collector
  }

  private func check(_ batch: CollectBatch) {
    let there = Set(list.run.ids)
    for case .number(let id) in batch.deletes where there.contains(id) { problems.append("\(id) is deleted and there") }
    if let receipt = batch.receipt {
      receipts.append(receipt)
      let seen = seen.ids.withLock { ids in
        defer { ids = [] }
        return ids
      }
      rowsThatOthersLose += there.intersection(known).subtracting(seen).count
      known.formUnion(seen)
    }
  }

  private var known: Set<Int> = []
  private let seen = SeenIDs()

  /// Reads a round. The program may be killed before or after a batch is stored, or the power may go.
  func round(_ random: inout SeededGenerator) async throws {
    let collector = try program()
    let end = [KilledSink.End.none, .none, .before, .after, .diskFull].randomElement(using: &random) ?? .none
    running?.sink.plan(end, after: Int.random(in: 0..<4, using: &random))
    do {
      for outcome in try await collector.run() {
        if case .failure(let error) = outcome.result, !(error is LoadError) { throw error }
      }
    } catch is KilledSink.Killed {
      kills += 1
      running = nil
      if Bool.random(using: &random) { try losePower(&random) }
    } catch is CollectError {
      kills += 1
      running = nil
    }
    if Int.random(in: 0..<3, using: &random) == 0 { running = nil }
  }

  /// Copies the files as they were on a disk that lost the end of the log.
  private func losePower(_ random: inout SeededGenerator) throws {
    let connection = try database
    let old = path
    file += 1
    for suffix in ["", "-wal"] {
      guard var bytes = FileManager.default.contents(atPath: old + suffix) else { continue }
      if suffix == "-wal", !bytes.isEmpty {
        bytes = bytes.prefix(Int.random(in: bytes.count / 2...bytes.count, using: &random))
      }
      try bytes.write(to: URL(filePath: path + suffix))
    }
    _ = connection
    receipts.removeAll { _ in true }
  }
}

private final class SeenIDs: Sendable {
  let ids = Lock(Set<Int>())
}

/// Notes the ids that responses have.
private final class NotingTransport: Transport {
  private let list: ChurningList
  private let seen: SeenIDs

  init(_ list: ChurningList, _ seen: SeenIDs) { (self.list, self.seen) = (list, seen) }

  func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
    let response = try await list.send(request)
    if let rows = (try? JSONDocument(Array(response.body.bytes)))?.root["rows"] {
      seen.ids.withLock { ids in for row in rows.elements { if let id = row["id"]?.int { ids.insert(id) } } }
    }
    return response
  }
}

import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI
import TestSupport
import Testing

/// Walks that read a list a second time, to know the rows of one instant.
@Suite(.timeLimit(.minutes(30))) struct ServedCountsTests {
  private static let ways: [(ServedList.Way, ServedList.Total)] = [
    (.pages, .exact), (.pages, .absent), (.offsets, .absent), (.offsetsOfCappedSize, .exact),
    (.ranges, .exact), (.cursors, .exact), (.countingCursors, .exact), (.relay, .exact),
    (.countingRelay, .exact),
  ]

  private func read(
    _ list: ServedList, level: Consistency.Level = .exact
  ) async throws -> (run: ServedRun, verdict: ServedList.Verdict, walk: PageWalk) {
    let run = ServedRun(list)
    let (reading, walk) = try await run.walk(consistency: level)
    let gone = Set(walk.goneIDs)
    let ids = reading.ids.filter { !gone.contains(RowID($0)) }
    // Rows that the list had no longer are no rows of the claim, and yet delivered once.
    #expect(Set(reading.ids).count == reading.ids.count)
    return (run, run.verdict(ids: ids, claim: reading.claim), walk)
  }

  @Test(arguments: ways.indices) private func `a still list is exact for twice the requests`(
    way: Int
  ) async throws {
    let (way, total) = Self.ways[way]
    for rows in [0, 1, 20, 40, 45, 1_000, 1_013] {
      let list = ServedList(rows: rows, pageSize: 20, by: way, total: total)
      let plain = try await read(list, level: .seams).run.requestCount
      let (run, verdict, walk) = try await read(list)
      let name = "\(way) \(rows): \(walk.consistency)"
      // A short or empty page is no count: a server that stops early sends the same.
      guard total != .absent else {
        #expect(walk.consistency.claim < .exact && walk.end != .complete, "\(name)")
        #expect(run.requestCount <= plain + 1, "\(name): \(run.requestCount) and \(plain)")
        continue
      }
      #expect(walk.consistency.claim == .exact && walk.end == .complete, "\(name)")
      #expect(verdict.isTrue && walk.goneIDs.isEmpty, "\(name): \(verdict)")
      #expect(run.requestCount <= 2 * plain + 1, "\(name): \(run.requestCount) and \(plain)")
    }
  }

  @Test(arguments: ways.indices) private func `no claim about a list that changes is false`(
    way: Int
  ) async throws {
    let (way, total) = Self.ways[way]
    let first = try SeededGenerator.fromEnvironment().seed
    var exact = 0
    let runs = Thoroughness.runs(60, full: 5_000)
    for seed in first..<first &+ UInt64(runs) {
      var random = SeededGenerator(seed: seed)
      let rates = ServedList.Rates(
        insert: Double.random(in: 0...0.15, using: &random),
        delete: Double.random(in: 0...0.15, using: &random),
        move: Bool.random(using: &random) ? 0.1 : 0)
      let list = ServedList(
        rows: Int.random(in: 5...40, using: &random),
        pageSize: Int.random(in: 2...6, using: &random),
        by: way, total: total, churn: .random(seed: seed, rates))
      let (run, verdict, walk) = try await read(list)
      #expect(!verdict.isFalse, "\(way), seed \(seed): \(verdict), \(walk.consistency)")
      #expect(run.requestCount <= 3 * 60 + 20)
      if walk.consistency.claim == .exact { exact += 1 } else { #expect(walk.end != .complete) }
    }
    if Thoroughness.current != .brief, total != .absent {
      #expect(exact > runs / 20, "\(way): \(exact) of \(runs)")
    }
  }

  @Test func `rows that come back make claims false that rest on their absence`() async throws {
    var lies = 0
    for seed: UInt64 in 0..<UInt64(Thoroughness.runs(400, full: 5_000)) {
      let list = ServedList(
        rows: 8, pageSize: 2, by: .pages, total: .exact,
        churn: .random(seed: seed, .init(delete: 0.4, restore: 0.4, at: .head)))
      let (_, verdict, walk) = try await read(list)
      #expect(!verdict.isFalse, "seed \(seed): \(verdict), \(walk.consistency)")
      if walk.consistency.claim == .exact, !verdict.isTrue { lies += 1 }
    }
    #expect(lies > 0)
  }

  @Test func `a list without a count ends as incomplete where it should be exact`() async throws {
    for way in [ServedList.Way.keys, .cursors, .relay] {
      let (run, _, walk) = try await read(ServedList(rows: 45, pageSize: 20, by: way))
      #expect(walk.consistency.claim == .whole)
      #expect(walk.end == .incomplete(.lowClaim(.whole, asked: .exact)), "\(way)")
      #expect(run.requestCount <= 4, "\(way)")
    }
  }

  @Test func `pages that can't overlap end as incomplete where the list should be whole`()
    async throws
  {
    let list = ServedList(rows: 45, pageSize: 20, by: .pages)
    let (_, _, walk) = try await read(list, level: .whole)
    #expect(walk.end == .incomplete(.lowClaim(.unproven, asked: .whole)))
    let (_, _, keys) = try await read(ServedList(rows: 45, pageSize: 20, by: .keys), level: .whole)
    #expect(keys.end == .complete)
  }

  /// The rows of earlier processes were seen before every response of the last one.
  @Test func `what a stopped and resumed second walk claims is true`() async throws {
    let first = try SeededGenerator.fromEnvironment().seed
    var exact = 0
    for seed in first..<first &+ UInt64(Thoroughness.runs(60, full: 2_000)) {
      var random = SeededGenerator(seed: seed)
      let run = ServedRun(
        ServedList(
          rows: 40, pageSize: 4, by: .offsets, total: .exact,
          churn: .random(seed: seed, .init(insert: 0.05, delete: 0.05))))
      let server = run.server()
      var ids: [Int] = []
      var checkpoint: PageWalk.Checkpoint?
      for stop in 1... {
        let walk = PageWalk(
          server, run.list.call, items: run.list.items, paging: run.list.paging,
          identity: .by("id"), consistency: .exact, from: checkpoint,
          knownIDs: ids.map { RowID($0) })
        let pages = stop <= 6 ? Int.random(in: 0...6, using: &random) : .max
        var page = 0
        while page < pages, let next = try await walk.next() {
          page += 1
          ids += next.rows.compactMap { $0["id"]?.int }
        }
        guard let text = walk.checkpoint?.text else {
          let gone = Set(walk.goneIDs)
          let verdict = run.verdict(
            ids: ids.filter { !gone.contains(RowID($0)) }, claim: .init(walk.consistency))
          #expect(verdict.isTrue && verdict.doubled.isEmpty, "seed \(seed): \(verdict)")
          if walk.consistency.claim == .exact { exact += 1 }
          break
        }
        let resumed: PageWalk.Checkpoint = try #require(PageWalk.Checkpoint(text: text))
        checkpoint = resumed
      }
    }
    if Thoroughness.current != .brief { #expect(exact > 0) }
  }
}

import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI
import TestSupport
import Testing

/// Walks whose overlaps overlap, through lists of two thousand rows that change before each request.
@Suite(.timeLimit(.minutes(30))) struct ServedSeamsTests {
  /// The ways of paging of which overlaps can be requested.
  private static let ways: [ServedList.Way] = [
    .offsets, .offsetsOfCappedSize, .ranges, .keys, .keysWithTies, .relay, .countingRelay,
    .pagesOfAnySize, .pagesOfCappedSize, .linksOfAnySize,
  ]

  /// The level at which overlaps of a way are requested.
  private static func level(_ way: ServedList.Way) -> Consistency.Level {
    [.pagesOfAnySize, .pagesOfCappedSize, .linksOfAnySize].contains(way) ? .whole : .seams
  }

  private static let churns: [(name: String, rates: ServedList.Rates)] = [
    ("a delete at the head", .init(delete: 1, at: .head)),
    ("a delete at the tail", .init(delete: 1, at: .tail)),
    ("a delete anywhere", .init(delete: 1)),
    ("an insert at the head", .init(insert: 1, at: .head)),
    ("an insert at the tail", .init(insert: 1, at: .tail)),
    ("an insert anywhere", .init(insert: 1)),
    ("a delete and an insert anywhere", .init(insert: 1, delete: 1)),
    ("a delete or an insert by a coin", .init(insert: 0.5, delete: 0.5)),
    ("three deletes at the head", .init(delete: 1, burst: 3, at: .head)),
    ("three deletes anywhere", .init(delete: 1, burst: 3)),
    ("three inserts at the head", .init(insert: 1, burst: 3, at: .head)),
    ("fifty deletes at the head, now and then", .init(delete: 0.05, burst: 50, at: .head)),
  ]

  private func list(
    _ way: ServedList.Way, _ total: ServedList.Total, _ rates: ServedList.Rates, seed: UInt64,
    rows: Int = 2_000, pageSize: Int = 20
  ) -> ServedList {
    ServedList(
      rows: rows, pageSize: pageSize, by: way, total: total, churn: .random(seed: seed, rates))
  }

  @Test(arguments: ways, churns.indices)
  private func `no row that stayed is lost, and almost every list is whole`(
    way: ServedList.Way, churn: Int
  ) async throws {
    var walks = 0
    var weak: [String] = []
    let seed = try SeededGenerator.fromEnvironment().seed
    for number in 0..<UInt64(Thoroughness.runs(1, full: 100)) {
      // Where rows come before the last one read and others go, fewer are read than the list ever had. Rows that moved
      // to the top would look the same, so a total contradicts the end.
      let rates = Self.churns[churn].rates
      let isContradicted = rates.insert > 0 && rates.delete > 0
      for total in isContradicted ? [ServedList.Total.absent] : [.absent, .exact] {
        let run = ServedRun(list(way, total, Self.churns[churn].rates, seed: seed &+ number))
        let (reading, walk) = try await run.walk(consistency: Self.level(way))
        let verdict = run.verdict(ids: reading.ids, claim: reading.claim)
        let name = "\(way), \(Self.churns[churn].name), total \(total), seed \(seed &+ number)"
        try #require(
          verdict.doubled.isEmpty && verdict.lost.isEmpty,
          "\(name): \(verdict), \(walk.consistency)")
        walks += 1
        if walk.consistency.claim < .whole {
          weak.append(
            "total \(total), seed \(seed &+ number): \(walk.consistency.seams), \(walk.consistency)"
          )
        }
      }
    }
    // One in a hundred; of a small sample, one.
    #expect(weak.count * 100 <= max(walks, 100), "\(way), \(Self.churns[churn].name): \(weak)")
  }

  @Test(arguments: [
    // Another burst while rows come again brings the same page at another offset.
    (ServedList.Way.offsetsOfCappedSize, [6, 12, 82, 83, 85] as [UInt64]),
    // A burst that removes every row with a known cursor.
    (.countingRelay, [17, 66]), (.relay, [17, 66]),
  ])
  private func `a burst of deletes loses no row, and does not end the walk`(
    way: ServedList.Way, seeds: [UInt64]
  ) async throws {
    for seed in seeds {
      let run = ServedRun(
        list(way, .absent, .init(delete: 0.05, burst: 50, at: .head), seed: seed))
      let (reading, walk) = try await run.walk()
      let verdict = run.verdict(ids: reading.ids, claim: reading.claim)
      #expect(
        verdict.isTrue && verdict.lost.isEmpty && walk.end == .complete,
        "\(way), seed \(seed): \(verdict), \(walk.consistency)")
    }
  }

  /// The page after an overlap that could not be joined has the rows of a page, and is not taken for the last one.
  @Test func `bursts until no further steps back are allowed end no walk early`() async throws {
    let run = ServedRun(
      list(.offsets, .absent, .init(delete: 0.05, burst: 50, at: .head), seed: 93))
    let (reading, walk) = try await run.walk()
    let verdict = run.verdict(ids: reading.ids, claim: reading.claim)
    #expect(verdict.isTrue && verdict.lost.isEmpty, "\(verdict), \(walk.consistency)")
  }

  @Test func `rows that are inserted where overlaps overlap leave the claim as it is`()
    async throws
  {
    for seed: UInt64 in [12, 17] {
      let run = ServedRun(list(.relay, .absent, .init(insert: 1, delete: 1), seed: seed))
      let (_, walk) = try await run.walk()
      #expect(walk.consistency.claim == .whole, "seed \(seed): \(walk.consistency)")
    }
  }

  @Test(arguments: ways) private func `a still list takes the requests of its pages`(
    way: ServedList.Way
  ) async throws {
    for (rows, size, capped, numbered) in [
      (10_000, 20, 1.06, 1.45), (10_000, 100, 1.02, 1.2), (9_990, 20, 1.06, 1.45),
    ] {
      var requests: [Int] = []
      for level in [Consistency.Level.any, Self.level(way)] {
        let run = ServedRun(list(way, .exact, .init(), seed: 0, rows: rows, pageSize: size))
        let (reading, walk) = try await run.walk(consistency: level)
        #expect(reading.ids == Array(1...rows), "\(way) \(level)")
        requests.append(run.requestCount)
        if level > .any {
          #expect(walk.consistency.claim == .whole && walk.consistency.checks == 0, "\(way)")
        }
      }
      let most =
        way == .offsetsOfCappedSize ? capped : Self.level(way) == .whole ? numbered : 1
      #expect(Double(requests[1]) <= Double(requests[0]) * most, "\(way): \(requests)")
    }
  }

  @Test(arguments: ways)
  private func `what a walk that is stopped and resumed a hundred times claims is true`(
    way: ServedList.Way
  ) async throws {
    let first = try SeededGenerator.fromEnvironment().seed
    for seed in first..<first + UInt64(Thoroughness.runs(2, full: 50)) {
      var random = SeededGenerator(seed: seed)
      let rates = Self.churns.randomElement(using: &random)?.rates ?? .init()
      let run = ServedRun(list(way, .absent, rates, seed: seed))
      let server = run.server()
      var ids: [Int] = []
      var checkpoint: PageWalk.Checkpoint?
      var consistency: Consistency?
      for stop in 1... {
        let walk = PageWalk(
          server, run.list.call, items: run.list.items, paging: run.list.paging,
          identity: .by("id"), consistency: Self.level(way), from: checkpoint,
          knownIDs: ids.map { RowID($0) })
        let pages = stop <= 100 ? Int.random(in: 0...2, using: &random) : .max
        var page = 0
        while page < pages, let next = try await walk.next() {
          page += 1
          ids += next.rows.compactMap { $0["id"]?.int }
        }
        consistency = walk.consistency
        guard let text = walk.checkpoint?.text else { break }
        let resumed: PageWalk.Checkpoint = try #require(PageWalk.Checkpoint(text: text))
        checkpoint = resumed
      }
      let claim = ServedList.Claim(try #require(consistency))
      let verdict = run.verdict(ids: ids, claim: claim)
      #expect(verdict.doubled.isEmpty && verdict.isTrue, "seed \(seed), \(rates): \(verdict)")
    }
  }
}

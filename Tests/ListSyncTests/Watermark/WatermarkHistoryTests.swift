import ItemMapping
import ListReading
import ListSync
import QuireTesting
import ServerAPI
import Support
import Testing

/// Short and full rounds over lists that change between requests, judged by the history of the list.
@Suite(.timeLimit(.minutes(15))) struct WatermarkHistoryTests {
  /// What all histories have in common.
  private struct Sums {
    var (rounds, short, marks) = (0, 0, 0)
    var (late, missed, deletes) = (0, 0, 0)
    var requests = 0
  }

  /// One history: a list, a table that the feed is applied to, and what must hold between them.
  private final class History {
    let list: StampedList
    var watermark: SyncWatermark
    let table = FeedTable()
    var random: SeededGenerator
    var sync: ListSync<SyncedRow>
    /// The change before the running round, and the border that it reads down to.
    private var start = (change: 0, border: Watermark.Border?.none)
    private(set) var problems: [String] = []
    private(set) var sums = Sums()

    /// Where rows move behind what is read, only a second reading shows that none was passed over.
    private static func level(of list: StampedList) -> Consistency.Level {
      list.order == .oldestFirst && !list.hasCursors ? .exact : .whole
    }

    init(_ list: StampedList, _ watermark: SyncWatermark, _ random: SeededGenerator) throws {
      (self.list, self.watermark, self.random) = (list, watermark, random)
      sync = try list.sync([], watermark, Self.level(of: list))
    }

    /// Starts as another process that has the records.
    func restart() throws { sync = try list.sync(table.records, watermark, Self.level(of: list)) }

    func round() async throws {
      if !sync.state.isInsideRound { start = (list.changes, sync.state.watermark?.border) }
      let before = table.receipts.count
      defer { if table.receipts.count > before { check() } }
      try await sync.run { step in try table.store(step, there: there()) }
    }

    /// The rows of the list that no round may report as gone. A row that moves while the round reads, with a stamp that
    /// is later than any that was measured, may be passed over.
    private func there() -> Set<Int> {
      let overlap = Int(sync.state.stamps?.overlap ?? 0)
      return Set(list.rows.filter { $0.change <= start.change || $0.lateness <= overlap }.map(\.id))
    }

    /// What a finished round claims must be in the table: all rows that have not changed since it began.
    private func check() {
      guard let receipt = table.receipts.last else { return }
      sums.rounds += 1
      sums.short += receipt.isFull ? 0 : 1
      sums.late += receipt.watermark?.late ?? 0
      sums.missed += receipt.watermark?.missed ?? 0
      sums.deletes += receipt.deleted
      guard receipt.isComplete, receipt.watermark?.problem == nil else { return }
      sums.marks += 1
      for row in list.rows where row.change <= start.change && table.rows[row.id] != row.version {
        if !receipt.isFull, start.border?.isAbove(list.stamp(row.stamp)) == true { continue }
        problems.append("round \(receipt.round) lacks \(row), \(receipt)")
      }
    }

    /// How many rows of the list the table lacks or has with an older content.
    var stale: Int { list.rows.count { table.rows[$0.id] != $0.version } }
  }

  private func play(
    _ history: History, _ rates: StampedList.Rates, rounds: Int, kills: Bool = true
  ) async throws {
    history.list.set(rates)
    for _ in 0..<rounds {
      if kills {
        if Int.random(in: 0..<4, using: &history.random) == 0 { try history.restart() }
        history.table.failsNext = Int.random(in: 0..<6, using: &history.random) == 0
      }
      do { try await history.round() } catch is FeedTable.Failure {} catch is LoadError {}
    }
    history.list.set(StampedList.Rates())
    history.table.failsNext = false
  }

  private func list(_ random: inout SeededGenerator, by order: StampedList.Order) -> StampedList {
    StampedList(
      rows: Int.random(in: 0...32, using: &random), pageSize: Int.random(in: 4...12, using: &random), by: order,
      StampedList.Form.allCases.randomElement(using: &random) ?? .number,
      hasTotal: Bool.random(using: &random), hasCursors: Int.random(in: 0..<3, using: &random) == 0, random)
  }

  @Test(arguments: StampedList.Order.allCases)
  func `whatever rounds claim is in the table, with kills, faults, late rows and deletes`(
    order: StampedList.Order
  ) async throws {
    var sums = Sums()
    for start in try SeededGenerator.runs(Thoroughness.runs(170, full: 5_000)) {
      var random = start
      let every = Int.random(in: 2...8, using: &random)
      let list = list(&random, by: order)
      let watermark: SyncWatermark =
        order == .newestFirst && Bool.random(using: &random)
        ? .newestFirst(by: "at", fullEvery: every) : .since("since", "at", fullEvery: every)
      let history = try History(list, watermark, random)
      var rates = StampedList.Rates(changes: random.nextUnit() * 0.8, faults: random.nextUnit() * 0.2)
      let hasLateRows = Bool.random(using: &random)
      if hasLateRows {
        rates.late = random.nextUnit() * 0.5
        rates.latest = Int.random(in: 1...300, using: &random)
        rates.silent = random.nextUnit() * 0.5
      }
      try await play(history, rates, rounds: 10)
      // The rest of the interrupted round, and as many as it takes until a full one sees the list as it is now.
      let before = history.table.receipts.count
      for _ in 0..<4 { try await history.round() }
      if !hasLateRows, history.table.receipts.last?.watermark?.problem == nil {
        #expect(history.stale == 0, "\(order) \(history.table.receipts.suffix(4)), \(start)")
      }
      for _ in 0...every { try await history.round() }
      let last = history.table.receipts.dropFirst(before).last { $0.isFull }
      #expect(history.problems.isEmpty, "\(history.problems.prefix(2)) \(order) \(watermark), \(start)")
      #expect(history.table.problems.isEmpty, "\(history.table.problems) \(order) \(watermark), \(start)")
      #expect(history.stale == 0 && last != nil, "\(order) \(watermark) \(history.table.receipts.suffix(3)), \(start)")
      let gone = Set(history.table.rows.keys).subtracting(list.rows.map(\.id))
      #expect(gone.isEmpty || last?.reason != nil, "\(order) \(gone) \(String(describing: last)), \(start)")
      sums.rounds += history.sums.rounds
      sums.short += history.sums.short
      sums.marks += history.sums.marks
      sums.late += history.sums.late
      sums.missed += history.sums.missed
      sums.deletes += history.sums.deletes
    }
    // A sync that never goes the short way would pass all of the above.
    #expect(
      sums.short * 5 > sums.rounds && sums.marks * 3 > sums.rounds && sums.late > 0 && sums.missed > 0
        && sums.deletes > 0
        || Thoroughness.current == .brief, "\(order) \(sums)")
  }

  @Test func `a plain watermark misses rows, and these rounds miss none that they claim`() async throws {
    var lines: [String] = []
    for (name, late, latest) in [("in order", 0.0, 1), ("some late by 1 min", 0.2, 60), ("late by 10 min", 0.2, 600)] {
      var (plain, ours, missed, reported) = (0, 0, 0, 0)
      var requests = (plain: 0, ours: 0, full: 0)
      for start in try SeededGenerator.runs(Thoroughness.runs(10, full: 500)) {
        let rates = StampedList.Rates(changes: 0.5, late: late, latest: latest)
        func list() -> StampedList {
          StampedList(rows: 200, pageSize: 20, by: .newestFirst, .number, hasTotal: true, start)
        }
        let history = try History(list(), .newestFirst(by: "at", fullEvery: 1_000), start)
        try await play(history, rates, rounds: 30, kills: false)
        try await history.round()
        (ours, requests.ours) = (ours + history.stale, requests.ours + history.list.requests)
        #expect(history.problems.isEmpty, "\(history.problems.prefix(2)), \(start)")
        history.watermark = .newestFirst(by: "at", fullEvery: 1)
        try history.restart()
        try await history.round()
        (missed, reported) = (missed + history.stale, reported + history.sums.missed)
        let other = list()
        var client = PlainWatermark()
        other.set(rates)
        for _ in 0..<30 { try await client.round(other) }
        other.set(StampedList.Rates())
        try await client.round(other)
        plain += other.rows.count { client.rows[$0.id] != $0.version }
        requests.plain += other.requests
      }
      lines.append(
        "\(name): plain \(plain) stale, \(requests.plain) requests; ours \(ours) stale before a full round, \(missed) after,"
          + " \(reported) counted as missed, \(requests.ours) requests")
      #expect(missed == 0)
      if late == 0 { #expect(ours == 0, "\(lines)") }
      #expect(plain > ours || Thoroughness.current == .brief, "\(lines)")
    }
    print(lines.joined(separator: "\n"))
  }
}

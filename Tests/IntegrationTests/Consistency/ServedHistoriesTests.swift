import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI
import TestSupport
import Testing

/// What walks, lists and loops claim after random histories of lists that change while they are read.
@Suite(.timeLimit(.minutes(30))) struct ServedHistoriesTests {
  /// Faults that a client survives by asking again, and such that contradict what it assumes.
  private static let faults: [ServedList.Fault] = [
    .cut, .status(503), .repeatedCursor, .shortPage, .emptyPage, .shifted(by: 2), .rowTwice,
  ]

  @Test(arguments: ServedList.Way.allCases)
  func `a walk doubles no row and claims nothing false`(way: ServedList.Way) async throws {
    var histories = ServedHistories()
    histories.ways = [way]
    let seed = try SeededGenerator.fromEnvironment().seed
    let outcome = await histories.run(Thoroughness.runs(600, full: 50_000), from: seed) { run in
      try await run.walk().reading
    }
    #expect(outcome.failure == nil, "\(outcome)")
  }

  /// Rows that have moved come with the page after them, and belong to other responses than its own.
  @Test func `a loop has each row once, also those that were found further back`() async throws {
    var histories = ServedHistories()
    histories.ways = [.pages]
    let outcome = await histories.run(60) { run in
      let loop = ItemWalk<ServedRow>(
        PageWalk(
          run.server(), run.list.call, items: run.list.items, paging: run.list.paging, identity: .by("id")),
        reading: .decodables())
      var ids: [Int] = []
      while let page = try? await loop.nextPage() { ids += page.items.map(\.id) }
      return (ids, .nothing)
    }
    #expect(outcome.failure == nil, "\(outcome)")
  }

  @Test(arguments: ServedList.Way.allCases)
  func `a walk with recognized paging claims nothing false`(way: ServedList.Way) async throws {
    var histories = ServedHistories()
    histories.ways = [way]
    let seed = try SeededGenerator.fromEnvironment().seed
    let outcome = await histories.run(Thoroughness.runs(100, full: 5_000), from: seed) { run in
      let paging = way == .relay || way == .countingRelay ? run.list.paging : .automatic
      return try await run.walk(nil, paging).reading
    }
    #expect(outcome.failure == nil, "\(outcome)")
  }

  @Test(arguments: ServedList.Way.allCases)
  func `faults of the server make no claim false`(way: ServedList.Way) async throws {
    var histories = ServedHistories()
    histories.ways = [way]
    histories.faults = Self.faults
    let seed = try SeededGenerator.fromEnvironment().seed
    let outcome = await histories.run(Thoroughness.runs(100, full: 5_000), from: seed) { run in
      try await run.walk().reading
    }
    #expect(outcome.failure == nil, "\(outcome)")
  }

  @MainActor @Test(arguments: ServedList.Way.allCases)
  func `a list claims what a walk claims, and nothing false`(way: ServedList.Way) async throws {
    var histories = ServedHistories()
    histories.ways = [way]
    let seed = try SeededGenerator.fromEnvironment().seed
    var (compared, different) = (0, [String]())
    for number in 0..<UInt64(Thoroughness.runs(25, full: 2_000)) {
      for level in Consistency.Level.allCases {
        let difference = try await compare(histories.list(seed: seed &+ number), level)
        compared += 1
        if let difference { different.append(difference) }
      }
    }
    #expect(compared > 0 && different.isEmpty, "\(different.count) of \(compared): \(different)")
  }

  @MainActor @Test(arguments: [Consistency.Level.signs, .seams, .whole])
  func `a total in the body joins a first page that is read again`(level: Consistency.Level) async throws {
    let list = ServedList(
      rows: 7, pageSize: 5, by: .links, total: .exact, churn: [.before(request: 2, .delete(at: 0))])
    #expect(try await compare(list, level) == nil)
  }

  /// Reads a list with a model and with a walk. Returns both, if they differ because pages overlap.
  @MainActor private func compare(
    _ list: ServedList, _ level: Consistency.Level
  ) async throws -> String? {
    let run = ServedRun(list)
    let model = run.list(level)
    await model.loadAll()
    let verdict = run.verdict(
      ids: model.rows.items.map(\.id), claim: ServedList.Claim(model.consistency))
    let name = "\(level) \(model.consistency) \(run.history)"
    try #require(verdict.doubled.isEmpty && !verdict.isFalse, "\(verdict) \(name)")
    // New rows have larger ids, so the largest one tells how many rows there were in all.
    let served = max(list.rows, model.rows.items.map(\.id).max() ?? 0)
    try #require(run.requestCount <= 5 * (served / list.pageSize + 1) + 20, "\(name)")
    if let asked = level.leastClaim, model.state(of: .next) == .reachedEnd(.complete) {
      try #require(model.consistency.claim >= asked, "\(name)")
    }
    // A list isn't read twice.
    guard level < .exact else { return nil }
    let (reading, walk) = try await ServedRun(list).walk(consistency: level)
    let end = walk.end.map { LoadState.reachedEnd($0) }
    let claims =
      "\(name) \(model.state(of: .next)), but a walk \(walk.consistency) \(String(describing: end))"
    let isSame =
      Set(model.rows.items.map(\.id)) == Set(reading.ids)
      && model.consistency.claim == walk.consistency.claim
      && model.consistency.seams == walk.consistency.seams
      && model.state(of: .next) == end
    return isSame ? nil : claims
  }

  /// A check that can't fail shows nothing: without the assumptions that claims name, some must be false.
  @Test func `moves make claims false that rest on the order of rows`() async throws {
    var histories = ServedHistories()
    histories.ways = [.keys, .cursors, .relay]
    histories.rates = [.init(insert: 0.2, delete: 0.2, move: 0.5)]
    let outcome = await histories.run(500) { run in try await run.walk().reading }
    #expect(outcome.failure == nil && outcome.whole > 100, "\(outcome)")
    #expect(outcome.excused * 1_000 > outcome.whole, "\(outcome)")
  }

  @Test func `most chains are whole, and lists that don't change are complete`() async throws {
    var histories = ServedHistories()
    (histories.ways, histories.totals) = ([.keys, .cursors, .relay], [.absent])
    let chains = await histories.run(300) { run in try await run.walk().reading }
    #expect(chains.failure == nil && (chains.whole + chains.exact) * 10 > 9 * 300, "\(chains)")

    histories.ways = ServedList.Way.allCases
    histories.rates = [.init()]
    histories.totals = [.absent, .exact, .late]
    let still = await histories.run(300, failing: { !$0.lost.isEmpty || $0.instant == nil }) {
      run in
      let (reading, walk) = try await run.walk()
      guard walk.end == .complete, walk.consistency.claim >= .unproven else {
        throw LoadError.custom("ended as \(String(describing: walk.end))")
      }
      return reading
    }
    // Rows of one group can't be told apart by a keyset of groups.
    #expect(still.failure == nil || still.failure?.list.way == .keysWithTies, "\(still)")
  }

  @Test func `a client that trusts its server is found out on each way that counts`() async throws {
    for way in [ServedList.Way.pages, .offsets, .ranges, .links, .countingCursors] {
      var histories = ServedHistories()
      histories.ways = [way]
      let outcome = await histories.run(300) { run in
        (try await run.walk().reading.ids, .whole(given: [.ids]))
      }
      #expect(outcome.failure != nil, "\(way)")
    }
  }
}

extension Consistency.Level {
  fileprivate var leastClaim: Consistency.Claim? {
    switch self {
    case .any, .signs, .seams: nil
    case .whole: .whole
    case .exact: .exact
    }
  }
}

extension ServedList.Way {
  /// Whether the server's links lead to its pages.
  fileprivate var hasLinks: Bool { [.links, .linksOfAnySize, .nextAddresses].contains(self) }
}

import ItemMapping
import ListReading
import QuireTesting
import ServerAPI
import TestSupport
import Testing

@testable import ListModel

/// Lists whose refresh finds only new rows, so that a gap opens below them.
@MainActor @Suite(.timeLimit(.minutes(10))) struct GapTests {
  /// Loads the gaps that can be loaded, from any side. Returns the number of loads.
  private func loadGaps<Item>(
    of model: ListModel<Item>, upTo most: Int = 200, using random: inout SeededGenerator
  ) async -> Int {
    var loads = 0
    while let gap = model.gaps.first(where: { $0.unavailable == nil }), loads < most {
      let side = ListGap.Side.allCases.randomElement(using: &random) ?? .above
      guard case .filled = await model.loadGap(gap.id, from: side).outcome else { break }
      loads += 1
    }
    return loads
  }

  /// The ways that lead to all rows of a list that only grows, wherever it is read on.
  private nonisolated static let ways = ServedList.Way.allCases.filter {
    // Rows with one key at a border are skipped, rows far down are refused, offsets are rounded, and the pages further
    // down are of an older instant, with its total.
    ![.keysWithTies, .offsetsWithinLimit, .offsetsRoundedToPages, .snapshots].contains($0)
  }

  @Test(arguments: ways)
  func `gaps of a list that only grows are loaded row by row`(way: ServedList.Way) async throws {
    for seeded in try SeededGenerator.runs(Thoroughness.runs(20, full: 500)) {
      var random = seeded
      let size = Int.random(in: 3...9, using: &random)
      let run = ServedRun(
        ServedList(
          rows: Int.random(in: 20...60, using: &random), pageSize: size, by: way,
          total: [.absent, .exact].randomElement(using: &random) ?? .absent))
      let model = run.list(.signs)
      var observed: [Int?] = []
      model.onChange = { [unowned model] change in
        let now = model.rows
        observed = change.applied(to: observed) { now[$0]?.id } ?? []
        #expect(observed == (0..<now.count).map { now[$0]?.id }, "\(seeded)")
      }
      for _ in 0..<Int.random(in: 1...4, using: &random) { _ = await model.loadNextPage().outcome }
      var (opened, missing) = (0, 0)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let burst = size * Int.random(in: 1...4, using: &random) + Int.random(in: 0..<3, using: &random)
        for _ in 0..<burst { run.change(.insert(at: 0)) }
        _ = await model.refresh(.splice).outcome
        if model.gaps.count > opened { (opened, missing) = (model.gaps.count, missing + burst) }
      }
      #expect(model.gaps.isEmpty || model.consistency.claim == .mayLack(atMost: nil), "\(seeded)")
      // The list goes on at its end, too.
      for _ in 0..<Int.random(in: 0...2, using: &random) { _ = await model.loadNextPage().outcome }
      let loads = await loadGaps(of: model, using: &random)
      #expect(model.gaps.isEmpty, "\(seeded) \(model.gaps)")
      #expect(loads <= missing / max(1, size - 1) + 3 * opened, "\(seeded) \(loads) for \(missing)")
      var outcome = await model.loadAll()
      // Where the next page is the number of a page, pages before it are read again.
      while case .stillSearching = outcome { outcome = await model.loadAll() }
      #expect(outcome == .reachedEnd(.complete), "\(seeded) \(outcome)")
      #expect(model.rows.items.map(\.id) == run.ids, "\(seeded)")
    }
  }

  /// Changes that keep the order of rows.
  private nonisolated static let ratesInOrder: [ServedList.Rates] = [
    .init(insert: 0.4, delete: 0.4), .init(delete: 0.7, at: .head), .init(insert: 0.3, delete: 0.3, at: .head),
    .init(insert: 0.2, delete: 0.4, burst: 3),
  ]

  @Test(arguments: ServedList.Way.allCases)
  func `a list with gaps claims nothing false while it changes`(way: ServedList.Way) async throws {
    var histories = ServedHistories()
    histories.ways = [way]
    histories.rows = 10...30
    let seed = try SeededGenerator.fromEnvironment().seed
    var gaps = (opened: 0, closed: 0, removed: 0)
    for number in 0..<UInt64(Thoroughness.runs(60, full: 4_000)) {
      var random = SeededGenerator(seed: seed &+ number)
      let keepsOrder = number.isMultiple(of: 2)
      histories.rates = keepsOrder ? Self.ratesInOrder : ServedHistories().rates
      let run = ServedRun(histories.list(seed: seed &+ number))
      let level = Consistency.Level.allCases.randomElement(using: &random) ?? .signs
      let model = run.list(level)
      var observed: [Int?] = []
      model.onChange = { [unowned model] change in
        let now = model.rows
        observed = change.applied(to: observed) { now[$0]?.id } ?? []
        #expect(observed == (0..<now.count).map { now[$0]?.id }, "\(level) \(run.history)")
      }
      for _ in 0..<Int.random(in: 4...12, using: &random) {
        let before = model.gaps
        switch Int.random(in: 0..<4, using: &random) {
        case 0: _ = await model.loadNextPage().outcome
        case 1:
          for _ in 0..<Int.random(in: 0...15, using: &random) { run.change(.insert(at: 0)) }
          _ = await model.refresh(.splice).outcome
          if model.gaps.count > before.count { gaps.opened += 1 }
        default:
          guard let gap = before.randomElement(using: &random) else { continue }
          let side = ListGap.Side.allCases.randomElement(using: &random) ?? .above
          let rows = model.rows.items.map(\.id)
          _ = await model.loadGap(gap.id, from: side).outcome
          if model.gaps.count < before.count { gaps.closed += 1 }
          let removed = Set(rows).subtracting(model.rows.items.map(\.id))
          gaps.removed += removed.count
          #expect(!keepsOrder || removed.isDisjoint(with: run.ids), "\(removed) \(level) \(run.history)")
        }
      }
      _ = await loadGaps(of: model, using: &random)
      await model.loadAll()
      let verdict = run.verdict(
        ids: model.rows.items.map(\.id), claim: ServedList.Claim(model.consistency))
      let name = "\(level) \(model.consistency) \(model.state(of: .next)) \(model.gaps) \(run.history)"
      #expect(verdict.doubled.isEmpty && !verdict.isFalse, "\(verdict) \(name)")
    }
    #expect(min(gaps.opened, gaps.closed) > 0 || Thoroughness.current == .brief)
  }
}

import ItemMapping
import QuireTesting
import ServerAPI
import TestSupport
import Testing

@testable import ListModel
@testable import ListReading

/// Lists whose loaded pages are all read again while they are shown.
@MainActor @Suite(.timeLimit(.minutes(10))) struct DeepRefreshTests {
  /// Expects that each change of a list is exact.
  private func expectExactChanges(of model: ListModel<ServedRow>, _ name: @escaping @autoclosure () -> String) {
    var observed: [Int?] = []
    model.onChange = { [unowned model] change in
      let now = model.rows
      observed = change.applied(to: observed) { now[$0]?.id } ?? []
      #expect(observed == (0..<now.count).map { now[$0]?.id }, "\(name())")
    }
  }

  /// Makes any rows visible.
  private func see(_ model: ListModel<ServedRow>, using random: inout SeededGenerator) {
    let row = Int.random(in: 0..<max(1, model.count), using: &random)
    model.rowsWillAppear(row..<max(row, min(row + 4, model.count)), prefetches: false)
  }

  /// The ways that lead to all rows of a list that does not change meanwhile.
  private nonisolated static let ways = ServedList.Way.allCases.filter {
    ![.keysWithTies, .offsetsWithinLimit, .offsetsRoundedToPages, .snapshots].contains($0)
  }

  @Test(arguments: ways)
  func `a list that is still meanwhile has the rows of the server`(way: ServedList.Way) async throws {
    // Numbers of pages don't show whether a row was skipped between two of them: one that is gone there stays.
    let showsSeams = way.isCountedByRows || way.isChained
    for seeded in try SeededGenerator.runs(Thoroughness.runs(30, full: 1_000)) {
      var random = seeded
      let run = ServedRun(
        ServedList(
          rows: Int.random(in: 20...60, using: &random), pageSize: Int.random(in: 3...9, using: &random), by: way,
          total: [.absent, .exact].randomElement(using: &random) ?? .absent))
      let model = run.list([.signs, .seams].randomElement(using: &random) ?? .signs)
      expectExactChanges(of: model, "\(seeded)")
      for _ in 0..<Int.random(in: 2...8, using: &random) { _ = await model.loadNextPage().outcome }
      let loaded = model.rows.items.map(\.id)
      for _ in 0..<Int.random(in: 0...6, using: &random) {
        let at = Int.random(in: 0..<loaded.count, using: &random)
        run.change(Bool.random(using: &random) ? .insert(at: at) : .delete(at: at))
      }
      let server = run.ids
      see(model, using: &random)
      let outcome = await model.refresh(.deep).outcome
      guard case .replaced = outcome else {
        Issue.record("\(outcome) \(seeded)")
        return
      }
      let ids = model.rows.items.map(\.id)
      #expect(Set(loaded).intersection(server).isSubset(of: ids), "a row is lost \(seeded)")
      let isSame = ids == Array(server.prefix(ids.count))
      let isAll = model.brain.machine.extent?.reading.record.isRejoined == false
      #expect(isSame || !isAll && !showsSeams, "\(ids) \(server) \(loaded) \(seeded)")
      let end = await model.loadAll()
      #expect(Set(server).isSubset(of: model.rows.items.map(\.id)), "\(end) \(seeded)")
    }
  }

  /// Changes that keep the order of rows.
  private nonisolated static let ratesInOrder: [ServedList.Rates] = [
    .init(insert: 0.4, delete: 0.4), .init(delete: 0.7, at: .head), .init(insert: 0.3, delete: 0.3, at: .head),
    .init(insert: 0.2, delete: 0.4, burst: 3), .init(insert: 0.5),
  ]

  @Test(arguments: ServedList.Way.allCases)
  func `a list that changes meanwhile claims nothing false`(way: ServedList.Way) async throws {
    var histories = ServedHistories()
    histories.ways = [way]
    histories.rows = 10...30
    let seed = try SeededGenerator.fromEnvironment().seed
    var (deep, replaced) = (0, 0)
    for number in 0..<UInt64(Thoroughness.runs(60, full: 4_000)) {
      var random = SeededGenerator(seed: seed &+ number)
      let keepsOrder = number.isMultiple(of: 2)
      histories.rates = keepsOrder ? Self.ratesInOrder : ServedHistories().rates
      let run = ServedRun(histories.list(seed: seed &+ number))
      let level = Consistency.Level.allCases.randomElement(using: &random) ?? .signs
      let model = run.list(level)
      expectExactChanges(of: model, "\(level) \(run.history)")
      for _ in 0..<Int.random(in: 4...12, using: &random) {
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1, 2: _ = await model.loadNextPage().outcome
        case 3: _ = await model.refresh(.splice).outcome
        case 4:
          let (load, next) = (model.refresh(.deep), model.loadNextPage())
          _ = (await load.outcome, await next.outcome)
        default:
          let rows = model.rows.items.map(\.id)
          see(model, using: &random)
          // Where it can't be laid over the rows, the first page may replace all of them.
          var isDeep = true
          model.onFinish = { if $0 == .refresh { isDeep = false } }
          let outcome = await model.refresh(.deep).outcome
          deep += 1
          if case .replaced = outcome, model.brain.machine.extent?.reading.record.isRejoined == false { replaced += 1 }
          let removed = Set(rows).subtracting(model.rows.items.map(\.id))
          // A total of before may end the list too early.
          let isHonest = [.absent, .exact].contains(run.list.total)
          #expect(
            !keepsOrder || !isHonest || !isDeep || removed.isDisjoint(with: run.ids),
            "\(number): \(removed) of \(rows) \(model.rows.items.map(\.id)) \(run.ids) \(level) \(run.history)")
        }
      }
      await model.loadAll()
      let verdict = run.verdict(
        ids: model.rows.items.map(\.id), claim: ServedList.Claim(model.consistency))
      let name = "#\(number) \(level) \(model.consistency) \(model.state(of: .next)) \(run.history)"
      #expect(verdict.doubled.isEmpty && !verdict.isFalse, "\(verdict) \(name)")
    }
    #expect(min(deep, replaced) > 0 || Thoroughness.current == .brief)
  }

  @Test(arguments: ServedList.Way.allCases)
  func `the claim speaks of the time of the refresh`(way: ServedList.Way) async throws {
    var histories = ServedHistories()
    histories.ways = [way]
    let seed = try SeededGenerator.fromEnvironment().seed
    for number in 0..<UInt64(Thoroughness.runs(30, full: 2_000)) {
      var random = SeededGenerator(seed: seed &+ number)
      let run = ServedRun(histories.list(seed: seed &+ number))
      let level = Consistency.Level.allCases.randomElement(using: &random) ?? .signs
      let model = run.list(level)
      for _ in 0..<Int.random(in: 1...6, using: &random) { _ = await model.loadNextPage().outcome }
      for _ in 0..<Int.random(in: 0...4, using: &random) { run.change(.insert(at: 0), .delete(at: 3)) }
      // From now on a row that is there all the time must be read, also one that was passed over before.
      run.beginReading()
      _ = await model.refresh(.deep).outcome
      guard model.brain.machine.extent?.reading.record.isRejoined == false else { continue }
      await model.loadAll()
      let verdict = run.verdict(ids: model.rows.items.map(\.id), claim: ServedList.Claim(model.consistency))
      #expect(
        verdict.doubled.isEmpty && !verdict.isFalse,
        "\(verdict) #\(number) \(level) \(model.consistency) \(run.history)")
    }
  }
}

extension ServedList.Way {
  /// Whether pages can be requested with rows of those before them.
  fileprivate var isCountedByRows: Bool {
    [.offsets, .offsetsOfCappedSize, .ranges, .countingRelay].contains(self)
  }

  /// Whether each page leads to the place after its last row.
  fileprivate var isChained: Bool { [.keys, .cursors, .relay].contains(self) }
}

import ItemMapping
import ListReading
import QuireTesting
import ServerAPI
import TestSupport
import Testing

@testable import ListModel

/// Lists with a window that are scrolled to their end and back while the server changes before each request.
@Suite(.timeLimit(.minutes(10))) struct ReturningPagesTests {
  /// Rows of one group can't be told apart by a keyset of groups, and a server that rounds offsets doesn't send what was
  /// requested.
  private static let ways = ServedList.Way.allCases.filter {
    $0 != .keysWithTies && $0 != .offsetsRoundedToPages
  }

  @MainActor @Test(arguments: ways)
  func `no row is lost unsaid or doubled when evicted pages come back`(way: ServedList.Way) async throws {
    var histories = ServedHistories()
    histories.ways = [way]
    histories.rates = [.init(insert: 0.6, delete: 0.4), .init(insert: 1), .init(delete: 1)]
    let seed = try SeededGenerator.fromEnvironment().seed
    let runs = Thoroughness.runs(50, full: 600)
    var (returned, lost) = (0, [String]())
    for number in 0..<UInt64(runs) {
      let run = ServedRun(histories.list(seed: seed &+ number))
      let model = list(of: run)
      await model.loadAll()
      let before = Set(model.ids)
      returned += await scroll(model, by: run.list.pageSize)
      let (after, left) = (model.ids, Set(run.ids))
      #expect(after.count == Set(after).count, "\(run.history)")
      let gone = before.intersection(left).subtracting(after)
      if !gone.isEmpty { lost.append("\(gone) of \(run.history)") }
      let verdict = run.verdict(ids: after, claim: ServedList.Claim(model.consistency))
      #expect(!verdict.isFalse, "\(verdict) \(model.consistency) \(run.history)")
    }
    #expect(returned > 0 || Thoroughness.current == .brief)
    // A row that moves between the pages at each request is given up at some time, and the list doesn't claim to have it.
    #expect(lost.count * 25 <= runs + 24, "\(lost.count): \(lost.first ?? "")")
  }

  @MainActor @Test(arguments: ways)
  func `no row is lost unsaid or doubled when the list is refreshed meanwhile`(
    way: ServedList.Way
  ) async throws {
    var histories = ServedHistories()
    histories.ways = [way]
    histories.rates = [.init(insert: 0.6, delete: 0.4), .init(insert: 1), .init(delete: 0.5)]
    let seed = try SeededGenerator.fromEnvironment().seed
    let runs = Thoroughness.runs(50, full: 600)
    var lost: [String] = []
    for number in 0..<UInt64(runs) {
      let run = ServedRun(histories.list(seed: seed &+ number))
      let model = list(of: run)
      await model.loadAll()
      for _ in 0..<6 { _ = await model.refresh(.splice).outcome }
      let before = Set(model.ids)
      _ = await scroll(model, by: run.list.pageSize)
      _ = await model.refresh(.splice).outcome
      // A page that met no row has replaced all of them.
      await model.loadAll()
      let (after, left) = (model.ids, Set(run.ids))
      #expect(after.count == Set(after).count, "\(run.history)")
      let gone = before.intersection(left).subtracting(after)
      // Rows that are inserted move others beyond the offset at which that server stops.
      if !gone.isEmpty, way != .offsetsWithinLimit {
        lost.append("\(gone) of \(run.history)")
      }
      let verdict = run.verdict(ids: after, claim: ServedList.Claim(model.consistency))
      #expect(!verdict.isFalse, "\(verdict) \(model.consistency) \(run.history)")
    }
    #expect(lost.count * 25 <= runs + 24, "\(lost.count): \(lost.first ?? "")")
  }

  @MainActor private func list(of run: ServedRun) -> ListModel<ServedRow> {
    ListModel<ServedRow>(
      run.server(), run.list.call, reading: .decodables(at: run.list.items), paging: run.list.paging,
      identity: .id
    ) {
      $0.window = .rows(2 * run.list.pageSize)
      $0.prefetchDistance = 0
    }
  }

  /// Scrolls from the end of a list to its start, until the rows in sight are loaded. Returns how many pages came back.
  @MainActor private func scroll(_ model: ListModel<ServedRow>, by step: Int) async -> Int {
    var returned = 0
    var events = model.events.makeAsyncIterator()
    var position = model.rows.count
    while position > 0 {
      position -= min(position, step)
      var tries = 0
      while true {
        let visible = min(position, model.rows.count)..<min(position + step, model.rows.count)
        model.rowsWillAppear(visible)
        // A page that failed is loaded again by a retry.
        guard tries < 40, visible.contains(where: { model.rows.row(at: $0)?.item == nil }),
          model.brain.machine.runningLoads.contains(where: { $0.running.kind.isGap })
        else { break }
        tries += 1
        next: while let step = await events.next() {
          if case .didFinish(.evicted) = step.event { break next }
        }
        returned += 1
      }
    }
    return returned
  }
}

extension LoadKind {
  fileprivate var isGap: Bool { if case .evicted = self { true } else { false } }
}

extension ListModel<ServedRow> {
  /// The ids of all rows, also of those that are not in memory.
  fileprivate var ids: [Int] {
    PageSequence(brain.store.tree).flatMap { $0.ids ?? [] }.compactMap { id in
      if case .number(let number) = id { number } else { nil }
    }
  }
}

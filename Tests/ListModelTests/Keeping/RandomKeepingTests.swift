import QuireTesting
import ServerAPI
import TestSupport
import Testing

@testable import ListModel
@testable import ListReading

/// Lists that are used for a while, released, and restored.
@MainActor @Suite(.timeLimit(.minutes(10))) struct RandomKeepingTests {
  /// Rows are repeated, within pages and across them, and pages are short.
  private func bench(_ policy: DuplicatePolicy, _ seeded: SeededGenerator) -> KeptListBench {
    var generator = seeded
    let pages = (0..<9).map { page in
      (0..<4).map { _ in Int.random(in: max(0, page * 3 - 4)..<page * 3 + 5, using: &generator) }
    }
    let bench = KeptListBench(
      MockTransport { request in
        let number = request.query["page"].flatMap { Int($0) } ?? 0
        guard pages.indices.contains(number) else { return .json(page([], #""more":false"#)) }
        return .json(page(pages[number], #""more":\#(number < pages.count - 1)"#))
      })
    bench.policy = policy
    return bench
  }

  @Test(arguments: [DuplicatePolicy.keepFirst, .replaceInPlace, .moveToNew])
  func `a restored list equals and continues one that was never closed`(
    policy: DuplicatePolicy
  ) async throws {
    for seeded in try SeededGenerator.runs(Thoroughness.runs(25, full: 6_250)) {
      var generator = seeded
      let bench = bench(policy, seeded)
      // A page loaded again moves its rows to where they were received last, and a list that was closed
      // evicts different pages.
      if Bool.random(using: &generator), policy != .moveToNew {
        bench.window = ListWindow.rows(9)
      }
      // The list that is never closed takes the same steps.
      let twin = bench.list { $0.keeping = nil }
      var list = bench.list()
      var steps: [String] = []
      for _ in 0..<12 {
        let step = Int.random(in: 0..<10, using: &generator)
        let row = Int.random(in: 0..<30, using: &generator)
        for list in [list, twin] {
          switch step {
          case 0: _ = await list.refresh(row.isMultiple(of: 2) ? .splice : .keepVisible).outcome
          case 1: _ = await list.loadPage(row % 9).outcome
          case 2, 3: _ = await list.loadPreviousPage().outcome
          case 4: list.rowsWillAppear(row..<row + 2)
          default: _ = await list.loadNextPage().outcome
          }
          // Evicted pages are loaded again, and a screen looks ahead.
          while !list.brain.machine.runningLoads.isEmpty { await Task.yield() }
        }
        steps.append("\(step)/\(row)")
        guard Int.random(in: 0..<4, using: &generator) == 0, list.hasLoaded else { continue }
        let old = list.allIDs
        list = bench.list()
        _ = await list.restore().outcome
        steps.append("restore")
        #expect(list.allIDs == old, "\(seeded) after \(steps)")
      }
      _ = await list.loadAll()
      _ = await twin.loadAll()
      #expect(list.allIDs == twin.allIDs, "\(seeded) after \(steps)")
      if list.allIDs != twin.allIDs { return }
    }
  }
}

extension ListModel<Row> {
  /// The ids of all rows, including evicted ones.
  fileprivate var allIDs: [RowID] {
    brain.store.snapshot.tree.ids
  }
}

extension PageTree {
  fileprivate var ids: [RowID] { PageSequence(self).flatMap { $0.ids ?? [] } }
}

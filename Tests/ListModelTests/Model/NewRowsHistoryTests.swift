import QuireTesting
import ServerAPI
import TestSupport
import Testing

@testable import ListModel
@testable import ListReading

/// Lists of a server whose rows come and go in one order, read, refreshed and probed at random.
@MainActor @Suite(.timeLimit(.minutes(5))) struct NewRowsHistoryTests {
  @Test func `new rows are those of the server above the list`() async throws {
    var (probes, sure, found) = (0, 0, 0)
    for seeded in try SeededGenerator.runs(Thoroughness.runs(300, full: 5_000)) {
      var random = seeded
      func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
      let rows: [Int] = (0..<number(20)).map(\.self)
      let bench = NewRowsTests.Bench(
        rows,
        configure: {
          $0.window = number(3) == 0 ? .rows(6) : nil
          $0.duplicates = [.keepFirst, .replaceInPlace, .moveToNew][number(3)]
        })
      var (fresh, steps) = (100, [String]())
      for _ in 0..<30 {
        fresh += 1
        switch number(9) {
        case 0, 1: bench.insert(fresh)
        case 2: bench.rows.insert(fresh, at: number(bench.rows.count + 1))
        case 3: if !bench.rows.isEmpty { bench.rows.remove(at: number(min(bench.rows.count, 5))) }
        case 4, 5: _ = await bench.model.loadNextPage().outcome
        case 6: _ = await bench.model.refresh(.splice).outcome
        default:
          let (list, rows, claim) = (bench.list, bench.model.rows, bench.model.consistency)
          let new = try await bench.model.checkForNewRows()
          guard bench.model.hasLoaded else { continue }
          let ids = Set((0..<bench.model.count).compactMap { bench.model.rows.tree.id(at: $0) })
          let above = bench.rows.firstIndex { ids.contains(RowID($0)) } ?? bench.rows.count
          probes += 1
          sure += new?.isAtLeast == true ? 0 : 1
          found += new == nil ? 0 : 1
          let isRight = new.map { $0.isAtLeast ? $0.count <= above : $0.count == above } ?? (above == 0)
          guard isRight, bench.list == list, bench.model.rows.isSame(as: rows),
            bench.model.consistency == claim
          else {
            Issue.record("\(seeded): \(new.map { "\($0)" } ?? "none") of \(bench.rows) above \(ids) after \(steps)")
            return
          }
        }
        steps.append("\(bench.rows)")
      }
    }
    #expect(sure > probes / 2 && found > probes / 4)
  }
}

extension PageTree {
  /// The id of the row at a position, in memory or not.
  fileprivate func id(at position: Int) -> RowID? {
    place(at: position, by: .rows).flatMap { $0.page.ids?[position - $0.before.rows] }
  }
}

import ItemMapping
import ListReading
import QuireTesting
import ServerAPI
import TestSupport
import Testing

@testable import ListModel

/// Lists that are refreshed while they are read, without losing the pages further down.
@Suite(.timeLimit(.minutes(10))) struct SplicedRefreshTests {
  @MainActor @Test(arguments: ServedList.Way.allCases)
  func `a list that is refreshed between its pages claims nothing false`(way: ServedList.Way) async throws {
    var histories = ServedHistories()
    histories.ways = [way]
    let seed = try SeededGenerator.fromEnvironment().seed
    var spliced = 0
    for number in 0..<UInt64(Thoroughness.runs(60, full: 4_000)) {
      var random = SeededGenerator(seed: seed &+ number)
      let run = ServedRun(histories.list(seed: seed &+ number))
      let level = Consistency.Level.allCases.randomElement(using: &random) ?? .signs
      let model = run.list(level)
      var observed: [Int] = []
      model.onChange = { [unowned model] change in
        let now = model.rows.items.map(\.id)
        observed = change.applied(to: observed) { now[$0] } ?? []
        #expect(observed == now, "\(level) \(run.history)")
      }
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        guard Int.random(in: 0..<3, using: &random) == 0 else {
          _ = await model.loadNextPage().outcome
          continue
        }
        let (pages, requests) = (model.rows.pages.count, run.requestCount)
        _ = await model.refresh(.splice).outcome
        if pages > 1, model.rows.pages.count >= pages {
          spliced += 1
          #expect(run.requestCount == requests + 1, "\(level) \(run.history)")
        }
      }
      await model.loadAll()
      let verdict = run.verdict(
        ids: model.rows.items.map(\.id), claim: ServedList.Claim(model.consistency))
      let name = "\(level) \(model.consistency) \(model.state(of: .next)) \(run.history)"
      #expect(verdict.doubled.isEmpty && !verdict.isFalse, "\(verdict) \(name)")
    }
    #expect(spliced > 0 || Thoroughness.current == .brief)
  }
}

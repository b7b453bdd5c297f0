import QuireTesting
import Testing

@testable import ListModel

/// Walks through short histories in every order, and through long random ones.
struct WalkBrainTests {
  @Test(arguments: [true, false])
  func `every short history ends, without duplicate or lost unmoved rows`(
    tellsTotal: Bool
  ) {
    var histories: [[WalkWorld.Event]] = [[]]
    for _ in 0..<(Thoroughness.current == .full ? 6 : 4) {
      histories = histories.flatMap { history in
        WalkWorld.Event.allCases.map { history + [$0] }
      }
    }
    for history in histories where !judge(history, rows: 8, tellsTotal) { return }
  }

  @Test(arguments: [true, false])
  func `random histories end, without duplicate or lost unmoved rows`(
    tellsTotal: Bool
  ) throws {
    for seeded in try SeededGenerator.runs(Thoroughness.runs(400, full: 100_000)) {
      var random = seeded
      let history = (0..<60).map { _ -> WalkWorld.Event in
        let event = WalkWorld.Event.allCases.randomElement(using: &random) ?? .page
        return event.isChurn && Bool.random(using: &random) ? .page : event
      }
      guard judge(history, rows: 60, tellsTotal, "\(seeded)") else { return }
    }
  }

  private func judge(
    _ history: [WalkWorld.Event], rows: Int, _ tellsTotal: Bool, _ seed: String = ""
  ) -> Bool {
    var world = WalkWorld(rows: rows, tellsTotal: tellsTotal)
    for event in history where world.problem == nil { world.happen(event) }
    world.finish()
    let missing = world.server.filter { !world.delivered.contains($0) }
    var problem = world.problem
    if !history.contains(where: \.isChurn) {
      if !missing.isEmpty || world.delivered != world.server { problem = "rows of a still list" }
      if world.brain.end != .complete { problem = "a still list is not complete" }
    }
    // One row at a time: the lower total shows it.
    let deletes = history.filter(\.isChurn).allSatisfy { $0 == .deleteFirst || $0 == .deleteLast }
    if tellsTotal, deletes, !missing.isEmpty, world.brain.end == .complete {
      problem = "complete without \(missing)"
    }
    guard let problem else { return true }
    Issue.record("\(seed) \(problem) after \(history)")
    return false
  }
}

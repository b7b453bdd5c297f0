import QuireTesting
import Testing

/// Lives of lists and their screens: refreshed in all modes, paged both ways, edited, filtered, searched, evicted, kept,
/// restored, cleared, reset and cancelled, also from callbacks, with stale previews and failures.
@MainActor struct RandomLifeTests {
  @Test func `a list keeps its contract whatever happens, and ends with the rows of its server`()
    async throws
  {
    for seeded in try SeededGenerator.runs(Thoroughness.runs(500, full: 5_000)) {
      let world = LifeWorld(seeded)
      for _ in 0..<30 where world.problem == nil { await world.step() }
      if world.problem == nil { await world.end() }
      guard let problem = world.problem else { continue }
      Issue.record("\(seeded): \(problem) after \(world.steps) of \(world.kind)")
      return
    }
  }
}

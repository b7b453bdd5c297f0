import QuireTesting
import Testing

@testable import ListModel

/// Random sequences on whole lists: loads, responses and failures in any order, a server whose rows change,
/// edits, and a window that evicts pages.
struct BrainSequenceTests {
  @Test(arguments: [ListWindow?.none, .rows(12)])
  func `events describe the rows exactly in random sequences of 200 events`(
    window: ListWindow?
  ) throws {
    var gaps = (opened: 0, closed: 0, unavailable: 0)
    for seeded in try SeededGenerator.runs(Thoroughness.runs(200, full: 50_000)) {
      var generator = seeded
      let kind = BrainWorld.Kind.random(using: &generator)
      var world = BrainWorld(window: window, kind)
      var events: [BrainWorld.Event] = []
      for _ in 0..<200 {
        let event = BrainWorld.random(using: &generator)
        events.append(event)
        world.handle(event)
        if let problem = world.problem {
          Issue.record("\(seeded): \(problem) after \(shrunk(events, window, kind)) of \(kind)")
          return
        }
      }
      gaps.opened += world.gaps.opened
      gaps.closed += world.gaps.closed
      gaps.unavailable += world.gaps.unavailable
    }
    #expect(min(gaps.opened, gaps.closed) > 0 || window != nil || Thoroughness.current == .brief)
  }

  /// The events that reproduce the failure, without unnecessary ones.
  private func shrunk(
    _ events: [BrainWorld.Event], _ window: ListWindow?, _ kind: BrainWorld.Kind
  ) -> [BrainWorld.Event] {
    func fails(_ events: [BrainWorld.Event]) -> Bool {
      var world = BrainWorld(window: window, kind)
      for event in events where world.problem == nil { world.handle(event) }
      return world.problem != nil
    }
    var events = events
    for index in events.indices.reversed() {
      var fewer = events
      fewer.remove(at: index)
      if fails(fewer) { events = fewer }
    }
    return events
  }
}

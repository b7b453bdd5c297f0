import QuireTesting
import Testing

@testable import ListReading

/// Walks through short histories in every order, and through long random ones.
struct WalkBrainTests {
  @Test(arguments: [true, false], WalkWorld.Way.allCases)
  func `every short history ends, without duplicate or lost unmoved rows`(
    tellsTotal: Bool, way: WalkWorld.Way
  ) {
    var histories: [[WalkWorld.Event]] = [[]]
    let depth = Thoroughness.current == .full ? way == .pages ? 6 : 5 : 3
    for _ in 0..<depth {
      histories = histories.flatMap { history in
        WalkWorld.Event.allCases.map { history + [$0] }
      }
    }
    for history in histories where !judge(history, rows: 8, tellsTotal, way) { return }
  }

  @Test(arguments: [true, false], WalkWorld.Way.allCases)
  func `random histories end, without duplicate or lost unmoved rows`(
    tellsTotal: Bool, way: WalkWorld.Way
  ) throws {
    for seeded in try SeededGenerator.runs(Thoroughness.runs(150, full: 50_000)) {
      var random = seeded
      // Most histories have no moves, which some claims rest on.
      let events =
        Int.random(in: 0..<4, using: &random) == 0
        ? WalkWorld.Event.allCases : WalkWorld.Event.withoutMoves
      let history = (0..<60).map { _ -> WalkWorld.Event in
        let event = events.randomElement(using: &random) ?? .page
        return event.isChurn && Bool.random(using: &random) ? .page : event
      }
      let rows = Int.random(in: 0...60, using: &random)
      guard judge(history, rows: rows, tellsTotal, way, "\(seeded)") else { return }
    }
  }

  @Test(
    arguments: [
      (.pages, 8, .unproven, [.assumed: 2]), (.offsets, 8, .whole, [.seen: 3]),
      (.cappedOffsets, 8, .whole, [.seen: 3]), (.keys, 8, .whole, [.chained: 2]),
      (.groups, 8, .whole, [.seen: 3]), (.cursor, 8, .whole, [.chained: 2]),
      (.counting, 8, .unproven, [.assumed: 2]), (.pages, 2, .exact, [:]),
      (.cursor, 2, .exact, [:]), (.counting, 0, .exact, [:]),
    ] as [(WalkWorld.Way, Int, Consistency.Claim, [Seam: Int])])
  func `the claim of a still list depends on how it is paged`(
    way: WalkWorld.Way, rows: Int, claim: Consistency.Claim, seams: [Seam: Int]
  ) {
    // Without a total, a short page of counted pages is only known to be the last one when the next is empty.
    var world = WalkWorld(rows: rows, tellsTotal: rows < 3, way: way)
    world.finish()
    let consistency = world.brain.consistency
    #expect(consistency.claim == claim, "\(consistency)")
    #expect(consistency.seams == seams)
    #expect(consistency.assumptions.isEmpty == (claim <= .unproven))
  }

  @Test func `keys that rows share don't chain pages that are not overlapped`() {
    for (way, claim, seam) in [
      (.keys, .whole, .chained), (.groups, .unproven, .assumed),
    ] as [(WalkWorld.Way, Consistency.Claim, Seam)] {
      var world = WalkWorld(rows: 8, tellsTotal: false, way: way, consistency: .signs)
      world.finish()
      let consistency = world.brain.consistency
      #expect(consistency.claim == claim, "\(way) \(consistency)")
      #expect(Set(consistency.seams.keys) == [seam], "\(way)")
    }
  }

  /// A check that can't fail shows nothing: without the assumption that a claim names, it must be false at times.
  @Test(arguments: [WalkWorld.Way.keys, .cursor])
  func `moves make claims false that rest on the order of rows`(way: WalkWorld.Way) {
    var world = WalkWorld(rows: 8, tellsTotal: false, way: way)
    for event in [.page, .moveToFirst, .page] as [WalkWorld.Event] { world.apply(event) }
    world.finish()
    #expect(world.brain.consistency.claim == .whole)
    #expect(world.brain.consistency.assumptions.contains(.order))
    #expect(world.stayers?.isSubset(of: world.delivered) == false)
  }

  private func judge(
    _ history: [WalkWorld.Event], rows: Int, _ tellsTotal: Bool, _ way: WalkWorld.Way,
    _ seed: String = ""
  ) -> Bool {
    var world = WalkWorld(rows: rows, tellsTotal: tellsTotal, way: way)
    for event in history where world.problem == nil { world.apply(event) }
    world.finish()
    let missing = world.serverIDs.filter { !world.delivered.contains($0) }
    var problem = world.problem
    let isStill = !history.contains(where: \.isChurn)
    if isStill, way != .groups {
      if !missing.isEmpty || world.delivered != world.serverIDs { problem = "rows of a still list" }
      if world.brain.end != .complete { problem = "a still list is not complete" }
    }
    // One row at a time: the lower total shows it.
    let deletes = history.filter(\.isChurn).allSatisfy { $0 == .deleteFirst || $0 == .deleteLast }
    if tellsTotal, deletes, way == .pages, !missing.isEmpty, world.brain.end == .complete {
      problem = "complete without \(missing)"
    }
    if let problem = problem ?? falseClaim(in: world, history) {
      Issue.record("\(seed) \(way) \(problem) after \(history)")
      return false
    }
    return true
  }

  /// Returns what is wrong with the claim of a walk, given the assumptions that it names.
  private func falseClaim(in world: WalkWorld, _ history: [WalkWorld.Event]) -> String? {
    let consistency = world.brain.consistency
    let keepsOrder = !world.hasMoved || !consistency.assumptions.contains(.order)
    let lost = (world.stayers ?? []).subtracting(world.delivered)
    switch consistency.claim {
    case .whole where keepsOrder:
      if !lost.isEmpty { return "whole without \(lost.sorted())" }
    case .exact:
      if !world.instants.contains(where: { Set($0) == Set(world.delivered) }) {
        return "exact, but never the list"
      }
    case .mayLack where world.brain.end == .complete: return "complete, but may lack rows"
    default: break
    }
    return nil
  }
}

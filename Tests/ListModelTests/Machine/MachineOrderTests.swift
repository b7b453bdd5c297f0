import QuireTesting
import Testing

@testable import ListModel

/// All short sequences of events, and random long ones.
struct MachineOrderTests {
  /// Breadth first, so that the first failure found is the shortest, until no event leads to a new state.
  /// At most two loads wait at once, or three in a thorough run: a fourth one behaves like the third.
  @Test(arguments: [MachineWorld.Event.all, MachineWorld.Event.deep])
  func `no sequence of events breaks the contract`(of all: [MachineWorld.Event]) {
    var frontier: [(MachineWorld, [MachineWorld.Event])] = [(MachineWorld(), [])]
    var seen: Set<MachineWorld.Shape> = [MachineWorld().shape]
    var depth = 0
    let mostPending = Thoroughness.current == .full ? 3 : 2
    while !frontier.isEmpty {
      depth += 1
      var next: [(MachineWorld, [MachineWorld.Event])] = []
      for (world, events) in frontier {
        for event in all where world.isPossible(event) {
          var after = world
          after.handle(event)
          if let problem = after.problem {
            Issue.record("\(problem) after \(events + [event])")
            return
          }
          guard after.pending.count <= mostPending, seen.insert(after.shape).inserted else {
            continue
          }
          next.append((after, events + [event]))
        }
      }
      frontier = next
    }
    #expect(depth > 8 && seen.count > 5_000, "\(seen.count) states in \(depth) steps")
  }

  @Test func `random sequences of 200 events keep the contract`() throws {
    for seeded in try SeededGenerator.runs(Thoroughness.runs(400, full: 100_000)) {
      var generator = seeded
      var world = MachineWorld()
      var events: [MachineWorld.Event] = []
      for _ in 0..<200 {
        let possible = (MachineWorld.Event.all + [.load(.deep)]).filter(world.isPossible)
        let event = possible[Int.random(in: 0..<possible.count, using: &generator)]
        events.append(event)
        world.handle(event)
        if let problem = world.problem {
          Issue.record("\(seeded): \(problem) after \(shrunk(events))")
          return
        }
      }
    }
  }

  /// The events that reproduce the failure, without unnecessary ones.
  private func shrunk(_ events: [MachineWorld.Event]) -> [MachineWorld.Event] {
    func fails(_ events: [MachineWorld.Event]) -> Bool {
      var world = MachineWorld()
      for event in events {
        guard world.isPossible(event) else { return false }
        world.handle(event)
      }
      return world.problem != nil
    }
    var events = events
    var index = events.count
    while index > 0 {
      index -= 1
      var fewer = events
      fewer.remove(at: index)
      if fails(fewer) { events = fewer }
    }
    return events
  }
}

import QuireTesting
import Testing

@testable import ListPresentation

/// Random changes of random lists, compared with rows that are made from scratch.
struct RandomTransformationTests {
  @Test func `planned rows follow every change of the list exactly`() throws {
    var random = try SeededGenerator.fromEnvironment()
    for _ in 0..<Thoroughness.runs(400, full: 100_000) {
      let features = random.next()
      var steps: [UInt64] = []
      var world = TransformedWorld(features: features)
      while steps.count < 12 {
        steps.append(random.next())
        world.step(steps[steps.count - 1])
        guard world.problem != nil else { continue }
        let fewest = shrunk(steps, features)
        Issue.record(
          "\(problem(fewest, features) ?? "") · QUIRE_SEED=\(random.seed), steps \(fewest), features \(features & 31)"
        )
        return
      }
    }
  }

  private func problem(_ steps: [UInt64], _ features: UInt64) -> String? {
    var world = TransformedWorld(features: features)
    for step in steps where world.problem == nil { world.step(step) }
    return world.problem
  }

  /// Returns the steps without those that the failure doesn't need.
  private func shrunk(_ steps: [UInt64], _ features: UInt64) -> [UInt64] {
    var steps = steps
    for index in steps.indices.reversed() {
      var fewer = steps
      fewer.remove(at: index)
      if problem(fewer, features) != nil { steps = fewer }
    }
    return steps
  }
}

import Foundation

/// One of the clients that are held against each other.
struct Contestant {
  let name: String
  let run: @Sendable () async throws -> Void
  /// Whether the work is done by processes that it starts and waits for.
  var isProcess = false

  init(_ name: String, run: @escaping @Sendable () async throws -> Void) {
    self.name = name
    self.run = run
  }
}

/// What each contestant cost in each round.
struct Comparison {
  fileprivate var costs: [String: [Cost]] = [:]

  /// The usual cost of one.
  func median(_ name: String, _ what: KeyPath<Cost, Double>) -> Double {
    Estimate(values(name, what)).median
  }

  /// How one compares with others together: round by round, since all met the same moment of the
  /// machine.
  func ratio(_ name: String, to others: String..., what: KeyPath<Cost, Double>) -> Estimate {
    let wholes = others.map { values($0, what) }
    return Estimate(
      values(name, what).enumerated().map { round, value in
        value / wholes.reduce(0) { $0 + $1[round] }
      })
  }

  private func values(_ name: String, _ what: KeyPath<Cost, Double>) -> [Double] {
    (costs[name] ?? []).map { $0[keyPath: what] }
  }
}

/// Runs the contestants in turn, round by round, so that a drift of the machine meets all of them. Every
/// other round goes the other way round, so that none always runs behind the same one.
///
/// With `ROUNDS` in the environment there are so many rounds.
func compare(_ contestants: [Contestant], rounds: Int) async throws -> Comparison {
  var comparison = Comparison()
  for round in 0...Rounds.count(rounds) {
    for contestant in round.isMultiple(of: 2) ? contestants : contestants.reversed() {
      let now = contestant.isProcess ? Cost.ofProcesses : Cost.now
      let start = now()
      try await contestant.run()
      // The first round only warms up.
      if round > 0 {
        comparison.costs[contestant.name, default: []].append(now() - start)
      }
    }
  }
  return comparison
}

enum Rounds {
  static func count(_ usual: Int) -> Int {
    ProcessInfo.processInfo.environment["ROUNDS"].flatMap { Int($0) }.map { max(1, $0) } ?? usual
  }
}

import Foundation

/// What a piece of work cost this process.
struct Cost {
  var wall = 0.0
  var cpu = 0.0

  static func now() -> Cost {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return Cost(
      wall: Double(DispatchTime.now().uptimeNanoseconds) / 1e9,
      cpu: seconds(usage.ru_utime) + seconds(usage.ru_stime))
  }

  static func - (a: Cost, b: Cost) -> Cost { Cost(wall: a.wall - b.wall, cpu: a.cpu - b.cpu) }
}

/// One of the clients that are held against each other.
struct Contestant {
  let name: String
  let run: @Sendable () async throws -> Void

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
    middle((costs[name] ?? []).map { $0[keyPath: what] })
  }

  /// How one compares with another: round by round, since both met the same moment of the machine.
  func ratio(_ name: String, to other: String, _ what: KeyPath<Cost, Double>) -> Double {
    middle(
      zip(costs[name] ?? [], costs[other] ?? []).map { $0[keyPath: what] / $1[keyPath: what] })
  }

  private func middle(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? .nan : sorted[sorted.count / 2]
  }
}

/// Runs the contestants in turn, round by round, so that a drift of the machine meets all of them.
func compare(_ contestants: [Contestant], rounds: Int) async throws -> Comparison {
  var comparison = Comparison()
  for round in 0...rounds {
    for contestant in contestants {
      let start = Cost.now()
      try await contestant.run()
      // The first round only warms up.
      if round > 0 {
        comparison.costs[contestant.name, default: []].append(Cost.now() - start)
      }
    }
  }
  return comparison
}

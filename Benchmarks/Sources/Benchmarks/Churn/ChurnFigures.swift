import Foundation
import QuireTesting

/// What a client has after some runs.
struct ChurnFigures {
  private var runs = 0
  private var lost = 0
  private var doubled = 0
  private var requests = 0
  private var whole = 0
  private var mayLack = 0

  mutating func add(_ verdict: ServedList.Verdict, requests: Int) {
    runs += 1
    lost += verdict.lost.count
    doubled += verdict.doubled.count
    self.requests += requests
    switch verdict.claim {
    case .whole, .exact: whole += 1
    case .mayLack: mayLack += 1
    case .nothing: break
    }
  }

  /// Rows lost, rows doubled and requests of a run.
  var means: [String] {
    [Self.text(lost, runs), Self.text(doubled, runs), String((requests + runs / 2) / runs)]
  }

  /// The shares of the runs that were claimed to be whole, and of those that may lack rows, rounded down.
  var claims: [String] { [whole, mayLack].map { "\($0 * 100 / runs) %" } }

  /// A mean that is 0 only if nothing was counted.
  private static func text(_ sum: Int, _ runs: Int) -> String {
    let mean = Double(sum) / Double(runs)
    if sum == 0 { return "0" }
    return mean < 0.05 ? "<0.1" : String(format: mean < 9.95 ? "%.1f" : "%.0f", mean)
  }
}

import Foundation

/// What was measured, each row with its goal and whether it was reached.
struct Report: Encodable {
  enum Verdict: String, Encodable {
    case met, missed
    /// The interval reaches to both sides of the goal.
    case undecided = "not decided"
  }

  struct Row: Encodable {
    var row: String
    var value: Estimate
    var goal: String
    var verdict: Verdict
  }

  /// What the figures depend on, by name.
  var machine: [String: String] = [:]
  private(set) var rows: [Row] = []
  private(set) var notes: [String] = []

  mutating func add(_ row: String, _ value: Estimate, atMost goal: Double) {
    let verdict: Verdict =
      value.high <= goal ? .met : value.low > goal ? .missed : .undecided
    rows.append(Row(row: row, value: value, goal: "≤ \(goal)", verdict: verdict))
  }

  mutating func add(_ row: String, _ value: Estimate, atLeast goal: Double) {
    let verdict: Verdict =
      value.low >= goal ? .met : value.high < goal ? .missed : .undecided
    rows.append(Row(row: row, value: value, goal: "≥ \(goal)", verdict: verdict))
  }

  /// A figure without a goal, to read the ratios by.
  mutating func note(_ text: String) { notes.append(text) }

  func print() {
    for note in notes { Swift.print(note) }
    Swift.print("")
    let width = rows.map(\.row.count).max() ?? 0
    for row in rows {
      let verdict = row.verdict == .missed ? "MISSED" : row.verdict.rawValue
      let name = row.row.padding(toLength: width, withPad: " ", startingAt: 0)
      let value = String(
        format: "%9.2f  (%.2f … %.2f)", row.value.median, row.value.low, row.value.high)
      Swift.print(
        verdict.padding(toLength: 12, withPad: " ", startingAt: 0), name,
        value.padding(toLength: 32, withPad: " ", startingAt: 0), "goal \(row.goal)")
    }
  }

  func write(to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try encoder.encode(self).write(to: URL(fileURLWithPath: path))
    Swift.print("\nwritten to \(path)")
  }
}

import Foundation

/// What was measured, each row with its goal and whether it was reached.
struct Report {
  struct Row: Encodable {
    var row: String
    var value: Double
    var goal: String
    var met: Bool
  }

  private(set) var rows: [Row] = []
  private(set) var notes: [String] = []

  mutating func add(_ row: String, _ value: Double, atMost goal: Double) {
    rows.append(Row(row: row, value: value, goal: "≤ \(goal)", met: value <= goal))
  }

  mutating func add(_ row: String, _ value: Double, atLeast goal: Double) {
    rows.append(Row(row: row, value: value, goal: "≥ \(goal)", met: value >= goal))
  }

  /// A figure without a goal, to read the ratios by.
  mutating func note(_ text: String) { notes.append(text) }

  func print() {
    for note in notes { Swift.print(note) }
    Swift.print("")
    let width = rows.map(\.row.count).max() ?? 0
    for row in rows {
      let name = row.row.padding(toLength: width, withPad: " ", startingAt: 0)
      let value = String(format: "%9.2f", row.value)
      Swift.print("\(row.met ? "met   " : "MISSED") \(name) \(value)   goal \(row.goal)")
    }
  }

  func write(to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(rows).write(to: URL(fileURLWithPath: path))
    Swift.print("\nwritten to \(path)")
  }
}

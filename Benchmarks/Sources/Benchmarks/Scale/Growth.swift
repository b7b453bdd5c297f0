import Foundation

/// How something grows with its input: `cost ≈ factor · size ^ exponent`.
struct Growth {
  let what: String
  let unit: String
  /// The largest exponent that is no surprise: 0 for what should not grow, 1 for what grows with its input.
  var expected: Double
  private(set) var points: [(size: Double, cost: Double)] = []

  /// So much more is noise.
  private static let tolerance = 0.1

  init(_ what: String, in unit: String, expected: Double) {
    (self.what, self.unit, self.expected) = (what, unit, expected)
  }

  mutating func add(_ size: Int, _ cost: Double) { points.append((Double(size), cost)) }

  /// The slope of the line through the points where both axes are logarithmic, by least squares.
  var exponent: Double {
    let points = points.filter { $0.cost > 0 }.map { (x: log($0.size), y: log($0.cost)) }
    let count = Double(points.count)
    let (x, y) = (
      points.reduce(0) { $0 + $1.x } / count, points.reduce(0) { $0 + $1.y } / count
    )
    let spread = points.reduce(0) { $0 + ($1.x - x) * ($1.x - x) }
    return points.reduce(0) { $0 + ($1.x - x) * ($1.y - y) } / spread
  }

  func print() {
    let costs = points.map { String(format: "%@: %.4g", Self.short($0.size), $0.cost) }
    let isFaster = exponent > expected + Self.tolerance
    Swift.print(
      String(format: "%@%@: exponent %.2f", isFaster ? "GROWS FASTER  " : "", what, exponent),
      "(\(unit) at \(costs.joined(separator: ", ")))")
  }

  private static func short(_ size: Double) -> String {
    size >= 1e6
      ? String(format: "%gM", size / 1e6)
      : size >= 1e3
        ? String(format: "%gk", size / 1e3)
        : String(format: "%g", size)
  }
}

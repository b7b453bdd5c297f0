/// The middle of some measured values, and an interval in which the true one lies with a probability of
/// 95 %.
///
/// The interval goes from one measured value to another, and nothing is assumed of how values are spread:
/// each is as likely above the true middle as below it. Fewer than six values say less; then it spans all
/// of them.
struct Estimate: Encodable {
  var median: Double
  var low: Double
  var high: Double

  /// Something that was not measured again and again.
  init(_ value: Double) { (median, low, high) = (value, value, value) }

  init(_ values: some Collection<Double>) {
    let sorted = values.sorted()
    guard !sorted.isEmpty else {
      (median, low, high) = (.nan, .nan, .nan)
      return
    }
    median =
      sorted.count.isMultiple(of: 2)
      ? (sorted[sorted.count / 2 - 1] + sorted[sorted.count / 2]) / 2 : sorted[sorted.count / 2]
    let outside = Self.outside(sorted.count)
    (low, high) = (sorted[outside], sorted[sorted.count - 1 - outside])
  }

  /// How many values on each side are outside of the interval: as many as can be while the middle is
  /// beyond them with a probability of 2.5 % at most, as often as a coin falls so.
  private static func outside(_ count: Int) -> Int {
    var probability = 1.0
    for _ in 0..<count { probability /= 2 }
    var sum = probability
    var outside = 0
    while sum <= 0.025, outside < count / 2 {
      outside += 1
      probability *= Double(count - outside + 1) / Double(outside)
      sum += probability
    }
    return max(0, outside - 1)
  }
}

/// Pulling without a finger: pressing on at the top edge pulls a bit further each time, and once more
/// when it is far enough lets go. Any other key takes it back.
struct Pull: Hashable {
  enum Step: Hashable {
    case pull(to: Double)
    case release
  }

  /// How many times it takes.
  static let presses = 3

  private var count = 0
  var isPulling: Bool { count > 0 }

  mutating func press(threshold: Double) -> Step {
    guard count < Self.presses else {
      count = 0
      return .release
    }
    count += 1
    return .pull(to: max(1, threshold) * Double(count) / Double(Self.presses))
  }

  /// Whether there was anything to take back.
  mutating func takeBack() -> Bool {
    defer { count = 0 }
    return isPulling
  }
}

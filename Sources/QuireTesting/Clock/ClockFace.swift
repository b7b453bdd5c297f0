/// What a hand-moved clock knows: its time and who sleeps until when.
///
/// It decides and does nothing else; ``ManualClock`` carries out what it says.
struct ClockFace: Hashable, Sendable {
  private(set) var now = Duration.zero
  private(set) var sleepers: [Int: Duration] = [:]
  private var nextID = 0

  /// Notes a sleeper; `nil` when its moment has come already.
  mutating func register(until deadline: Duration) -> Int? {
    guard deadline > now else { return nil }
    nextID += 1
    sleepers[nextID] = deadline
    return nextID
  }

  /// Forgets a sleeper that no longer waits.
  mutating func remove(_ id: Int) { sleepers[id] = nil }

  /// Moves the time on; sleepers that are due are no longer counted.
  mutating func advance(by duration: Duration) {
    precondition(duration >= .zero, "a clock can't go back: \(duration)")
    now += duration
    let now = now
    sleepers = sleepers.filter { $0.value > now }
  }

  /// How long until the next sleeper is due.
  var untilNext: Duration? { sleepers.values.min().map { $0 - now } }
}

/// The retries that all calls to a host share, as a number per second. A failing service therefore doesn't get
/// many more requests than without retries.
///
/// A retry beyond the number waits for its turn. After a pause, a second's worth may come at once.
struct RetryBudget: Hashable, Sendable {
  /// The maximum number of hosts that are remembered.
  static let capacity = 256

  /// The time at which a host has its whole budget again.
  private var restored: [WebURL.Origin: Duration] = [:]

  /// The number of hosts that are remembered.
  var count: Int { restored.count }

  /// Reserves a retry and returns how long it has to wait; `nil` if that is longer than `longest`.
  mutating func reserve(
    _ origin: WebURL.Origin, perSecond: Int, atMost longest: Duration, now: Duration
  ) -> Duration? {
    let interval = Duration.seconds(1) / max(1, perSecond)
    let end = max(restored[origin] ?? now, now)
    let wait = max(.zero, end + interval - now - .seconds(1))
    guard wait <= longest else { return nil }
    if restored.count >= Self.capacity, restored[origin] == nil {
      restored = restored.filter { $0.value > now }
      if restored.count >= Self.capacity, let least = restored.min(by: { $0.value < $1.value }) {
        restored[least.key] = nil
      }
    }
    restored[origin] = end + interval
    return wait
  }
}

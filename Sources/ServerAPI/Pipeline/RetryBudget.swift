/// How many retries a server may still cost: each call pays in a little, each retry takes a whole
/// token. A failing service therefore sees at most a fifth more requests than without retries.
///
/// A small reserve, refilled by time alone, lets a program that seldom calls try again too.
struct RetryBudget: Hashable, Sendable {
  /// What one call pays in.
  static let deposit = 0.2
  /// What is there at first, and what time alone refills to, a token per second.
  static let reserve = 10.0
  /// What saving up ends at.
  static let maximum = 100.0

  private(set) var tokens = reserve
  private var refilled: Duration?

  /// A call was made.
  mutating func noteCall() {
    tokens = min(Self.maximum, tokens + Self.deposit)
  }

  /// Takes the price of one retry, or refuses it.
  mutating func takeRetry(now: Duration) -> Bool {
    if tokens < Self.reserve, let refilled {
      tokens = min(Self.reserve, tokens + max(0, (now - refilled) / .seconds(1)))
    }
    refilled = now
    guard tokens >= 1 else { return false }
    tokens -= 1
    return true
  }
}

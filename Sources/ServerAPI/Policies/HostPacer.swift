internal import Support

/// Parses the wait that a server requests: a number of seconds or a date.
enum RetryAfter {
  /// Returns the wait in `value`, never negative; `nil` if it has neither form. `now` is the wall clock, for
  /// dates.
  static func wait(_ value: String, now: Double) -> Duration? {
    if let seconds = RetryAfter.seconds(value) { return seconds }
    return HTTPDate.lenientSeconds(value, now: now).map { .seconds(max(0, $0 - now)) }
  }

  /// Returns a whole number of seconds. Too large a number becomes a very long wait.
  static func seconds(_ digits: some StringProtocol) -> Duration? {
    number(digits).map { .seconds($0) }
  }

  /// Parses decimal digits and nothing else; too large a number becomes the upper bound.
  static func number(_ digits: some StringProtocol) -> Int? {
    let digits = digits.utf8
    guard !digits.isEmpty, digits.allSatisfy(\.isASCIIDigit) else { return nil }
    let largest = 1_000_000_000_000_000
    return digits.reduce(0) { min($0 * 10 + Int($1 - 0x30), largest) }
  }
}

/// Stores the pauses that hosts have requested, so that every call to a host waits and not only the one that
/// got the response.
struct HostPacer {
  /// The maximum pause, whatever the server requests; the next call after it finds out the current one.
  static let longest: Duration = .seconds(300)
  /// The maximum number of paused hosts.
  static let capacity = 256

  private var pauses: [WebURL.Origin: Duration] = [:]

  /// Sets the pause that a host requests. A shorter pause does not replace a longer one.
  mutating func pause(_ origin: WebURL.Origin, for wait: Duration, now: Duration) {
    let end = now + min(wait, Self.longest)
    if let known = pauses[origin], known >= end { return }
    guard end > now else { return }
    if pauses.count >= Self.capacity, pauses[origin] == nil { makeRoom(now: now) }
    pauses[origin] = end
  }

  /// Returns how long a request to this host has to wait.
  mutating func wait(for url: WebURL, now: Duration) -> Duration {
    if pauses.isEmpty { return .zero }
    guard let end = pauses[url.origin] else { return .zero }
    if end <= now {
      pauses[url.origin] = nil
      return .zero
    }
    return end - now
  }

  /// The number of paused hosts.
  var count: Int { pauses.count }

  private mutating func makeRoom(now: Duration) {
    pauses = pauses.filter { $0.value > now }
    if pauses.count >= Self.capacity, let soonest = pauses.min(by: { $0.value < $1.value }) {
      pauses[soonest.key] = nil
    }
  }
}

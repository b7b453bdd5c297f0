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
  /// The maximum time for which a pause is remembered. The next call after it learns the current one.
  static let longest: Duration = .seconds(300)
  /// The maximum number of paused hosts.
  static let capacity = 256

  /// The rest of a pause.
  struct Pause: Hashable {
    var left: Duration
    /// Whether it is for a rate limit.
    var isLimit = false
  }

  private struct Entry {
    var end: Duration
    var forgotten: Duration
    var isLimit: Bool
  }

  private var entries: [WebURL.Origin: Entry] = [:]

  /// Sets the pause that a host requests. A shorter pause does not replace a longer one.
  mutating func pause(
    _ origin: WebURL.Origin, for wait: Duration, isLimit: Bool = false, now: Duration
  ) {
    let entry = Entry(
      end: now + wait, forgotten: now + min(wait, Self.longest), isLimit: isLimit)
    if let known = entries[origin], known.forgotten > now, known.end >= entry.end { return }
    guard entry.end > now else { return }
    if entries.count >= Self.capacity, entries[origin] == nil { makeRoom(now: now) }
    entries[origin] = entry
  }

  /// Returns how long a request to this host has to wait; `nil` if it may be sent.
  mutating func pause(of url: WebURL, now: Duration) -> Pause? {
    if entries.isEmpty { return nil }
    guard let entry = entries[url.origin] else { return nil }
    guard entry.forgotten > now else {
      entries[url.origin] = nil
      return nil
    }
    return Pause(left: entry.end - now, isLimit: entry.isLimit)
  }

  /// The number of paused hosts.
  var count: Int { entries.count }

  private mutating func makeRoom(now: Duration) {
    entries = entries.filter { $0.value.forgotten > now }
    if entries.count >= Self.capacity,
      let soonest = entries.min(by: { $0.value.end < $1.value.end })
    {
      entries[soonest.key] = nil
    }
  }
}

internal import Support

/// Reads how long a server asks to wait: a number of seconds or a date.
enum RetryAfter {
  /// The wait that `value` asks for, never negative; `nil` where it is neither form. `now` is the
  /// wall clock, which a date is compared with.
  static func wait(_ value: String, now: Double) -> Duration? {
    if let seconds = RetryAfter.seconds(value) { return seconds }
    return HTTPDate.lenientSeconds(value, now: now).map { .seconds(max(0, $0 - now)) }
  }

  /// A whole number of seconds. One that no clock reaches counts as a very long wait.
  static func seconds(_ digits: some StringProtocol) -> Duration? {
    number(digits).map { .seconds($0) }
  }

  /// Decimal digits and nothing else; a number too large for any use ends at a bound.
  static func number(_ digits: some StringProtocol) -> Int? {
    let digits = digits.utf8
    guard !digits.isEmpty, digits.allSatisfy(\.isASCIIDigit) else { return nil }
    let largest = 1_000_000_000_000_000
    return digits.reduce(0) { min($0 * 10 + Int($1 - 0x30), largest) }
  }
}

/// Remembers which hosts asked to be left alone, so that every call to them waits and not only the
/// one that was told.
struct HostPacer {
  /// No pause outlasts this, whatever the server says: then one call goes and asks again.
  static let longest: Duration = .seconds(300)
  /// Hosts remembered at once.
  static let capacity = 256

  private var pauses: [WebURL.Origin: Duration] = [:]

  /// Notes the pause a host asked for. A shorter one does not undo a longer one.
  mutating func pause(_ origin: WebURL.Origin, for wait: Duration, now: Duration) {
    let end = now + min(wait, Self.longest)
    if let known = pauses[origin], known >= end { return }
    guard end > now else { return }
    if pauses.count >= Self.capacity, pauses[origin] == nil { makeRoom(now: now) }
    pauses[origin] = end
  }

  /// How long a request to this host has to wait.
  mutating func wait(for url: WebURL, now: Duration) -> Duration {
    if pauses.isEmpty { return .zero }
    guard let end = pauses[url.origin] else { return .zero }
    if end <= now {
      pauses[url.origin] = nil
      return .zero
    }
    return end - now
  }

  /// Hosts that are remembered.
  var count: Int { pauses.count }

  private mutating func makeRoom(now: Duration) {
    pauses = pauses.filter { $0.value > now }
    if pauses.count >= Self.capacity, let soonest = pauses.min(by: { $0.value < $1.value }) {
      pauses[soonest.key] = nil
    }
  }
}

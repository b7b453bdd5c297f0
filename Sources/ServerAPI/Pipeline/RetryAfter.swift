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

internal import Support

/// A date as ISO 8601 writes it, with what its form is: `2026-01-31`, or `2026-01-31T23:59:59` with or without a
/// fraction and a zone. A date without a zone is taken for one in UTC.
struct StampDate {
  /// The seconds since 1970.
  let seconds: Double
  /// Whether it has a time.
  private let hasTime: Bool
  /// What stands between the day and the time.
  private let separator: Character
  /// The number of digits after the seconds; `nil` without a point.
  private let places: Int?
  /// What follows the seconds and their fraction, and how many seconds east of UTC it says.
  private let zone: (text: String, offset: Int)

  init?(_ text: String) {
    var rest = Substring(text)
    guard let year = rest.number(4), rest.takes("-"), let month = rest.number(2), rest.takes("-"),
      let day = rest.number(2)
    else { return nil }
    var time = CivilTime(year: year, month: month, day: day)
    hasTime = !rest.isEmpty
    var (separator, places, zone): (Character, Int?, (String, Int)) = ("T", nil, ("", 0))
    var fraction = 0.0
    if hasTime {
      guard let first = rest.popFirst(), ["T", "t", " "].contains(first), let hour = rest.number(2), rest.takes(":"),
        let minute = rest.number(2), rest.takes(":"), let second = rest.number(2)
      else { return nil }
      (time.hour, time.minute, time.second, separator) = (hour, minute, second, first)
      if rest.takes(".") {
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        guard !digits.isEmpty, let value = Double("0." + digits) else { return nil }
        (places, fraction) = (digits.count, value)
        rest.removeFirst(digits.count)
      }
      guard let offset = rest.offset else { return nil }
      zone = (String(rest), offset)
    }
    guard time.isValid else { return nil }
    (self.separator, self.places, self.zone) = (separator, places, zone)
    seconds = Double(time.seconds - zone.1) + fraction
  }

  /// Returns a date that is earlier by a distance in seconds and by the least step of the form, in the same form.
  func text(loweredBy distance: Double) -> String? {
    guard hasTime else {
      let lower = seconds - distance
      guard lower.magnitude < 1e12 else { return nil }
      return CivilTime(seconds: Int((lower / 86_400).rounded(.down) - 1) * 86_400)?.dayText
    }
    guard let lower = Decimals(below: seconds - distance, places: places ?? 0),
      let time = CivilTime(seconds: lower.whole + zone.offset)
    else { return nil }
    let fraction = places.map { "." + lower.fraction($0) } ?? ""
    return "\(time.dayText)\(separator)\(time.timeText)\(fraction)\(zone.text)"
  }
}

extension Substring {
  fileprivate mutating func takes(_ character: Character) -> Bool {
    guard first == character else { return false }
    removeFirst()
    return true
  }

  /// Reads a number of digits.
  fileprivate mutating func number(_ count: Int) -> Int? {
    let digits = prefix(count)
    guard digits.count == count, digits.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    removeFirst(count)
    return Int(digits)
  }

  /// The seconds east of UTC that a zone says, as `Z`, `+01:30`, `+0130` or nothing.
  fileprivate var offset: Int? {
    var rest = self
    if rest.isEmpty || rest == "Z" || rest == "z" { return 0 }
    let isWest = rest.takes("-")
    guard isWest || rest.takes("+"), let hours = rest.number(2) else { return nil }
    _ = rest.takes(":")
    let minutes = rest.isEmpty ? 0 : rest.number(2)
    guard let minutes, rest.isEmpty, hours < 24, minutes < 60 else { return nil }
    return (hours * 60 + minutes) * (isWest ? -60 : 60)
  }
}

/// Reads and writes HTTP dates: `Sun, 06 Nov 1994 08:49:37 GMT`.
///
/// It also reads the two obsolete formats of RFC 9110, section 5.6.7: `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun
/// Nov  6 08:49:37 1994`. The day name must be valid, but need not match the date.
package enum HTTPDate {
  private static let shortDays: StaticString = "SunMonTueWedThuFriSat"
  private static let longDays: [StaticString] = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]
  private static let months: StaticString = "JanFebMarAprMayJunJulAugSepOctNovDec"

  /// Formats a date.
  package static func text(_ time: CivilTime) -> String {
    let day = CivilTime.padded(time.day, 2)
    let year = CivilTime.padded(time.year, 4)
    return
      "\(name(time.weekday, of: shortDays)), \(day) \(name(time.month - 1, of: months)) \(year)"
      + " \(time.timeText) GMT"
  }

  /// Formats a time in seconds since 1970, rounded down and clamped to the range of the format.
  package static func text(_ seconds: Double) -> String {
    let whole = Int(wholeSeconds: max(0, min(seconds, 253_402_300_799)))
    return CivilTime(seconds: whole).map(text) ?? ""
  }

  private static func name(_ place: Int, of names: StaticString) -> String {
    let letters = UnsafeBufferPointer(start: names.utf8Start, count: names.utf8CodeUnitCount)
    return String(decoding: letters[place * 3..<place * 3 + 3], as: UTF8.self)
  }
}

// Strict parsing: a cache that guessed at an invalid `Expires` would keep a response for longer than its server
// wants.
extension HTTPDate {
  /// Parses a date with exact case. Two-digit years from 70 on belong to the last century.
  package static func time(_ bytes: UnsafeBufferPointer<UInt8>) -> CivilTime? {
    let reading = Reading(bytes: bytes, ignoresCase: false)
    guard var time = reading.time() else { return nil }
    if time.year < 100, reading.hasShortYear { time.year += time.year < 70 ? 2000 : 1900 }
    return time.isValid ? time : nil
  }

  /// Parses a date ignoring case, as caches do, into seconds since 1970. `now` determines the century of a
  /// two-digit year: one that appears to be more than fifty years in the future is in the past.
  package static func seconds(_ text: String, now: Double) -> Double? {
    text.withBytes { bytes in
      let reading = Reading(bytes: bytes, ignoresCase: true)
      return reading.time().flatMap { seconds(of: $0, hasShortYear: reading.hasShortYear, now) }
    }
  }

  private static func seconds(
    of time: CivilTime, hasShortYear: Bool, _ now: Double
  ) -> Double? {
    var time = time
    if hasShortYear {
      let thisYear = 1970 + Int(wholeSeconds: now / 31_556_952)
      time.year += thisYear - thisYear % 100
      if !time.isValid || Double(time.seconds) > now + 50 * 31_556_952 { time.year -= 100 }
    }
    return time.year > 0 && time.isValid ? Double(time.seconds) : nil
  }

  private struct Reading {
    let bytes: UnsafeBufferPointer<UInt8>
    let ignoresCase: Bool

    var hasShortYear: Bool { bytes.count > 29 }

    /// Parses the parts of the date, which need not exist in the calendar.
    func time() -> CivilTime? {
      switch bytes.count {
      case 24: asctime()
      case 29: fixed()
      case 30...33: dashed()
      default: nil
      }
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`
    private func fixed() -> CivilTime? {
      guard bytes[3] == 0x2C, weekday() != nil, bytes[4] == 0x20, bytes[7] == 0x20,
        bytes[11] == 0x20, bytes[16] == 0x20, has(" GMT", at: 25)
      else { return nil }
      return time(digits(12, 4), month(8), digits(5, 2), at: 17)
    }

    /// `Sunday, 06-Nov-94 08:49:37 GMT`
    private func dashed() -> CivilTime? {
      let comma = bytes.count - 24
      guard bytes[comma] == 0x2C, let day = weekday(),
        longDays[day].utf8CodeUnitCount == comma, has(longDays[day], at: 0)
      else { return nil }
      let at = comma + 1
      guard bytes[at] == 0x20, bytes[at + 3] == 0x2D, bytes[at + 7] == 0x2D,
        bytes[at + 10] == 0x20, has(" GMT", at: at + 19)
      else { return nil }
      return time(digits(at + 8, 2), month(at + 4), digits(at + 1, 2), at: at + 11)
    }

    /// `Sun Nov  6 08:49:37 1994`
    private func asctime() -> CivilTime? {
      guard weekday() != nil, bytes[3] == 0x20, bytes[7] == 0x20, bytes[10] == 0x20,
        bytes[19] == 0x20
      else { return nil }
      let day = bytes[8] == 0x20 ? digits(9, 1) : digits(8, 2)
      return time(digits(20, 4), month(4), day, at: 11)
    }

    /// Combines a day with the `08:49:37` at `at`.
    private func time(_ year: Int?, _ month: Int?, _ day: Int?, at: Int) -> CivilTime? {
      guard let year, let month, let day, bytes[at + 2] == 0x3A, bytes[at + 5] == 0x3A,
        let hour = digits(at, 2), let minute = digits(at + 3, 2), let second = digits(at + 6, 2)
      else { return nil }
      return CivilTime(
        year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    }

    private func digits(_ start: Int, _ count: Int) -> Int? {
      var result = 0
      for at in start..<start + count {
        guard bytes[at].isASCIIDigit else { return nil }
        result = result * 10 + Int(bytes[at] & 15)
      }
      return result
    }

    private func month(_ at: Int) -> Int? { place(at, in: months).map { $0 + 1 } }

    private func weekday() -> Int? { place(0, in: shortDays) }

    /// Returns the index of the three-letter name at `at`.
    private func place(_ at: Int, in names: StaticString) -> Int? {
      let all = names.utf8Start
      for name in stride(from: 0, to: names.utf8CodeUnitCount, by: 3)
      where isSame(bytes[at], all[name]) && isSame(bytes[at + 1], all[name + 1])
        && isSame(bytes[at + 2], all[name + 2])
      {
        return name / 3
      }
      return nil
    }

    private func has(_ word: StaticString, at start: Int) -> Bool {
      for at in 0..<word.utf8CodeUnitCount
      where !isSame(bytes[start + at], word.utf8Start[at]) { return false }
      return true
    }

    private func isSame(_ byte: UInt8, _ letter: UInt8) -> Bool {
      byte == letter || ignoresCase && byte.asciiLowercased == letter.asciiLowercased
    }
  }
}

extension HTTPDate {
  /// Parses a date as servers write it in `Retry-After`, also with hyphens and a long year or without leading
  /// zeros, into seconds since 1970. What ``seconds(_:now:)`` reads is read the same.
  package static func lenientSeconds(_ text: String, now: Double) -> Double? {
    var fields = text.utf8.split { $0 == 0x20 || $0 == 0x2C || $0 == 0x2D }[...]
    guard let weekday = fields.popFirst(), weekday.count >= 3,
      weekday.allSatisfy(\.isASCIILetter)
    else { return nil }
    let parts: (day: Substring.UTF8View, month: Substring.UTF8View, year: Substring.UTF8View)
    let clock: Substring.UTF8View
    let first = fields.startIndex
    if fields.first?.allSatisfy(\.isASCIILetter) == true {
      // Sun Nov  6 08:49:37 1994
      guard fields.count == 4 else { return nil }
      parts = (fields[first + 1], fields[first], fields[first + 3])
      clock = fields[first + 2]
    } else {
      // Sun, 06 Nov 1994 08:49:37 GMT
      guard fields.count == 5, Substring(fields[first + 4]).equalsIgnoringCase("GMT") else {
        return nil
      }
      parts = (fields[first], fields[first + 1], fields[first + 2])
      clock = fields[first + 3]
    }
    let numbers = clock.split(separator: 0x3A, omittingEmptySubsequences: false).map(number)
    guard let day = number(parts.day), let month = month(parts.month),
      parts.year.count == 2 || parts.year.count == 4, let year = number(parts.year),
      numbers.count == 3, let hour = numbers[0], let minute = numbers[1], let second = numbers[2]
    else { return nil }
    let time = CivilTime(
      year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    return seconds(of: time, hasShortYear: parts.year.count == 2, now)
  }

  private static func number(_ digits: Substring.UTF8View) -> Int? {
    guard (1...4).contains(digits.count), digits.allSatisfy(\.isASCIIDigit) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  /// Returns the number of a month by its three letters in any case.
  static func month(_ name: some Sequence<UInt8>) -> Int? {
    let name = name.map(\.asciiLowercased)
    return (0..<12).first { self.name($0, of: months).utf8.map(\.asciiLowercased) == name }
      .map { $0 + 1 }
  }
}

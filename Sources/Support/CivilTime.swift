/// A date and time of the proleptic Gregorian calendar.
///
/// Reading dates is on the hot path of mapping, so everything it needs is inlinable.
package struct CivilTime: Hashable, Sendable {
  package var year: Int
  package var month: Int
  package var day: Int
  package var hour: Int
  package var minute: Int
  /// 60 during a leap second.
  package var second: Int

  @inlinable
  package init(
    year: Int, month: Int = 1, day: Int = 1, hour: Int = 0, minute: Int = 0, second: Int = 0
  ) {
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
  }

  /// Whether the date and the time exist.
  @inlinable package var isValid: Bool {
    0...9999 ~= year && 1...12 ~= month && day >= 1 && day <= daysOfMonth && 0...23 ~= hour
      && 0...59 ~= minute && 0...60 ~= second
  }

  @inlinable var daysOfMonth: Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2:
      year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
    default: 31
    }
  }

  /// The seconds since 1970, in the time zone of the time itself.
  @inlinable package var seconds: Int { ((days * 24 + hour) * 60 + minute) * 60 + second }

  /// The day of the week; Sunday is 0.
  package var weekday: Int { (days % 7 + 11) % 7 }

  // Years start on March 1, with an offset of 400, so that a leap day is the last day of its year and no number
  // is negative.

  @inlinable static var daysIn400Years: Int { 146_097 }
  /// The days from March 1 of the year -400 to 1970.
  @inlinable static var epoch: Int { 719_468 + daysIn400Years }

  @inlinable var days: Int {
    let isEarly = month < 3
    let years = year + (isEarly ? 399 : 400)
    let months = month + (isEarly ? 9 : -3)
    let leapDays = years / 4 - years / 100 + years / 400
    return years * 365 + leapDays + (months * 153 + 2) / 5 + day - 1 - Self.epoch
  }

  /// Creates a time from seconds since 1970, which may be negative. Returns `nil` outside of the years 0 to
  /// 9999.
  package init?(seconds: Int) {
    guard Self.range.contains(seconds) else { return nil }
    let (days, rest) = (seconds + Self.epoch * 86_400).quotientAndRemainder(dividingBy: 86_400)
    let (era, day) = days.quotientAndRemainder(dividingBy: Self.daysIn400Years)
    let years = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
    let dayOfYear = day - (365 * years + years / 4 - years / 100)
    let months = (5 * dayOfYear + 2) / 153
    self.init(
      year: era * 400 + years - (months < 10 ? 400 : 399),
      month: months < 10 ? months + 3 : months - 9,
      day: dayOfYear - (153 * months + 2) / 5 + 1,
      hour: rest / 3600, minute: rest / 60 % 60, second: rest % 60)
  }

  /// The seconds of the years 0 to 9999.
  @inlinable package static var range: Range<Int> { -62_167_219_200..<253_402_300_800 }
}

extension CivilTime {
  /// The date as `2026-01-31`.
  package var dayText: String {
    "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))"
  }

  /// The time as `23:59:59`.
  package var timeText: String { "\(minuteText):\(Self.padded(second, 2))" }

  /// The moment this many seconds after 1970 as `2026-01-31T23:59:59Z`; the number itself outside of the years 0 to 9999.
  package static func text(ofSeconds seconds: Double) -> String {
    let seconds = Int(wholeSeconds: seconds)
    return CivilTime(seconds: seconds).map { "\($0.dayText)T\($0.timeText)Z" } ?? "\(seconds)"
  }

  /// The time as `23:59`.
  package var minuteText: String { "\(Self.padded(hour, 2)):\(Self.padded(minute, 2))" }

  /// Returns a number with leading zeros.
  package static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}

extension Int {
  /// Creates a time in whole seconds. NaN becomes 0, and huge values of a broken clock or
  /// store are clamped.
  package init(wholeSeconds seconds: Double) {
    self = seconds.isNaN ? 0 : Int(Swift.max(-1e15, Swift.min(1e15, seconds)).rounded(.down))
  }
}

/// The time zone of this machine, or of `TZ` in the environment.
package enum LocalTime {
  /// Returns the offset of local time from UTC, in seconds, at a time in seconds since 1970; now by default.
  package static func offset(at moment: Int? = nil) -> Int {
    var moment = time_t(moment ?? time(nil))
    var local = tm()
    guard localtime_r(&moment, &local) != nil else { return 0 }
    return local.tm_gmtoff
  }
}

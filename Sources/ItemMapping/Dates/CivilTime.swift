/// A day and a time of the Gregorian calendar, which also counts where it was not in use yet.
struct CivilTime: Hashable {
  var year: Int
  var month = 1
  var day = 1
  var hour = 0
  var minute = 0
  /// 60 in a leap second.
  var second = 0

  /// Whether there is such a day and such a time.
  var isReal: Bool {
    0...9999 ~= year && 1...12 ~= month && day >= 1 && day <= daysOfMonth && 0...23 ~= hour
      && 0...59 ~= minute && 0...60 ~= second
  }

  private var daysOfMonth: Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2:
      year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
    default: 31
    }
  }

  /// The seconds since 1970, in the zone of the time itself.
  var seconds: Int { ((days * 24 + hour) * 60 + minute) * 60 + second }

  /// Sunday is 0.
  var weekday: Int { (days % 7 + 11) % 7 }

  // Years are counted from the first of March, 400 of them more, so that a leap day is the last of
  // its year and nothing is negative.

  private static var daysIn400Years: Int { 146_097 }
  /// From the first of March of the year -400 to 1970.
  private static var epoch: Int { 719_468 + daysIn400Years }

  private var days: Int {
    let isEarly = month < 3
    let years = year + (isEarly ? 399 : 400)
    let months = month + (isEarly ? 9 : -3)
    let leapDays = years / 4 - years / 100 + years / 400
    return years * 365 + leapDays + (months * 153 + 2) / 5 + day - 1 - Self.epoch
  }

  /// The time so many seconds after 1970, or before where they are negative, in the years from 0 to
  /// 9999.
  init?(seconds: Int) {
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

  init(year: Int, month: Int = 1, day: Int = 1, hour: Int = 0, minute: Int = 0, second: Int = 0) {
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
  }

  /// The seconds of the years from 0 to 9999.
  static var range: Range<Int> { -62_167_219_200..<253_402_300_800 }
}

extension CivilTime {
  /// The day as `2026-01-31`.
  var dayText: String { "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))" }

  /// The time as `23:59:59`.
  var timeText: String {
    "\(Self.padded(hour, 2)):\(Self.padded(minute, 2)):\(Self.padded(second, 2))"
  }

  /// A number with zeros in front.
  static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}

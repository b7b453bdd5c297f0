/// Reads and writes dates as RFC 9110, section 5.6.7, has them, and takes nothing else for one: an
/// `Expires` that is guessed at would keep an answer for longer than its server wants.
enum CacheDate {
  /// Seconds since 1970. `now` settles the century of a year of two digits.
  static func secondsSince1970(_ text: String, now: Double) -> Double? {
    text.withBytes { bytes in
      switch bytes.count {
      case 24: return asctime(bytes)
      case 29 where bytes[3] == 0x2C: return fixed(bytes)
      default: return rfc850(bytes, now: now)
      }
    }
  }

  /// `Sun, 06 Nov 1994 08:49:37 GMT`.
  private static func fixed(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
    guard weekday(bytes) != nil, bytes[4] == 0x20, bytes[7] == 0x20, bytes[11] == 0x20,
      bytes[16] == 0x20, bytes[25] == 0x20, bytes.trimmed(26, 29).spells("gmt")
    else { return nil }
    return seconds(
      digits(bytes, 12, 4), month(bytes, 8), digits(bytes, 5, 2), timeOfDay(bytes, 17))
  }

  /// `Sunday, 06-Nov-94 08:49:37 GMT`.
  private static func rfc850(_ bytes: UnsafeBufferPointer<UInt8>, now: Double) -> Double? {
    guard (30...33).contains(bytes.count) else { return nil }
    let comma = bytes.count - 24
    guard bytes[comma] == 0x2C, let day = weekday(bytes),
      bytes.trimmed(0, comma).spells(weekdays[day]), bytes[comma + 1] == 0x20
    else { return nil }
    let at = comma + 2
    guard bytes[at + 2] == 0x2D, bytes[at + 6] == 0x2D, bytes[at + 9] == 0x20,
      bytes[at + 18] == 0x20, bytes.trimmed(at + 19, at + 22).spells("gmt"),
      let year = digits(bytes, at + 7, 2)
    else { return nil }
    let (month, dayOfMonth, time) = (
      month(bytes, at + 3), digits(bytes, at, 2), timeOfDay(bytes, at + 10)
    )
    let thisYear = 1970 + Int(wholeSeconds: now / 31_556_952)
    let fullYear = thisYear - thisYear % 100 + year
    // More than fifty years ahead is meant to be past.
    if let date = seconds(fullYear, month, dayOfMonth, time), date <= now + 50 * 31_556_952 {
      return date
    }
    return seconds(fullYear - 100, month, dayOfMonth, time)
  }

  /// `Sun Nov  6 08:49:37 1994`.
  private static func asctime(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
    guard weekday(bytes) != nil, bytes[3] == 0x20, bytes[7] == 0x20, bytes[10] == 0x20,
      bytes[19] == 0x20
    else { return nil }
    let day = bytes[8] == 0x20 ? digits(bytes, 9, 1) : digits(bytes, 8, 2)
    return seconds(digits(bytes, 20, 4), month(bytes, 4), day, timeOfDay(bytes, 11))
  }

  private static func seconds(_ year: Int?, _ month: Int?, _ day: Int?, _ time: Int?) -> Double? {
    guard let year, let month, let day, let time, year > 0,
      (1...HTTPDate.daysIn(month, of: year)).contains(day)
    else { return nil }
    return Double(HTTPDate.days(year, month, day) * 86_400 + time)
  }

  private static func digits(
    _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ count: Int
  ) -> Int? {
    var result = 0
    for at in start..<start + count {
      guard bytes[at].isASCIIDigit else { return nil }
      result = result * 10 + Int(bytes[at] & 15)
    }
    return result
  }

  /// `08:49:37`; a leap second is the first of the next minute.
  private static func timeOfDay(_ bytes: UnsafeBufferPointer<UInt8>, _ at: Int) -> Int? {
    guard bytes[at + 2] == 0x3A, bytes[at + 5] == 0x3A, let hour = digits(bytes, at, 2),
      let minute = digits(bytes, at + 3, 2), let second = digits(bytes, at + 6, 2),
      hour < 24, minute < 60, second <= 60
    else { return nil }
    return hour * 3600 + minute * 60 + second
  }

  private static func month(_ bytes: UnsafeBufferPointer<UInt8>, _ at: Int) -> Int? {
    place(of: bytes, at, in: "janfebmaraprmayjunjulaugsepoctnovdec").map { $0 + 1 }
  }

  private static func weekday(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    place(of: bytes, 0, in: "montuewedthufrisatsun")
  }

  private static let weekdays: [StaticString] = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]

  /// Which of the names of three letters stands at `at`.
  private static func place(
    of bytes: UnsafeBufferPointer<UInt8>, _ at: Int, in names: StaticString
  ) -> Int? {
    let (a, b, c) = (
      bytes[at].asciiLowercased, bytes[at + 1].asciiLowercased, bytes[at + 2].asciiLowercased
    )
    let all = names.utf8Start
    for name in stride(from: 0, to: names.utf8CodeUnitCount, by: 3)
    where all[name] == a && all[name + 1] == b && all[name + 2] == c {
      return name / 3
    }
    return nil
  }
}

extension CacheDate {
  /// `Sun, 06 Nov 1994 08:49:37 GMT`.
  static func text(_ seconds: Double) -> String {
    let whole = Int(wholeSeconds: max(0, min(seconds, 253_402_300_799)))
    let (days, time) = (whole / 86_400, whole % 86_400)
    var year = 1970 + days / 366
    while HTTPDate.days(year + 1, 1, 1) <= days { year += 1 }
    var month = 1
    while month < 12, HTTPDate.days(year, month + 1, 1) <= days { month += 1 }
    let day = days - HTTPDate.days(year, month, 1) + 1
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    return "\(weekdays[days % 7]), \(two(day)) \(months[month - 1]) \(year) "
      + "\(two(time / 3600)):\(two(time / 60 % 60)):\(two(time % 60)) GMT"
  }
}

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Dates as HTTP writes them: `Sun, 06 Nov 1994 08:49:37 GMT`.
///
/// The two older forms are read as well: `Sunday, 06-Nov-94 08:49:37 GMT`, where 70 begins the last
/// century, and `Sun Nov  6 08:49:37 1994`. The name of the day has to be one; whether it is the
/// right one is not looked at.
enum HTTPDate {
  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let longDays = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  static func date(_ utf8: UnsafeBufferPointer<UInt8>) -> Date? {
    var scanner = DateScanner(utf8)
    guard let weekday = scanner.word(of: days + longDays) else { return nil }
    let time =
      if scanner.take(UInt8(ascii: ",")) {
        weekday < days.count ? fixed(&scanner) : dashed(&scanner)
      } else {
        weekday < days.count ? bare(&scanner) : nil
      }
    guard scanner.isAtEnd else { return nil }
    return time?.date()
  }

  /// ` 06 Nov 1994 08:49:37 GMT`
  private static func fixed(_ scanner: inout DateScanner) -> CivilTime? {
    guard scanner.take(0x20), let day = scanner.digits(2), scanner.take(0x20),
      let month = scanner.word(of: months), scanner.take(0x20), let year = scanner.digits(4)
    else { return nil }
    return greenwich(&scanner, CivilTime(year: year, month: month + 1, day: day))
  }

  /// ` 06-Nov-94 08:49:37 GMT`
  private static func dashed(_ scanner: inout DateScanner) -> CivilTime? {
    guard scanner.take(0x20), let day = scanner.digits(2), scanner.take(UInt8(ascii: "-")),
      let month = scanner.word(of: months), scanner.take(UInt8(ascii: "-")),
      let year = scanner.digits(2)
    else { return nil }
    return greenwich(
      &scanner, CivilTime(year: year < 70 ? 2000 + year : 1900 + year, month: month + 1, day: day))
  }

  /// ` Nov  6 08:49:37 1994`
  private static func bare(_ scanner: inout DateScanner) -> CivilTime? {
    guard scanner.take(0x20), let month = scanner.word(of: months), scanner.take(0x20),
      let day = scanner.take(0x20) ? scanner.digits(1) : scanner.digits(2), scanner.take(0x20),
      let time = scanner.time(on: CivilTime(year: 0, month: month + 1, day: day)),
      scanner.take(0x20), let year = scanner.digits(4)
    else { return nil }
    var whole = time
    whole.year = year
    return whole
  }

  private static func greenwich(_ scanner: inout DateScanner, _ day: CivilTime) -> CivilTime? {
    guard scanner.take(0x20), let time = scanner.time(on: day), scanner.take(" GMT".utf8) else {
      return nil
    }
    return time
  }

  static func text(_ time: CivilTime) -> String {
    let day = CivilTime.padded(time.day, 2)
    let year = CivilTime.padded(time.year, 4)
    return "\(days[time.weekday]), \(day) \(months[time.month - 1]) \(year) \(time.timeText) GMT"
  }
}

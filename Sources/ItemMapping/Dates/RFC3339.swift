internal import Support

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Dates in the format of the Internet: `2026-01-31T23:59:59.5Z`.
enum RFC3339 {
  /// Reads a date with any number of decimal places, rounded to the nearest `Date`.
  static func date(_ utf8: UnsafeBufferPointer<UInt8>) -> Date? {
    var scanner = DateScanner(utf8)
    guard let time = scanner.dayAndTime(), let fraction = scanner.fraction(),
      let offset = scanner.zone(), scanner.isAtEnd
    else { return nil }
    return time.date(offset: offset, fraction: fraction)
  }

  /// Reads a date without a zone, at this offset east of UTC.
  static func localDate(_ utf8: UnsafeBufferPointer<UInt8>, offset: Int) -> Date? {
    var scanner = DateScanner(utf8)
    guard let time = scanner.dayAndTime(), let fraction = scanner.fraction(), scanner.isAtEnd else {
      return nil
    }
    return time.date(offset: offset, fraction: fraction)
  }

  /// Reads a day as its first moment in UTC.
  static func day(_ utf8: UnsafeBufferPointer<UInt8>) -> Date? {
    var scanner = DateScanner(utf8)
    guard let day = scanner.day(), scanner.isAtEnd else { return nil }
    return day.date()
  }

  /// Returns a moment without its zone, with as many decimal places as it has.
  static func text(_ moment: DecimalMoment, offset: Int = 0) -> String? {
    guard let time = moment.civil(offset: offset) else { return nil }
    let fraction = moment.places == 0 ? "" : "." + moment.digits(moment.places)
    return "\(time.dayText)T\(time.timeText)\(fraction)"
  }
}

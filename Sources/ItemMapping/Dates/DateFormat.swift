internal import Support

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A format in which a server writes dates.
///
/// A field has a list of formats, tried in order; the first one is also used for writing. A number
/// is a date only if ``secondsSince1970`` or ``millisecondsSince1970`` is in the list, because the
/// number alone doesn't show its unit. Dates are limited to the years from 0 to 9999.
public struct DateFormat: Sendable, Hashable {
  enum Form: Sendable, Hashable {
    case rfc3339
    case day
    /// A date and time without a zone, with the seconds east of UTC.
    case local(Int)
    case number(DateUnit)
    case http
    case pattern
  }

  let form: Form
  /// The layout of a ``Form/pattern``.
  let pattern: DatePattern?
  /// Why this format can neither read nor write; the table that uses it reports the problem.
  let problem: String?

  private init(_ form: Form, _ pattern: DatePattern? = nil, problem: String? = nil) {
    self.form = form
    self.pattern = pattern
    self.problem = problem
  }

  /// `2026-01-31T23:59:59Z`, with or without a fraction, in any zone, with a `T` or a space in the
  /// middle. Written in UTC with as many digits as the date has.
  public static let rfc3339 = DateFormat(.rfc3339)

  /// `2026-01-31`: midnight in UTC.
  public static let day = DateFormat(.day)

  /// The seconds since 1970 as a number, with or without quotes, with or without a fraction.
  public static let secondsSince1970 = DateFormat(.number(.seconds))

  /// The milliseconds since 1970 as a number, with or without quotes.
  public static let millisecondsSince1970 = DateFormat(.number(.milliseconds))

  /// `Sat, 31 Jan 2026 23:59:59 GMT`, and the two older forms of HTTP when reading. Written in
  /// whole seconds.
  public static let httpDate = DateFormat(.http)

  /// `2026-01-31T23:59:59` without a zone, at a fixed offset from UTC, positive in the east. The
  /// offset must be whole seconds and less than a day.
  public static func localDateTime(utcOffset: Duration) -> DateFormat {
    guard let seconds = seconds(ofOffset: utcOffset) else {
      return DateFormat(.local(0), problem: problem(ofOffset: utcOffset))
    }
    return DateFormat(.local(seconds))
  }

  /// A layout such as `yyyyMMdd HH:mm`.
  ///
  /// - `yyyy` is the year, `MM` the month, `dd` the day, `HH` the hour from 0 to 23, `mm` the
  ///   minute and `ss` the second, each with all its digits. Omitted fields are the first one or 0.
  /// - One to nine `S` are as many digits of a second.
  /// - `X`, `XX` or `XXX` is the zone: `Z`, `+01`, `+0130` or `+01:30`; dates are written in UTC. Without
  ///   it the time is at a fixed offset from UTC.
  /// - Literal letters are in single quotes, as in `yyyy-MM-dd'T'HH:mm`, and `''` is a quote. All
  ///   other characters are literal.
  ///
  /// An invalid pattern is reported when a table that contains it is first used.
  ///
  /// - Parameter utcOffset: The offset of times without a zone, positive in the east: whole seconds, less than a day.
  public static func pattern(_ text: String, utcOffset: Duration = .zero) -> DateFormat {
    guard let seconds = seconds(ofOffset: utcOffset) else {
      return DateFormat(.pattern, problem: problem(ofOffset: utcOffset))
    }
    let pattern = DatePattern(text, offset: seconds)
    return DateFormat(.pattern, pattern, problem: pattern.problem)
  }

  private static func seconds(ofOffset offset: Duration) -> Int? {
    let (seconds, rest) = offset.components
    return rest == 0 && seconds.magnitude < 86_400 ? Int(seconds) : nil
  }

  private static func problem(ofOffset offset: Duration) -> String {
    "the UTC offset \(offset) must be whole seconds and less than a day"
  }
}

/// The unit of a date that is a number.
enum DateUnit: Sendable, Hashable {
  case seconds
  case milliseconds

  var perSecond: Double { self == .seconds ? 1 : 1000 }
}

extension DateFormat: CustomStringConvertible {
  /// An example of the format, its unit or its pattern.
  public var description: String {
    switch form {
    case .rfc3339: "2026-01-31T23:59:59Z"
    case .day: "2026-01-31"
    case .local: "2026-01-31T23:59:59"
    case .number(.seconds): "seconds since 1970"
    case .number(.milliseconds): "milliseconds since 1970"
    case .http: "Sat, 31 Jan 2026 23:59:59 GMT"
    case .pattern: pattern?.text ?? ""
    }
  }
}

extension DateFormat {
  /// Returns the date at this index, or `nil` if the value doesn't match this format.
  func date(at index: Int, of document: JSONDocument) -> Date? {
    withExtendedLifetime(document) {
      if problem != nil { return nil }
      if case .number(let unit) = form { return unit.date(at: index, of: document) }
      let tape = document.tape
      guard tape.tag(index) == JSONTape.Tag.string else { return nil }
      let text = tape.utf8(index)
      return switch form {
      case .rfc3339: RFC3339.date(text)
      case .day: RFC3339.day(text)
      case .local(let offset): RFC3339.localDate(text, offset: offset)
      case .http: HTTPDate.time(text)?.date()
      case .pattern: pattern?.date(text)
      case .number: nil
      }
    }
  }

  /// Returns the date in this format; `null` for a date outside of the years from 0 to 9999.
  func json(_ date: Date) -> JSONAny {
    guard problem == nil, let moment = DecimalMoment(date) else { return .null }
    if case .number(let unit) = form { return unit.json(date) }
    let text: String? =
      switch form {
      case .rfc3339: RFC3339.text(moment).map { $0 + "Z" }
      case .day: moment.civil()?.dayText
      case .local(let offset): RFC3339.text(moment, offset: offset)
      case .http: moment.civil().map(HTTPDate.text)
      case .pattern: pattern?.text(moment)
      case .number: nil
      }
    return text.map(JSONAny.string) ?? .null
  }
}

extension [DateFormat] {
  /// Returns the date at this index in the first format that matches.
  func date(at index: Int, of document: JSONDocument) -> Date? {
    for format in self {
      if let date = format.date(at: index, of: document) { return date }
    }
    return nil
  }
}

extension DateUnit {
  /// The microseconds from 1970 to the reference date of `Date`.
  private static var reference: Double { Double(DecimalMoment.reference) * 1e6 }

  /// Reads a number. A number with at most microsecond precision becomes the same date as its
  /// digits in any other format, although `Date` has another reference date.
  func date(at index: Int, of document: JSONDocument) -> Date? {
    let number: Double
    switch Coercion.double(at: index, of: document, CoercionRules()) {
    case .exact(let value), .converted(let value, .converted): number = value
    default: return nil
    }
    let seconds = number / perSecond
    guard seconds >= Double(CivilTime.range.lowerBound),
      seconds < Double(CivilTime.range.upperBound)
    else { return nil }
    let scale = 1e6 / perSecond
    let micros = (number * scale).rounded()
    guard micros.magnitude < 0x1p53, micros / scale == number else {
      return Date(timeIntervalSince1970: seconds)
    }
    return Date(timeIntervalSinceReferenceDate: (micros - Self.reference) / 1e6)
  }

  /// Returns a number, as an integer if that loses nothing. The date must be in the years from 0 to
  /// 9999.
  func json(_ date: Date) -> JSONAny {
    let moment = date.timeIntervalSinceReferenceDate
    let micros = (moment * 1e6).rounded()
    let number =
      micros.magnitude < 0x1p53 && micros / 1e6 == moment
      ? (micros + Self.reference) / (1e6 / perSecond) : date.timeIntervalSince1970 * perSecond
    return Int(exactly: number).map(JSONAny.int) ?? .double(number)
  }
}

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

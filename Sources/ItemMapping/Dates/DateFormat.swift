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
    let (seconds, rest) = utcOffset.components
    guard rest == 0, seconds.magnitude < 86_400 else {
      return DateFormat(
        .local(0), problem: "the UTC offset \(utcOffset) must be whole seconds and less than a day")
    }
    return DateFormat(.local(Int(seconds)))
  }

  /// A layout such as `yyyyMMdd HH:mm`.
  ///
  /// - `yyyy` is the year, `MM` the month, `dd` the day, `HH` the hour from 0 to 23, `mm` the
  ///   minute and `ss` the second, each with all its digits. Omitted fields are the first one or 0.
  /// - One to nine `S` are as many digits of a second.
  /// - `X`, `XX` or `XXX` is the zone: `Z`, `+01`, `+0130` or `+01:30`. Without it the time is in
  ///   UTC, in which dates are also written.
  /// - Literal letters are in single quotes, as in `yyyy-MM-dd'T'HH:mm`, and `''` is a quote. All
  ///   other characters are literal.
  ///
  /// An invalid pattern is reported when a table that contains it is first used.
  public static func pattern(_ text: String) -> DateFormat {
    let pattern = DatePattern(text)
    return DateFormat(.pattern, pattern, problem: pattern.problem)
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

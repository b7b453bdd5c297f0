extension HTTPDate {
  /// Parses the date of a cookie by RFC 6265, section 5.1.1, into seconds since 1970: a time, a day, a month and a year,
  /// each the first token that may be one, whatever is between them.
  package static func cookieSeconds(_ text: String) -> Double? {
    text.withBytes { bytes in
      var parts = CookieDateParts()
      for token in bytes.split(whereSeparator: isCookieDelimiter) { parts.read(token) }
      return parts.seconds
    }
  }

  private static func isCookieDelimiter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
    default: false
    }
  }
}

/// The parts of a cookie's date that were read so far.
private struct CookieDateParts {
  typealias Token = Slice<UnsafeBufferPointer<UInt8>>

  private var time: (hour: Int, minute: Int, second: Int)?
  private var day: Int?
  private var month: Int?
  private var year: Int?

  mutating func read(_ token: Token) {
    if time == nil, let read = Self.time(token) {
      time = read
    } else if day == nil, let read = Self.number(token, digits: 1...2) {
      day = read
    } else if month == nil, let read = HTTPDate.month(token.prefix(3)) {
      month = read
    } else if year == nil, let read = Self.number(token, digits: 2...4) {
      year = read
    }
  }

  /// The date; `nil` if a part is missing, it is no day of the calendar, or it is before 1601.
  var seconds: Double? {
    guard let time, let day, let month, var year else { return nil }
    if year < 100 { year += year < 70 ? 2000 : 1900 }
    let date = CivilTime(
      year: year, month: month, day: day, hour: time.hour, minute: time.minute, second: time.second)
    return year >= 1601 && time.second < 60 && date.isValid ? Double(date.seconds) : nil
  }

  /// `8:49:37`, whatever follows the last number.
  private static func time(_ token: Token) -> (hour: Int, minute: Int, second: Int)? {
    let parts = token.split(separator: 0x3A, maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[..<2].allSatisfy({ $0.allSatisfy(\.isASCIIDigit) }),
      let hour = number(parts[0], digits: 1...2), let minute = number(parts[1], digits: 1...2),
      let second = number(parts[2], digits: 1...2)
    else { return nil }
    return (hour, minute, second)
  }

  /// Returns the number at the start of a token, if it has that many digits.
  private static func number(_ token: Token, digits: ClosedRange<Int>) -> Int? {
    let run = token.prefix(while: \.isASCIIDigit)
    return digits.contains(run.count) ? run.reduce(0) { $0 * 10 + Int($1 & 15) } : nil
  }
}

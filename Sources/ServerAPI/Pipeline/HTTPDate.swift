/// Reads the dates of HTTP: the three formats of RFC 9110, section 5.6.7, and the variant with
/// hyphens and a long year that cookies use.
enum HTTPDate {
  /// Seconds since 1970, or `nil` where the text is no date. `now` settles the century of a year
  /// of two digits: one that lies more than fifty years ahead is meant to be past.
  static func secondsSince1970(_ text: String, now: Double) -> Double? {
    var fields = text.utf8.split { $0 == 0x20 || $0 == 0x2C || $0 == 0x2D }[...]
    guard let weekday = fields.popFirst(), weekday.count >= 3, weekday.allSatisfy(isLetter) else {
      return nil
    }
    let day: Substring.UTF8View?
    let month: Substring.UTF8View?
    let year: Substring.UTF8View?
    let time: Substring.UTF8View?
    if fields.first?.allSatisfy(isLetter) == true {
      // Sun Nov  6 08:49:37 1994
      guard fields.count == 4 else { return nil }
      (month, day, time, year) = (
        fields.popFirst(), fields.popFirst(), fields.popFirst(), fields.popFirst()
      )
    } else {
      // Sun, 06 Nov 1994 08:49:37 GMT
      guard fields.count == 5, fields.last.map({ String($0) }) == "GMT" else { return nil }
      (day, month, year, time) = (
        fields.popFirst(), fields.popFirst(), fields.popFirst(), fields.popFirst()
      )
    }
    guard let day = day.flatMap(number), let month = month.flatMap(monthNumber), let year,
      let shownYear = number(year), let time = time.flatMap(secondsOfDay)
    else { return nil }
    var fullYear = shownYear
    if year.count == 2 {
      fullYear += 2000
      if Double(days(fullYear, month, day)) * 86_400 > now + 50 * 365.25 * 86_400 {
        fullYear -= 100
      }
    }
    guard fullYear >= 1601, (1...daysIn(month, of: fullYear)).contains(day) else { return nil }
    return Double(days(fullYear, month, day) * 86_400 + time)
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

  private static func number(_ digits: Substring.UTF8View) -> Int? {
    guard (1...4).contains(digits.count), digits.allSatisfy(\.isASCIIDigit) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  private static let months = "janfebmaraprmayjunjulaugsepoctnovdec"

  private static func monthNumber(_ name: Substring.UTF8View) -> Int? {
    guard name.count == 3 else { return nil }
    let name = name.map(\.asciiLowercased)
    let all = Array(months.utf8)
    return (0..<12).first { all[$0 * 3..<$0 * 3 + 3].elementsEqual(name) }.map { $0 + 1 }
  }

  private static func secondsOfDay(_ text: Substring.UTF8View) -> Int? {
    let parts = text.split(separator: 0x3A, omittingEmptySubsequences: false).map(number)
    guard parts.count == 3, let hour = parts[0], let minute = parts[1], let second = parts[2],
      hour < 24, minute < 60, second <= 60
    else { return nil }
    return hour * 3600 + minute * 60 + second
  }

  static func daysIn(_ month: Int, of year: Int) -> Int {
    let next = month == 12 ? days(year + 1, 1, 1) : days(year, month + 1, 1)
    return next - days(year, month, 1)
  }

  /// Days since 1970 in the Gregorian calendar; years are counted from March, so that the leap day
  /// comes last.
  static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return 365 * year + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
  }
}

import QuireTesting
import Support
import Testing

/// Random dates of cookies, each with the seconds that RFC 6265, section 5.1.1, reads from it.
@Suite struct CookieDateConformanceTests {
  /// The parts of a date, and how they are written.
  private struct Written {
    var text: String
    var seconds: Double?
  }

  private static let delimiters = [
    "\t", " ", "-", ",", "/", ";", "<", "@", "[", "`", "{", "~", "!",
  ]
  /// Words that are no part of a date. They begin with no month.
  private static let words = [
    "Sun", "Wednesday", "GMT", "UTC", "Z", "x12", "01234", "12345", "é", "T", ":", "a:b:c",
  ]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  private static let ends = ["uary", "tember", ".", "9", "\u{E9}", "", "", ""]
  private static let numberEnds = ["th", "x7", ":", "\u{E9}", "", "", "", ""]

  private static func date(_ random: inout SeededGenerator) -> Written {
    func one(_ texts: [String]) -> String { texts.randomElement(using: &random) ?? "" }
    func digits(_ number: Int) -> String {
      number < 10 && Bool.random(using: &random) ? "0\(number)" : "\(number)"
    }
    let year =
      [
        Int.random(in: 1590...1610, using: &random), Int.random(in: 1900...2100, using: &random),
        Int.random(in: 0...99, using: &random), Int.random(in: 0...9999, using: &random),
      ].randomElement(using: &random) ?? 0
    let month = Int.random(in: 1...12, using: &random)
    let day = Int.random(in: 0...32, using: &random)
    let clock = (
      Int.random(in: 0...24, using: &random), Int.random(in: 0...60, using: &random),
      Int.random(in: 0...60, using: &random)
    )
    var name = months[month - 1] + one(ends)
    if Bool.random(using: &random) { name = name.lowercased() }
    let yearText = year < 10 ? "0\(year)" : "\(year)"
    let time = [clock.0, clock.1, clock.2].map(digits).joined(separator: ":")
    // The day precedes the year, since both may have two digits. Anything else may be anywhere.
    var parts = [digits(day) + one(numberEnds), yearText + one(numberEnds)]
    for part in [time + one(["Z", "x1", ":7", "", ""]), name]
      + words.shuffled(using: &random).prefix(3)
    {
      parts.insert(part, at: Int.random(in: 0...parts.count, using: &random))
    }
    var text = ""
    for part in parts {
      for _ in 0..<Int.random(in: 1...2, using: &random) { text += one(delimiters) }
      text += part
    }
    text += one(["", " ", " +0000", "-0130 ", ";"])
    let whole = year < 70 ? year + 2000 : year < 100 ? year + 1900 : year
    let read = CivilTime(
      year: whole, month: month, day: day, hour: clock.0, minute: clock.1, second: clock.2)
    let isValid = whole >= 1601 && clock.2 < 60 && day > 0 && read.isValid
    return Written(text: text, seconds: isValid ? Double(read.seconds) : nil)
  }

  @Test func `RFC 6265 5.1.1: a date is read from its parts, whatever is between them`() throws {
    var valid = 0
    for random in try SeededGenerator.runs(Thoroughness.runs(2_000, full: 100_000)) {
      var random = random
      let written = Self.date(&random)
      #expect(HTTPDate.cookieSeconds(written.text) == written.seconds, "\(random): \(written.text)")
      if written.seconds != nil { valid += 1 }
    }
    #expect(valid > 20)
  }

  @Test(arguments: ["day", "month", "year", "time"])
  func `RFC 6265 5.1.1: a date without one of its parts is none`(missing: String) throws {
    let parts = ["day": "06", "month": "Nov", "year": "1994", "time": "08:49:37"]
    let text = ["day", "month", "year", "time"].compactMap { $0 == missing ? nil : parts[$0] }
    #expect(HTTPDate.cookieSeconds("Sun, " + text.joined(separator: " ") + " GMT") == nil)
  }

  @Test func `RFC 6265 5.1.1: the first token that may be a part is that part`() {
    #expect(HTTPDate.cookieSeconds("6 Nov 94 8:49:37 12 Dec 2001 1:1:1") == 784_111_777)
    // The second number of two digits is a year.
    #expect(HTTPDate.cookieSeconds("Nov 06 94 08:49:37") == 784_111_777)
    #expect(HTTPDate.cookieSeconds("Nov 1994 06 08:49:37") == 784_111_777)
  }
}

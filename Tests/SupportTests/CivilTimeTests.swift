import Support
import Testing

@Suite struct CivilTimeTests {
  @Test func `every day from year 0 to 9999 follows the one before`() throws {
    var seconds = CivilTime.range.lowerBound
    var last = CivilTime(year: -1, month: 12, day: 31)
    while let time = CivilTime(seconds: seconds) {
      let isNext =
        time.day == last.day + 1 && time.month == last.month && time.year == last.year
        || time.day == 1 && time.month == last.month + 1 && time.year == last.year
        || time.day == 1 && time.month == 1 && last.month == 12 && time.year == last.year + 1
      guard isNext, time.isValid, time.seconds == seconds else {
        Issue.record("\(time) after \(last)")
        return
      }
      last = time
      seconds += 86_400
    }
    #expect(last == CivilTime(year: 9999, month: 12, day: 31))
  }

  @Test func `a date and a time are written with leading zeros`() {
    let time = CivilTime(year: 12, month: 3, day: 4, hour: 5, minute: 6, second: 7)
    #expect(time.dayText == "0012-03-04" && time.timeText == "05:06:07")
    #expect(time.minuteText == "05:06")
  }

  @Test func `a year with more than four digits is invalid`() {
    #expect(CivilTime(seconds: CivilTime.range.lowerBound - 1) == nil)
    #expect(CivilTime(seconds: CivilTime.range.upperBound) == nil)
    #expect(!CivilTime(year: 10_000).isValid && !CivilTime(year: 2023, month: 2, day: 29).isValid)
  }
}

import Testing

@testable import ServerAPI

@Suite struct HTTPDateTests {
  /// 2026-06-01.
  static let now = 1_780_272_000.0

  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777.0),
    ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777.0),
    ("Sun Nov  6 08:49:37 1994", 784_111_777.0),
    ("Sun, 06-Nov-1994 08:49:37 GMT", 784_111_777.0),
    ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
    ("Thu, 29 Feb 2024 23:59:60 GMT", 1_709_251_200),
    ("Friday, 31-Dec-99 23:59:59 GMT", 946_684_799),
    ("Saturday, 01-Jan-50 00:00:00 GMT", 2_524_608_000),
  ])
  func `each format of a date is read`(text: String, seconds: Double) {
    #expect(HTTPDate.secondsSince1970(text, now: Self.now) == seconds)
  }

  @Test(arguments: [
    "", "soon", "Sun", "Sun, 06 Nov 1994", "Sun, 06 Nov 1994 08:49:37 CET",
    "Sun, 31 Nov 1994 08:49:37 GMT", "Wed, 29 Feb 2023 00:00:00 GMT",
    "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:37 GMT",
    "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nix 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 08:49:37 GMT extra", "Sun Nov 6 08:49:37", "1, 2 Nov 1994 1:1:1 GMT",
    "Sun, 06 Nov 99999999999999999999 08:49:37 GMT", "Sun, ٠٦ Nov 1994 08:49:37 GMT",
  ])
  func `what is no date is not guessed at`(text: String) {
    #expect(HTTPDate.secondsSince1970(text, now: Self.now) == nil)
  }

  @Test(arguments: [
    ("120", Duration.seconds(120)), ("0", .zero),
    ("Sun, 06 Nov 1994 08:49:37 GMT", .seconds(37)),
    ("Sun, 06 Nov 1994 08:00:00 GMT", .zero),
    ("99999999999999999999999999", .seconds(1_000_000_000_000_000)),
  ])
  func `a wait is read in both forms and never negative`(text: String, wait: Duration) {
    #expect(RetryAfter.wait(text, now: 784_111_740) == wait)
  }

  @Test(arguments: ["", "-1", "1.5", "+3", "3 ", "١٢", "later"])
  func `what is no wait is ignored`(text: String) {
    #expect(RetryAfter.wait(text, now: 0) == nil)
  }
}

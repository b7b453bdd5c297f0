import Support
import Testing

@Suite struct HTTPDateTests {
  /// 2026-06-01.
  private static let now = 1_780_272_000.0

  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777.0),
    ("SUN, 06 NOV 1994 08:49:37 gMT", 784_111_777),
    ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777), ("Sun Nov  6 08:49:37 1994", 784_111_777),
    ("Sun Nov 06 08:49:37 1994", 784_111_777), ("Thu, 18 Aug 2050 02:01:18 GMT", 2_544_400_878),
    ("Thursday, 18-Aug-50 02:01:18 GMT", 2_544_400_878),
    ("Wednesday, 01-Jan-76 00:00:00 GMT", 3_345_062_400),
    ("Friday, 01-Jan-77 00:00:00 GMT", 220_924_800),
    ("Sun, 21 Nov 2286 04:46:39 GMT", 10_000_039_599),
    ("Thu, 29 Feb 2024 23:59:60 GMT", 1_709_251_200),
    ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
  ])
  func `RFC 9110 5.6.7: each of the three formats is parsed`(text: String, seconds: Double) {
    #expect(HTTPDate.seconds(text, now: Self.now) == seconds)
  }

  @Test(arguments: [
    "", "0", "-1", "foo", "Thu, 18 Aug 2050 02:01:18 UTC", "Thu, 18 Aug 2050 02:01:18 AEST",
    "Thu, 18 Aug 50 02:01:18 GMT", "Thu 18 Aug 2050 02:01:18 GMT",
    "Thu, 18  Aug  2050 02:01:18 GMT", "Thu, 18-Aug-2050 02:01:18 GMT",
    "Thu, 18 Aug 2050 02.01.18 GMT", "Thu, 18 Aug 2050 2:01:18 GMT",
    "Thursday, 18 Aug 50 02:01:18 GMT", "Thu, 18-Aug-50 02:01:18 GMT",
    "Thu Aug 8 02:01:18 2050", "Thu, 31 Nov 2050 02:01:18 GMT", "Thu, 29 Feb 2023 00:00:00 GMT",
    "Thu, 18 Aug 2050 24:00:00 GMT", "Thu, 18 Aug 2050 02:60:18 GMT",
    "Thu, 18 Aug 0000 02:01:18 GMT",
    "Foo, 18 Aug 2050 02:01:18 GMT", "Foosday, 18-Aug-50 02:01:18 GMT",
    "Thu, 1\u{0} Aug 2050 02:01:18 GMT",
    " Thu, 18 Aug 2050 02:01:18 GMT", "Thu, 18 Aug 2050 02:01:18 GMT ",
  ])
  func `RFC 9110 5.6.7: no other format is a date`(text: String) {
    #expect(HTTPDate.seconds(text, now: Self.now) == nil)
  }

  @Test func `RFC 9110 5.6.7: a formatted date parses to the same time`() {
    #expect(HTTPDate.text(784_111_777.9) == "Sun, 06 Nov 1994 08:49:37 GMT")
    var seconds = 0.0
    while seconds < 200 * 366 * 86_400 {
      #expect(HTTPDate.seconds(HTTPDate.text(seconds), now: 0) == seconds)
      seconds += 86_400 * 27 + 12_345
    }
    for odd in [-1, .nan, .infinity, -.infinity, 1e300] as [Double] {
      #expect(HTTPDate.seconds(HTTPDate.text(odd), now: odd) != nil)
    }
  }
}

@Suite struct LenientHTTPDateTests {
  /// 2026-06-01.
  private static let now = 1_780_272_000.0

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
  func `each format is parsed`(text: String, seconds: Double) {
    #expect(HTTPDate.lenientSeconds(text, now: Self.now) == seconds)
  }

  @Test(arguments: [
    "", "soon", "Sun", "Sun, 06 Nov 1994", "Sun, 06 Nov 1994 08:49:37 CET",
    "Sun, 31 Nov 1994 08:49:37 GMT", "Wed, 29 Feb 2023 00:00:00 GMT",
    "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:37 GMT",
    "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nix 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 08:49:37 GMT extra", "Sun Nov 6 08:49:37", "1, 2 Nov 1994 1:1:1 GMT",
    "Sun, 06 Nov 99999999999999999999 08:49:37 GMT", "Sun, ٠٦ Nov 1994 08:49:37 GMT",
  ])
  func `an invalid date is rejected`(text: String) {
    #expect(HTTPDate.lenientSeconds(text, now: Self.now) == nil)
  }

  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 gmt", 784_111_777.0), ("sun, 6 NOV 1994 8:49:37 gMT", 784_111_777),
    ("Sunday, 06-Nov-94 08:49:37 gmt", 784_111_777), ("Sun, 06-Nov-1994 08:49:37 Gmt", 784_111_777),
    ("Mon, 01 Jan 1500 00:00:00 GMT", -14_831_769_600),
  ])
  func `the zone is read in any case, and years may be long ago`(text: String, seconds: Double) {
    #expect(HTTPDate.lenientSeconds(text, now: Self.now) == seconds)
  }

  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 gmt", 784_111_777.0),
    ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
    ("Thu, 01-Jan-70 00:00:00 GMT", 0), ("Sun, 01-Jan-69 00:00:00 GMT", 3_124_224_000),
    ("Fri, 31-Dec-99 23:59:59 GMT", 946_684_799), ("Sat, 01-Jan-00 00:00:00 GMT", 946_684_800),
    ("Mon, 01 Jan 1601 00:00:00 GMT", -11_644_473_600), ("Sun, 31 Dec 1600 23:59:59 GMT", nil),
    ("Mon, 01 Jan 1500 00:00:00 GMT", nil), ("Mon, 01 Jan 0099 00:00:00 GMT", 915_148_800),
    ("Thu, 01 Jan 1970 00:00:00 UTC", 0), ("soon", nil),
  ])
  func `RFC 6265 5.1.1: the date of a cookie has the years of cookies`(
    text: String, seconds: Double?
  ) {
    #expect(HTTPDate.cookieSeconds(text) == seconds)
  }

  @Test(arguments: [
    "Sun, 06 Nov 1 08:49:37 GMT", "Sun, 06 Nov 199 08:49:37 GMT", "Sun, 06 Nov 0000 08:49:37 GMT",
    "Sun, 06 Nov 01994 08:49:37 GMT",
  ])
  func `a year has two or four digits, and is not 0`(text: String) {
    #expect(HTTPDate.lenientSeconds(text, now: Self.now) == nil)
  }

  @Test(arguments: [0.0, now, 757_382_400, 4_000_000_000, 5_680_281_600])
  func `a date that is read strictly is read the same leniently`(now: Double) {
    var read = 0
    for day in ["01", "06", "29", "31", "32", "00"] {
      for month in ["Jan", "feb", "NOV", "Foo"] {
        for year in [
          "0000", "0001", "0099", "1500", "1600", "1601", "1969", "1994", "2000", "2050", "9999",
        ] {
          for time in ["00:00:00", "08:49:37", "23:59:60", "24:00:00", "23:60:00"] {
            for zone in ["GMT", "gmt", "gMT", "UTC"] {
              for text in [
                "Sun, \(day) \(month) \(year) \(time) \(zone)",
                "Sunday, \(day)-\(month)-\(year.suffix(2)) \(time) \(zone)",
                "wednesday, \(day)-\(month)-\(year.suffix(2)) \(time) \(zone)",
                "SUN \(month) \(day) \(time) \(year)",
              ] {
                guard let seconds = HTTPDate.seconds(text, now: now) else { continue }
                read += 1
                #expect(HTTPDate.lenientSeconds(text, now: now) == seconds, "\(text)")
              }
            }
          }
        }
      }
    }
    #expect(read > 1_000)
  }
}

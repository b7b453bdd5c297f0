import Foundation
import QuireTesting
import Support
import Testing

@testable import ItemMapping

struct RFC3339Tests {
  private func read(_ text: String) -> Date? {
    Array(text.utf8).withUnsafeBufferPointer(RFC3339.date)
  }

  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0.0), ("2001-01-01T00:00:00Z", 978_307_200),
    ("2026-01-31T23:59:59Z", 1_769_903_999), ("2026-01-31t23:59:59z", 1_769_903_999),
    ("2026-01-31 23:59:59Z", 1_769_903_999), ("2026-01-31T23:59:59+00:00", 1_769_903_999),
    ("2026-01-31T23:59:59-00:00", 1_769_903_999), ("2026-02-01T01:29:59+01:30", 1_769_903_999),
    ("2026-02-01T01:29:59+0130", 1_769_903_999), ("2026-01-31T18:59:59-05:00", 1_769_903_999),
    ("1970-01-01T23:59:00+23:59", 0), ("1969-12-31T00:01:00-23:59", 0),
    ("1970-01-01T00:00:00.5Z", 0.5), ("1970-01-01T00:00:00.0Z", 0),
    ("1969-12-31T23:59:59.75Z", -0.25), ("1970-01-01T00:00:01.25+00:00", 1.25),
    ("2000-02-29T00:00:00Z", 951_782_400), ("1600-02-29T00:00:00Z", -11_670_998_400),
    ("0000-01-01T00:00:00Z", -62_167_219_200), ("9999-12-31T23:59:59Z", 253_402_300_799),
    ("2016-12-31T23:59:60Z", 1_483_228_800), ("2017-01-01T01:59:60+02:00", 1_483_228_800),
    ("2016-12-31T18:59:60.5-05:00", 1_483_228_800.5),
  ])
  func `a date in any zone is the same moment`(text: String, seconds: Double) {
    #expect(read(text) == Date(timeIntervalSince1970: seconds))
  }

  @Test(arguments: [
    "", "2026", "2026-01-31", "2026-01-31T", "2026-01-31T23:59", "2026-01-31T23:59:59",
    "2026-01-31T23:59:59.", "2026-01-31T23:59:59.Z", "2026-01-31T23:59:59,5Z",
    "2026-01-31T23:59:59.5", "2026-01-31T23:59:59Zx", "2026-01-31T23:59:59Z ",
    " 2026-01-31T23:59:59Z", "2026-01-31T23:59:59 Z", "2026-01-31T23:59:59+",
    "2026-01-31T23:59:59+01",
    "2026-01-31T23:59:59+1:00", "2026-01-31T23:59:59+01:0", "2026-01-31T23:59:59+24:00",
    "2026-01-31T23:59:59+01:60", "2026-01-31T23:59:59+01:00:00", "2026-01-31T23:59:59GMT",
    "2026-01-31_23:59:59Z", "2026-01-31TT23:59:59Z", "2026/01/31T23:59:59Z", "20260131T235959Z",
    "2026-1-31T23:59:59Z", "26-01-31T23:59:59Z", "12026-01-31T23:59:59Z", "+2026-01-31T23:59:59Z",
    "-2026-01-31T23:59:59Z", "2026-00-31T23:59:59Z", "2026-13-31T23:59:59Z", "2026-01-00T23:59:59Z",
    "2026-01-32T23:59:59Z", "2026-04-31T23:59:59Z", "2026-02-29T23:59:59Z", "1900-02-29T23:59:59Z",
    "2024-02-30T23:59:59Z", "2026-01-31T24:00:00Z", "2026-01-31T23:60:00Z", "2026-01-31T23:59:61Z",
    "2026-01-31T12:00:60Z", "2026-01-31T23:59:60+01:00", "2026-01-31T2x:59:59Z",
    "2026-01-31T23:59:59.5xZ", "٢٠٢٦-01-31T23:59:59Z", "2026-01-31T23:59:59−01:00",
  ])
  func `an invalid date is rejected`(text: String) {
    #expect(read(text) == nil)
  }

  @Test func `a part of a date is invalid, and no date is read past its end`() {
    let text = "2016-12-31T18:59:60.125-05:00"
    for count in 0..<text.utf8.count { #expect(read(String(text.prefix(count))) == nil) }
  }

  @Test func `digits beyond a date's precision are rounded`() throws {
    let third = String(repeating: "3", count: 400)
    #expect(read("1970-01-01T00:00:00.\(third)Z") == read("1970-01-01T00:00:00.3333333333333333Z"))
    let nines = String(repeating: "9", count: 40)
    #expect(read("1969-12-31T23:59:59.\(nines)Z") == Date(timeIntervalSince1970: 0))
    #expect(
      read("2001-01-01T00:00:00.000000000000000001Z")?.timeIntervalSinceReferenceDate == 1e-18)
  }

  @Test func `random dates are read like Foundation reads them`() throws {
    var random = try SeededGenerator.fromEnvironment()
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    for _ in 0..<Thoroughness.runs(2_000) {
      func number(_ range: ClosedRange<Int>, _ width: Int = 2) -> String {
        CivilTime.padded(Int.random(in: range, using: &random), width)
      }
      let day = "\(number(1583...9999, 4))-\(number(1...12))-\(number(1...28))"
      let time = "\(number(0...23)):\(number(0...59)):\(number(0...59)).\(number(0...999, 3))"
      let zone = Bool.random(using: &random) ? "+" : "-"
      let text = "\(day)T\(time)\(zone)\(number(0...14)):\(number(0...59))"
      let theirs = try style.parse(text)
      #expect(read(text) == theirs, "\(text)")
    }
  }
}

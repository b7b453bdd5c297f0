import Foundation
import QuireTesting
import Testing

@testable import ItemMapping

struct DateFormatTests {
  private func read(_ json: String, _ formats: DateFormat...) throws -> Double? {
    let document = try JSONDocument(json)
    return formats.date(at: JSONTape.root, of: document)?.timeIntervalSince1970
  }

  private func write(_ seconds: Double, _ format: DateFormat) -> JSONAny {
    format.json(Date(timeIntervalSince1970: seconds))
  }

  @Test(arguments: [
    (#""2026-01-31""#, 1_769_817_600), (#""0000-01-01""#, -62_167_219_200),
    (#""2026-02-29""#, nil), (#""2026-01-31T00:00:00Z""#, nil), (#""2026-1-31""#, nil),
    ("20260131", nil),
    (#""""#, nil), ("null", nil), ("[]", nil),
  ])
  func `a day is its midnight in UTC`(json: String, seconds: Double?) throws {
    #expect(try read(json, .day) == seconds)
  }

  @Test(arguments: [
    ("0", 0), ("-1", -1), ("1769903999", 1_769_903_999), ("1769903999.25", 1_769_903_999.25),
    (#""1769903999""#, 1_769_903_999), (#""1769903999.5""#, 1_769_903_999.5),
    ("1.769903999e9", 1_769_903_999),
    ("253402300799", 253_402_300_799), ("253402300800", nil), ("-62167219201", nil),
    ("1769903999000", nil), ("1e300", nil), ("1e400", nil), ("18446744073709551616", nil),
    (#""""#, nil), (#""now""#, nil), (#"" 1""#, nil), ("true", nil), ("null", nil),
  ])
  func `seconds since 1970 are a date, and milliseconds are out of their range`(
    json: String, seconds: Double?
  ) throws {
    #expect(try read(json, .secondsSince1970) == seconds)
  }

  @Test(arguments: [
    ("0", 0), ("1769903999125", 1_769_903_999.125), (#""1769903999125""#, 1_769_903_999.125),
    ("1769903999125.5", 1_769_903_999.1255), ("-500", -0.5),
    ("253402300799999", 253_402_300_799.999),
    ("253402300800000", nil), (#""""#, nil), ("[1]", nil),
  ])
  func `milliseconds since 1970 are a date`(json: String, seconds: Double?) throws {
    #expect(try read(json, .millisecondsSince1970) == seconds)
  }

  @Test func `a moment is the same date in every format`() throws {
    let document = try JSONDocument(
      #"["2026-01-31T23:59:59.123Z", 1769903999.123, 1769903999123, "1769903999.123", "20260131235959123"]"#
    )
    let formats: [DateFormat] = [
      .rfc3339, .secondsSince1970, .millisecondsSince1970, .secondsSince1970,
      .pattern("yyyyMMddHHmmssSSS"),
    ]
    let dates = try formats.enumerated().map { place, format in
      let index = try #require(document.tape.element(place, of: JSONTape.root))
      return try #require(format.date(at: index, of: document))
    }
    #expect(Set(dates).count == 1)
  }

  @Test func `a date without a zone is read at the declared offset`() throws {
    let east = DateFormat.localDateTime(utcOffset: .seconds(5400))
    #expect(try read(#""2026-02-01T01:29:59""#, east) == 1_769_903_999)
    #expect(try read(#""2026-02-01 01:29:59.5""#, east) == 1_769_903_999.5)
    #expect(try read(#""2026-02-01T01:29:59Z""#, east) == nil)
    #expect(write(1_769_903_999.5, east) == "2026-02-01T01:29:59.500")
    #expect(write(0, .localDateTime(utcOffset: .seconds(-3600))) == "1969-12-31T23:00:00")
  }

  @Test(arguments: [
    Duration.seconds(86_400), .seconds(-86_400), .milliseconds(500), .seconds(Int64.min),
  ])
  func `an invalid UTC offset is a problem of the table`(offset: Duration) throws {
    let format = DateFormat.localDateTime(utcOffset: offset)
    #expect(format.problem != nil)
    #expect(try read(#""2026-02-01T01:29:59""#, format) == nil)
    #expect(write(0, format) == .null)
  }

  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
    ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Sun Nov 06 08:49:37 1994", 784_111_777),
    ("Thursday, 01-Jan-70 00:00:00 GMT", 0), ("Friday, 01-Jan-69 00:00:00 GMT", 3_124_224_000),
    ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
    ("Sun Feb 29 00:00:00 2004", 1_078_012_800), ("Sun Feb 29 00:00:00 2005", nil),
    ("sun, 06 Nov 1994 08:49:37 GMT", nil), ("Sun, 6 Nov 1994 08:49:37 GMT", nil),
    ("Sun, 06 Nov 94 08:49:37 GMT", nil), ("Sunday, 06-Nov-1994 08:49:37 GMT", nil),
    ("Sun, 06 Nov 1994 08:49:37", nil), ("Sun, 06 Nov 1994 08:49:37 UTC", nil),
    ("Sun, 06 Nov 1994 08:49:37 +0000", nil), ("Sun, 31 Nov 1994 08:49:37 GMT", nil),
    ("Sun, 06 Nov 1994 25:49:37 GMT", nil), ("Sun, 06 Now 1994 08:49:37 GMT", nil),
    ("06 Nov 1994 08:49:37 GMT", nil), ("Sunday Nov  6 08:49:37 1994", nil),
    ("Sun, 06 Nov 1994 08:49:37 GMT ", nil), ("Sun", nil), ("", nil),
  ])
  func `dates of HTTP are read in their three forms`(text: String, seconds: Double?) throws {
    #expect(try read("\"\(text)\"", .httpDate) == seconds)
  }

  @Test func `the first format that matches is used`() throws {
    #expect(try read(#""2026-01-31""#, .rfc3339, .day) == 1_769_817_600)
    #expect(try read("1000", .rfc3339, .millisecondsSince1970, .secondsSince1970) == 1)
    let document = try JSONDocument(#"["2026-01-31T00:00:00Z", "2026-01-31", 1769817600]"#)
    #expect(ItemMapper().dates.date(at: 2, of: document) != nil)
    #expect(ItemMapper().dates.date(at: 3, of: document) != nil)
    #expect(ItemMapper().dates.date(at: 4, of: document) == nil)
  }

  @Test(
    arguments: [
      (.rfc3339, "2026-01-31T23:59:59Z"), (.day, "2026-01-31"),
      (.secondsSince1970, 1_769_903_999), (.millisecondsSince1970, 1_769_903_999_000),
      (.httpDate, "Sat, 31 Jan 2026 23:59:59 GMT"),
      (.pattern("dd.MM.yyyy 'um' HH:mm X"), "31.01.2026 um 23:59 Z"),
    ] as [(DateFormat, JSONAny)])
  func `a date is written as it is read`(format: DateFormat, json: JSONAny) {
    #expect(write(1_769_903_999, format) == json)
  }

  @Test(arguments: [
    (0.5, "1970-01-01T00:00:00.500Z"), (-0.25, "1969-12-31T23:59:59.750Z"),
    (0, "1970-01-01T00:00:00Z"), (-62_167_219_200, "0000-01-01T00:00:00Z"),
    (1_769_903_999.0625, "2026-01-31T23:59:59.062500Z"),
  ])
  func `a fraction is written only if there is one`(seconds: Double, text: String) {
    #expect(write(seconds, .rfc3339) == .string(text))
  }

  @Test(arguments: [
    Double.nan, .infinity, -.infinity, 253_402_300_800, -62_167_219_201, 1e18,
    .greatestFiniteMagnitude,
  ])
  func `a date beyond the calendar is written as null`(seconds: Double) {
    for format in [DateFormat.rfc3339, .day, .secondsSince1970, .httpDate, .pattern("yyyy")] {
      #expect(write(seconds, format) == .null)
    }
  }

  @Test func `every date is read back from its text`() throws {
    var random = try SeededGenerator.fromEnvironment()
    // The years from 1 to 9999.
    let range = -62_135_596_800.0..<253_402_300_799.0
    for round in 0..<Thoroughness.runs(6_000) {
      let seconds = Double.random(in: range, using: &random)
      let date =
        switch round % 3 {
        case 0: Date(timeIntervalSince1970: seconds.rounded())
        // As a string with milliseconds is read.
        case 1:
          Date(timeIntervalSinceReferenceDate: ((seconds - 978_307_200) * 1000).rounded() / 1000)
        default: Date(timeIntervalSinceReferenceDate: seconds / Double(1 + round))
        }
      guard case .string(let text) = DateFormat.rfc3339.json(date) else {
        Issue.record("\(date) is not written")
        continue
      }
      let document = try JSONDocument("\"\(text)\"")
      #expect(DateFormat.rfc3339.date(at: JSONTape.root, of: document) == date, "\(text)")
      if round % 3 < 2 { #expect(text.utf8.count <= 24) }
      if round % 3 == 2 { continue }
      for format in [DateFormat.secondsSince1970, .millisecondsSince1970] {
        let document = try JSONDocument(format.json(date).text())
        let back = try #require(format.date(at: JSONTape.root, of: document))
        #expect(abs(back.timeIntervalSince(date)) < 0.000_1)
      }
    }
  }

  @Test func `numbers of current dates keep their milliseconds`() throws {
    var random = try SeededGenerator.fromEnvironment()
    for _ in 0..<Thoroughness.runs(2_000) {
      let millis = Int.random(in: 0..<4_000_000_000_000, using: &random)
      let document = try JSONDocument("\(millis)")
      let date = try #require(
        DateFormat.millisecondsSince1970.date(at: JSONTape.root, of: document))
      #expect(DateFormat.millisecondsSince1970.json(date) == .int(millis))
      #expect(DateFormat.secondsSince1970.json(date) == .double(Double(millis) / 1000))
    }
  }

  @Test func `a pattern without a zone is at an offset from UTC`() {
    let format = DateFormat.pattern("yyyy-MM-dd HH:mm", utcOffset: .seconds(7200))
    #expect(write(0, format) == "1970-01-01 02:00")
    let zoned = DateFormat.pattern("yyyy-MM-dd XXX", utcOffset: .seconds(7200))
    #expect(zoned.problem?.contains("it has a zone of its own; remove utcOffset") == true)
    #expect(DateFormat.pattern("yyyy", utcOffset: .milliseconds(1)).problem != nil)
  }

  @Test func `a table and a mapper have formats for fields without one`() throws {
    final class Loan: BaseItem {
      var from = Date.distantPast
      var to = Date.distantPast
      override class var fields: FieldTable {
        FieldTable(Loan.self, dates: [.secondsSince1970]) { f in
          f(\.from)
          f(\.to, .date(.day))
        }
      }
    }
    final class Note: BaseItem {
      var at = Date.distantPast
      override class var fields: FieldTable { FieldTable(Note.self) { f in f(\.at) } }
    }
    let loan = try ItemMapper().item(
      Loan.self, in: JSONDocument(#"{"from":86400,"to":"1970-01-03"}"#))
    #expect(loan.value.from.timeIntervalSince1970 == 86_400)
    #expect(loan.value.to.timeIntervalSince1970 == 172_800)
    var mapper = ItemMapper()
    mapper.dates = [.millisecondsSince1970]
    let note = try mapper.item(Note.self, in: JSONDocument(#"{"at":1000}"#))
    #expect(note.value.at.timeIntervalSince1970 == 1 && note.report.isClean)
  }
}

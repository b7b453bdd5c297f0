import Foundation
import Testing

@testable import ItemMapping

struct DatePatternTests {
  private func read(_ text: String, _ pattern: String) -> Double? {
    Array(text.utf8).withUnsafeBufferPointer(DatePattern(pattern).date)?.timeIntervalSince1970
  }

  @Test(arguments: [
    ("yyyyMMdd HHmmss", "20260131 235959", 1_769_903_999),
    ("yyyy-MM-dd'T'HH:mm", "2026-01-31T23:59", 1_769_903_940),
    ("dd.MM.yyyy", "31.01.2026", 1_769_817_600), ("yyyy", "1970", 0),
    ("MM/yyyy", "02/1970", 2_678_400),
    ("yyyy-MM-dd HH:mm:ss.SSS", "1970-01-01 00:00:00.125", 0.125),
    ("yyyy-MM-dd HH:mm:ss.SSSSSSSSS", "1970-01-01 00:00:00.500000000", 0.5),
    ("yyyy-MM-dd HH:mm:ss XXX", "1970-01-01 01:00:00 +01:00", 0),
    ("yyyy-MM-dd HH:mm:ssX", "1970-01-01 01:00:00+01", 0),
    ("yyyy-MM-dd HH:mm:ssXX", "1970-01-01 01:00:00+0100", 0),
    ("yyyy-MM-dd HH:mm:ssX", "1970-01-01 00:00:00Z", 0),
    ("yyyy''MM 'o''clock' '年'", "1970'01 o'clock 年", 0),
    ("yyyyMMdd", "2026013", nil), ("yyyyMMdd", "202601311", nil), ("yyyyMMdd", "20260230", nil),
    ("yyyyMMdd", "2026-01-31", nil), ("yyyy-MM-dd", "2026-1-31", nil), ("yyyyMMdd", "", nil),
    ("yyyy-MM-dd HH:mm:ss.SSS", "1970-01-01 00:00:00.12", nil),
    ("yyyy-MM-dd HH:mm:ssX", "1970-01-01 00:00:00", nil), ("yyyy'T'", "1970t", nil),
  ])
  func `a pattern reads only matching text`(
    pattern: String, text: String, seconds: Double?
  ) {
    #expect(DatePattern(pattern).problem == nil)
    #expect(read(text, pattern) == seconds)
  }

  @Test(arguments: [
    ("", "the year (yyyy) is missing"), ("HH:mm", "the year (yyyy) is missing"),
    ("yyyy dd", "dd requires MM"), ("yyyyMM HH", "HH requires dd"),
    ("yyyyMMdd mm", "mm requires HH"), ("yyyyMMddHH ss", "ss requires mm"),
    ("yyyyMMddHHmm.SSS", "SSS requires ss"), ("yyyy MM yyyy", "yyyy is used twice"),
    ("yyyyMMddHHmmssSSS S", "S is used twice"), ("yyyy X XXX", "X is used twice"),
    ("yy", #""yy" is not one of"#), ("YYYY", #""YYYY" is not one of"#),
    ("yyyy-M", #""M" is not one of"#),
    ("yyyyMMddhh", #""hh" is not one of"#), ("yyyyMMddTHH", #""T" is not one of"#),
    ("yyyyMMddHHmmssSSSSSSSSSS", #""SSSSSSSSSS" is not one of"#), ("yyyy年", #""年" is not one of"#),
    ("yyyy 'um", "a quote is not closed"), ("yyyy '", "a quote is not closed"),
  ])
  func `a mistake in a pattern is reported`(pattern: String, problem: String) throws {
    let format = DateFormat.pattern(pattern)
    let text = try #require(format.problem)
    #expect(text.contains(#"the date pattern "\#(pattern)": \#(problem)"#))
    #expect(format.json(Date(timeIntervalSince1970: 0)) == .null)
    let document = try JSONDocument(#""""#)
    #expect(format.date(at: JSONTape.root, of: document) == nil)
  }

  @Test func `a pattern cuts off extra digits and pads missing ones`() throws {
    let date = Date(timeIntervalSinceReferenceDate: 0.789)
    #expect(DateFormat.pattern("yyyy-MM-dd HH:mm:ss.SS").json(date) == "2001-01-01 00:00:00.78")
    #expect(DateFormat.pattern("yyyyMMddHHmmssSSSSSSX").json(date) == "20010101000000789000Z")
    #expect(DateFormat.pattern("yyyy 'o''clock'''").json(date) == "2001 o'clock'")
    #expect(
      DateFormat.pattern("yyyyMMddHHmmss.SSS").json(Date(timeIntervalSince1970: 0))
        == "19700101000000.000")
  }

  @Test func `equal patterns are equal formats`() {
    #expect(DateFormat.pattern("yyyy") == .pattern("yyyy"))
    #expect(DateFormat.pattern("yyyy") != .pattern("yyyy-MM"))
    #expect(DateFormat.pattern("yy") != .pattern("yyy"))
  }
}

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
  func `a pattern reads what looks like it, and nothing else`(
    pattern: String, text: String, seconds: Double?
  ) {
    #expect(DatePattern(pattern).problem == nil)
    #expect(read(text, pattern) == seconds)
  }

  @Test(arguments: [
    ("", "there is no year, yyyy"), ("HH:mm", "there is no year, yyyy"),
    ("yyyy dd", "dd needs MM beside it"), ("yyyyMM HH", "HH needs dd beside it"),
    ("yyyyMMdd mm", "mm needs HH beside it"), ("yyyyMMddHH ss", "ss needs mm beside it"),
    ("yyyyMMddHHmm.SSS", "SSS needs ss beside it"), ("yyyy MM yyyy", "yyyy stands in it twice"),
    ("yyyyMMddHHmmssSSS S", "S stands in it twice"), ("yyyy X XXX", "X stands in it twice"),
    ("yy", #""yy" is none of"#), ("YYYY", #""YYYY" is none of"#), ("yyyy-M", #""M" is none of"#),
    ("yyyyMMddhh", #""hh" is none of"#), ("yyyyMMddTHH", #""T" is none of"#),
    ("yyyyMMddHHmmssSSSSSSSSSS", #""SSSSSSSSSS" is none of"#), ("yyyy年", #""年" is none of"#),
    ("yyyy 'um", "a quote is not closed"), ("yyyy '", "a quote is not closed"),
  ])
  func `a mistake in a pattern is named`(pattern: String, problem: String) throws {
    let format = DateFormat.pattern(pattern)
    let text = try #require(format.problem)
    #expect(text.contains(#"the date pattern "\#(pattern)": \#(problem)"#))
    #expect(format.json(Date(timeIntervalSince1970: 0)) == .null)
    let document = try JSONDocument(#""""#)
    #expect(format.date(at: JSONTape.root, of: document) == nil)
  }

  @Test func `a pattern cuts off what it has no room for, and fills up`() throws {
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

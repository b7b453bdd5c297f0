import ItemMapping
import ServerAPI
import Testing

@testable import ListReading

/// Whole numbers in responses, as declared and as recognized paging read them.
struct WholeNumberTests {
  private static let values: [(json: String, number: Int?)] = [
    ("0", 0), ("-0", 0), ("137", 137), ("-7", -7), ("137.0", 137), ("1e3", 1000), ("1.5", nil),
    ("9007199254740991.0", 9_007_199_254_740_991), ("9007199254740993", 9_007_199_254_740_993),
    ("9223372036854775807", .max), ("-9223372036854775808", .min),
    // From 2^53 on a fraction or an exponent hides which number is meant.
    ("9007199254740993.0", nil), ("1e16", nil), ("1e18", nil), ("-1e18", nil), ("1e400", nil),
    ("9223372036854775808", nil), ("-9223372036854775809", nil), ("1e-2", nil),
    ("123456789012345678901234567890", nil),
    (#""137""#, 137), (#"" 137 ""#, 137), (#""137\n""#, 137), (#""\t-7\r\n""#, -7),
    (#""\u00a0137\u2003""#, 137), (#""+7""#, 7), (#""137.0""#, nil), (#""1e3""#, nil),
    (#""""#, nil),
    (#"" ""#, nil), (#""1 3""#, nil), (#""\u066137""#, nil), (#""\u0301137""#, nil),
    (#""9223372036854775808""#, nil), ("null", nil), ("true", nil), ("[1]", nil),
    (#"{"a":1}"#, nil),
  ]

  @Test(arguments: values)
  func `each reader finds the same number`(json: String, number: Int?) throws {
    let view = try #require(try JSONDocument("[\(json)]").root[0])
    #expect(view.wholeNumber == number)
    #expect(JSONAny(view).wholeNumber == number)
    #expect(JSONAny(view, keepingDigits: true).wholeNumber == number)
  }

  @Test(arguments: values)
  func `a declared total is the one that is recognized`(json: String, number: Int?) throws {
    let page = try pageResponse(.single, try JSONAny(parsing: #"{"items":[],"total":\#(json)}"#))
    let body = try JSONDocument(#"{"items":[],"total":\#(json)}"#).root
    let read = PageResponse(
      key: page.key, call: page.call, response: page.response, envelope: body, itemsPath: "items",
      count: 0)
    var declared: Int?
    if case .found(let total) = read.total(at: .body("total")) { declared = total.rows }
    // No list has more rows than a `Double` counts.
    if let number { #expect(declared == (number < 0 ? nil : min(number, 1 << 53))) }
    #expect(Evidence(read).total?.value == declared)
  }

  @Test(arguments: ["137", " 137 ", "\u{a0}137", "-1", "1e3", "+7", ""])
  func `a declared total in a header is the one that is recognized`(text: String) throws {
    let page = try pageResponse(.single, ["items": []], headers: ["X-Total-Count": text])
    var declared: Int?
    if case .found(let total) = page.number(at: .header("X-Total-Count")) { declared = total }
    #expect(Evidence(page).headerTotal?.total == declared)
  }

  @Test(arguments: [
    ("", ""), (" ", ""), ("\r\n", ""), ("a", "a"), ("é", "é"), (" a b\t", "a b"),
    ("\u{a0}é\u{2003}", "é"),
    ("\u{301}a ", "\u{301}a"), (" \u{301}a", "\u{301}a"), ("a\u{600} ", "a\u{600}"),
    ("\u{1f}a", "\u{1f}a"),
    ("a\u{85}", "a"), ("\0 a", "\0 a"),
  ])
  func `blanks around a text are removed, and nothing else`(text: String, rest: String) {
    #expect(text.trimmed.unicodeScalars.elementsEqual(rest.unicodeScalars))
  }
}

import ListSync
import Testing

/// Stamps are compared by their values, and lowered in their own form.
@Suite struct StampTests {
  @Test(
    arguments: [
      ("2026-11-28T20:00:00Z", 0.0, "2026-11-28T19:59:59Z"), ("2026-11-28T20:00:00Z", 90, "2026-11-28T19:58:29Z"),
      ("2026-11-28T20:00:00+01:00", 0, "2026-11-28T19:59:59+01:00"),
      ("2026-11-28T00:00:00-0330", 1, "2026-11-27T23:59:58-0330"),
      ("2026-11-28 20:00:00", 0.5, "2026-11-28 19:59:58"), ("2026-11-28T20:00:00.250Z", 0, "2026-11-28T20:00:00.249Z"),
      ("2026-11-28T20:00:00.000Z", 0.25, "2026-11-28T19:59:59.749Z"),
      ("2026-11-28T20:00:00.123456789Z", 0, "2026-11-28T20:00:00.123455000Z"),
      ("2026-03-01", 0, "2026-02-28"), ("2026-03-01", 86_401, "2026-02-26"), ("0000-01-01", 0, nil),
      ("1700000000", 0, "1699999999"), ("1700000000", 2.5, "1699999996"), ("9007199254740993", 0, "9007199254740992"),
      ("1700000000.25", 0, "1700000000.24"), ("-3", 4, "-8"), ("-0.5", 0, "-0.6"), ("7", .infinity, nil),
      ("1e9", 0, nil), ("01HF5Y", 0, nil), ("-9223372036854775808", 0, nil),
    ] as [(String, Double, String?)])
  func `a stamp is lowered in the form that it has`(text: String, distance: Double, expected: String?) throws {
    #expect(try #require(Stamp(text)).text(loweredBy: distance) == expected)
    if let expected { #expect(!(try #require(Stamp(text)).isBelow(try #require(Stamp(expected))))) }
  }

  @Test(
    arguments: [
      ("2026-11-28T20:00:00Z", "2026-11-28T20:00:00.5Z", 0.5),
      ("2026-11-28T21:00:00+02:00", "2026-11-28T20:00:00Z", 3_600),
      ("2026-11-27", "2026-11-28", 86_400), ("2", "10", 8), ("1.5", "2", 0.5), ("01A", "01B", .infinity),
      ("2026-11-28T20:00:00Z", "2026-11-28T20:00:00+00:00", 0), ("10", "2", 0), ("b", "a", 0), ("7", "x", 0),
      ("2026-11-28", "9000000000", 0),
    ] as [(String, String, Double)])
  func `stamps of one kind have an order and a distance`(low: String, high: String, distance: Double) throws {
    let (low, high) = (try #require(Stamp(low)), try #require(Stamp(high)))
    #expect(low.distance(below: high) == distance && low.isBelow(high) == (distance > 0))
    #expect(!high.isBelow(high))
  }

  @Test(arguments: [
    ("2026-11-28T20:00:01Z", true), ("2026-11-28T20:00:00Z", false), ("1795896001", true), ("1795896000", false),
    ("1795896000001", true), ("1795896000000", false), ("42", false), ("123456789012345678", false), ("zzz", false),
  ])
  func `dates, and numbers that look like dates, may be in the future`(text: String, isLater: Bool) throws {
    #expect(try #require(Stamp(text)).isLater(than: 1_795_896_000) == isLater)
  }

  @Test func `what has no order is no stamp`() {
    #expect(Stamp("") == nil && Stamp("true", acceptsTexts: false) == nil)
    #expect(Stamp("2026-02-30")?.kind == .text && Stamp("nan")?.kind == .text && Stamp("0x10")?.kind == .text)
  }
}

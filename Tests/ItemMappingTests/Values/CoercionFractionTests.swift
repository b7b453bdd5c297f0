import FoundationEssentials
import QuireTesting
import Testing

@testable import ItemMapping

struct CoercionFractionTests {
  @Test(
    arguments: [
      CoercionRow(both: "1.5", "exact 1.5"), CoercionRow(both: "42", "exact 42.0"),
      CoercionRow(both: "-0.0", "exact -0.0"), CoercionRow(both: "-0", "exact 0.0"),
      CoercionRow(both: "9007199254740992", "exact 9007199254740992.0"),
      CoercionRow(both: "9007199254740993", "inexact 9007199254740992.0"),
      CoercionRow(both: "9007199254740994", "exact 9.007199254740994e+15"),
      CoercionRow(both: "-9223372036854775808", "exact -9.223372036854776e+18"),
      CoercionRow(both: "9223372036854775807", "inexact 9.223372036854776e+18"),
      CoercionRow(both: "18446744073709551615", "inexact 1.8446744073709552e+19"),
      CoercionRow(both: "18446744073709551616", "exact 1.8446744073709552e+19"),
      CoercionRow(both: "18446744073709551617", "inexact 1.8446744073709552e+19"),
      CoercionRow(
        both: "1234567890123456789012345678901234567890", "inexact 1.2345678901234568e+39"),
      CoercionRow(both: "1e400", "outOfRange"), CoercionRow(both: "-1e400", "outOfRange"),
      CoercionRow(both: "1e-400", "exact 0.0"),
      CoercionRow(#""1.5""#, "converted 1.5"), CoercionRow(#""-0""#, "converted -0.0"),
      CoercionRow(#""1.10""#, "converted 1.1"), CoercionRow(#""1E+3""#, "converted 1000.0"),
      CoercionRow(#""0.1e-5""#, "converted 1e-06"), CoercionRow(#""1e23""#, "converted 1e+23"),
      CoercionRow(#""1.7976931348623157e308""#, "converted 1.7976931348623157e+308"),
      CoercionRow(#""2.2250738585072011e-308""#, "converted 2.225073858507201e-308"),
      CoercionRow(#""9007199254740993""#, "inexact 9007199254740992.0"),
      CoercionRow(#""1e309""#, "outOfRange"), CoercionRow(#""007""#, "unreadable"),
      CoercionRow(#""-01.5""#, "unreadable"),
    ] + CoercionRow.noNumbers)
  func `a fraction is rounded, and lost digits of an integer are reported`(
    row: CoercionRow
  ) throws {
    try row.check { Coercion.double(at: $0, of: $1, $2) }
  }

  @Test(
    arguments: [
      CoercionRow(both: "0.1", "exact 0.1"), CoercionRow(both: "16777216", "exact 16777216.0"),
      CoercionRow(both: "16777217", "inexact 16777216.0"), CoercionRow(both: "1e39", "outOfRange"),
      CoercionRow(both: "1e400", "outOfRange"),
      CoercionRow(both: "9007199254740993", "inexact 9.007199e+15"),
      CoercionRow(#""0.1""#, "converted 0.1"), CoercionRow(#""16777217""#, "inexact 16777216.0"),
      CoercionRow(#""-1e39""#, "outOfRange"),
      CoercionRow(both: "16777217.0", "inexact 16777216.0"),
      CoercionRow(both: "1.6777217e7", "inexact 16777216.0"),
      CoercionRow(#""16777217.0""#, "inexact 16777216.0"),
      CoercionRow(#""1.6777217e7""#, "inexact 16777216.0"),
      CoercionRow(both: "16777218.0", "exact 1.6777218e+07"),
      CoercionRow(both: "16777217.5", "exact 1.6777218e+07"),
      CoercionRow(both: "1e23", "exact 1e+23"),
      CoercionRow(#""1e23""#, "converted 1e+23"),
      CoercionRow(both: "16777217.0000000001", "exact 1.6777218e+07"),
      CoercionRow(#""16777217.0000000001""#, "converted 1.6777218e+07"),
      CoercionRow(both: "1152921573326323713", "inexact 1.1529216e+18"),
      CoercionRow(both: "3.4028235677973366e38", "exact 3.4028235e+38"),
      CoercionRow(#""3.4028235677973366e38""#, "converted 3.4028235e+38"),
      CoercionRow(both: "3.4028236e38", "outOfRange"),
      CoercionRow(both: "-0.0", "exact -0.0"), CoercionRow(both: "1e-400", "exact 0.0"),
    ] + CoercionRow.noNumbers)
  func `a short fraction never becomes infinite`(row: CoercionRow) throws {
    try row.check { Coercion.float(at: $0, of: $1, $2) }
  }

  @Test(
    arguments: [
      CoercionRow(both: "42", "exact 42"), CoercionRow(both: "-0", "exact 0"),
      CoercionRow(both: "-9223372036854775808", "exact -9223372036854775808"),
      CoercionRow(both: "18446744073709551615", "exact 18446744073709551615"),
      CoercionRow(both: "0.1", "exact 0.1"), CoercionRow(both: "1.10", "exact 1.1"),
      CoercionRow(both: "-19.99", "exact -19.99"), CoercionRow(both: "-0.0", "exact 0"),
      CoercionRow(both: "0.00001", "exact 0.00001"),
      CoercionRow(both: "1.2345678", "exact 1.2345678"),
      CoercionRow(both: "1e20", "exact 100000000000000000000"),
      CoercionRow(both: "1e-128", "exact 0." + String(repeating: "0", count: 127) + "1"),
      CoercionRow(both: "1e-129", "outOfRange"), CoercionRow(both: "1e300", "outOfRange"),
      CoercionRow(both: "1e400", "outOfRange"),
      CoercionRow(both: "3.14159265358979323846", "exact 3.14159265358979323846"),
      CoercionRow(both: "-9007199254740993.25", "exact -9007199254740993.25"),
      CoercionRow(both: "1.000000000000000001", "exact 1.000000000000000001"),
      CoercionRow(both: "158590057377232.000025", "exact 158590057377232.000025"),
      CoercionRow(both: "8862796170314.0095458", "exact 8862796170314.0095458"),
      CoercionRow(both: "99999999999999.999", "exact 99999999999999.999"),
      CoercionRow(both: "0.99999999999999999", "exact 0.99999999999999999"),
      CoercionRow(both: "8.300000000000001", "exact 8.300000000000001"),
      CoercionRow(both: "8300000000000001E-15", "exact 8.300000000000001"),
      CoercionRow(both: "12.340000000000000000", "exact 12.34"),
      CoercionRow(
        both: "12345678901234567890123456789012345678",
        "exact 12345678901234567890123456789012345678"),
      CoercionRow(
        both: "99999999999999999999999999999999999999",
        "exact 99999999999999999999999999999999999999"),
      CoercionRow(both: "123456789012345678901234567890123456789", "outOfRange"),
      CoercionRow(
        both: "123456789012345678901234567890123456780",
        "exact 123456789012345678901234567890123456780"),
      CoercionRow(
        both: "3.14159265358979323846264338327950288419716",
        "inexact 3.1415926535897932384626433832795028842"),
      CoercionRow(#""1.10""#, "exact 1.1"), CoercionRow(#""-19.99""#, "exact -19.99"),
      CoercionRow(#""1e2""#, "exact 100"), CoercionRow(#""007""#, "unreadable"),
      CoercionRow(#""1e200""#, "outOfRange"), CoercionRow(#""0e200""#, "exact 0"),
      CoercionRow(
        #""0.12345678901234567890123456789012345678""#,
        "exact 0.12345678901234567890123456789012345678"),
      CoercionRow(
        #""3.14159265358979323846264338327950288419716""#,
        "inexact 3.1415926535897932384626433832795028842"),
    ] + CoercionRow.noNumbers)
  func `a decimal number keeps every digit`(row: CoercionRow) throws {
    try row.check { Coercion.decimal(at: $0, of: $1, $2) }
  }

  @Test func `any number of up to 15 digits is equal as a double and as a decimal`() throws {
    var random = try SeededGenerator.fromEnvironment()
    for _ in 0..<Thoroughness.runs(2_000) {
      let digits =
        Int.random(in: 0..<1_000_000_000_000_000, using: &random)
        >> Int.random(in: 0..<48, using: &random)
      let text = "-\(digits)e-\(Int.random(in: 0..<20, using: &random))"
      let document = try JSONDocument("[\(text), \"\(text)\"]")
      let expected = try #require(Decimal(string: text))
      guard case .exact(let number) = Coercion.decimal(at: 2, of: document, CoercionRules()),
        case .exact(let quoted) = Coercion.decimal(at: 4, of: document, CoercionRules())
      else {
        Issue.record("\(text) was not read")
        continue
      }
      #expect(number == expected)
      #expect(quoted == expected)
      guard
        case .converted(let double, .converted) = Coercion.double(
          at: 4, of: document, CoercionRules())
      else {
        Issue.record("\(text) was not read as a double")
        continue
      }
      #expect(double == Double(text))
    }
  }
}

import Foundation
import QuireTesting
import Testing

/// Numbers of the parser in C: all bits are right.
@Suite(ParserOutcome.isComparable)
struct PortableNumberTests {
  /// Checks a number as a document, in an array, and with a sign.
  private func expectAgreement(on numbers: [String]) {
    let signed = numbers + numbers.map { "-\($0)" }
    let texts = signed + signed.flatMap { ["[\($0)]", "[\($0) ]", "[\($0),1]", "{\"a\":\($0)}"] }
    for filler in ["", "1", "e5", ".5", "]"] {
      ItemMappingTests.expectAgreement(on: texts.map { Array($0.utf8) }, before: filler)
    }
  }

  @Test func `integers keep their 64 bits, and larger ones are refused`() {
    let edges: [UInt64] = [0, 9, 1 << 31, 1 << 32, 1 << 53, 1 << 63, .max, 10_000_000_000_000_000_000]
    for edge in edges {
      for step in 0..<3 as Range<UInt64> { expectAgreement(on: ["\(edge &- step)", "\(edge &+ step)"]) }
    }
    expectAgreement(on: [
      "9223372036854775809", "18446744073709551616", "18446744073709551625", "19999999999999999999",
      "28446744073709551615", "99999999999999999999", "100000000000000000000", "123456789012345678901234",
      "1234567890123456789012345678901234567890",
    ])
    expectAgreement(on: (1...30).map { String(repeating: "9", count: $0) })
    expectAgreement(on: (0...30).map { "1" + String(repeating: "0", count: $0) })
  }

  @Test func `malformed numbers are refused`() {
    expectAgreement(on: [
      "", "-", "--1", "+1", "00", "01", "-01", "0x1", "1.", ".5", "1.e5", "1e", "1e+", "1e-", "1e+-1", "1.5.5", "1e5e5",
      "1e5.5", "1 2", "1a", "1.0f", "1_000", "1,000", "0.0.0", "Infinity", "NaN", "1E", "1e٣", "٣", "1\u{0}", "1\u{B}",
      "12345678x", "1234567.x", "12345678.", "1234567812345678.", "0e", "0.e1", "1e5\u{0}", "1.5\u{FF}", "1/", "1:",
      "1;",
      "123456789012345678901234.", "123456789012345678901234e", "1.123456789012345678901234e", "1e123456.", "1e12345x",
    ])
  }

  @Test func `the nearest double is found where it is hard to find`() {
    expectAgreement(on: [
      "1e23", "8.5e22", "9007199254740993.0", "9007199254740992.99999999999999999",
      "9007199254740993.00000000000000001",
      "2.2250738585072011e-308", "2.2250738585072012e-308", "2.2250738585072014e-308", "4.9e-324",
      "2.4703282292062327e-324",
      "2.4703282292062328e-324", "2.4703282292062329e-324", "1e-400", "0e400", "0.0e-400", "1e308",
      "1.7976931348623157e308",
      "1.7976931348623158e308", "1.7976931348623159e308", "1.797693134862315807e308", "1.797693134862315808e308",
      "1e309",
      "123456789012345678.0", "1234567890123456789.5", "12345678901234567890.5", "0.1", "0.30000000000000004",
      "6.631236871469758276785396630275967e-4", "3.2378839133029012895883524125015321748630e-12",
      "7.2057594037927933e16", "7.2057594037927935e16", "7.2057594037927937e16", "5e-20", "1e22", "1e-22", "9e22",
      "9e-23",
      "1e00000000000000000000000000000001", "1e-00000000000000000000000000000001", "1e99999999999999999999",
      "1e-99999999999999999999", "0e99999999999999999999", "1.000000000000000000000000000000000e-5",
      "100000000000000000000000000000000000e-35", "0.000000000000000000000000000000000001e36",
    ])
    expectAgreement(on: (-345...310).map { "1e\($0)" })
    expectAgreement(on: (-345...310).map { "9007199254740993e\($0)" })
    expectAgreement(on: (1...40).map { "0." + String(repeating: "0", count: $0) + "123456789012345678" })
  }

  private static let doubles: [Double] = [
    .leastNonzeroMagnitude, .leastNormalMagnitude / 128, .leastNormalMagnitude.nextDown, .leastNormalMagnitude, 1e-20,
    1,
    1.5, 3, 1e15, 1e23, 1e300,
  ]

  @Test(arguments: doubles)
  func `a number halfway between two doubles becomes the even one`(_ double: Double) {
    for value in [double, double.nextUp] {
      let digits = HalfwayNumber(above: value).text
      expectAgreement(on: [digits, digits + "1", digits + "0000000001", digits + "e0", digits + "0"])
      let below = String(digits.dropLast())
      expectAgreement(on: [below, below + "49", below + "499999999999999999999999999999999999999999"])
      #expect(Double(digits) == (value.significandBitPattern.isMultiple(of: 2) ? value : value.nextUp))
    }
  }

  @Test func `digits after those that decide a double are not lost`() {
    let zeros = String(repeating: "0", count: 900)
    let nines = String(repeating: "9", count: 900)
    let half = HalfwayNumber(above: 1).text
    expectAgreement(on: [
      half + zeros, half + zeros + "1", "1\(zeros)e-900", "1\(zeros)1e-900", "0.\(zeros)1e901", "0.\(nines)",
      "1.\(nines)",
      "\(nines)e-900", "\(nines).\(nines)e-1000", "0.\(zeros)\(nines)e900", "1\(zeros)", "1\(zeros).0", "\(zeros)1",
      "1.\(zeros)", "1.\(zeros)e0", "0.\(zeros)", "0.\(zeros)e5", "9007199254740993.\(zeros)1",
      "9007199254740993.\(zeros)",
    ])
  }
}

/// Numbers of the parser in C, compared with those of Swift, so also where simdjson is missing.
struct PortableNumberValueTests {
  @Test(arguments: try SeededGenerator.runs(2))
  func `every number is the one that Swift reads`(_ seeded: SeededGenerator) {
    var random = RandomJSON(random: seeded)
    for _ in 0..<Thoroughness.runs(2_000) {
      let text = random.number()
      let document = ParserOutcome.portable(Array("[\(text)]".utf8), before: random.filler()).document
      let isInteger = text.allSatisfy { $0.isNumber || $0 == "-" }
      let digits = text.drop { $0 == "-" }
      let bits: UInt64? =
        if digits.first == "0", let next = digits.dropFirst().first, next.isNumber {
          nil
        } else if isInteger {
          Int64(text).map { UInt64(bitPattern: $0) } ?? UInt64(text)
        } else {
          Double(text).flatMap { $0.isFinite ? $0.bitPattern : nil }
        }
      #expect(document?.tape[3] == bits, "\(text)")
    }
  }
}

/// All digits of the number halfway between a positive double and the next one.
struct HalfwayNumber {
  let text: String

  init(above double: Double) {
    // Twice the number has one bit more than a double. Its digits are those of an integer, divided by a power of two.
    let step = double.nextUp - double
    var digits = Self.digits(double.significandBitPattern | (double.isNormal ? 1 << 52 : 0))
    // In halves of a step.
    digits = Self.multiply(digits, 2, 1)
    var (exponent, point) = (Int(step.exponent) - 1, 0)
    while exponent > 0 {
      digits = Self.multiply(digits, 2, 0)
      exponent -= 1
    }
    while exponent < 0 {
      digits = Self.multiply(digits, 5, 0)
      (exponent, point) = (exponent + 1, point + 1)
    }
    while digits.count <= point { digits.append(0) }
    let all = digits.reversed().map { Character("\($0)") }
    text = String(all.dropLast(point)) + "." + (point == 0 ? "0" : String(all.suffix(point)))
  }

  /// The decimal digits of a number, the lowest first.
  private static func digits(_ number: UInt64) -> [Int] { "\(number)".reversed().compactMap(\.wholeNumberValue) }

  private static func multiply(_ digits: [Int], _ factor: Int, _ summand: Int) -> [Int] {
    var carry = summand
    var product = digits.map { digit in
      carry += digit * factor
      defer { carry /= 10 }
      return carry % 10
    }
    while carry > 0 {
      product.append(carry % 10)
      carry /= 10
    }
    return product
  }
}

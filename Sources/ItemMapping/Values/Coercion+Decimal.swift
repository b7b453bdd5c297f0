#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension Coercion {
  /// Reads a decimal number with all its digits. Text is as exact as a number: it is how servers
  /// send money.
  @inline(__always)
  static func decimal(
    at index: Int, of document: JSONDocument, _ rules: CoercionRules
  ) -> Coerced<Decimal> {
    withExtendedLifetime(document) {
      let tape = document.tape
      switch tape.tag(index) {
      case JSONTape.Tag.int:
        return .exact(Decimal(tape.int(index)))
      case JSONTape.Tag.double:
        if let value = shortDecimal(tape.double(index)) { return .exact(value) }
        return otherDecimal(at: index, of: document, rules)
      default:
        return otherDecimal(at: index, of: document, rules)
      }
    }
  }

  /// Returns the only number of up to 15 digits, seven of them after the decimal point, that this
  /// `Double` can be. Prices and the like are read this way, without their text.
  ///
  /// No two numbers of so few digits share a `Double`. The text could still have more digits that
  /// round to the same value, such as 0.1 with twenty places: those are artifacts of a server that
  /// printed a `Double`.
  private static func shortDecimal(_ double: Double) -> Decimal? {
    guard double.magnitude < 1e15 else { return nil }
    var power = 1.0
    for places in 0...7 {
      let whole = (double * power).rounded()
      guard whole.magnitude < 1e15 else { return nil }
      if whole / power == double {
        return decimal(UInt128(whole.magnitude), -places, isNegative: whole < 0)
      }
      power *= 10
    }
    return nil
  }

  @inline(never)
  private static func otherDecimal(
    at index: Int, of document: JSONDocument, _ rules: CoercionRules
  ) -> Coerced<Decimal> {
    let tape = document.tape
    switch tape.tag(index) {
    case JSONTape.Tag.uint:
      return .exact(Decimal(tape.uint(index)))
    case JSONTape.Tag.double, JSONTape.Tag.bigNumber:
      return decimal(document.numberText(index)).exactIfLossless
    default:
      return number(at: index, of: tape, rules) { decimal($0).exactIfLossless }
    }
  }

  private static func decimal(_ text: UnsafeBufferPointer<UInt8>) -> Coerced<Decimal> {
    guard let number = DecimalDigits(text) else { return .failed(.unreadable) }
    // An integer that loses digits is out of range; a fraction that does is rounded.
    if number.isCut, number.exponent > 0 { return .failed(.outOfRange) }
    let isRoundedUp = number.isCut && number.firstLost >= 5
    let significand = number.significand + (isRoundedUp ? 1 : 0)
    let digits = DecimalDigits(significand, number.exponent).trimmed
    guard
      let value = decimal(digits.significand, digits.exponent, isNegative: number.isNegative)
    else { return .failed(.outOfRange) }
    return .converted(value, number.isCut ? .inexact : .converted)
  }

  /// Assembles a number without converting its digits to text; `nil` if it doesn't fit a `Decimal`.
  private static func decimal(
    _ significand: UInt128, _ exponent: Int, isNegative: Bool
  ) -> Decimal? {
    guard significand > 0 else { return 0 }
    guard -128...127 ~= exponent else { return nil }
    let (high, low) = significand.quotientAndRemainder(dividingBy: 10_000_000_000_000_000_000)
    var digits = Decimal(UInt64(low))
    if high > 0 { digits += Decimal(UInt64(high)) * Decimal(10_000_000_000_000_000_000 as UInt64) }
    let value = Decimal(
      sign: isNegative ? .minus : .plus, exponent: exponent, significand: digits)
    return value.isNaN ? nil : value
  }
}

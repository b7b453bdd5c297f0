#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension Coercion {
  /// Reads the nearest `Double`.
  @inline(__always)
  static func double(
    at index: Int, of document: JSONDocument, _ rules: CoercionRules
  ) -> Coerced<Double> {
    withExtendedLifetime(document) {
      let tape = document.tape
      switch tape.tag(index) {
      case JSONTape.Tag.double:
        return .exact(tape.double(index))
      case JSONTape.Tag.int where tape.int(index).magnitude <= 1 << 53:
        return .exact(Double(tape.int(index)))
      default:
        return otherDouble(at: index, of: document, rules)
      }
    }
  }

  /// Reads the nearest `Float`.
  @inline(__always)
  static func float(
    at index: Int, of document: JSONDocument, _ rules: CoercionRules
  ) -> Coerced<Float> {
    withExtendedLifetime(document) {
      let tape = document.tape
      if tape.tag(index) == JSONTape.Tag.double, let value = plainFloat(tape.double(index)) {
        return .exact(value)
      }
      return otherFloat(at: index, of: document, rules)
    }
  }

  @inline(never)
  private static func otherDouble(
    at index: Int, of document: JSONDocument, _ rules: CoercionRules
  ) -> Coerced<Double> {
    let tape = document.tape
    switch tape.tag(index) {
    case JSONTape.Tag.int: return nearest(to: tape.int(index))
    case JSONTape.Tag.uint: return nearest(to: tape.uint(index))
    case JSONTape.Tag.bigNumber:
      return double(document.numberText(index)).exactIfLossless
    default:
      return number(at: index, of: tape, rules, double)
    }
  }

  @inline(never)
  private static func otherFloat(
    at index: Int, of document: JSONDocument, _ rules: CoercionRules
  ) -> Coerced<Float> {
    let tape = document.tape
    switch tape.tag(index) {
    case JSONTape.Tag.int: return nearest(to: tape.int(index))
    case JSONTape.Tag.uint: return nearest(to: tape.uint(index))
    case JSONTape.Tag.double, JSONTape.Tag.bigNumber:
      return float(document.numberText(index)).exactIfLossless
    default:
      return number(at: index, of: tape, rules, float)
    }
  }

  /// Returns the `Float` nearest to every number with this `Double`; `nil` if that depends on the
  /// number's digits, or if digits of a whole number may be lost.
  @inline(__always)
  private static func plainFloat(_ double: Double) -> Float? {
    let value = Float(double)
    if Double(value) == double, double.magnitude < 0x1p53 { return value }
    // Only a number exactly between two of type `Float`, which ends with these of the 29 bits that a
    // `Double` has more, could be nearer to either. All whole numbers in this range are exact.
    let isBetween = double.bitPattern & 0x1FFF_FFFF == 0x1000_0000
    return 0x1p-126..<0x1p24 ~= double.magnitude && !isBetween ? value : nil
  }

  private static func nearest<T: BinaryFloatingPoint>(
    to integer: some FixedWidthInteger
  ) -> Coerced<T> {
    T(exactly: integer).map(Coerced.exact) ?? .converted(T(integer), .inexact)
  }

  /// Reads digits. A whole number must be exact, however it is written; a fraction may be rounded to the
  /// nearest `Float`, and so may a number that leaves its last digits to an exponent, such as `1e23`.
  private static func float(_ text: UnsafeBufferPointer<UInt8>) -> Coerced<Float> {
    guard let number = DecimalDigits(text) else { return .failed(.unreadable) }
    guard let double = number.double(text),
      let value = plainFloat(double) ?? Float(String(decoding: text, as: UTF8.self)),
      value.isFinite
    else { return .failed(.outOfRange) }
    let whole = number.withoutFractionZeros
    let isKept =
      whole.exponent < 0 || !whole.isCut && whole.exponent > 0
      || UInt128(exactly: value.magnitude) == whole.significand
    return .converted(value, isKept ? .converted : .inexact)
  }

  /// Reads digits. An integer must be exact; a fraction may be rounded to the nearest `Double`.
  private static func double(_ text: UnsafeBufferPointer<UInt8>) -> Coerced<Double> {
    guard let number = DecimalDigits(text) else { return .failed(.unreadable) }
    guard let value = number.double(text) else { return .failed(.outOfRange) }
    let isKept =
      number.exponent < 0 || !number.isCut && number.exponent > 0
      || UInt128(exactly: value.magnitude) == number.significand
    return .converted(value, isKept ? .converted : .inexact)
  }
}

extension DecimalDigits {
  /// The powers of ten that a `Double` holds exactly.
  static let powers: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  /// Returns the nearest `Double` to the number these digits were read from, or `nil` if it is
  /// beyond the largest.
  func double(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    if significand <= 1 << 53, exponent.magnitude < Self.powers.count {
      // With two exact operands the result is rounded only once.
      let power = Self.powers[Int(exponent.magnitude)]
      let whole = Double(UInt64(significand))
      let value = exponent < 0 ? whole / power : whole * power
      return isNegative ? -value : value
    }
    guard let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else {
      return nil
    }
    return value
  }
}

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
        if document.hasOnlyShortFractions, let value = shortDecimal(tape.double(index)) {
          return .exact(value)
        }
        return otherDecimal(at: index, of: document, rules)
      default:
        return otherDecimal(at: index, of: document, rules)
      }
    }
  }

  /// Returns the only number of up to 15 digits, seven of them after the decimal point, that this
  /// `Double` can be. Prices and the like are read this way, without their text.
  ///
  /// No two numbers of so few digits share a `Double`, but one with more digits may have the same.
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

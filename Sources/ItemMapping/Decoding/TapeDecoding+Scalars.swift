#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension TapeDecoding {
  @inline(__always)
  func bool(at value: Int) -> Bool? {
    switch tape.tag(value) {
    case JSONTape.Tag.yes: true
    case JSONTape.Tag.no: false
    default: nil
    }
  }

  @inline(__always)
  func string(at value: Int) -> String? {
    tape.tag(value) == JSONTape.Tag.string ? tape.string(value) : nil
  }

  @inline(__always)
  func integer<T: FixedWidthInteger>(_ type: T.Type, at value: Int) -> T? {
    tape.tag(value) == JSONTape.Tag.int
      ? T(exactly: tape.int(value)) : unusualInteger(type, at: value)
  }

  private func unusualInteger<T: FixedWidthInteger>(_ type: T.Type, at value: Int) -> T? {
    switch tape.tag(value) {
    case JSONTape.Tag.uint: return T(exactly: tape.uint(value))
    case JSONTape.Tag.bigNumber: return T(numberText(value))
    case JSONTape.Tag.double:
      let double = tape.double(value)
      guard let integer = T(exactly: double) else { return nil }
      // Larger neighbors share a `Double`, so only the digits are exact.
      return double.magnitude < 0x1p53 ? integer : Self.wholeNumber(document.numberText(value))
    default: return nil
    }
  }

  /// Returns the integer with these digits, which may have a decimal point and an exponent but no
  /// fraction.
  private static func wholeNumber<T: FixedWidthInteger>(
    _ text: UnsafeBufferPointer<UInt8>
  ) -> T? {
    var digits: [UInt8] = []
    var exponent = 0
    var hasPoint = false
    for (place, byte) in text.enumerated() {
      if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
        guard let power = Int(String(decoding: text[(place + 1)...], as: UTF8.self)) else {
          return nil
        }
        exponent += power
        break
      }
      if byte == UInt8(ascii: ".") { hasPoint = true }
      if byte &- UInt8(ascii: "0") < 10 {
        digits.append(byte &- UInt8(ascii: "0"))
        if hasPoint { exponent -= 1 }
      }
    }
    while digits.last == 0 {
      digits.removeLast()
      exponent += 1
    }
    guard 0..<20 ~= exponent else { return nil }
    var magnitude: UInt64 = 0
    for digit in digits + repeatElement(0, count: exponent) {
      let (tenfold, isTooLarge) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, overflows) = tenfold.addingReportingOverflow(UInt64(digit))
      if isTooLarge || overflows { return nil }
      magnitude = sum
    }
    guard let integer = T(exactly: magnitude) else { return nil }
    return text.first == UInt8(ascii: "-") ? 0 - integer : integer
  }

  @inline(__always)
  func double(at value: Int) -> Double? {
    if tape.tag(value) == JSONTape.Tag.double {
      let double = tape.double(value)
      if double != 0 { return double }
    }
    return unusualDouble(at: value)
  }

  private func unusualDouble(at value: Int) -> Double? {
    switch tape.tag(value) {
    case JSONTape.Tag.int:
      let integer = tape.int(value)
      return integer == 0 ? zero(value) : Double(integer)
    case JSONTape.Tag.uint: return Double(tape.uint(value))
    case JSONTape.Tag.double: return zero(value)
    case JSONTape.Tag.bigNumber:
      return Double(numberText(value)).flatMap { $0.isFinite ? $0 : nil }
    default: return nonConforming(value)
    }
  }

  func float(at value: Int) -> Float? {
    switch tape.tag(value) {
    case JSONTape.Tag.int where tape.int(value) != 0: return Float(tape.int(value))
    case JSONTape.Tag.uint: return Float(tape.uint(value))
    case JSONTape.Tag.int, JSONTape.Tag.double, JSONTape.Tag.bigNumber:
      // Rounded from the digits: a conversion from `Double` would round twice.
      guard let float = Float(numberText(value)), float.isFinite else { return nil }
      return float == 0 ? zero(value).map { Float($0) } : float
    default: return nonConforming(value).map { Float($0) }
    }
  }

  func numberText(_ value: Int) -> String {
    String(decoding: document.numberText(value), as: UTF8.self)
  }

  /// Returns zero with its sign; `nil` if only rounding made it zero.
  private func zero(_ value: Int) -> Double? {
    let text = document.numberText(value)
    for byte in text {
      if byte | 0x20 == UInt8(ascii: "e") { break }
      if byte &- UInt8(ascii: "1") < 9 { return nil }
    }
    return text.first == UInt8(ascii: "-") ? -0.0 : 0
  }

  private func nonConforming(_ value: Int) -> Double? {
    guard tape.tag(value) == JSONTape.Tag.string,
      case .convertFromString(let positive, let negative, let nan) = options.floatStrategy
    else { return nil }
    let text = tape.utf8(value)
    if positive.utf8.elementsEqual(text) { return .infinity }
    if negative.utf8.elementsEqual(text) { return -.infinity }
    return nan.utf8.elementsEqual(text) ? .nan : nil
  }
}

/// The parts of a number as written: significand × 10^exponent, without rounding.
struct DecimalDigits {
  /// The number of digits that fit, which is also the number that a `Decimal` holds.
  static var capacity: Int { 38 }

  private(set) var isNegative = false
  /// The first ``capacity`` digits, without leading zeros.
  private(set) var significand: UInt128 = 0
  private(set) var exponent = 0
  /// The first digit that didn't fit, and whether any digit that didn't fit is above zero.
  private(set) var firstLost: UInt8 = 0
  private(set) var isCut = false

  init(_ significand: UInt128, _ exponent: Int) {
    self.significand = significand
    self.exponent = exponent
  }

  /// Reads a number in JSON notation; `nil` for any other text.
  init?(_ text: UnsafeBufferPointer<UInt8>) {
    var at = 0
    if at < text.count, text[at] == UInt8(ascii: "-") {
      isNegative = true
      at = 1
    }
    let start = at
    var count = 0
    at = take(text, from: at, &count)
    guard at > start, at == start + 1 || text[start] != UInt8(ascii: "0") else { return nil }
    if at < text.count, text[at] == UInt8(ascii: ".") {
      let point = at + 1
      at = take(text, from: point, &count)
      guard at > point else { return nil }
      exponent -= at - point
    }
    if at < text.count, text[at] | 0x20 == UInt8(ascii: "e") {
      guard let power = Self.power(text, from: &at) else { return nil }
      exponent += power
    }
    guard at == text.count else { return nil }
  }

  /// Reads digits up to the first other byte, and returns the position of that byte.
  @inline(__always)
  private mutating func take(
    _ text: UnsafeBufferPointer<UInt8>, from start: Int, _ count: inout Int
  ) -> Int {
    var at = start
    var short: UInt64 = count == 0 ? 0 : UInt64(truncatingIfNeeded: significand)
    while at < text.count {
      let digit = text[at] &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      at += 1
      if count < 18 {
        short = short &* 10 &+ UInt64(digit)
        significand = UInt128(short)
      } else if count < Self.capacity {
        significand = significand &* 10 &+ UInt128(digit)
      } else {
        if count == Self.capacity { firstLost = digit }
        if digit > 0 { isCut = true }
        exponent += 1
      }
      if count > 0 || digit > 0 { count += 1 }
    }
    return at
  }

  /// Reads the exponent after an `e`. It stops growing where larger ones make no difference.
  private static func power(_ text: UnsafeBufferPointer<UInt8>, from at: inout Int) -> Int? {
    at += 1
    var isNegative = false
    if at < text.count, text[at] == UInt8(ascii: "-") || text[at] == UInt8(ascii: "+") {
      isNegative = text[at] == UInt8(ascii: "-")
      at += 1
    }
    let start = at
    var power = 0
    while at < text.count, text[at] &- UInt8(ascii: "0") < 10 {
      if power < 1 << (Int.bitWidth * 5 / 8) { power = power * 10 + Int(text[at] &- UInt8(ascii: "0")) }
      at += 1
    }
    guard at > start else { return nil }
    return isNegative ? -power : power
  }

  /// The same number, with the trailing zeros of its significand moved to the exponent.
  var trimmed: DecimalDigits {
    var digits = self
    guard digits.significand > 0 else {
      digits.exponent = 0
      return digits
    }
    while digits.significand.isMultiple(of: 10) {
      digits.significand /= 10
      digits.exponent += 1
    }
    return digits
  }

  /// The same number, without zeros at the end of its fraction.
  var withoutFractionZeros: DecimalDigits {
    var digits = self
    guard !isCut, significand > 0 else { return digits }
    while digits.exponent < 0, digits.significand.isMultiple(of: 10) {
      digits.significand /= 10
      digits.exponent += 1
    }
    return digits
  }

  /// The number without its sign if it is whole and fits; otherwise the reason.
  var whole: Result<UInt128, Misfit> {
    if isCut { return .failure(exponent > 0 ? .tooLarge : .fraction) }
    let digits = trimmed
    if digits.exponent < 0 { return .failure(.fraction) }
    var value = digits.significand
    if value == 0 { return .success(0) }
    for _ in 0..<min(digits.exponent, 40) {
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      if overflow { return .failure(.tooLarge) }
      value = product
    }
    return .success(value)
  }

  /// Why a number is not a whole number that fits.
  enum Misfit: Error {
    case fraction
    case tooLarge
  }
}

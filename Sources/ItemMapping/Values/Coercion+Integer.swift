extension Coercion {
  /// Reads a whole number. No digit passes through a `Double` that could lose it.
  @inline(__always)
  static func integer<T: FixedWidthInteger>(
    _ type: T.Type, at index: Int, of document: JSONDocument, _ rules: CoercionRules
  ) -> Coerced<T> {
    withExtendedLifetime(document) {
      let tape = document.tape
      if tape.tag(index) == JSONTape.Tag.int, let value = T(exactly: tape.int(index)) {
        return .exact(value)
      }
      return otherInteger(at: index, of: document, rules)
    }
  }

  @inline(never)
  private static func otherInteger<T: FixedWidthInteger>(
    at index: Int, of document: JSONDocument, _ rules: CoercionRules
  ) -> Coerced<T> {
    let tape = document.tape
    switch tape.tag(index) {
    case JSONTape.Tag.uint:
      return T(exactly: tape.uint(index)).map(Coerced.exact) ?? .failed(.outOfRange)
    case JSONTape.Tag.int:
      return .failed(.outOfRange)
    case JSONTape.Tag.bigNumber:
      if case .read(let value) = digits(document.numberText(index), as: T.self) {
        return .exact(value)
      }
      return .failed(.outOfRange)
    case JSONTape.Tag.double:
      return whole(at: index, of: document, rules)
    case JSONTape.Tag.string where !rules.isStrict:
      return whole(tape.utf8(index))
    case JSONTape.Tag.yes where rules.takesBools && !rules.isStrict:
      return T(exactly: 1).map { .converted($0, .converted) } ?? .failed(.outOfRange)
    case JSONTape.Tag.no where rules.takesBools && !rules.isStrict:
      return .converted(0, .converted)
    default:
      return .failed(.wrongType)
    }
  }

  /// Reads a number that has a fraction or an exponent in the text.
  private static func whole<T: FixedWidthInteger>(
    at index: Int, of document: JSONDocument, _ rules: CoercionRules
  ) -> Coerced<T> {
    if rules.isStrict { return .failed(.fraction) }
    let double = document.tape.double(index)
    // From here on a whole `Double` may differ from the number in the text.
    guard double.magnitude < 0x1p53 else { return exactly(document.numberText(index)) }
    guard let whole = Int64(exactly: double) else { return .failed(.fraction) }
    return T(exactly: whole).map { .converted($0, .converted) } ?? .failed(.outOfRange)
  }

  private static func whole<T: FixedWidthInteger>(
    _ text: UnsafeBufferPointer<UInt8>
  ) -> Coerced<T> {
    if text.isEmpty { return .failed(.empty) }
    return switch digits(text, as: T.self) {
    case .read(let value): .converted(value, .converted)
    case .tooLarge: .failed(.outOfRange)
    case .notDigits: exactly(text)
    }
  }

  private static func exactly<T: FixedWidthInteger>(
    _ text: UnsafeBufferPointer<UInt8>
  ) -> Coerced<T> {
    guard let number = DecimalDigits(text) else { return .failed(.unreadable) }
    switch number.whole {
    case .failure(.fraction): return .failed(.fraction)
    case .failure(.tooLarge): return .failed(.outOfRange)
    case .success(let magnitude):
      let value =
        number.isNegative
        ? Int128(exactly: magnitude).flatMap { T(exactly: -$0) } : T(exactly: magnitude)
      return value.map { .converted($0, .converted) } ?? .failed(.outOfRange)
    }
  }
}

extension Coercion {
  private enum Digits<T> {
    case read(T)
    case tooLarge
    case notDigits
  }

  /// Reads only decimal digits with an optional minus.
  @inline(__always)
  private static func digits<T: FixedWidthInteger>(
    _ text: UnsafeBufferPointer<UInt8>, as type: T.Type
  ) -> Digits<T> {
    let isNegative = text.first == UInt8(ascii: "-")
    var at = isNegative ? 1 : 0
    guard at < text.count else { return .notDigits }
    // Eighteen digits always fit.
    let safe = min(text.count, at + 18)
    var short: Int64 = 0
    while at < safe {
      let digit = text[at] &- UInt8(ascii: "0")
      guard digit < 10 else { return .notDigits }
      short = short &* 10 &+ Int64(digit)
      at += 1
    }
    if isNegative { short = -short }
    if at == text.count { return T(exactly: short).map(Digits.read) ?? .tooLarge }
    return moreDigits(text, from: at, after: short, isNegative)
  }

  private static func moreDigits<T: FixedWidthInteger>(
    _ text: UnsafeBufferPointer<UInt8>, from start: Int, after short: Int64, _ isNegative: Bool
  ) -> Digits<T> {
    var value = T(exactly: short)
    for byte in text[start...] {
      let digit = byte &- UInt8(ascii: "0")
      guard digit < 10 else { return .notDigits }
      guard let (product, isLost) = value?.multipliedReportingOverflow(by: 10), !isLost,
        let small = T(exactly: digit)
      else {
        value = nil
        continue
      }
      let (sum, isOver) =
        isNegative
        ? product.subtractingReportingOverflow(small) : product.addingReportingOverflow(small)
      value = isOver ? nil : sum
    }
    return value.map(Digits.read) ?? .tooLarge
  }
}

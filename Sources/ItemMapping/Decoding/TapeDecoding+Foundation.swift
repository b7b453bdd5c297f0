#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension TapeDecoding {
  func date(at value: Int, _ place: () -> CodingPlace) throws -> Date {
    if isNull(value) { throw refusal(Date.self, at: value, wanting: .string, place().path) }
    switch options.dateStrategy {
    case .deferredToDate:
      return Date(timeIntervalSinceReferenceDate: try seconds(value, place))
    case .secondsSince1970: return Date(timeIntervalSince1970: try seconds(value, place))
    case .millisecondsSince1970:
      return Date(timeIntervalSince1970: try seconds(value, place) / 1000)
    case .iso8601:
      try expectString(value, place)
      guard let date = ItemDecoder.iso8601Date(tape.utf8(value)) else {
        throw corrupted(
          "expected a date such as 2024-05-01T10:20:30Z; set dateStrategy for another format",
          place().path)
      }
      return date
    case .custom(let read): return try entering(value, place(), nil) { try read(self) }
    }
  }

  func data(at value: Int, _ place: () -> CodingPlace) throws -> Data {
    if isNull(value) { throw refusal(Data.self, at: value, wanting: .string, place().path) }
    switch options.dataStrategy {
    case .deferredToData:
      return try entering(value, place(), nil) { try Data(from: self) }
    case .base64:
      try expectString(value, place)
      guard let data = Data(base64Encoded: tape.string(value)) else {
        throw corrupted(
          "expected Base64; set dataStrategy for another encoding", place().path)
      }
      return data
    case .custom(let read): return try entering(value, place(), nil) { try read(self) }
    }
  }

  func url(at value: Int, _ place: () -> CodingPlace) throws -> URL {
    if isNull(value) { throw refusal(URL.self, at: value, wanting: .string, place().path) }
    try expectString(value, place)
    guard let url = URL(string: tape.string(value)) else {
      throw corrupted("expected a URL", place().path)
    }
    return url
  }

  func decimal(at value: Int, _ place: () -> CodingPlace) throws -> Decimal {
    let decimal: Decimal? =
      switch tape.tag(value) {
      case JSONTape.Tag.int: Decimal(tape.int(value))
      case JSONTape.Tag.uint: Decimal(tape.uint(value))
      case JSONTape.Tag.double, JSONTape.Tag.bigNumber:
        Self.plainDecimal(document.numberText(value)) ?? Decimal(string: numberText(value))
      case JSONTape.Tag.string where options.decimalStrategy == .convertFromString:
        Coercion.decimal(at: value, of: document, CoercionRules()).value
      default: nil
      }
    return try checked(Decimal.self, .number, decimal, value, place)
  }

  /// Reads a number with few digits and no exponent, such as a price.
  private static func plainDecimal(_ text: UnsafeBufferPointer<UInt8>) -> Decimal? {
    guard text.count < 20 else { return nil }
    var significand: UInt64 = 0
    var exponent = 0
    var hasPoint = false
    for byte in text {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        significand = significand * 10 + UInt64(byte - UInt8(ascii: "0"))
        if hasPoint { exponent -= 1 }
      case UInt8(ascii: "."): hasPoint = true
      case UInt8(ascii: "-"): break
      default: return nil
      }
    }
    // Zero has no sign.
    let isNegative = significand > 0 && text.first == UInt8(ascii: "-")
    return Decimal(
      sign: isNegative ? .minus : .plus, exponent: exponent, significand: Decimal(significand))
  }

  private func seconds(_ value: Int, _ place: () -> CodingPlace) throws -> Double {
    try checked(Double.self, .number, double(at: value), value, place)
  }

  private func expectString(_ value: Int, _ place: () -> CodingPlace) throws {
    guard tape.tag(value) == JSONTape.Tag.string else {
      throw refusal(String.self, at: value, wanting: .string, place().path)
    }
  }
}

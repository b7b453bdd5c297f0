#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A type of Foundation that strategies apply to, or that is not read as it would decode itself.
protocol TapeLeaf: Decodable {
  static func read(at value: Int, _ place: CodingPlace, _ decoding: TapeDecoding) throws -> Self
}

extension Date: TapeLeaf {
  static func read(at value: Int, _ place: CodingPlace, _ decoding: TapeDecoding) throws -> Date {
    try decoding.date(at: value, place)
  }
}

extension Data: TapeLeaf {
  static func read(at value: Int, _ place: CodingPlace, _ decoding: TapeDecoding) throws -> Data {
    try decoding.data(at: value, place)
  }
}

extension URL: TapeLeaf {
  static func read(at value: Int, _ place: CodingPlace, _ decoding: TapeDecoding) throws -> URL {
    try decoding.url(at: value, place)
  }
}

extension Decimal: TapeLeaf {
  static func read(at value: Int, _ place: CodingPlace, _ decoding: TapeDecoding) throws -> Decimal {
    try decoding.decimal(at: value, place)
  }
}

extension TapeDecoding {
  func date(at value: Int, _ place: CodingPlace) throws -> Date {
    if tape.isNull(value) { throw refusal(Date.self, at: value, wanting: .string, place.path) }
    switch options.dateStrategy {
    case .secondsSince1970: return Date(timeIntervalSince1970: try seconds(value, place))
    case .millisecondsSince1970:
      return Date(timeIntervalSince1970: try seconds(value, place) / 1000)
    case .iso8601:
      try expectString(value, place)
      guard let date = ItemDecoder.iso8601Date(tape.utf8(value)) else {
        throw corrupted(
          "expected a date such as 2024-05-01T10:20:30Z; set dateStrategy for another format",
          place.path)
      }
      return date
    case .custom(let read): return try withDecoder(Date.self, for: value, at: place) { try read($0) }
    #if canImport(Darwin)
      case .formatted(let formatter):
        try expectString(value, place)
        guard let date = formatter.date(from: tape.string(value)) else {
          throw corrupted("expected a date in the format of the formatter", place.path)
        }
        return date
    #endif
    default: return Date(timeIntervalSinceReferenceDate: try seconds(value, place))
    }
  }

  func data(at value: Int, _ place: CodingPlace) throws -> Data {
    if tape.isNull(value) { throw refusal(Data.self, at: value, wanting: .string, place.path) }
    switch options.dataStrategy {
    case .deferredToData:
      return try withDecoder(Data.self, for: value, at: place) { try Data(from: $0) }
    case .custom(let read): return try withDecoder(Data.self, for: value, at: place) { try read($0) }
    default:
      try expectString(value, place)
      guard let data = Data(base64Encoded: tape.string(value)) else {
        throw corrupted(
          "expected Base64; set dataStrategy for another encoding", place.path)
      }
      return data
    }
  }

  func url(at value: Int, _ place: CodingPlace) throws -> URL {
    if tape.isNull(value) { throw refusal(URL.self, at: value, wanting: .string, place.path) }
    try expectString(value, place)
    guard let url = URL(string: tape.string(value)) else {
      throw corrupted("expected a URL", place.path)
    }
    return url
  }

  func decimal(at value: Int, _ place: CodingPlace) throws -> Decimal {
    let decimal: Decimal? =
      switch tape.tag(value) {
      case JSONTape.Tag.int: Decimal(tape.int(value))
      case JSONTape.Tag.uint: Decimal(tape.uint(value))
      case JSONTape.Tag.double, JSONTape.Tag.bigNumber:
        Self.plainDecimal(document.numberText(value)) ?? Decimal(string: numberText(value))
      case JSONTape.Tag.string where options.readsDecimalsFromStrings:
        Coercion.decimal(at: value, of: document, CoercionRules()).value
      default: nil
      }
    guard let decimal else { throw refusal(Decimal.self, at: value, wanting: .number, place.path) }
    return decimal
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

  private func seconds(_ value: Int, _ place: CodingPlace) throws -> Double {
    try scalar(Double.self, at: value) { place.path }
  }

  private func expectString(_ value: Int, _ place: CodingPlace) throws {
    guard tape.tag(value) == JSONTape.Tag.string else {
      throw refusal(String.self, at: value, wanting: .string, place.path)
    }
  }
}

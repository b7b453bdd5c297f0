#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension JSONValue where Self: FixedWidthInteger {
  /// Reads a whole number that fits.
  public static func read(_ place: ItemMapper.Run.Place, in run: inout ItemMapper.Run) -> Self? {
    let coerced = Coercion.integer(Self.self, at: run.index(of: place), of: run.document, run.rules)
    return run.take(coerced, at: place, expected: "\(Self.self)")
  }

  /// Returns a number.
  public func write(as style: JSONAny.Style) -> JSONAny? {
    if let int = Int(exactly: self) { return .int(int) }
    if let uint = UInt64(exactly: self) { return .uint(uint) }
    return .number(JSONAny.Number(trusted: "\(self)"))
  }
}

extension Int: JSONValue {}
extension Int8: JSONValue {}
extension Int16: JSONValue {}
extension Int32: JSONValue {}
extension Int64: JSONValue {}
extension Int128: JSONValue {}
extension UInt: JSONValue {}
extension UInt8: JSONValue {}
extension UInt16: JSONValue {}
extension UInt32: JSONValue {}
extension UInt64: JSONValue {}
extension UInt128: JSONValue {}

extension Double: JSONValue, BuiltInValue {
  /// Reads the nearest number.
  static func value(at place: ItemMapper.Run.Place, in run: inout ItemMapper.Run) -> Double? {
    let coerced = Coercion.double(at: run.index(of: place), of: run.document, run.rules)
    return run.take(coerced, at: place, expected: "Double")
  }

  /// Returns a number, or `null` if it is not finite.
  func json(as style: JSONAny.Style) -> JSONAny? { isFinite ? .double(self) : .null }
}

extension Float: JSONValue, BuiltInValue {
  /// Reads the nearest number.
  static func value(at place: ItemMapper.Run.Place, in run: inout ItemMapper.Run) -> Float? {
    let coerced = Coercion.float(at: run.index(of: place), of: run.document, run.rules)
    return run.take(coerced, at: place, expected: "Float")
  }

  /// Returns a number with the fewest digits, or `null` if it is not finite.
  func json(as style: JSONAny.Style) -> JSONAny? {
    JSONAny.Number("\(self)").map { .number($0) } ?? .null
  }
}

extension Bool: JSONValue, BuiltInValue {
  /// Reads `true` or `false`.
  static func value(at place: ItemMapper.Run.Place, in run: inout ItemMapper.Run) -> Bool? {
    let coerced = Coercion.bool(at: run.index(of: place), of: run.document, run.rules)
    return run.take(coerced, at: place, expected: "Bool")
  }

  /// Returns `true` or `false`.
  func json(as style: JSONAny.Style) -> JSONAny? { .bool(self) }
}

extension String: JSONValue, BuiltInValue {
  /// Reads a string.
  static func value(at place: ItemMapper.Run.Place, in run: inout ItemMapper.Run) -> String? {
    if run.field?.options.isInterned == true, run.tag(place) == JSONTape.Tag.string {
      return run.strings.string(run.tape, run.index(of: place))
    }
    let coerced = Coercion.string(at: run.index(of: place), of: run.document, run.rules)
    return run.take(coerced, at: place, expected: "String")
  }

  /// Returns a string.
  func json(as style: JSONAny.Style) -> JSONAny? { .string(self) }
}

extension JSONValue where Self: RawRepresentable, RawValue: JSONValue {
  /// Reads the case with the raw value.
  public static func read(_ place: ItemMapper.Run.Place, in run: inout ItemMapper.Run) -> Self? {
    guard let raw = RawValue.read(place, in: &run) else { return nil }
    if let value = Self(rawValue: raw) { return value }
    let isEmpty = (raw as? String)?.isEmpty == true
    return run.refuse(place, isEmpty ? .empty : .unknownCase, expected: "\(Self.self)")
  }

  /// Returns the raw value as JSON.
  public func write(as style: JSONAny.Style) -> JSONAny? { rawValue.write(as: style) }
}

extension Decimal: JSONValue, BuiltInValue {
  /// Reads a number, exactly up to 38 digits.
  static func value(at place: ItemMapper.Run.Place, in run: inout ItemMapper.Run) -> Decimal? {
    let coerced = Coercion.decimal(at: run.index(of: place), of: run.document, run.rules)
    return run.take(coerced, at: place, expected: "Decimal")
  }

  /// Returns a number with all digits of the value.
  func json(as style: JSONAny.Style) -> JSONAny? {
    JSONAny.Number("\(self)").map { .number($0) } ?? .null
  }
}

extension Date: JSONValue, BuiltInValue {
  /// Reads a date in one of the field's formats.
  static func value(at place: ItemMapper.Run.Place, in run: inout ItemMapper.Run) -> Date? {
    let formats = run.field?.options.dates ?? run.mapper.dates
    if let date = formats.date(at: run.index(of: place), of: run.document) { return date }
    let expected = "Date as " + formats.map { "\($0)" }.joined(separator: " or ")
    switch run.tag(place) {
    case JSONTape.Tag.string:
      let isEmpty = run.tape.utf8(run.index(of: place)).isEmpty
      return run.refuse(place, isEmpty ? .empty : .unreadable, expected: expected)
    case JSONTape.Tag.int, JSONTape.Tag.uint, JSONTape.Tag.double:
      return run.refuse(
        place, .wrongType, expected: expected,
        hint: "declare .date(.secondsSince1970) or .date(.millisecondsSince1970)")
    default: return run.refuse(place, .wrongType, expected: expected)
    }
  }

  /// Returns a date in the first of the field's formats.
  func json(as style: JSONAny.Style) -> JSONAny? { style.date.json(self) }
}

extension URL: JSONValue, BuiltInValue {
  /// Reads a URL.
  static func value(at place: ItemMapper.Run.Place, in run: inout ItemMapper.Run) -> URL? {
    guard let text = run.text(place, expected: "URL") else { return nil }
    return URL(string: text) ?? run.refuse(place, expected: "URL")
  }

  /// Returns the URL as it was written.
  func json(as style: JSONAny.Style) -> JSONAny? { .string(relativeString) }
}

extension Data: JSONValue, BuiltInValue {
  /// Reads bytes in Base64.
  static func value(at place: ItemMapper.Run.Place, in run: inout ItemMapper.Run) -> Data? {
    guard run.tag(place) == JSONTape.Tag.string else {
      return run.refuse(place, .wrongType, expected: "Data as Base64")
    }
    return Data(base64Encoded: run.tape.string(run.index(of: place)))
      ?? run.refuse(place, expected: "Data as Base64")
  }

  /// Returns bytes in Base64.
  func json(as style: JSONAny.Style) -> JSONAny? { .string(base64EncodedString()) }
}

extension ItemMapper.Run {
  /// Reads a string that must not be empty.
  fileprivate mutating func text(_ place: ItemMapper.Run.Place, expected: String) -> String? {
    guard tag(place) == JSONTape.Tag.string else {
      return refuse(place, .wrongType, expected: expected)
    }
    guard !tape.utf8(index(of: place)).isEmpty else {
      return refuse(place, .empty, expected: expected)
    }
    return tape.string(index(of: place))
  }
}

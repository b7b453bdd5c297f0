#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Decimal: JSONValue {
  /// Reads a number, exactly up to 38 digits.
  public static func read(_ place: MappingRun.Place, in run: inout MappingRun) -> Decimal? {
    let coerced = Coercion.decimal(at: run.index(of: place), of: run.document, run.rules)
    return run.take(coerced, at: place, expected: "Decimal")
  }

  /// Returns a number with all digits of the value.
  public func write(as style: JSONAny.Style) -> JSONAny? {
    JSONAny.Number("\(self)").map { .number($0) } ?? .null
  }
}

extension Date: JSONValue {
  /// Reads a date in one of the field's formats.
  public static func read(_ place: MappingRun.Place, in run: inout MappingRun) -> Date? {
    let formats = run.field?.options.dates ?? .usual
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
  public func write(as style: JSONAny.Style) -> JSONAny? { style.date.json(self) }
}

extension URL: JSONValue {
  /// Reads a URL.
  public static func read(_ place: MappingRun.Place, in run: inout MappingRun) -> URL? {
    guard let text = run.text(place, expected: "URL") else { return nil }
    return URL(string: text) ?? run.refuse(place, expected: "URL")
  }

  /// Returns the URL as it was written.
  public func write(as style: JSONAny.Style) -> JSONAny? { .string(relativeString) }
}

extension Data: JSONValue {
  /// Reads bytes in Base64.
  public static func read(_ place: MappingRun.Place, in run: inout MappingRun) -> Data? {
    guard run.tag(place) == JSONTape.Tag.string else {
      return run.refuse(place, .wrongType, expected: "Data as Base64")
    }
    return Data(base64Encoded: run.tape.string(run.index(of: place)))
      ?? run.refuse(place, expected: "Data as Base64")
  }

  /// Returns bytes in Base64.
  public func write(as style: JSONAny.Style) -> JSONAny? { .string(base64EncodedString()) }
}

extension MappingRun {
  /// Reads a string that must not be empty.
  fileprivate mutating func text(_ place: MappingRun.Place, expected: String) -> String? {
    guard tag(place) == JSONTape.Tag.string else {
      return refuse(place, .wrongType, expected: expected)
    }
    guard !tape.utf8(index(of: place)).isEmpty else {
      return refuse(place, .empty, expected: expected)
    }
    return tape.string(index(of: place))
  }
}

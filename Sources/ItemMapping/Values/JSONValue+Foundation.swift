#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Decimal: JSONValue {
  /// A number, digit for digit.
  public static func read(_ place: JSONPlace, in run: inout MappingRun) -> Decimal? {
    let coerced = Coercion.decimal(at: place.index, of: run.document, run.rules)
    return run.take(coerced, at: place, expected: "Decimal")
  }

  /// A number, digit for digit.
  public func write(as style: JSONStyle) -> JSONAny? {
    JSONNumber("\(self)").map { .number($0) } ?? .null
  }
}

extension Date: JSONValue {
  /// A date in one of the field's formats.
  public static func read(_ place: JSONPlace, in run: inout MappingRun) -> Date? {
    let formats = run.field?.options.dates ?? .usual
    if let date = formats.date(at: place.index, of: run.document) { return date }
    let tape = run.tape
    let expected = "Date as " + formats.map { "\($0)" }.joined(separator: " or ")
    switch tape.tag(place.index) {
    case JSONTape.Tag.string:
      let isEmpty = tape.utf8(place.index).isEmpty
      return run.refuse(place, isEmpty ? .empty : .unreadable, expected: expected)
    case JSONTape.Tag.int, JSONTape.Tag.uint, JSONTape.Tag.double:
      return run.refuse(
        place, .wrongType, expected: expected,
        hint: "declare .date(.secondsSince1970) or .date(.millisecondsSince1970)")
    default: return run.refuse(place, .wrongType, expected: expected)
    }
  }

  /// A date in the first of the field's formats.
  public func write(as style: JSONStyle) -> JSONAny? { style.date.json(self) }
}

extension URL: JSONValue {
  /// An address.
  public static func read(_ place: JSONPlace, in run: inout MappingRun) -> URL? {
    guard let text = run.text(place, expected: "URL") else { return nil }
    return URL(string: text) ?? run.refuse(place, expected: "URL")
  }

  /// The address as it was written.
  public func write(as style: JSONStyle) -> JSONAny? { .string(relativeString) }
}

extension Data: JSONValue {
  /// Bytes in Base64.
  public static func read(_ place: JSONPlace, in run: inout MappingRun) -> Data? {
    guard run.tape.tag(place.index) == JSONTape.Tag.string else {
      return run.refuse(place, .wrongType, expected: "Data as Base64")
    }
    return Data(base64Encoded: run.tape.string(place.index))
      ?? run.refuse(place, expected: "Data as Base64")
  }

  /// Bytes in Base64.
  public func write(as style: JSONStyle) -> JSONAny? { .string(base64EncodedString()) }
}

extension MappingRun {
  /// A string with something in it.
  fileprivate mutating func text(_ place: JSONPlace, expected: String) -> String? {
    guard tape.tag(place.index) == JSONTape.Tag.string else {
      return refuse(place, .wrongType, expected: expected)
    }
    guard !tape.utf8(place.index).isEmpty else { return refuse(place, .empty, expected: expected) }
    return tape.string(place.index)
  }
}

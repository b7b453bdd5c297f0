/// Reads scalars: one table for items, paths and `Decodable` values alike.
///
/// | on the tape | for | lenient | strict |
/// |---|---|---|---|
/// | a number that fits | a number | exact | exact |
/// | an integer beyond the precision of a `Double` | a `Double` | inexact | inexact |
/// | `16777217`, `16777217.0`, `1.6777217e7`, beyond the precision of a `Float` | a `Float` | inexact | inexact |
/// | a number with more digits than a `Decimal` has | a `Decimal` | inexact | inexact |
/// | a number beyond the type | a number | out of range | out of range |
/// | `1.0`, `1e3` | an integer | converted | fraction |
/// | `1.5` | an integer | fraction | fraction |
/// | `"42"` | a number | converted | wrong type |
/// | `"12.50"` | a `Decimal` | exact | wrong type |
/// | `"1.0"` | an integer | converted | wrong type |
/// | `"3.14"` | an integer | fraction | wrong type |
/// | `""` | a number, a `Bool` | empty | wrong type |
/// | `"abc"`, `" 42"`, `"+42"`, `"nan"` | a number | unreadable | wrong type |
/// | `true` | a number | wrong type, or converted if the field allows it | wrong type |
/// | `0`, `1`, `"0"`, `"1"`, `"true"`, `"false"` | a `Bool` | converted | wrong type |
/// | another number | a `Bool` | out of range | wrong type |
/// | another string, such as `"yes"` | a `Bool` | unreadable | wrong type |
/// | an integer, `1.5` | a `String` | converted | wrong type |
/// | `1.10`, which becomes `"1.1"` | a `String` | inexact | wrong type |
/// | `true` | a `String` | wrong type | wrong type |
/// | `null`, an array, an object | anything | wrong type | wrong type |
///
/// Each function handles the property's own type first, so that it is small enough to be inlined,
/// and leaves the rest to a second function. The text of a number is only read if it is needed,
/// because the first access costs a pass over the document. So `-0` is plain 0, and digits after a
/// decimal point that are lost in the nearest `Double` are not noticed, and neither are those of
/// `9007199254740993.0`, which a `Double` stores as it comes from the parser.
enum Coercion {}

/// How much a scalar may differ from the property's type.
struct CoercionRules: Sendable, Hashable {
  /// Whether only values of the property's own JSON type are accepted.
  var isStrict = false
  /// Whether `true` and `false` count as 1 and 0 for a number.
  var takesBools = false
}

/// The result of reading a scalar for a property.
enum Coerced<Value> {
  /// The scalar has exactly this value.
  case exact(Value)
  /// The scalar has another type or form, with the loss, if any: ``MappingReport/Issue/Kind/converted`` or
  /// ``MappingReport/Issue/Kind/inexact``.
  case converted(Value, MappingReport.Issue.Kind)
  /// The property can't have the scalar as its value.
  case failed(MappingReport.Issue.Kind)

  /// The value, if there is one.
  var value: Value? {
    switch self {
    case .exact(let value), .converted(let value, _): value
    case .failed: nil
    }
  }

  /// The same result, with a converted value as exact if it lost nothing: the digits of a number are read
  /// as text, but have the right type.
  var exactIfLossless: Coerced {
    if case .converted(let value, .converted) = self { .exact(value) } else { self }
  }
}

extension Coercion {
  /// Reads other scalars as a number: the digits of a string, or a Boolean where the rules allow
  /// it.
  static func number<Number: ExpressibleByIntegerLiteral>(
    at index: Int, of tape: JSONTape, _ rules: CoercionRules,
    _ read: (UnsafeBufferPointer<UInt8>) -> Coerced<Number>
  ) -> Coerced<Number> {
    if rules.isStrict { return .failed(.wrongType) }
    switch tape.tag(index) {
    case JSONTape.Tag.string:
      let text = tape.utf8(index)
      return text.isEmpty ? .failed(.empty) : read(text)
    case JSONTape.Tag.yes where rules.takesBools: return .converted(1, .converted)
    case JSONTape.Tag.no where rules.takesBools: return .converted(0, .converted)
    default: return .failed(.wrongType)
    }
  }
}

extension Coercion {
  /// Reads a Boolean: only `true`, `false`, 1 and 0, with or without quotes.
  @inline(__always)
  static func bool(
    at index: Int, of document: JSONDocument, _ rules: CoercionRules
  ) -> Coerced<Bool> {
    withExtendedLifetime(document) {
      switch document.tape.tag(index) {
      case JSONTape.Tag.yes: .exact(true)
      case JSONTape.Tag.no: .exact(false)
      default: otherBool(at: index, of: document, rules)
      }
    }
  }

  @inline(never)
  private static func otherBool(
    at index: Int, of document: JSONDocument, _ rules: CoercionRules
  ) -> Coerced<Bool> {
    if rules.isStrict { return .failed(.wrongType) }
    let tape = document.tape
    switch tape.tag(index) {
    case JSONTape.Tag.int: return bool(tape.int(index))
    case JSONTape.Tag.double: return bool(tape.double(index))
    case JSONTape.Tag.uint, JSONTape.Tag.bigNumber: return .failed(.outOfRange)
    case JSONTape.Tag.string:
      let text = tape.utf8(index)
      if text.isEmpty { return .failed(.empty) }
      if text.elementsEqual("true".utf8) || text.elementsEqual("1".utf8) {
        return .converted(true, .converted)
      }
      if text.elementsEqual("false".utf8) || text.elementsEqual("0".utf8) {
        return .converted(false, .converted)
      }
      return .failed(.unreadable)
    default: return .failed(.wrongType)
    }
  }

  private static func bool<N: Numeric>(_ number: N) -> Coerced<Bool> {
    switch number {
    case 0: .converted(false, .converted)
    case 1: .converted(true, .converted)
    default: .failed(.outOfRange)
    }
  }
}

extension Coercion {
  /// Reads a string. A number becomes its digits; with a fraction, the fewest that represent it.
  @inline(__always)
  static func string(
    at index: Int, of document: JSONDocument, _ rules: CoercionRules
  ) -> Coerced<String> {
    withExtendedLifetime(document) {
      let tape = document.tape
      return tape.tag(index) == JSONTape.Tag.string
        ? .exact(tape.string(index)) : otherString(at: index, of: document, rules)
    }
  }

  @inline(never)
  private static func otherString(
    at index: Int, of document: JSONDocument, _ rules: CoercionRules
  ) -> Coerced<String> {
    if rules.isStrict { return .failed(.wrongType) }
    let tape = document.tape
    switch tape.tag(index) {
    case JSONTape.Tag.int: return .converted(String(tape.int(index)), .converted)
    case JSONTape.Tag.uint: return .converted(String(tape.uint(index)), .converted)
    case JSONTape.Tag.bigNumber:
      let digits = String(decoding: document.numberText(index), as: UTF8.self)
      return .converted(digits, .converted)
    case JSONTape.Tag.double:
      let shortest = tape.double(index).description
      let isWritten = document.numberText(index).elementsEqual(shortest.utf8)
      return .converted(shortest, isWritten ? .converted : .inexact)
    default: return .failed(.wrongType)
    }
  }
}

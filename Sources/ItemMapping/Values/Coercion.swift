/// Reads scalars: one table for items, paths and `Decodable` values alike.
///
/// | on the tape | for | lenient | strict |
/// |---|---|---|---|
/// | a number that fits | a number | exact | exact |
/// | an integer beyond the digits of a `Double` or `Float` | that | inexact | inexact |
/// | a number with more digits than a `Decimal` has | a `Decimal` | inexact | inexact |
/// | a number beyond the type | a number | out of range | out of range |
/// | `1.0`, `1e3` | an integer | converted | fraction |
/// | `1.5` | an integer | fraction | fraction |
/// | `"42"` | a number | converted | wrong type |
/// | `"1.0"` | an integer | converted | wrong type |
/// | `"3.14"` | an integer | fraction | wrong type |
/// | `""` | a number, a `Bool` | empty | wrong type |
/// | `"abc"`, `" 42"`, `"+42"`, `"nan"` | a number | unreadable | wrong type |
/// | `true` | a number | wrong type, or converted where asked for | wrong type |
/// | `0`, `1`, `"0"`, `"1"`, `"true"`, `"false"` | a `Bool` | converted | wrong type |
/// | another number | a `Bool` | out of range | wrong type |
/// | another string, such as `"yes"` | a `Bool` | unreadable | wrong type |
/// | an integer, `1.5` | a `String` | converted | wrong type |
/// | `1.10`, which becomes `"1.1"` | a `String` | inexact | wrong type |
/// | `true` | a `String` | wrong type | wrong type |
/// | `null`, an array, an object | anything | wrong type | wrong type |
///
/// Each function tests for the very type first, small enough to be inlined, and leaves the rest to
/// a second one that is out of the way. A number is asked for its text only where nothing else
/// tells: the first such question costs a pass over the document. So `-0` is plain 0, and a
/// fraction that is lost in the nearest `Double`, as in `1.00000000000000000001`, goes unnoticed.
enum Coercion {}

/// How far a scalar may be from what a property holds.
struct CoercionRules: Sendable, Hashable {
  /// Only a value of the property's own JSON type is taken.
  var isStrict = false
  /// `true` and `false` are 1 and 0 for a number.
  var takesBools = false
}

/// What a scalar is for a property.
enum Coerced<Value> {
  /// The very value.
  case exact(Value)
  /// A value of another type that stands for this one, and whether anything was lost:
  /// ``MappingIssue/Kind/converted`` or ``MappingIssue/Kind/inexact``.
  case converted(Value, MappingIssue.Kind)
  /// Nothing a property could take.
  case failed(MappingIssue.Kind)

  /// The same for digits that are a number's own: where nothing was lost, they are the very value.
  var exactWhereKept: Coerced {
    if case .converted(let value, .converted) = self { .exact(value) } else { self }
  }
}

extension Coercion {
  /// Reads what is no number as one: the digits of a string, or a truth value where that is asked for.
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
  /// Reads a truth value. Nothing but `true`, `false`, 1 and 0 is one, with or without quotes.
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
  /// Reads a text. A number becomes its digits, one with a fraction the shortest that mean it.
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

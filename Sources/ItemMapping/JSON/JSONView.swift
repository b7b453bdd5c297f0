internal import Support

/// A value within a ``JSONDocument``, read in place.
///
/// A view is two words and keeps its document alive. Its accessors return `nil` for a value of
/// another kind and never convert.
public struct JSONView: Sendable {
  /// The document of this value.
  public let document: JSONDocument
  /// The value's index on the document's tape.
  let index: Int

  /// Calls `body` with the tape while the document is kept alive, which the tape alone doesn't do.
  @inline(__always)
  func read<R, E: Error>(_ body: (JSONTape) throws(E) -> R) throws(E) -> R {
    try withExtendedLifetime(document) { () throws(E) -> R in try body(document.tape) }
  }

  /// The kind of the value.
  public var kind: JSONView.Kind {
    read { tape in
      switch tape.tag(index) {
      case JSONTape.Tag.object: .object
      case JSONTape.Tag.array: .array
      case JSONTape.Tag.string: .string
      case JSONTape.Tag.yes, JSONTape.Tag.no: .bool
      case JSONTape.Tag.null: .null
      default: .number
      }
    }
  }

  /// Whether the value is `null`.
  public var isNull: Bool { read { $0.tag(index) } == JSONTape.Tag.null }

  /// The value of `true` or `false`.
  public var bool: Bool? {
    switch read({ $0.tag(index) }) {
    case JSONTape.Tag.yes: true
    case JSONTape.Tag.no: false
    default: nil
    }
  }

  /// The number, if it has no fraction and fits. `1.0` and `1e3` qualify; from 2^53 on, only
  /// numbers written as integers do.
  package var int64: Int64? {
    read { tape in
      switch tape.tag(index) {
      case JSONTape.Tag.int: tape.int(index)
      case JSONTape.Tag.double: Int64(exactly: tape.double(index)).flatMap(Self.exact)
      default: nil
      }
    }
  }

  /// The number, if it has no fraction and fits. `1.0` and `1e3` qualify; from 2^53 on, only
  /// numbers written as integers do.
  public var int: Int? { int64.flatMap(Int.init(exactly:)) }

  /// The number, if it fits and is not negative, by the rules of `int64`.
  package var uint64: UInt64? {
    read { tape in
      tape.tag(index) == JSONTape.Tag.uint
        ? tape.uint(index) : int64.flatMap(UInt64.init(exactly:))
    }
  }

  /// The `Double` nearest to the number; `nil` if the number is beyond the largest. The sign of an
  /// integer `-0` is only in ``text``.
  public var double: Double? {
    read { tape in
      switch tape.tag(index) {
      case JSONTape.Tag.int: Double(tape.int(index))
      case JSONTape.Tag.uint: Double(tape.uint(index))
      case JSONTape.Tag.double: tape.double(index)
      case JSONTape.Tag.bigNumber:
        numberText.flatMap(Double.init).flatMap { $0.isFinite ? $0 : nil }
      default: nil
      }
    }
  }

  /// The number digit for digit, such as `1.10` or one of 30 digits.
  package var numberText: String? {
    guard kind == .number else { return nil }
    return read { _ in String(decoding: document.numberText(index), as: UTF8.self) }
  }

  /// The string, if the value is one.
  public var string: String? {
    read { $0.tag(index) == JSONTape.Tag.string ? $0.string(index) : nil }
  }

  /// Calls `body` with the UTF-8 bytes of a string, without creating a `String`.
  package func withUTF8<R, E: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(E) -> R
  ) throws(E) -> R? {
    try read { tape throws(E) in
      tape.tag(index) == JSONTape.Tag.string ? try body(tape.utf8(index)) : nil
    }
  }

  private static func exact(_ value: Int64) -> Int64? {
    value.magnitude < 1 << 53 ? value : nil
  }
}

extension JSONView {
  /// What most ids are.
  package enum Scalar {
    /// A number written as an integer.
    case int(Int)
    /// The UTF-8 of a string. Valid as long as the document is kept alive, which this doesn't do.
    case text(UnsafeBufferPointer<UInt8>)
  }

  /// Returns the value at a path if it is such a scalar. Makes no view, which would retain the document.
  package func scalar(at path: JSONPath) -> Scalar? {
    // The caller keeps this view alive, and with it the document.
    let tape = document.tape
    guard let place = tape.find(path.steps, from: index) else { return nil }
    switch tape.tag(place) {
    case JSONTape.Tag.int: return Int(exactly: tape.int(place)).map(Scalar.int)
    case JSONTape.Tag.string: return .text(tape.utf8(place))
    default: return nil
    }
  }
}

extension JSONView {
  /// The value as written in the text, including white space. Half a character that was repaired
  /// appears as the escape `\uFFFD`.
  public var text: String { withText { String(decoding: $0, as: UTF8.self) } }

  /// Calls a closure with the value as written in the text, without a copy of it.
  package func withText<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    withExtendedLifetime(document) { body(unsafeText) }
  }

  /// The value as written in the text. Valid as long as the document is kept alive, which this doesn't do.
  package var unsafeText: UnsafeBufferPointer<UInt8> {
    read { tape in UnsafeBufferPointer(rebasing: document.text[range(tape)]) }
  }

  private func range(_ tape: JSONTape) -> Range<Int> {
    let source = document.text
    let offsets = document.textOffsets
    let start = offsets[index]
    let end =
      switch tape.tag(index) {
      case JSONTape.Tag.object, JSONTape.Tag.array: offsets[tape.end(of: index)] + 1
      case JSONTape.Tag.string:
        JSONText.endOfString(at: start, in: UnsafeRawBufferPointer(source)) ?? source.count
      case JSONTape.Tag.no: start + 5
      case JSONTape.Tag.yes, JSONTape.Tag.null: start + 4
      default: JSONNumberText.range(at: start, in: source).upperBound
      }
    return start..<min(end, source.count)
  }
}

extension JSONView: CustomStringConvertible {
  /// The value as written in the text.
  public var description: String { text }
}

extension JSONView {
  /// The kinds of JSON values.
  public enum Kind: String, Sendable, Hashable {
    case null
    case bool
    case number
    case string
    case array
    case object
  }
}

extension JSONView.Kind {
  /// The kind in a sentence, such as `an object` or `null`.
  package var withArticle: String {
    switch self {
    case .null: "null"
    case .array, .object: "an \(self)"
    case .bool, .number, .string: "a \(self)"
    }
  }
}

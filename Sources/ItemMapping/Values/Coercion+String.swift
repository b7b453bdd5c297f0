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

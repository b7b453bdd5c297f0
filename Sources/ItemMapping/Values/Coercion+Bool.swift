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

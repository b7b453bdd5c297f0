extension JSONAny {
  /// Creates a copy of a view's value.
  ///
  /// - Parameters:
  ///   - view: The value.
  ///   - keepingDigits: Whether numbers with a fraction or an exponent keep their digits, so that
  ///     `1.10` is written back as `1.10`. Otherwise they become the nearest `Double`. Numbers that
  ///     fit no other type always keep their digits.
  public init(_ view: JSONView, keepingDigits: Bool = false) {
    self = view.read { JSONCopying(tape: $0, view: view, keepsDigits: keepingDigits).copy() }
  }
}

/// A copy from the tape in progress. Open containers are kept in a list, so depth uses no stack.
private struct JSONCopying {
  let tape: JSONTape
  let view: JSONView
  let keepsDigits: Bool

  private enum Open {
    case array([JSONAny], end: Int)
    case object(JSONAny.Object, name: String, end: Int)
  }

  func copy() -> JSONAny {
    var open: [Open] = []
    var index = view.index
    while true {
      var value: JSONAny
      switch tape.tag(index) {
      case JSONTape.Tag.array where tape.end(of: index) > tape.first(in: index):
        var elements: [JSONAny] = []
        elements.reserveCapacity(tape.countHint(of: index))
        open.append(.array(elements, end: tape.end(of: index)))
        index = tape.first(in: index)
        continue
      case JSONTape.Tag.object where tape.end(of: index) > tape.first(in: index):
        let name = tape.first(in: index)
        var object = JSONAny.Object()
        object.reserveCapacity(tape.countHint(of: index))
        open.append(.object(object, name: tape.string(name), end: tape.end(of: index)))
        index = name + 1
        continue
      case JSONTape.Tag.array: value = .array([])
      case JSONTape.Tag.object: value = .object(JSONAny.Object())
      default: value = scalar(index)
      }
      index = tape.after(index)
      // Adds the value to its container, and each completed container to its own.
      descent: while true {
        switch open.popLast() {
        case nil: return value
        case .array(var elements, let end):
          elements.append(value)
          if index < end {
            open.append(.array(elements, end: end))
            break descent
          }
          value = .array(elements)
        case .object(var object, let name, let end):
          object.appendIfNew(name, value)
          if index < end {
            open.append(.object(object, name: tape.string(index), end: end))
            index += 1
            break descent
          }
          value = .object(object)
        }
        // Skips the closing word.
        index += 1
      }
    }
  }

  private func scalar(_ index: Int) -> JSONAny {
    switch tape.tag(index) {
    case JSONTape.Tag.yes: return .bool(true)
    case JSONTape.Tag.no: return .bool(false)
    case JSONTape.Tag.string: return .string(tape.string(index))
    case JSONTape.Tag.int:
      let value = tape.int(index)
      // Zero may have a sign in the text, which the tape doesn't record.
      return value == 0 && keepsDigits && digits(index) == "-0"
        ? .number(JSONAny.Number(trusted: "-0")) : .int(Int(value))
    case JSONTape.Tag.uint: return .uint(tape.uint(index))
    case JSONTape.Tag.double:
      return keepsDigits
        ? .number(JSONAny.Number(trusted: digits(index))) : .double(tape.double(index))
    case JSONTape.Tag.bigNumber: return .number(JSONAny.Number(trusted: digits(index)))
    default: return .null
    }
  }

  private func digits(_ index: Int) -> String {
    String(decoding: view.document.numberText(index), as: UTF8.self)
  }
}

extension DatePattern {
  struct Fault: Error { let text: String }

  static func elements(
    _ text: String.UnicodeScalarView
  ) throws(Fault) -> [Element] {
    var elements: [Element] = []
    var rest = text[...]
    while let first = rest.first {
      let element: Element
      if first == "'" {
        element = .literal(try quoted(&rest))
      } else if first.properties.isAlphabetic {
        let letters = rest.prefix { $0 == first }
        rest = rest.dropFirst(letters.count)
        element = try field(String(letters))
      } else {
        rest = rest.dropFirst()
        element = .literal(Array(String(first).utf8))
      }
      if case .literal = element {
      } else if elements.contains(where: { $0.isLike(element) }) {
        throw Fault(text: "\(element.name) is used twice")
      }
      elements.append(element)
    }
    try check(elements)
    return elements
  }

  /// Reads text in single quotes, in which two quotes are a literal one.
  private static func quoted(
    _ rest: inout Substring.UnicodeScalarView
  ) throws(Fault) -> [UInt8] {
    var literal = ""
    var isEmpty = true
    rest = rest.dropFirst()
    while let scalar = rest.popFirst() {
      if scalar == "'" {
        if rest.first != "'" || isEmpty { return Array((isEmpty ? "'" : literal).utf8) }
        rest = rest.dropFirst()
      }
      literal.unicodeScalars.append(scalar)
      isEmpty = false
    }
    throw Fault(text: "a quote is not closed")
  }

  private static func field(_ letters: String) throws(Fault) -> Element {
    if let field = Field(rawValue: letters) { return .field(field) }
    if ["X", "XX", "XXX"].contains(letters) { return .zone }
    if letters.allSatisfy({ $0 == "S" }), 1...9 ~= letters.utf8.count {
      return .fraction(letters.utf8.count)
    }
    throw Fault(
      text: "\"\(letters)\" is not one of yyyy MM dd HH mm ss S…S X; put literal letters in "
        + "single quotes")
  }

  private static func check(_ elements: [Element]) throws(Fault) {
    guard elements.contains(.field(.year)) else { throw Fault(text: "the year (yyyy) is missing") }
    for element in elements {
      let larger: Field? =
        switch element {
        case .field(let field): field.larger
        case .fraction: .second
        default: nil
        }
      guard let larger, !elements.contains(.field(larger)) else { continue }
      throw Fault(text: "\(element.name) requires \(larger.rawValue)")
    }
  }
}

extension DatePattern.Element {
  fileprivate var name: String {
    switch self {
    case .field(let field): field.rawValue
    case .fraction(let count): String(repeating: "S", count: count)
    case .zone: "X"
    case .literal(let bytes): String(decoding: bytes, as: UTF8.self)
    }
  }

  fileprivate func isLike(_ other: Self) -> Bool {
    if case .fraction = self, case .fraction = other { return true }
    return self == other
  }
}

internal import ItemMapping
internal import ServerAPI

extension JSONAny {
  /// A whole number that fits, also one written as a text. From 2^53 on, only numbers written as integers qualify: the
  /// server may have rounded others.
  var wholeNumber: Int? {
    switch self {
    case .string(let text): text.wholeNumber
    case .number(let number): Int(number.text) ?? double.flatMap { JSONAny.double($0).int }
    default: int
    }
  }

  /// A flag, also written as 1 or 0 or as a text.
  var yesOrNo: Bool? {
    switch bool?.description ?? plainText.lowercased() {
    case "true", "1", "yes", "y": true
    case "false", "0", "no", "n": false
    default: nil
    }
  }

  /// The value as a parameter has it: a text without quotes, anything else as compact JSON.
  var plainText: String {
    switch self {
    case .string(let text): text
    case .null: ""
    default: text()
    }
  }

  /// The value as a parameter of a call; an object or array as compact JSON.
  var paramValue: Params.Scalar {
    switch self {
    case .bool(let flag): .bool(flag)
    case .int, .uint, .double, .number: .number(plainText)
    case .null, .string, .array, .object: .text(plainText)
    }
  }

  /// The start of the value, short enough for an error text.
  var excerpt: String {
    let text = text()
    return text.count > 60 ? text.prefix(60) + "…" : text
  }
}

extension JSONView {
  /// A whole number by the rule of values that are copied: see ``JSONAny/wholeNumber``.
  var wholeNumber: Int? {
    switch kind {
    case .number, .string: JSONAny(self, keepingDigits: true).wholeNumber
    case .null, .bool, .array, .object: nil
    }
  }

  /// A flag, also written as 1 or 0 or as a text.
  var yesOrNo: Bool? {
    switch kind {
    case .bool, .number, .string: JSONAny(self, keepingDigits: true).yesOrNo
    case .null, .array, .object: nil
    }
  }
}

extension String {
  /// The whole number that the text is, with or without whitespace around it.
  var wholeNumber: Int? { Int(self) ?? Int(trimmed) }

  /// The text without surrounding whitespace.
  var trimmed: String {
    // Unicode need not be asked about texts that begin and end in ASCII.
    if let first = utf8.first, let last = utf8.last, first.isInk, last.isInk { return self }
    let isInk: (Unicode.Scalar) -> Bool = { !$0.properties.isWhitespace }
    guard let start = unicodeScalars.firstIndex(where: isInk),
      let last = unicodeScalars.lastIndex(where: isInk)
    else { return "" }
    let text = unicodeScalars[start...last]
    return text.endIndex == endIndex && start == startIndex ? self : String(text)
  }
}

extension UInt8 {
  /// Whether this is an ASCII character that leaves a mark.
  fileprivate var isInk: Bool { self > 0x20 && self < 0x7F }
}

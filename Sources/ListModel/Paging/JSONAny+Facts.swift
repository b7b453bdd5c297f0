internal import ItemMapping
internal import ServerAPI

extension JSONAny {
  /// A whole number that fits, also one written as a text.
  var wholeNumber: Int? {
    switch self {
    case .string(let text): Int(text.trimmed)
    case .number(let number): Int(number.text) ?? Double(number.text).flatMap(Int.init(exactly:))
    default: int
    }
  }

  /// A flag, also written as 1 or 0 or as a text.
  var yesOrNo: Bool? {
    switch bool?.description ?? plainText.lowercased() {
    case "true", "1": true
    case "false", "0": false
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
  /// A whole number, also one written as a text.
  var wholeNumber: Int? { int ?? string.flatMap { Int($0) } }

  /// A flag, also written as 1 or 0 or as a text.
  var yesOrNo: Bool? {
    switch kind {
    case .bool, .number, .string: JSONAny(self, keepingDigits: true).yesOrNo
    case .null, .array, .object: nil
    }
  }
}

extension String {
  /// The text without surrounding whitespace.
  var trimmed: String {
    let isBlank: (Unicode.Scalar) -> Bool = { $0.properties.isWhitespace }
    let start = unicodeScalars.drop(while: isBlank)
    return String(String.UnicodeScalarView(start.reversed().drop(while: isBlank).reversed()))
  }
}

internal import ItemMapping

extension JSONAny {
  /// A number without a fraction that fits, also one written as a text.
  var wholeNumber: Int? {
    switch self {
    case .string(let text): Int(text.trimmed)
    case .number(let number): Int(number.text) ?? Double(number.text).flatMap(Int.init(exactly:))
    default: int
    }
  }

  /// Yes or no, also as 1 or 0 and as a text.
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

  /// As much of the value as an error should repeat.
  var excerpt: String {
    let text = text()
    return text.count > 60 ? text.prefix(60) + "…" : text
  }
}

extension JSONView {
  /// A number without a fraction, also one written as a text.
  var wholeNumber: Int? { int ?? string.flatMap { Int($0) } }

  /// Yes or no, also as 1 or 0 and as a text.
  var yesOrNo: Bool? {
    switch kind {
    case .bool, .number, .string: JSONAny(self, keepingDigits: true).yesOrNo
    case .null, .array, .object: nil
    }
  }
}

extension String {
  /// The text without the blanks around it.
  var trimmed: String {
    let isBlank: (Unicode.Scalar) -> Bool = { $0.properties.isWhitespace }
    let start = unicodeScalars.drop(while: isBlank)
    return String(String.UnicodeScalarView(start.reversed().drop(while: isBlank).reversed()))
  }
}

/// A reason why a text is not valid JSON, with its position.
public struct JSONError: Error, Sendable, Hashable {
  /// The kinds of errors.
  public enum Code: String, Sendable, Hashable {
    /// The text is empty or only white space.
    case empty
    /// The text ends within a value.
    case unexpectedEnd
    /// A byte is not allowed at this position.
    case unexpectedByte
    /// The text continues after the document.
    case trailingContent
    /// A number lacks digits.
    case invalidNumber
    /// A backslash is not followed by a valid escape.
    case invalidEscape
    /// A byte below 0x20 in a string is not escaped.
    case controlCharacter
    /// The bytes are not valid UTF-8.
    case invalidUTF8
    /// Arrays and objects are nested more than 1,024 deep.
    case tooDeep
    /// The text is larger than 4 GB.
    case tooLarge
    /// There is not enough memory for the document.
    case outOfMemory
  }

  /// The kind of error.
  public let code: Code
  /// The number of bytes before the error.
  public let offset: Int
  /// The line of the error; the first is 1.
  public let line: Int
  /// The column of the error, in Unicode scalars; the first is 1.
  public let column: Int
  /// A few characters around the error, on one line.
  public let excerpt: String
  /// What the parser expected, such as `',' or ']'`.
  public let expected: String
}

extension JSONError {
  /// Derives the line, the column and the excerpt from the text.
  init(_ code: Code, at offset: Int, in text: UnsafeBufferPointer<UInt8>, expected: String) {
    var line = 1
    var lineStart = 0
    for index in 0..<min(offset, text.count) where text[index] == 0x0A {
      line += 1
      lineStart = index + 1
    }
    let before = text[lineStart..<min(offset, text.count)]
    self.init(
      code: code, offset: offset, line: line,
      column: 1 + before.count { $0 & 0xC0 != 0x80 },
      excerpt: Self.excerpt(around: offset, in: text), expected: expected)
  }

  private static let reach = 20

  private static func excerpt(around offset: Int, in text: UnsafeBufferPointer<UInt8>) -> String {
    var start = max(0, min(offset, text.count) - reach)
    var end = min(text.count, offset + reach)
    // The excerpt must not start or end inside a character.
    while start > 0, start < offset, text[start] & 0xC0 == 0x80 { start += 1 }
    while end < text.count, end > offset, text[end] & 0xC0 == 0x80 { end -= 1 }
    var excerpt = ""
    for scalar in String(decoding: text[start..<end], as: UTF8.self).unicodeScalars {
      excerpt.unicodeScalars.append(scalar.value < 0x20 || scalar.value == 0x7F ? " " : scalar)
    }
    return excerpt
  }
}

extension JSONError: CustomStringConvertible {
  /// One line with the position, the error, the expected text and an excerpt.
  public var description: String {
    switch code {
    case .empty: fault("the text is empty", expected)
    case .unexpectedEnd: fault("unexpected end of text", expected)
    case .unexpectedByte: fault("unexpected character", expected)
    case .trailingContent: fault("unexpected text after the document", expected)
    case .invalidNumber: fault("incomplete number", expected)
    case .invalidEscape: fault("invalid escape", expected)
    case .controlCharacter: fault("unescaped control character", expected)
    case .tooDeep: fault("nested too deeply", expected)
    case .invalidUTF8: fault("invalid UTF-8")
    case .tooLarge: "can't parse the JSON: the document has more than 4 GB"
    case .outOfMemory: "can't parse the JSON: there is not enough memory"
    }
  }

  private func fault(_ text: String, _ expected: String? = nil) -> String {
    let wanted = expected.map { ", expected \($0)" } ?? ""
    let near = excerpt.isEmpty ? "" : ", near “\(excerpt)”"
    return
      "invalid JSON at line \(line), column \(column) (byte \(offset)): \(text)\(wanted)\(near)"
  }
}

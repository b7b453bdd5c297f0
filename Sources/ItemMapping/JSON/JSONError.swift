/// Why a text is not a JSON document, and where it stops being one.
public struct JSONError: Error, Sendable, Hashable {
  /// The kinds of faults.
  public enum Code: String, Sendable, Hashable {
    /// There is nothing but white space.
    case empty
    /// The text ends within a value.
    case unexpectedEnd
    /// A byte that can't stand here.
    case unexpectedByte
    /// Something follows the document.
    case trailingContent
    /// Digits are missing in a number.
    case invalidNumber
    /// A backslash with something after it that is no escape.
    case invalidEscape
    /// A byte below 0x20 in a string, where it has to be escaped.
    case controlCharacter
    /// Bytes that are not UTF-8.
    case invalidUTF8
    /// Arrays and objects are nested more than 1,024 deep.
    case tooDeep
    /// There are more than 4 GB.
    case tooLarge
    /// The system had no memory for the document.
    case outOfMemory
  }

  /// The kind of fault.
  public let code: Code
  /// How many bytes stand before the fault.
  public let offset: Int
  /// The line of the fault; the first is 1.
  public let line: Int
  /// The place in the line, in Unicode scalars; the first is 1.
  public let column: Int
  /// A few characters around the fault, on one line.
  public let excerpt: String
  /// What should have been there, such as `',' or ']'`.
  public let expected: String
}

extension JSONError {
  /// Works out the line, the column and the excerpt from the text.
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
    // Whole characters only, as far as they are characters.
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
  /// One line with the place, the fault, what was expected and what stands there.
  public var description: String {
    let place = "line \(line), column \(column) (byte \(offset))"
    let near = excerpt.isEmpty ? "" : ", near “\(excerpt)”"
    return "JSON is broken at \(place): \(fault), expected \(expected)\(near)"
  }

  private var fault: String {
    switch code {
    case .empty: "there is no value"
    case .unexpectedEnd: "the text ends here"
    case .unexpectedByte: "this can't stand here"
    case .trailingContent: "something follows the document"
    case .invalidNumber: "the number is incomplete"
    case .invalidEscape: "this is no escape"
    case .controlCharacter: "a control character is not escaped"
    case .invalidUTF8: "these bytes are not UTF-8"
    case .tooDeep: "it is nested too deep"
    case .tooLarge: "it is too large"
    case .outOfMemory: "there is no memory for it"
    }
  }
}

internal import Support

/// A reader of UTF-8 bytes with the grammar that paths and queries share.
struct JSONPathReader {
  let text: String
  let bytes: [UInt8]
  var at = 0

  init(_ text: String) {
    self.text = text
    bytes = Array(text.utf8)
  }

  var peek: UInt8? { at < bytes.count ? bytes[at] : nil }
  var isAtEnd: Bool { at == bytes.count }

  func peek(_ character: Unicode.Scalar) -> Bool { peek == UInt8(ascii: character) }

  /// Skips the given characters if they are next, and returns whether they were.
  mutating func take(_ word: StaticString) -> Bool {
    let word = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    guard bytes[at...].starts(with: word) else { return false }
    at += word.count
    return true
  }

  mutating func skipBlanks() {
    while let byte = peek, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { at += 1 }
  }

  func fault(_ expected: String, at place: Int? = nil) -> JSONPath.ParsingError {
    let before = bytes[..<(place ?? at)]
    return JSONPath.ParsingError(
      text: text, position: before.count { $0 & 0xC0 != 0x80 }, expected: expected)
  }

  /// Reads an integer of RFC 9535: no leading zero, no `-0`, within the range of exact integers in
  /// a `Double`.
  mutating func integer() throws(JSONPath.ParsingError) -> Int {
    let start = at
    let isNegative = take("-")
    let digits = at
    while let byte = peek, byte &- UInt8(ascii: "0") < 10 { at += 1 }
    guard at > digits else { throw fault("a digit") }
    let isZero = at - digits == 1 && bytes[digits] == UInt8(ascii: "0")
    guard bytes[digits] != UInt8(ascii: "0") || (isZero && !isNegative) else {
      throw fault("an integer without a leading zero", at: start)
    }
    guard let value = Int(String(decoding: bytes[start..<at], as: UTF8.self)),
      value.magnitude < 1 << 53
    else { throw fault("an integer below 2^53", at: start) }
    return value
  }

  /// Reads a string in single or double quotes.
  mutating func quoted() throws(JSONPath.ParsingError) -> String {
    guard let quote = peek, quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") else {
      throw fault("a name in quotes")
    }
    at += 1
    var content: [UInt8] = []
    while let byte = peek {
      switch byte {
      case quote:
        at += 1
        return String(decoding: content, as: UTF8.self)
      case UInt8(ascii: "\\"): try escape(quote, &content)
      case 0..<0x20: throw fault("an escaped control character")
      default:
        content.append(byte)
        at += 1
      }
    }
    throw fault("a closing quote")
  }

  private mutating func escape(
    _ quote: UInt8, _ content: inout [UInt8]
  ) throws(JSONPath.ParsingError) {
    at += 1
    let start = at
    guard let byte = peek else { throw fault("an escape") }
    at += 1
    switch byte {
    case quote, UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(byte)
    case UInt8(ascii: "b"): content.append(0x08)
    case UInt8(ascii: "f"): content.append(0x0C)
    case UInt8(ascii: "n"): content.append(0x0A)
    case UInt8(ascii: "r"): content.append(0x0D)
    case UInt8(ascii: "t"): content.append(0x09)
    case UInt8(ascii: "u"): content += String(try character()).utf8
    default: throw fault("an escape", at: start)
    }
  }

  /// Reads the digits after `\u`, and the second surrogate when the first one requires it.
  private mutating func character() throws(JSONPath.ParsingError) -> Unicode.Scalar {
    let start = at
    let first = try unit()
    var value = first
    if first & 0xFC00 == 0xD800 {
      guard take("\\u") else { throw fault("the second surrogate of a pair") }
      let second = try unit()
      guard second & 0xFC00 == 0xDC00 else {
        throw fault("the second surrogate of a pair", at: at - 4)
      }
      value = 0x10000 + (first & 0x3FF) << 10 + second & 0x3FF
    }
    guard let scalar = Unicode.Scalar(value) else {
      throw fault("the first surrogate of a pair", at: start)
    }
    return scalar
  }

  private mutating func unit() throws(JSONPath.ParsingError) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = peek, let digit = byte.hexDigitValue else {
        throw fault("four hexadecimal digits")
      }
      unit = unit << 4 | UInt32(digit)
      at += 1
    }
    return unit
  }
}

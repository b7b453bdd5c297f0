internal import CSimdJSON
internal import Support

/// Scans a text that the fast parser rejected, byte by byte, and finds either the error or what to
/// repair. A text without either is a valid document.
struct JSONScanner {
  /// The deepest nesting that the fast parser accepts. An empty container is not a level.
  static var maximumDepth: Int { Int(CSIMDJSON_MAXIMUM_DEPTH) }

  private let text: UnsafeBufferPointer<UInt8>
  private var at: Int
  private(set) var repairs: [JSONDocument.Repair] = []

  init(_ text: UnsafeBufferPointer<UInt8>, from start: Int) {
    self.text = text
    at = start
  }

  /// Scans the whole document. Open containers are kept in a list, so depth uses no stack.
  mutating func scan() throws(JSONError) {
    skipBlanks()
    if at == text.count { throw fault(.empty, "a value") }
    var closers: [UInt8] = []
    while true {
      if try begin(&closers) { continue }
      if try end(&closers) { return }
    }
  }

  /// Reads a scalar, an empty container or an opening bracket. Returns whether a value must follow.
  private mutating func begin(_ closers: inout [UInt8]) throws(JSONError) -> Bool {
    skipBlanks()
    guard let byte = peek else { throw fault(.unexpectedEnd, "a value") }
    switch byte {
    case UInt8(ascii: "{"):
      guard try open(UInt8(ascii: "}"), &closers) else { return false }
      try name(expected: "a name in quotes or '}'")
      return true
    case UInt8(ascii: "["):
      return try open(UInt8(ascii: "]"), &closers)
    case UInt8(ascii: "\""): try string()
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
    case UInt8(ascii: "t"): try literal("true")
    case UInt8(ascii: "f"): try literal("false")
    case UInt8(ascii: "n"): try literal("null")
    default:
      let expected = closers.last == UInt8(ascii: "]") ? "a value or ']'" : "a value"
      throw fault(.unexpectedByte, expected)
    }
    return false
  }

  /// Closes containers until a comma announces another value. Returns whether the document is
  /// complete.
  private mutating func end(_ closers: inout [UInt8]) throws(JSONError) -> Bool {
    while let closer = closers.last {
      skipBlanks()
      let expected = "',' or '\(Character(Unicode.Scalar(closer)))'"
      guard let byte = peek else { throw fault(.unexpectedEnd, expected) }
      guard byte == closer || byte == UInt8(ascii: ",") else {
        throw fault(.unexpectedByte, expected)
      }
      at += 1
      if byte == closer {
        closers.removeLast()
        continue
      }
      if closer == UInt8(ascii: "}") { try name(expected: "a name in quotes") }
      return false
    }
    skipBlanks()
    if at < text.count { throw fault(.trailingContent, "the end") }
    return true
  }

  /// Enters a container. Returns false if it is empty and only has to be closed.
  private mutating func open(_ closer: UInt8, _ closers: inout [UInt8]) throws(JSONError) -> Bool {
    let start = at
    at += 1
    skipBlanks()
    closers.append(closer)
    if peek == closer { return false }
    if closers.count > Self.maximumDepth {
      at = start
      throw fault(.tooDeep, "at most \(Self.maximumDepth) levels")
    }
    return true
  }

  private mutating func name(expected: String) throws(JSONError) {
    skipBlanks()
    guard let byte = peek else { throw fault(.unexpectedEnd, expected) }
    guard byte == UInt8(ascii: "\"") else { throw fault(.unexpectedByte, expected) }
    try string()
    skipBlanks()
    guard let byte = peek else { throw fault(.unexpectedEnd, "':'") }
    guard byte == UInt8(ascii: ":") else { throw fault(.unexpectedByte, "':'") }
    at += 1
  }

  private mutating func literal(_ word: StaticString) throws(JSONError) {
    for place in 0..<word.utf8CodeUnitCount {
      guard let byte = peek else { throw fault(.unexpectedEnd, "\(word)") }
      guard byte == word.utf8Start[place] else { throw fault(.unexpectedByte, "\(word)") }
      at += 1
    }
  }

  private var peek: UInt8? { at < text.count ? text[at] : nil }

  private mutating func skipBlanks() {
    while let byte = peek, byte.isJSONBlank { at += 1 }
  }

  private func fault(_ code: JSONError.Code, _ expected: String) -> JSONError {
    JSONError(code, at: at, in: text, expected: expected)
  }
}

extension JSONScanner {
  private mutating func number() throws(JSONError) {
    let start = at
    if peek == UInt8(ascii: "-") { at += 1 }
    // No digit may follow a leading zero.
    if peek == UInt8(ascii: "0") { at += 1 } else { try digits() }
    var isInteger = true
    if peek == UInt8(ascii: ".") {
      isInteger = false
      at += 1
      try digits()
    }
    if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
      isInteger = false
      at += 1
      if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { at += 1 }
      try digits()
    }
    let digits = String(decoding: text[start..<at], as: UTF8.self)
    let fits =
      isInteger
      ? Int64(digits) != nil || UInt64(digits) != nil
      : Double(digits)?.isFinite == true
    if !fits { repairs.append(JSONDocument.Repair(kind: .bigNumber, offset: start)) }
  }

  private mutating func digits() throws(JSONError) {
    let start = at
    while let byte = peek, byte &- UInt8(ascii: "0") < 10 { at += 1 }
    if at == start { throw fault(peek == nil ? .unexpectedEnd : .invalidNumber, "a digit") }
  }

  private mutating func string() throws(JSONError) {
    at += 1
    while let byte = peek {
      switch byte {
      case UInt8(ascii: "\""):
        at += 1
        return
      case UInt8(ascii: "\\"): try escape()
      case 0..<0x20: throw fault(.controlCharacter, "an escape such as \\n")
      case 0..<0x80: at += 1
      default: try character()
      }
    }
    throw fault(.unexpectedEnd, "'\"' at the end of the string")
  }

  private mutating func escape() throws(JSONError) {
    let start = at
    at += 1
    guard let byte = peek else { throw fault(.unexpectedEnd, "an escape") }
    guard byte == UInt8(ascii: "u") else {
      guard "\"\\/bfnrt".utf8.contains(byte) else {
        throw fault(.invalidEscape, "one of \" \\ / b f n r t u")
      }
      at += 1
      return
    }
    at += 1
    let unit = try hexadecimal()
    guard unit & 0xF800 == 0xD800 else { return }
    if unit < 0xDC00, peek == UInt8(ascii: "\\"), at + 1 < text.count,
      text[at + 1] == UInt8(ascii: "u")
    {
      let second = at
      at += 2
      if try hexadecimal() & 0xFC00 == 0xDC00 { return }
      // Not the second surrogate, so this escape is read again on its own.
      at = second
    }
    repairs.append(JSONDocument.Repair(kind: .loneSurrogate, offset: start))
  }

  private mutating func hexadecimal() throws(JSONError) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = peek else { throw fault(.unexpectedEnd, "four hexadecimal digits") }
      guard let digit = byte.hexDigitValue else {
        throw fault(.invalidEscape, "four hexadecimal digits")
      }
      unit = unit << 4 | UInt32(digit)
      at += 1
    }
    return unit
  }

  /// Reads a character of two to four bytes.
  private mutating func character() throws(JSONError) {
    let length = UTF8Length.of(text[at...])
    guard length > 0 else { throw fault(.invalidUTF8, "UTF-8") }
    at += length
  }
}

/// The length of a character in UTF-8.
enum UTF8Length {
  /// Returns the length of the character at the start of the bytes, or 0 if they are not UTF-8.
  static func of(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
    var iterator = bytes.prefix(4).makeIterator()
    var decoder = UTF8()
    guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return 0 }
    return UTF8.width(scalar)
  }
}

extension JSONScanner {
  /// Returns whether the text is exactly one JSON number.
  static func isNumber(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      guard let first = bytes.first, first == UInt8(ascii: "-") || first &- 0x30 < 10 else {
        return false
      }
      var scanner = JSONScanner(bytes, from: 0)
      do throws(JSONError) { try scanner.number() } catch { return false }
      return scanner.at == bytes.count
    }
  }
}

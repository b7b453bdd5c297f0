/// A writer of JSON, value by value, that adds commas, colons and indentation.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []
  private let isPretty: Bool
  private var depth = 0
  /// Whether the next value or name is the first in its container or the outermost one.
  private var isFirst = true
  private var followsName = false

  init(isPretty: Bool = false) { self.isPretty = isPretty }

  mutating func beginObject() { begin(UInt8(ascii: "{")) }
  mutating func endObject() { end(UInt8(ascii: "}")) }
  mutating func beginArray() { begin(UInt8(ascii: "[")) }
  mutating func endArray() { end(UInt8(ascii: "]")) }

  /// Writes a member's name; its value must follow.
  mutating func name(_ name: String) {
    separate()
    append(quoted: name)
    bytes.append(UInt8(ascii: ":"))
    if isPretty { bytes.append(0x20) }
    followsName = true
  }

  mutating func null() { literal("null") }
  mutating func bool(_ value: Bool) { literal(value ? "true" : "false") }
  mutating func integer(_ value: some BinaryInteger) { literal(String(value)) }

  /// Writes the fewest digits that read back as the same value. A value that is not finite becomes
  /// `null`, because JSON can't express it.
  mutating func double(_ value: Double) { literal(value.isFinite ? value.description : "null") }

  mutating func string(_ value: String) {
    separate()
    append(quoted: value)
  }

  /// Writes text that is JSON already, such as the digits of a number.
  mutating func literal(_ text: String) {
    separate()
    bytes += text.utf8
  }

  private mutating func begin(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    depth += 1
    isFirst = true
  }

  private mutating func end(_ bracket: UInt8) {
    depth -= 1
    if !isFirst { breakLine() }
    bytes.append(bracket)
    isFirst = false
  }

  private mutating func separate() {
    if followsName {
      followsName = false
      isFirst = false
      return
    }
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    if depth > 0 { breakLine() }
    isFirst = false
  }

  private mutating func breakLine() {
    guard isPretty else { return }
    bytes.append(0x0A)
    bytes += repeatElement(0x20, count: 2 * depth)
  }

  private mutating func append(quoted text: String) {
    bytes.append(UInt8(ascii: "\""))
    let isAppended: Void? = text.utf8.withContiguousStorageIfAvailable { append(escaped: $0) }
    if isAppended == nil { Array(text.utf8).withUnsafeBufferPointer { append(escaped: $0) } }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Appends runs of bytes that need no escape in one operation.
  private mutating func append(escaped text: UnsafeBufferPointer<UInt8>) {
    var start = 0
    for (place, byte) in text.enumerated()
    where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
      bytes += text[start..<place]
      escape(byte)
      start = place + 1
    }
    bytes += text[start...]
  }

  private mutating func escape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): bytes += #"\""#.utf8
    case UInt8(ascii: "\\"): bytes += #"\\"#.utf8
    case 0x08: bytes += #"\b"#.utf8
    case 0x09: bytes += #"\t"#.utf8
    case 0x0A: bytes += #"\n"#.utf8
    case 0x0C: bytes += #"\f"#.utf8
    case 0x0D: bytes += #"\r"#.utf8
    default:
      bytes += (byte < 0x10 ? #"\u000"# : #"\u00"#).utf8
      bytes += String(byte, radix: 16).utf8
    }
  }
}

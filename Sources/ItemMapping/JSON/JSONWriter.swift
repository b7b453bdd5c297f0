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

extension JSONAny {
  /// Returns the value as JSON: on one line without spaces or, with `isPretty`, one member per line
  /// with an indentation of two. Numbers kept as text are written digit for digit. A `Double` that
  /// is not finite becomes `null`.
  public func text(isPretty: Bool = false) -> String {
    String(decoding: utf8(isPretty: isPretty), as: UTF8.self)
  }

  /// Returns the bytes of ``text(isPretty:)``.
  package func utf8(isPretty: Bool = false) -> [UInt8] {
    var writer = JSONWriter(isPretty: isPretty)
    write(to: &writer)
    return writer.bytes
  }

  /// Writes the value. Open containers are kept in a list, so depth uses no stack.
  func write(to writer: inout JSONWriter) {
    var open: [(container: JSONAny, next: Int)] = []
    begin(in: &writer, &open)
    while let (container, start) = open.popLast() {
      switch container {
      case .object(let object): object.write(from: start, in: &writer, &open)
      default: (container.array ?? []).write(from: start, in: &writer, &open)
      }
    }
  }

  /// Writes a scalar, or the opening bracket of a container whose contents follow.
  fileprivate func begin(
    in writer: inout JSONWriter, _ open: inout [(container: JSONAny, next: Int)]
  ) {
    switch self {
    case .null: writer.null()
    case .bool(let value): writer.bool(value)
    case .int(let value): writer.integer(value)
    case .uint(let value): writer.integer(value)
    case .double(let value): writer.double(value)
    case .number(let number): writer.literal(number.text)
    case .string(let value): writer.string(value)
    case .array:
      writer.beginArray()
      open.append((self, 0))
    case .object:
      writer.beginObject()
      open.append((self, 0))
    }
  }
}

extension [JSONAny] {
  /// Writes elements up to the next container, whose contents are written before the rest.
  fileprivate func write(
    from start: Int, in writer: inout JSONWriter, _ open: inout [(container: JSONAny, next: Int)]
  ) {
    for next in start..<count {
      let outer = open.count
      self[next].begin(in: &writer, &open)
      if open.count > outer {
        open.insert((.array(self), next + 1), at: outer)
        return
      }
    }
    writer.endArray()
  }
}

extension JSONAny.Object {
  fileprivate func write(
    from start: Int, in writer: inout JSONWriter, _ open: inout [(container: JSONAny, next: Int)]
  ) {
    for next in start..<count {
      let outer = open.count
      let (name, value) = self[next]
      writer.name(name)
      value.begin(in: &writer, &open)
      if open.count > outer {
        open.insert((.object(self), next + 1), at: outer)
        return
      }
    }
    writer.endObject()
  }
}

extension JSONAny: CustomStringConvertible {
  /// The value as JSON on one line.
  public var description: String { text() }
}

extension JSONAny.Object: CustomStringConvertible {
  /// The object as JSON on one line.
  public var description: String { text() }

  /// Returns the object as JSON; see ``JSONAny/text(isPretty:)``.
  package func text(isPretty: Bool = false) -> String {
    JSONAny.object(self).text(isPretty: isPretty)
  }

  /// Returns the bytes of ``text(isPretty:)``.
  package func utf8(isPretty: Bool = false) -> [UInt8] {
    JSONAny.object(self).utf8(isPretty: isPretty)
  }
}

/// Masks the values of secret members in JSON. It searches for names instead of parsing, so that JSON that is
/// invalid, truncated or surrounded by text is masked too.
struct MemberMasker {
  private let bytes: [UInt8]
  private let names: SecretNames
  private var index = 0
  private var result: [UInt8] = []

  init(_ bytes: [UInt8], names: SecretNames) {
    self.bytes = bytes
    self.names = names
    result.reserveCapacity(bytes.count)
  }

  mutating func run() -> [UInt8] {
    while index < bytes.count {
      guard bytes[index] == 0x22 else {
        result.append(bytes[index])
        index += 1
        continue
      }
      let start = index
      skipString()
      let name = bytes[(start + 1)..<max(start + 1, index - 1)]
      result += bytes[start..<index]
      guard copyColon(), names.contains(Self.unescaped(name)) else { continue }
      let value = index
      skipValue()
      guard index > value, !bytes[value..<index].elementsEqual("null".utf8) else {
        result += bytes[value..<index]
        continue
      }
      result += ("\"" + Redaction.marker + "\"").utf8
    }
    return result
  }

  /// Copies a colon and the white space around it, if they follow.
  private mutating func copyColon() -> Bool {
    var end = index
    while end < bytes.count, Self.isSpace(bytes[end]) { end += 1 }
    guard end < bytes.count, bytes[end] == 0x3A else { return false }
    end += 1
    while end < bytes.count, Self.isSpace(bytes[end]) { end += 1 }
    result += bytes[index..<end]
    index = end
    return true
  }

  private mutating func skipString() {
    index += 1
    while index < bytes.count, bytes[index] != 0x22 {
      index += bytes[index] == 0x5C ? 2 : 1
    }
    index = min(index + 1, bytes.count)
  }

  private mutating func skipValue() {
    guard index < bytes.count else { return }
    switch bytes[index] {
    case 0x22: skipString()
    case 0x7B, 0x5B: skipContainer()
    default:
      while index < bytes.count, ![0x2C, 0x7D, 0x5D].contains(bytes[index]),
        !Self.isSpace(bytes[index])
      { index += 1 }
    }
  }

  private mutating func skipContainer() {
    var depth = 0
    while index < bytes.count {
      switch bytes[index] {
      case 0x22:
        skipString()
        continue
      case 0x7B, 0x5B: depth += 1
      case 0x7D, 0x5D: depth -= 1
      default: break
      }
      index += 1
      if depth == 0 { return }
    }
  }

  /// Returns the name without escapes of ASCII characters: `tok\u0065n` becomes `token`.
  private static func unescaped(_ name: ArraySlice<UInt8>) -> [UInt8] {
    guard name.contains(0x5C) else { return Array(name) }
    var result: [UInt8] = []
    var rest = name
    while let byte = rest.popFirst() {
      guard byte == 0x5C, rest.first == 0x75 else {
        result.append(byte)
        continue
      }
      let digits = String(decoding: rest.dropFirst().prefix(4), as: UTF8.self)
      if let value = UInt8(digits, radix: 16), value < 0x80 { result.append(value) }
      rest = rest.dropFirst(5)
    }
    return result
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }
}

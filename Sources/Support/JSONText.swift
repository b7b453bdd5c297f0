/// Finds the ends of strings and containers in JSON without parsing it, so that text that is invalid, truncated or
/// surrounded by other text can be searched too.
package enum JSONText {
  /// Returns the offset after the closing quote of the string that starts at `start`; `nil` if it is not closed.
  package static func endOfString(at start: Int, in text: UnsafeRawBufferPointer) -> Int? {
    var end = start + 1
    while let base = text.baseAddress, end < text.count,
      let quote = memchr(base + end, 0x22, text.count - end)
    {
      let place = UnsafeRawPointer(quote) - base
      end = place + 1
      var slashes = place
      while slashes > start + 1, text[slashes - 1] == 0x5C { slashes -= 1 }
      if (place - slashes).isMultiple(of: 2) { return end }
    }
    return nil
  }

  /// Returns the offset after the closing bracket of the object or array that starts at `start`; `nil` if it is not
  /// closed. Brackets are counted without recursion, so depth costs nothing.
  package static func endOfContainer(at start: Int, in text: UnsafeRawBufferPointer) -> Int? {
    var depth = 0
    var index = start
    while index < text.count {
      switch text[index] {
      case 0x22:
        guard let end = endOfString(at: index, in: text) else { return nil }
        index = end
        continue
      case 0x7B, 0x5B: depth += 1
      case 0x7D, 0x5D:
        depth -= 1
        if depth == 0 { return index + 1 }
      default: break
      }
      index += 1
    }
    return nil
  }

  /// Returns the content of a string without its escapes, in UTF-8; a lone surrogate becomes U+FFFD.
  package static func unescaped(_ content: Slice<UnsafeRawBufferPointer>) -> [UInt8] {
    guard content.contains(0x5C) else { return Array(content) }
    var units: [UInt16] = []
    var result: [UInt8] = []
    func flush() {
      guard !units.isEmpty else { return }
      result += String(decoding: units, as: UTF16.self).utf8
      units = []
    }
    var rest = content
    while let byte = rest.popFirst() {
      guard byte == 0x5C, let escape = rest.popFirst() else {
        flush()
        result.append(byte)
        continue
      }
      if escape == 0x75, rest.count >= 4,
        let hex = String(validating: rest.prefix(4), as: UTF8.self),
        let unit = UInt16(hex, radix: 16)
      {
        units.append(unit)
        rest = rest.dropFirst(4)
        continue
      }
      flush()
      switch escape {
      case 0x62: result.append(0x08)
      case 0x66: result.append(0x0C)
      case 0x6E: result.append(0x0A)
      case 0x72: result.append(0x0D)
      case 0x74: result.append(0x09)
      default: result.append(escape)
      }
    }
    flush()
    return result
  }
}

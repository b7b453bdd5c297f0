internal import Support

/// Numbers in binary formats. Each has to be valid from its first byte to the last one.
enum BinaryNumbers {
  /// An integer alone, of two, four or eight bytes in either order.
  static func fixed(_ bytes: [UInt8]) -> [Int] {
    guard [2, 4, 8].contains(bytes.count) else { return [] }
    func number(_ bytes: some Sequence<UInt8>) -> Int? {
      Int(exactly: bytes.reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
    }
    return [number(bytes), number(bytes.reversed())].compactMap(\.self)
  }

  /// The integers of a message; `nil` where the bytes are not one.
  static func protobuf(_ bytes: ArraySlice<UInt8>, depth: Int) -> [Int]? {
    var numbers: [Int] = []
    var rest = bytes
    guard !rest.isEmpty else { return nil }
    while !rest.isEmpty {
      guard let tag = varint(&rest), tag >> 3 > 0, tag >> 3 < 1000 else { return nil }
      switch tag & 7 {
      case 0:
        guard let value = varint(&rest) else { return nil }
        // A number may be in the encoding for negative ones, too.
        numbers += [Int(exactly: value), Int(exactly: value >> 1)].compactMap(\.self)
      case 1, 5:
        let size = tag & 7 == 1 ? 8 : 4
        guard rest.count >= size else { return nil }
        numbers += fixed(Array(rest.prefix(size)))
        rest = rest.dropFirst(size)
      case 2:
        guard let size = varint(&rest).flatMap({ Int(exactly: $0) }), rest.count >= size else {
          return nil
        }
        if depth < 3 { numbers += protobuf(rest.prefix(size), depth: depth + 1) ?? [] }
        numbers += rest.prefix(size).decimals
        rest = rest.dropFirst(size)
      default: return nil
      }
    }
    return numbers
  }

  private static func varint(_ bytes: inout ArraySlice<UInt8>) -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: 0 as UInt64, to: 63, by: 7) {
      guard let byte = bytes.popFirst() else { return nil }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    return nil
  }

  /// The integers of a MessagePack value.
  static func messagePack(_ bytes: [UInt8]) -> [Int] {
    var rest = bytes[...]
    var numbers: [Int] = []
    var left = 1
    while left > 0 {
      guard let byte = rest.popFirst() else { return [] }
      left -= 1
      var content = 0
      switch byte {
      case 0x00...0x7F: numbers.append(Int(byte))
      case 0x80...0x8F: left += 2 * Int(byte & 0x0F)
      case 0x90...0x9F: left += Int(byte & 0x0F)
      case 0xA0...0xBF: content = Int(byte & 0x1F)
      case 0xC0, 0xC2, 0xC3, 0xE0...0xFF: break
      case 0xC4, 0xD9: content = rest.popFirst().map { Int($0) } ?? .max
      case 0xCA: content = 4
      case 0xCB: content = 8
      case 0xCC...0xCF, 0xD0...0xD3:
        let size = 1 << Int(byte & 3)
        guard rest.count >= size else { return [] }
        let value = rest.prefix(size).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        if let number = Int(exactly: value) { numbers.append(number) }
        rest = rest.dropFirst(size)
      case 0xDC, 0xDE:
        guard let high = rest.popFirst(), let low = rest.popFirst() else { return [] }
        left += (Int(high) << 8 | Int(low)) * (byte == 0xDE ? 2 : 1)
      default: return []
      }
      guard rest.count >= content, left <= 256 else { return [] }
      numbers += rest.prefix(content).decimals
      rest = rest.dropFirst(content)
    }
    return rest.isEmpty ? numbers : []
  }
}

extension ArraySlice<UInt8> {
  /// The decimal numbers in a text.
  fileprivate var decimals: [Int] {
    split { !$0.isASCIILetter && !$0.isASCIIDigit }.prefix(16).compactMap {
      Int(String(decoding: $0, as: UTF8.self))
    }
  }
}

extension UInt8 {
  /// Whether it is a character of Base64, in either alphabet.
  var isOfBase64: Bool {
    isASCIILetter || isASCIIDigit || [0x2B, 0x2F, 0x2D, 0x5F, 0x3D].contains(self)
  }

  var hexDigit: UInt8? {
    switch self {
    case 0x30...0x39: self - 0x30
    case 0x41...0x46: self - 0x41 + 10
    case 0x61...0x66: self - 0x61 + 10
    default: nil
    }
  }
}

extension [UInt8] {
  /// Whether these are the bytes of a text.
  var isText: Bool {
    allSatisfy { $0 >= 0x20 && $0 < 0x7F } || String(validating: self, as: UTF8.self) != nil
  }

  /// The bytes that these have in Base64, with either alphabet and with or without padding; `nil` if they have none.
  var decodedBase64: [UInt8]? {
    guard count >= 2, count <= 1_000 else { return nil }
    var result: [UInt8] = []
    var (buffer, bits) = (0 as UInt32, 0)
    let end = lastIndex { $0 != 0x3D } ?? 0
    guard self.count - end <= 3, end % 4 != 0 || end == 0 else { return nil }
    for byte in self[...end] {
      let value: UInt8
      switch byte {
      case 0x41...0x5A: value = byte - 0x41
      case 0x61...0x7A: value = byte - 0x61 + 26
      case 0x30...0x39: value = byte - 0x30 + 52
      case 0x2B, 0x2D: value = 62
      case 0x2F, 0x5F: value = 63
      default: return nil
      }
      buffer = buffer << 6 | UInt32(value)
      bits += 6
      if bits >= 8 {
        bits -= 8
        result.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
      }
    }
    return result
  }

  /// The bytes behind `%` and two hexadecimal digits; `nil` if there are none.
  var decodedPercents: [UInt8]? {
    guard contains(0x25) else { return nil }
    var result: [UInt8] = []
    var index = 0
    while index < count {
      if self[index] == 0x25, index + 2 < count, let high = self[index + 1].hexDigit,
        let low = self[index + 2].hexDigit
      {
        result.append(high << 4 | low)
        index += 3
      } else {
        result.append(self[index])
        index += 1
      }
    }
    return result.count == count ? nil : result
  }

  /// The bytes that these are the hexadecimal digits of; `nil` if there are others.
  var decodedHex: [UInt8]? {
    guard count >= 2, count.isMultiple(of: 2) else { return nil }
    var result: [UInt8] = []
    for index in stride(from: 0, to: count, by: 2) {
      guard let high = self[index].hexDigit, let low = self[index + 1].hexDigit else { return nil }
      result.append(high << 4 | low)
    }
    return result
  }
}

internal import Support

/// Masks the values of secret members in JSON. It searches for names instead of parsing, so that JSON that is
/// invalid, truncated or surrounded by text is masked too.
struct MemberMasker {
  private let bytes: UnsafeRawBufferPointer
  private let names: SecretNames
  private var index = 0
  private var result: [UInt8] = []

  /// Returns a text with its secret members masked.
  static func mask(_ bytes: [UInt8], names: SecretNames) -> [UInt8] {
    bytes.withUnsafeBytes { bytes in
      var masker = MemberMasker(bytes, names: names)
      masker.run()
      return masker.result
    }
  }

  private init(_ bytes: UnsafeRawBufferPointer, names: SecretNames) {
    self.bytes = bytes
    self.names = names
    result.reserveCapacity(bytes.count)
  }

  private mutating func run() {
    while index < bytes.count {
      guard bytes[index] == 0x22 else {
        result.append(bytes[index])
        index += 1
        continue
      }
      let start = index
      index = endOfValue
      let name = bytes[(start + 1)..<max(start + 1, index - 1)]
      result += bytes[start..<index]
      guard copyColon(), names.contains(JSONText.unescaped(name)) else { continue }
      let value = bytes[index..<endOfValue]
      index = value.endIndex
      if value.isEmpty || value.elementsEqual("null".utf8) {
        result += value
      } else {
        result += ("\"" + Redaction.marker + "\"").utf8
      }
    }
  }

  /// Copies a colon and the white space around it, if they follow.
  private mutating func copyColon() -> Bool {
    var end = index
    while end < bytes.count, bytes[end].isJSONBlank { end += 1 }
    guard end < bytes.count, bytes[end] == 0x3A else { return false }
    end += 1
    while end < bytes.count, bytes[end].isJSONBlank { end += 1 }
    result += bytes[index..<end]
    index = end
    return true
  }

  /// The end of the value that starts here, which is that of the text if the value is truncated.
  private var endOfValue: Int {
    guard index < bytes.count else { return index }
    let end: Int? =
      switch bytes[index] {
      case 0x22: JSONText.endOfString(at: index, in: bytes)
      case 0x7B, 0x5B: JSONText.endOfContainer(at: index, in: bytes)
      default: bytes[index...].firstIndex { [0x2C, 0x7D, 0x5D].contains($0) || $0.isJSONBlank }
      }
    return end ?? bytes.count
  }
}

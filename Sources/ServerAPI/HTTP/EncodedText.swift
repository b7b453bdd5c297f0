internal import Support

/// The value of a parameter whose name ends in an asterisk (RFC 8187): `UTF-8'de'n%C3%A4chstes`.
struct EncodedText: Equatable, Sendable {
  let text: String
  /// The language, where one is named.
  let language: String?

  /// Decodes UTF-8 and ISO 8859-1; `nil` for another character set and what is not well-formed.
  init?(_ value: String) {
    let parts = value.utf8.split(separator: 0x27, maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let bytes = Self.bytes(parts[2]) else { return nil }
    let charset = Substring(parts[0])
    if charset.equalsIgnoringCase("UTF-8") {
      guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
      self.text = text
    } else if charset.equalsIgnoringCase("ISO-8859-1") {
      text = String(String.UnicodeScalarView(bytes.lazy.map { Unicode.Scalar($0) }))
    } else {
      return nil
    }
    language = parts[1].isEmpty ? nil : String(Substring(parts[1]))
  }

  /// The bytes behind the percent signs; others than ASCII have to be written with them.
  private static func bytes(_ text: Substring.UTF8View) -> [UInt8]? {
    var text = text
    var bytes: [UInt8] = []
    while let byte = text.popFirst() {
      guard byte < 0x80 else { return nil }
      if byte != 0x25 {
        bytes.append(byte)
        continue
      }
      guard let high = text.popFirst()?.hexDigitValue, let low = text.popFirst()?.hexDigitValue
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }
}

extension UInt8 {
  fileprivate var hexDigitValue: UInt8? {
    if isASCIIDigit { return self - 0x30 }
    return isASCIIHexDigit ? (self | 0x20) - 0x57 : nil
  }
}

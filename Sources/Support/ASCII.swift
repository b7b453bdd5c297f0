extension UInt8 {
  @inlinable package var isASCIIDigit: Bool { (0x30...0x39).contains(self) }
  @inlinable package var isASCIILetter: Bool { (0x61...0x7A).contains(self | 0x20) }
  @inlinable package var isASCIIAlphanumeric: Bool { isASCIIDigit || isASCIILetter }
  @inlinable package var isASCIIHexDigit: Bool {
    isASCIIDigit || (0x61...0x66).contains(self | 0x20)
  }

  /// The value of a hexadecimal digit; `nil` for any other byte.
  @inlinable package var hexDigitValue: UInt8? {
    if isASCIIDigit { return self - 0x30 }
    return isASCIIHexDigit ? (self | 0x20) - 0x57 : nil
  }

  /// Whether this is a C0 control or DEL, which no address and no field may contain.
  @inlinable package var isASCIIControl: Bool { self < 0x20 || self == 0x7F }

  /// Whether this is a space or a tab, the blanks of HTTP.
  @inlinable package var isBlank: Bool { self == 0x20 || self == 0x09 }

  /// Whether this is white space of JSON.
  @inlinable package var isJSONBlank: Bool { isBlank || self == 0x0A || self == 0x0D }

  /// The byte, with an ASCII uppercase letter lowercased.
  @inlinable package var asciiLowercased: UInt8 {
    (0x41...0x5A).contains(self) ? self | 0x20 : self
  }
}

extension BidirectionalCollection<UInt8> {
  /// The bytes without surrounding spaces and tabs.
  @inlinable package var withoutBlanks: SubSequence {
    var (start, end) = (startIndex, endIndex)
    while start != end, self[start].isBlank { formIndex(after: &start) }
    while start != end {
      let last = index(before: end)
      guard self[last].isBlank else { break }
      end = last
    }
    return self[start..<end]
  }
}

extension StringProtocol {
  /// The text without surrounding spaces and tabs, as in field values.
  @inlinable package var withoutBlanks: Substring {
    let text = Substring(self)
    let rest = text.utf8.withoutBlanks
    return text[rest.startIndex..<rest.endIndex]
  }

  /// Compares ASCII letters ignoring case and everything else exactly, as protocol names require.
  @inlinable
  package func equalsIgnoringCase(_ other: some StringProtocol) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    return withBytes { a in
      other.withBytes { b in
        a.indices.allSatisfy { a[$0].asciiLowercased == b[$0].asciiLowercased }
      }
    }
  }

  /// Whether a condition is true for all bytes of the text.
  @inlinable package func hasOnlyBytes(where isTrue: (UInt8) -> Bool) -> Bool {
    withBytes { $0.allSatisfy(isTrue) }
  }

  /// Calls `body` with the UTF-8 bytes of the text, so that arbitrary content is never interpreted as
  /// characters.
  @inlinable
  package func withBytes<R>(_ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
    if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
    return Array(utf8).withUnsafeBufferPointer(body)
  }
}

extension String {
  /// Whether the text starts with these bytes, in which ASCII letters may have any case.
  package func hasPrefixIgnoringCase(_ prefix: StaticString) -> Bool {
    utf8.count >= prefix.utf8CodeUnitCount
      && zip(utf8, UnsafeBufferPointer(start: prefix.utf8Start, count: prefix.utf8CodeUnitCount))
        .allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
  }

  /// Whether both texts have the same bytes. `==` treats texts as equal that a server distinguishes.
  package func hasSameBytes(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    return withBytes { bytes in other.withBytes { bytes.elementsEqual($0) } }
  }

  /// The text with ASCII letters lowercased.
  package var asciiLowercased: String {
    guard utf8.contains(where: { $0 != $0.asciiLowercased }) else { return self }
    return String(decoding: utf8.lazy.map(\.asciiLowercased), as: UTF8.self)
  }
}

/// A text that is compared by its bytes, as a key of dictionaries.
package struct ExactText: Hashable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (a: Self, b: Self) -> Bool { a.text.hasSameBytes(as: b.text) }
}

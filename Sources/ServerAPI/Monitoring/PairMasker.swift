internal import Support

/// Masks secret values of `name=value` pairs, and user names and passwords before an `@`, in text.
///
/// A pair starts after `?`, `&`, `;` or `#`, so addresses are found anywhere in a text, including in JSON
/// strings.
struct PairMasker {
  let names: SecretNames
  /// Whether the text consists only of pairs, such as a query or a form.
  var isWhole = false
  /// Whether the text is truncated: an incomplete address may continue with an `@`.
  var isCut = false

  func mask(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var rest = bytes[...]
    var atPair = isWhole
    while let byte = rest.first {
      if atPair {
        atPair = false
        maskPair(&rest, into: &result)
      } else if let sign = Self.authoritySign(rest) {
        result += sign
        rest = rest.dropFirst(sign.count)
        if !isWhole { maskUser(&rest, into: &result) }
      } else if rest.starts(with: Self.escapedAmpersand) {
        result += Self.escapedAmpersand
        rest = rest.dropFirst(Self.escapedAmpersand.count)
        atPair = true
      } else {
        atPair = isWhole ? byte == 0x26 || byte == 0x3B : [0x3F, 0x26, 0x3B, 0x23].contains(byte)
        result.append(byte)
        rest = rest.dropFirst()
      }
    }
    return result
  }

  /// Copies the name and its equals sign, and the marker in place of a secret value.
  private func maskPair(_ rest: inout ArraySlice<UInt8>, into result: inout [UInt8]) {
    let name = rest.prefix {
      isWhole ? $0 != 0x3D && $0 != 0x26 && $0 != 0x3B : Self.isName($0)
    }
    guard !name.isEmpty, rest.dropFirst(name.count).first == 0x3D else { return }
    result += name
    result.append(0x3D)
    rest = rest.dropFirst(name.count + 1)
    guard names.containsParameter(name) else { return }
    let end = rest.indices.first { endsValue(rest[$0...]) } ?? rest.endIndex
    if end > rest.startIndex { result += Redaction.marker.utf8 }
    rest = rest[end...]
  }

  private func maskUser(_ rest: inout ArraySlice<UInt8>, into result: inout [UInt8]) {
    let authority = rest.prefix { !Self.endsAuthority.contains($0) && $0 > 0x20 }
    if let at = authority.lastIndex(of: 0x40) {
      result += Redaction.marker.utf8
      rest = rest[at...]
    } else if isCut, authority.endIndex == rest.endIndex, !authority.isEmpty {
      result += Redaction.marker.utf8
      rest = []
    }
  }

  private func endsValue(_ rest: ArraySlice<UInt8>) -> Bool {
    guard let byte = rest.first else { return true }
    if isWhole { return byte == 0x26 }
    if byte == 0x5C {
      return rest.dropFirst().first == 0x22 || rest.starts(with: Self.escapedAmpersand)
    }
    return byte <= 0x20 || [0x26, 0x23, 0x22, 0x27, 0x3C, 0x3E].contains(byte)
  }

  /// Returns `://`, or `:\/\/` as in some JSON, if the text starts with it.
  private static func authoritySign(_ rest: ArraySlice<UInt8>) -> [UInt8]? {
    guard rest.first == 0x3A else { return nil }
    return signs.first { rest.starts(with: $0) }
  }

  private static let signs = [Array("://".utf8), Array(#":\/\/"#.utf8)]
  private static let escapedAmpersand = Array(#"\u0026"#.utf8)
  /// `/ ? # " ' < > \`
  private static let endsAuthority: [UInt8] = [0x2F, 0x3F, 0x23, 0x22, 0x27, 0x3C, 0x3E, 0x5C]

  private static func isName(_ byte: UInt8) -> Bool {
    byte.isASCIIAlphanumeric || byte >= 0x80 || "-_.~%+[]".utf8.contains(byte)
  }
}

/// Which bytes may stand as they are in one part of an address.
struct PercentEncoding {
  private let allowed: [Bool]

  /// A path with its slashes.
  static let path = PercentEncoding(alsoAllowed: "/:@!$&'()*+,;=")
  /// A whole query that is already joined.
  static let query = PercentEncoding(alsoAllowed: "/?:@!$&'()*+,;=")
  /// One name or value inside a query or a form: nothing that separates may stay.
  static let component = PercentEncoding(alsoAllowed: "")

  private init(alsoAllowed: String) {
    var allowed = [Bool](repeating: false, count: 256)
    for byte in 0..<256 { allowed[byte] = UInt8(byte).isASCIIAlphanumeric }
    for byte in ("-._~" + alsoAllowed).utf8 { allowed[Int(byte)] = true }
    self.allowed = allowed
  }

  /// Encodes a raw text: a percent sign becomes `%25`.
  func encode(_ text: String) -> String {
    if text.utf8.allSatisfy({ allowed[Int($0)] }) { return text }
    return rewrite(text) { _, _ in false }
  }

  /// Encodes what may not stand in an address that was encoded before: `%41` stays, a lone percent
  /// sign becomes `%25`.
  func repair(_ text: String) -> String {
    if text.utf8.allSatisfy({ allowed[Int($0)] }) { return text }
    return rewrite(text) { bytes, index in
      bytes[index] == 0x25 && index + 2 < bytes.count && bytes[index + 1].isASCIIHexDigit
        && bytes[index + 2].isASCIIHexDigit
    }
  }

  private func rewrite(_ text: String, keeps: ([UInt8], Int) -> Bool) -> String {
    let bytes = Array(text.utf8)
    let digits = Array("0123456789ABCDEF".utf8)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + 16)
    for (index, byte) in bytes.enumerated() {
      if allowed[Int(byte)] || keeps(bytes, index) {
        result.append(byte)
      } else {
        result += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The text behind an encoded query component, where `+` stands for a space.
  static func decodeComponent(_ text: Substring) -> String {
    guard text.utf8.contains(where: { $0 == 0x25 || $0 == 0x2B }) else { return String(text) }
    var result: [UInt8] = []
    var bytes = text.utf8[...]
    while let byte = bytes.popFirst() {
      if byte == 0x2B {
        result.append(0x20)
      } else if byte == 0x25, let value = UInt8(String(bytes.prefix(2)) ?? "", radix: 16),
        bytes.prefix(2).allSatisfy(\.isASCIIHexDigit), bytes.count >= 2
      {
        result.append(value)
        bytes = bytes.dropFirst(2)
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

extension WebURL {
  /// The parameters in the query, decoded, in order; a repeated name gives one item each time.
  public var queryParams: Params {
    Params(
      (query ?? "").split(separator: "&").map { pair in
        let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return Params.Item(
          name: PercentEncoding.decodeComponent(parts[0]),
          value: .one(parts.count > 1 ? PercentEncoding.decodeComponent(parts[1]) : ""))
      })
  }
}

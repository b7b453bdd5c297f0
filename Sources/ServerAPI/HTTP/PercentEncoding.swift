internal import Support

/// The bytes that need no percent-encoding in one part of an address.
package struct PercentEncoding: Sendable {
  /// One bit for each ASCII byte; other bytes are never allowed.
  private let allowed: (low: UInt64, high: UInt64)

  /// A path with its slashes.
  package static let path = PercentEncoding(alsoAllowed: "/:@!$&'()*+,;=")
  /// A complete query.
  package static let query = PercentEncoding(alsoAllowed: "/?:@!$&'()*+,;=")
  /// A value in a path that may be several segments.
  package static let segments = PercentEncoding(alsoAllowed: "/")
  /// One name or value in a query: all separators are encoded.
  package static let component = PercentEncoding(alsoAllowed: "")
  /// One name or value in a form by the rules of WHATWG, in which a space becomes `+`.
  package static let form = PercentEncoding(allowed: "-._*", spaceIsPlus: true)

  /// Whether a space becomes `+`.
  private let spaceIsPlus: Bool

  private init(alsoAllowed: String) {
    self.init(allowed: "-._~" + alsoAllowed, spaceIsPlus: false)
  }

  private init(allowed marks: String, spaceIsPlus: Bool) {
    self.spaceIsPlus = spaceIsPlus
    var bits: (low: UInt64, high: UInt64) = (0, 0)
    for byte in UInt8(0)..<0x80 where byte.isASCIIAlphanumeric || marks.utf8.contains(byte) {
      if byte < 64 { bits.low |= 1 << byte } else { bits.high |= 1 << (byte - 64) }
    }
    allowed = bits
  }

  private func allows(_ byte: UInt8) -> Bool {
    // A shift by 64 or more gives zero.
    (byte < 64 ? allowed.low >> byte : allowed.high >> (byte - 64)) & 1 == 1
  }

  /// Encodes unencoded text: a percent sign becomes `%25`.
  package func encode(_ text: String) -> String {
    if text.hasOnlyBytes(where: allows) { return text }
    var result: [UInt8] = []
    append(text, to: &result)
    return String(decoding: result, as: UTF8.self)
  }

  /// Encodes unencoded text and appends it to `result`.
  func append(_ text: String, to result: inout [UInt8]) {
    for byte in text.utf8 {
      if allows(byte) {
        result.append(byte)
      } else if byte == 0x20, spaceIsPlus {
        result.append(0x2B)
      } else {
        Self.escape(byte, to: &result)
      }
    }
  }

  /// Encodes the invalid characters of text that is already encoded: `%41` stays, a lone percent sign
  /// becomes `%25`.
  package func repair(_ text: String) -> String {
    if text.hasOnlyBytes(where: allows) { return text }
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + 16)
    for (index, byte) in bytes.enumerated() {
      let isEscape =
        byte == 0x25 && index + 2 < bytes.count && bytes[index + 1].isASCIIHexDigit
        && bytes[index + 2].isASCIIHexDigit
      if isEscape || allows(byte) { result.append(byte) } else { Self.escape(byte, to: &result) }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func escape(_ byte: UInt8, to result: inout [UInt8]) {
    func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x37 + value }
    result.append(0x25)
    result.append(digit(byte >> 4))
    result.append(digit(byte & 15))
  }

  /// Decodes a name or value of a query, in which `+` is a space.
  static func decodeComponent(_ text: Substring) -> String {
    guard text.utf8.contains(where: { $0 == 0x25 || $0 == 0x2B }) else { return String(text) }
    var result: [UInt8] = []
    var bytes = text.utf8
    while let byte = bytes.popFirst() {
      if byte == 0x2B {
        result.append(0x20)
      } else if byte == 0x25, bytes.prefix(2).allSatisfy(\.isASCIIHexDigit),
        let value = UInt8(Substring(bytes.prefix(2)), radix: 16), bytes.count >= 2
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
  /// The decoded parameters of the query, in order; a repeated name gives one item for each occurrence.
  public var queryParams: Params {
    Params(
      (query ?? "").utf8.split(separator: 0x26).map { pair in
        let name = Substring(pair.prefix { $0 != 0x3D })
        let value = Substring(pair.dropFirst(name.utf8.count + 1))
        return Params.Item(
          name: PercentEncoding.decodeComponent(name),
          value: .one(.text(PercentEncoding.decodeComponent(value))))
      })
  }
  /// Returns the address with other numbers for some parameters of the query, and everything else as it is; `nil`
  /// where one of them isn't there exactly once.
  package func replacing(_ numbers: [String: Int]) -> WebURL? {
    var replaced: Set<String> = []
    var isUnique = true
    let pairs = (query ?? "").split(separator: "&", omittingEmptySubsequences: false).map { pair in
      let name = pair.prefix { $0 != "=" }
      let decoded = PercentEncoding.decodeComponent(name)
      guard let number = numbers[decoded] else { return String(pair) }
      isUnique = isUnique && replaced.insert(decoded).inserted
      return "\(name)=\(number)"
    }
    guard isUnique, replaced.count == numbers.count else { return nil }
    do throws(RequestError) {
      return try resolving("?" + pairs.joined(separator: "&"))
    } catch {
      return nil
    }
  }
}

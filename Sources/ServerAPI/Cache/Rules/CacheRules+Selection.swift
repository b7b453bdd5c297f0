internal import Support

extension CacheRules {
  /// Returns the index of the stored response to use for a request: among those whose selecting header fields
  /// match, the one with the most recent `Date` (RFC 9111, section 4.1).
  func select(
    _ stored: [StoredResponse], for request: HTTPRequest, ignoring partitionFields: Set<String>
  ) -> Int? {
    if stored.count == 1, stored[0].selectors.isEmpty { return 0 }
    var chosen: (index: Int, match: Match, date: Double)?
    var normalized = NormalizedFields(request: request, salt: salt)
    for index in stored.indices {
      guard let match = match(of: stored[index], partitionFields, &normalized) else { continue }
      let date = stored[index].date ?? stored[index].receivedAt
      if let chosen,
        (chosen.match, chosen.date, stored[chosen.index].receivedAt)
          >= (match, date, stored[index].receivedAt)
      {
        continue
      }
      chosen = (index, match, date)
    }
    return chosen?.index
  }

  /// Returns the stored responses whose selecting header fields match exactly.
  func exactMatches(
    in stored: [StoredResponse], for request: HTTPRequest, ignoring partitionFields: Set<String>
  ) -> [Int] {
    var normalized = NormalizedFields(request: request, salt: salt)
    return stored.indices.filter { match(of: stored[$0], partitionFields, &normalized) == .exact }
  }

  /// Returns the selecting header fields to store with a response; `nil` if the response matches no other
  /// request.
  func selectors(
    for headers: HTTPHeaders, request: HTTPRequest, ignoring partitionFields: Set<String>
  ) -> [StoredResponse.Selector]? {
    guard let names = Self.varyNames(headers) else { return nil }
    var normalized = NormalizedFields(request: request, salt: salt)
    return names.filter { !partitionFields.contains($0) }.map {
      StoredResponse.Selector(name: $0, value: normalized[$0])
    }
  }

  /// Returns the name of a variant within its key; empty without selecting header fields.
  static func variant(of selectors: [StoredResponse.Selector]) -> String {
    guard !selectors.isEmpty else { return "" }
    // The lengths prevent two lists of fields from having the same text.
    let text = selectors.map { selector in
      guard let value = selector.value else { return "\(selector.name):" }
      return "\(selector.name):\(value.utf8.count)=\(value)"
    }
    return SHA256.name(of: text.joined(separator: ","), salt: [])
  }

  /// Returns the lowercase names in `Vary`, unique and sorted; `nil` if `*` is among them.
  static func varyNames(_ headers: HTTPHeaders) -> [String]? {
    var names: Set<String> = []
    for value in headers.values("Vary") {
      value.withBytes { bytes in
        bytes.forEachMember { name in
          if !name.isEmpty {
            names.insert(String(decoding: name, as: UTF8.self).asciiLowercased)
          }
        }
      }
    }
    return names.contains("*") ? nil : names.sorted()
  }

  private enum Match: Int, Comparable {
    /// Only the language differs, and the response is in the most preferred one.
    case language
    case exact

    static func < (a: Match, b: Match) -> Bool { a.rawValue < b.rawValue }
  }

  private func match(
    of response: StoredResponse, _ partitionFields: Set<String>,
    _ normalized: inout NormalizedFields
  ) -> Match? {
    var match = Match.exact
    for selector in response.selectors where !partitionFields.contains(selector.name) {
      switch (selector.value, normalized[selector.name]) {
      case (nil, nil): continue
      case (let a?, let b?) where a.hasSameBytes(as: b): continue
      case (_, let wanted?)
      where selector.name == "accept-language" && isIn(response, language: wanted):
        // RFC 9110, section 12.5.4: the server would prefer that language too.
        match = .language
      default: return nil
      }
    }
    return match
  }

  /// Whether a response is in the single most preferred language of a normalized `Accept-Language`.
  private func isIn(_ response: StoredResponse, language wanted: String) -> Bool {
    let languages = response.headers.values("Content-Language")
    guard languages.count == 1 else { return false }
    let ranges = wanted.utf8.split(separator: 0x2C, maxSplits: 2)
    guard let first = ranges.first else { return false }
    func range(_ text: Substring.UTF8View) -> (name: Substring, quality: Substring) {
      let parts = Substring(text).split(separator: ";q=", maxSplits: 1)
      return (parts.first ?? "", parts.count > 1 ? parts[1] : "")
    }
    let top = range(first)
    guard top.quality != "0", ranges.count < 2 || range(ranges[1]).quality != top.quality else {
      return false
    }
    return top.name != "*" && top.name.equalsIgnoringCase(languages[0])
  }
}

/// The selecting header fields of a request, normalized so that equivalent requests have equal values.
struct NormalizedFields {
  private let request: HTTPRequest
  private let salt: [UInt8]
  private var known: [String: String?] = [:]

  init(request: HTTPRequest, salt: [UInt8]) {
    self.request = request
    self.salt = salt
  }

  /// Returns the normalized value of a field by its lowercase name; `nil` if the request lacks it. A value that
  /// may identify the user is replaced by its digest.
  subscript(name: String) -> String? {
    mutating get {
      if let value = known[name] { return value }
      let value = read(name)
      known[name] = .some(value)
      return value
    }
  }

  private func read(_ name: String) -> String? {
    let lines = request.headers.values(name)
    guard !lines.isEmpty else { return nil }
    let text = lines.joined(separator: ",")
    switch name {
    case "accept", "accept-charset", "accept-encoding", "accept-language":
      return Self.preferences(text, isCaseKept: name == "accept")
    default:
      let value = Self.list(text)
      return FieldNames.seemsToIdentify(name) ? SHA256.name(of: value, salt: salt) : value
    }
  }

  /// Returns the value without blanks around its commas.
  private static func list(_ text: String) -> String {
    text.withBytes { bytes in
      var members: [UInt8] = []
      members.reserveCapacity(bytes.count)
      bytes.forEachMember { member in
        members.append(contentsOf: member)
        members.append(0x2C)
      }
      return String(decoding: members.dropLast(), as: UTF8.self)
    }
  }

  /// Returns preferences with the highest quality first. Preferences of equal quality have no order (RFC 9110,
  /// section 12.4.2), so they are sorted.
  private static func preferences(_ text: String, isCaseKept: Bool) -> String {
    var members: [(text: String, quality: Int)] = []
    text.withBytes { bytes in
      bytes.forEachMember { member in
        if let member = preference(member, isCaseKept) { members.append(member) }
      }
    }
    members.sort { ($1.quality, $0.text) < ($0.quality, $1.text) }
    return members.map { $0.quality == 1000 ? $0.text : "\($0.text);q=\($0.quality)" }
      .joined(separator: ",")
  }

  /// Splits a preference: `text/HTML ; Level=A; q=0.5` becomes `text/html;level=A` with a quality of 500.
  /// Parameter values keep their case if it may matter.
  private static func preference(
    _ member: UnsafeBufferPointer<UInt8>, _ isCaseKept: Bool
  ) -> (String, Int)? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(member.count)
    var isQuoted = false
    var isValue = false
    for byte in member {
      if byte == 0x22 { isQuoted.toggle() }
      if isQuoted {
        bytes.append(byte)
        continue
      }
      if byte == 0x3D { isValue = true }
      if byte == 0x3B { isValue = false }
      if !byte.isBlank { bytes.append(isValue && isCaseKept ? byte : byte.asciiLowercased) }
    }
    guard !bytes.isEmpty else { return nil }
    guard let (start, quality) = quality(at: bytes) else {
      return (String(decoding: bytes, as: UTF8.self), 1000)
    }
    return (String(decoding: bytes[..<start], as: UTF8.self), quality)
  }

  /// Returns the start of the trailing quality, and its value in thousandths.
  private static func quality(at bytes: [UInt8]) -> (Int, Int)? {
    guard let start = bytes.lastIndex(of: 0x3B), bytes.count - start >= 4,
      bytes[start + 1] == 0x71, bytes[start + 2] == 0x3D
    else { return nil }
    let digits = bytes[(start + 3)...]
    guard let first = digits.first, first == 0x30 || first == 0x31 else { return nil }
    let fraction = digits.dropFirst(2)
    guard digits.count == 1 || digits[digits.startIndex + 1] == 0x2E, fraction.count <= 3,
      fraction.allSatisfy(\.isASCIIDigit)
    else { return nil }
    var thousandths = Int(first & 15)
    for place in 0..<3 {
      let at = fraction.startIndex + place
      thousandths = thousandths * 10 + (at < fraction.endIndex ? Int(fraction[at] & 15) : 0)
    }
    return thousandths <= 1000 ? (start, thousandths) : nil
  }
}

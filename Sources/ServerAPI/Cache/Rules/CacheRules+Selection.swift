internal import Support

extension CacheRules {
  /// Returns the index of the stored response to use for a request: among those whose selecting header fields
  /// match, the one with the most recent `Date` (RFC 9111, section 4.1).
  func select(
    _ stored: [StoredResponse], for request: HTTPRequest, ignoring partitionFields: Set<String>,
    now: Double
  ) -> Int? {
    if stored.count == 1, stored[0].selectors.isEmpty { return 0 }
    var chosen: (index: Int, match: Match, date: Double)?
    var normalized = NormalizedFields(request: request, salt: salt)
    for index in stored.indices {
      guard let match = match(of: stored[index], partitionFields, &normalized) else { continue }
      let date =
        stored[index].headers["Date"].flatMap { HTTPDate.seconds($0, now: now) }
        ?? stored[index].receivedAt
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

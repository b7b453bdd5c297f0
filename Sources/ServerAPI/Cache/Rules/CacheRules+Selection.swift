internal import Support

extension CacheRules {
  /// Which stored answer fits a request: of those whose selecting fields are the same, the one that was
  /// made last (RFC 9111, section 4.1).
  func select(
    _ stored: [StoredResponse], for request: HTTPRequest, settled: Set<String>, now: Double
  ) -> Int? {
    if stored.count == 1, stored[0].selectors.isEmpty { return 0 }
    var chosen: (index: Int, fit: Fit, made: Double)?
    var normal = NormalFields(request: request, salt: salt)
    for index in stored.indices {
      guard let fit = fit(of: stored[index], settled, &normal) else { continue }
      let made =
        stored[index].headers["Date"].flatMap { HTTPDate.seconds($0, now: now) }
        ?? stored[index].receivedAt
      if let chosen,
        (chosen.fit, chosen.made, stored[chosen.index].receivedAt)
          >= (fit, made, stored[index].receivedAt)
      {
        continue
      }
      chosen = (index, fit, made)
    }
    return chosen?.index
  }

  /// Every stored answer that was chosen by the very same fields.
  func exactMatches(
    in stored: [StoredResponse], for request: HTTPRequest, settled: Set<String>
  ) -> [Int] {
    var normal = NormalFields(request: request, salt: salt)
    return stored.indices.filter { fit(of: stored[$0], settled, &normal) == .exact }
  }

  /// What is to be noted of a request for an answer with these fields; `nil` where the answer fits no
  /// other request.
  func selectors(
    for headers: HTTPHeaders, request: HTTPRequest, settled: Set<String>
  ) -> [StoredResponse.Selector]? {
    guard let names = Self.varyNames(headers) else { return nil }
    var normal = NormalFields(request: request, salt: salt)
    return names.filter { !settled.contains($0) }.map {
      StoredResponse.Selector(name: $0, value: normal[$0])
    }
  }

  /// Names the variant of an answer within its key; empty where nothing selected it.
  static func variant(of selectors: [StoredResponse.Selector]) -> String {
    guard !selectors.isEmpty else { return "" }
    // Lengths keep what two fields say from being taken for what two others say.
    let text = selectors.map { selector in
      guard let value = selector.value else { return "\(selector.name):" }
      return "\(selector.name):\(value.utf8.count)=\(value)"
    }
    return SHA256.name(of: text.joined(separator: ","), salt: [])
  }

  /// The names in `Vary` in small letters, each once, in order; `nil` where `*` is among them.
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

  private enum Fit: Int, Comparable {
    /// All but the languages are the same, and it is in the language that is wanted most.
    case language
    case exact

    static func < (a: Fit, b: Fit) -> Bool { a.rawValue < b.rawValue }
  }

  private func fit(
    of response: StoredResponse, _ settled: Set<String>, _ normal: inout NormalFields
  ) -> Fit? {
    var fit = Fit.exact
    for selector in response.selectors where !settled.contains(selector.name) {
      switch (selector.value, normal[selector.name]) {
      case (nil, nil): continue
      case (let a?, let b?) where a.hasSameBytes(as: b): continue
      case (_, let wanted?)
      where selector.name == "accept-language" && isIn(response, language: wanted):
        // RFC 9110, section 12.5.4, has the server prefer that language too.
        fit = .language
      default: return nil
      }
    }
    return fit
  }

  /// Whether an answer is in the one language that a request, in normal form, wants most.
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

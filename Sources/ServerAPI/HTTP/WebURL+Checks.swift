internal import Support

extension WebURL {
  /// The maximum length of an address in bytes; servers reject longer ones anyway.
  static let maximumLength = 64 << 10

  static func defect(_ place: RequestError.Defect.Place, _ problem: String) -> RequestError {
    RequestError(.invalidRequest(.init(place, problem)))
  }

  /// Rejects text that can't be part of an address.
  static func check(_ text: String, _ place: RequestError.Defect.Place) throws(RequestError) {
    guard text.utf8.count <= maximumLength else {
      throw defect(place, "is longer than \(maximumLength) bytes")
    }
    if text.hasOnlyBytes(where: { !$0.isASCIIControl }) { return }
    let offset = text.utf8.prefix { !$0.isASCIIControl }.count
    throw defect(place, "contains a control character at byte \(offset)")
  }

  /// Adds the default scheme to `host/path` and `//host/path`; keeps `mailto:x` unchanged.
  static func addingScheme(
    to text: String, _ defaultScheme: String, _ place: RequestError.Defect.Place
  ) throws(RequestError) -> String {
    guard !text.isEmpty else { throw defect(place, "is empty") }
    if text.utf8.starts(with: [0x2F, 0x2F]) { return defaultScheme + ":" + text }
    guard let colon = URLReference.endOfScheme(in: text[...]) else {
      return defaultScheme + "://" + text
    }
    let isPort = text.utf8[colon...].dropFirst().first?.isASCIIDigit ?? false
    return isPort ? defaultScheme + "://" + text : text
  }

  /// Splits an authority into host and port. Error texts leave the port out: in a malformed address it may
  /// be part of a password.
  static func splitAuthority(
    _ authority: String, _ scheme: String, _ place: RequestError.Defect.Place
  ) throws(RequestError) -> (host: String, port: Int) {
    guard !authority.utf8.contains(0x40) else {
      throw defect(place, "contains a user name or password; send credentials in a header instead")
    }
    var host = authority[...]
    var port = defaultPort(scheme)
    let bracket = authority.utf8.lastIndex(of: 0x5D) ?? authority.startIndex
    if let colon = authority.utf8[bracket...].firstIndex(of: 0x3A) {
      host = authority[..<colon]
      let digits = authority[colon...].utf8.dropFirst()
      if !digits.isEmpty {
        guard digits.allSatisfy(\.isASCIIDigit), let number = Int(Substring(digits)),
          (1...65_535).contains(number)
        else { throw defect(place, "has an invalid port, expected 1 to 65535") }
        port = number
      }
    }
    guard !host.isEmpty else { throw defect(place, "has no host") }
    guard
      let canonical = host.utf8.first == 0x5B
        ? canonicalIPv6(host) : try canonicalName(host, place)
    else {
      throw defect(
        place, "has an invalid host “\(host.prefix(80))”, expected a host name or an IP address")
    }
    return (canonical, port)
  }

  /// Returns the name in its canonical form, in which hosts are compared and resolved: in lower case, in
  /// ASCII, and without the trailing dot of the root domain.
  private static func canonicalName(
    _ host: Substring, _ place: RequestError.Defect.Place
  ) throws(RequestError) -> String? {
    let host = host.utf8.last == 0x2E ? Substring(host.utf8.dropLast()) : host
    guard isName(host) else { return nil }
    if host.utf8.allSatisfy({ $0 < 0x80 }) { return lowercased(host) }
    switch InternationalName.ascii(host) {
    case .success(let ascii):
      let name = lowercased(ascii[...])
      return isName(name[...]) ? name : nil
    case .failure(.invalid): return nil
    case .failure(.noLibrary):
      throw defect(
        place,
        "needs \(InternationalName.library), which is not there, for the host “\(host.prefix(80))”;"
          + " write the host in its ASCII form, xn--…")
    }
  }

  /// Whether the text can be a name or an IPv4 address.
  ///
  /// Outside of ASCII, only letters, marks and digits are accepted: a symbol such as `℀` would be
  /// normalized to `a/c` and change the target of the address.
  private static func isName(_ host: Substring) -> Bool {
    guard let first = host.utf8.first, first != 0x2E, first != 0x2D, host.utf8.last != 0x2E,
      host.utf8.count <= 253
    else { return false }
    var previous: UInt8 = 0
    for byte in host.utf8 {
      guard
        byte >= 0x80 || byte.isASCIIAlphanumeric || byte == 0x2D || byte == 0x2E || byte == 0x5F,
        byte != 0x2E || previous != 0x2E
      else { return false }
      previous = byte
    }
    return host.utf8.allSatisfy { $0 < 0x80 } || host.unicodeScalars.allSatisfy(isPartOfName)
  }

  private static func isPartOfName(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return true }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .decimalNumber:
      return true
    default:
      return false
    }
  }

  /// Returns an IPv6 address in its canonical form, so that equal addresses have the same origin; `nil` for
  /// other text in brackets, including addresses with a zone.
  private static func canonicalIPv6(_ host: Substring) -> String? {
    guard host.utf8.last == 0x5D, host.utf8.count < 64 else { return nil }
    var address = in6_addr()
    guard inet_pton(AF_INET6, String(Substring(host.utf8.dropFirst().dropLast())), &address) == 1
    else {
      return nil
    }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
      inet_ntop(AF_INET6, &address, text.baseAddress, socklen_t(text.count))
        .map { "[\(String(cString: $0))]" }
    }
  }

  /// Returns the host with lower-case ASCII letters; other scripts stay unchanged.
  private static func lowercased(_ host: Substring) -> String {
    guard host.utf8.contains(where: { (0x41...0x5A).contains($0) }) else { return String(host) }
    return String(decoding: host.utf8.map(\.asciiLowercased), as: UTF8.self)
  }
}

extension WebURL {
  static func defect(_ place: RequestError.Defect.Place, _ problem: String) -> RequestError {
    RequestError(.invalidRequest(.init(place, problem)))
  }

  static func refuseControlCharacters(
    in text: String, place: RequestError.Defect.Place
  ) throws(RequestError) {
    if let offset = text.utf8.enumerated().first(where: { $0.element < 0x20 || $0.element == 0x7F })
    {
      throw defect(place, "contains a control character at byte \(offset.offset)")
    }
  }

  /// `host/path` and `//host/path` get the default scheme; `mailto:x` stays what it is.
  static func addingScheme(
    to text: String, _ defaultScheme: String, _ place: RequestError.Defect.Place
  ) throws(RequestError) -> String {
    guard !text.isEmpty else { throw defect(place, "is empty") }
    if text.hasPrefix("//") { return defaultScheme + ":" + text }
    let head = text.prefix { !"/?#".contains($0) }
    guard let colon = head.firstIndex(of: ":"), URLReference.isScheme(head[..<colon]) else {
      return defaultScheme + "://" + text
    }
    let afterColon = text[text.index(after: colon)...]
    let isPort = afterColon.first.map { $0.isASCII && $0.isNumber } ?? false
    return isPort ? defaultScheme + "://" + text : text
  }

  static func splitAuthority(
    _ authority: String, _ scheme: String, _ place: RequestError.Defect.Place
  ) throws(RequestError) -> (host: String, port: Int) {
    guard !authority.contains("@") else {
      throw defect(place, "contains a user name or password; send credentials in a header instead")
    }
    var host = authority
    var port = defaultPort(scheme)
    let afterBracket = authority.lastIndex(of: "]") ?? authority.startIndex
    if let colon = authority[afterBracket...].lastIndex(of: ":") {
      host = String(authority[..<colon])
      let digits = authority[authority.index(after: colon)...]
      if !digits.isEmpty {
        guard digits.utf8.allSatisfy(\.isASCIIDigit), let number = Int(digits),
          (1...65_535).contains(number)
        else { throw defect(place, "the port is “\(digits)”, expected 1 … 65535") }
        port = number
      }
    }
    guard !host.isEmpty else { throw defect(place, "has no host") }
    guard isHost(host) else { throw defect(place, "“\(host)” is not a host name") }
    return (host.lowercased(), port)
  }

  /// A registered name, an IPv4 address or a bracketed IPv6 address. Names in other scripts pass;
  /// the transport encodes them.
  static func isHost(_ host: String) -> Bool {
    if host.hasPrefix("[") {
      return host.hasSuffix("]") && host.utf8.contains(0x3A)
        && host.utf8.dropFirst().dropLast().allSatisfy {
          $0.isASCIIHexDigit || $0 == 0x3A || $0 == 0x2E
        }
    }
    return host.utf8.count <= 253
      && host.utf8.allSatisfy {
        $0 >= 0x80 || $0.isASCIIAlphanumeric || $0 == 0x2D || $0 == 0x2E || $0 == 0x5F
      }
  }
}

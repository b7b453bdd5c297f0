internal import Support

extension WebLink {
  /// The links in the value of one field, read as RFC 8288 asks of tolerant readers (appendix B.2).
  ///
  /// An unterminated quote ends with the value. Where something else than a link stands, reading
  /// goes on behind the next comma, so that one bad entry costs no other.
  static func links(in value: String) -> [WebLink] {
    var value = value
    value.makeContiguousUTF8()
    var reader = LinkReader(rest: value[...].utf8)
    var links: [WebLink] = []
    while let (target, parameters) = reader.entry() { links.append(WebLink(target, parameters)) }
    return links
  }

  /// Sorts parameters into what they mean.
  private init(_ target: String, _ parameters: [LinkReader.Parameter]) {
    let decoded = parameters.map { $0.isEncoded ? EncodedText($0.value) : nil }
    let encodedNames = Set(
      zip(parameters, decoded).compactMap { $1 == nil ? nil : $0.plainName })
    var rel: String?
    var anchor: String?
    var attributes: [Attribute] = []
    var single: Set<String> = []
    func add(_ name: String, _ value: String, _ language: String? = nil) {
      if ["title", "type", "media"].contains(name), !single.insert(name).inserted { return }
      attributes.append(Attribute(name: name, value: value, language: language))
    }
    for (parameter, decoded) in zip(parameters, decoded) {
      switch parameter.name {
      case "rel": rel = rel ?? parameter.value
      case "anchor": anchor = anchor ?? parameter.value
      case _ where parameter.isEncoded:
        if let decoded { add(parameter.plainName, decoded.text, decoded.language) }
      case let name: if !encodedNames.contains(name) { add(name, parameter.value) }
      }
    }
    self.target = target
    relations = (rel ?? "").utf8.split(whereSeparator: \.isBlank).map(LinkReader.smallLetters)
    self.anchor = anchor
    self.attributes = attributes
  }
}

/// Takes a field value apart, one byte after the other and each of them once.
private struct LinkReader {
  struct Parameter {
    /// In small letters.
    let name: String
    let value: String

    /// Whether the value is written as RFC 8187 says.
    var isEncoded: Bool { name.utf8.last == 0x2A }
    var plainName: String { isEncoded ? String(name.dropLast()) : name }
  }

  var rest: Substring.UTF8View

  static func smallLetters(_ text: Substring.UTF8View) -> String {
    String(decoding: text.map(\.asciiLowercased), as: UTF8.self)
  }

  /// The next target with its parameters.
  mutating func entry() -> (target: String, [Parameter])? {
    while let byte = rest.first {
      if byte == 0x3C {
        rest.removeFirst()
        let target = take { $0 != 0x3E }
        // Without a `>` that follows there is no other link either.
        guard rest.popFirst() != nil else { return nil }
        return (String(Substring(target)), parameters())
      }
      if byte == 0x2C || byte.isBlank { rest.removeFirst() } else { skipEntry() }
    }
    return nil
  }

  private mutating func parameters() -> [Parameter] {
    var parameters: [Parameter] = []
    skipBlanks()
    while rest.first == 0x3B {
      rest.removeFirst()
      skipBlanks()
      let name = take { !$0.isBlank && $0 != 0x3D && $0 != 0x3B && $0 != 0x2C }
      skipBlanks()
      var value = ""
      if rest.first == 0x3D {
        rest.removeFirst()
        skipBlanks()
        value = rest.first == 0x22 ? quoted() : token()
        skipBlanks()
      }
      // Neither `;;` nor `; *=x` names anything.
      if name.contains(where: { $0 != 0x2A }) {
        parameters.append(Parameter(name: Self.smallLetters(name), value: value))
      }
    }
    return parameters
  }

  private mutating func token() -> String {
    String(Substring(take { $0 != 0x3B && $0 != 0x2C }).withoutBlanks)
  }

  private mutating func quoted() -> String {
    rest.removeFirst()
    let plain = take { $0 != 0x22 && $0 != 0x5C }
    if rest.first != 0x5C {
      _ = rest.popFirst()
      return String(Substring(plain))
    }
    var bytes = Array(plain)
    while let byte = rest.popFirst(), byte != 0x22 {
      guard let plain = byte == 0x5C ? rest.popFirst() : byte else { break }
      bytes.append(plain)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Passes over what is no link, up to a comma that stands in no quotes.
  private mutating func skipEntry() {
    while let byte = rest.first, byte != 0x2C {
      if byte == 0x22 { _ = quoted() } else { rest.removeFirst() }
    }
  }

  private mutating func skipBlanks() { _ = take(while: \.isBlank) }

  private mutating func take(while isPart: (UInt8) -> Bool) -> Substring.UTF8View {
    let end = rest.firstIndex { !isPart($0) } ?? rest.endIndex
    defer { rest = rest[end...] }
    return rest[..<end]
  }
}

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

internal import Support

extension HTTPHeaders.Link {
  /// Parses the links in the value of one field, as tolerantly as RFC 8288 recommends (appendix B.2).
  ///
  /// An unterminated quote ends with the value. After something that is not a link, parsing continues after
  /// the next comma, so that an invalid entry does not affect the others.
  static func links(in value: String) -> [HTTPHeaders.Link] {
    var value = value
    value.makeContiguousUTF8()
    var reader = LinkReader(rest: value[...].utf8)
    var links: [HTTPHeaders.Link] = []
    while let (target, parameters) = reader.entry() {
      links.append(HTTPHeaders.Link(target, parameters))
    }
    return links
  }

  /// Whether a part of the value of one field can't be read as a link with a relation.
  static func isUnreadable(_ value: String) -> Bool {
    var value = value
    value.makeContiguousUTF8()
    var reader = LinkReader(rest: value[...].utf8)
    while let (_, parameters) = reader.entry() {
      guard parameters.contains(where: { $0.name == "rel" && !$0.value.isEmpty }) else {
        return true
      }
    }
    return reader.hasSkipped
  }

  /// Creates a link from its parsed parameters.
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
    relations = (rel ?? "").utf8.split(whereSeparator: \.isBlank).map(LinkReader.lowercased)
    self.anchor = anchor
    self.attributes = attributes
  }
}

/// Parses a field value in one pass.
private struct LinkReader {
  struct Parameter {
    /// The name in lower case.
    let name: String
    let value: String

    /// Whether the value is encoded as in RFC 8187.
    var isEncoded: Bool { name.utf8.last == 0x2A }
    var plainName: String { isEncoded ? String(Substring(name.utf8.dropLast())) : name }
  }

  var rest: Substring.UTF8View
  /// Whether something was skipped that is not a link.
  private(set) var hasSkipped = false

  init(rest: Substring.UTF8View) { self.rest = rest }

  static func lowercased(_ text: Substring.UTF8View) -> String {
    String(decoding: text.map(\.asciiLowercased), as: UTF8.self)
  }

  /// Returns the next target with its parameters.
  mutating func entry() -> (target: String, [Parameter])? {
    while let byte = rest.first {
      if byte == 0x3C {
        rest.removeFirst()
        let target = read { $0 != 0x3E }
        // Without a closing `>` there can't be another link.
        guard rest.popFirst() != nil else {
          hasSkipped = true
          return nil
        }
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
      let name = read { !$0.isBlank && $0 != 0x3D && $0 != 0x3B && $0 != 0x2C }
      skipBlanks()
      var value = ""
      if rest.first == 0x3D {
        rest.removeFirst()
        skipBlanks()
        value = rest.first == 0x22 ? quoted() : token()
        skipBlanks()
      }
      // Neither `;;` nor `; *=x` has a name.
      if name.contains(where: { $0 != 0x2A }) {
        parameters.append(Parameter(name: Self.lowercased(name), value: value))
      }
    }
    return parameters
  }

  private mutating func token() -> String {
    String(Substring(read { $0 != 0x3B && $0 != 0x2C }).withoutBlanks)
  }

  private mutating func quoted() -> String {
    rest.removeFirst()
    let plain = read { $0 != 0x22 && $0 != 0x5C }
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

  /// Skips to the next comma outside of quotes.
  private mutating func skipEntry() {
    hasSkipped = true
    while let byte = rest.first, byte != 0x2C {
      if byte == 0x22 { _ = quoted() } else { rest.removeFirst() }
    }
  }

  private mutating func skipBlanks() { _ = read(while: \.isBlank) }

  private mutating func read(while isPart: (UInt8) -> Bool) -> Substring.UTF8View {
    let end = rest.firstIndex { !isPart($0) } ?? rest.endIndex
    defer { rest = rest[end...] }
    return rest[..<end]
  }
}

/// The value of a parameter whose name ends with an asterisk (RFC 8187): `UTF-8'de'n%C3%A4chstes`.
struct EncodedText: Equatable, Sendable {
  let text: String
  /// The language, if given.
  let language: String?

  /// Decodes UTF-8 and ISO 8859-1; `nil` for other character sets and invalid values.
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

  /// Decodes percent-encoded bytes; `nil` if a byte outside of ASCII is not encoded.
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

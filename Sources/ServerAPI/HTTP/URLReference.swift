/// An address or part of one, split as RFC 3986 splits it and not judged: `../b?page=2`, `//host/x`.
///
/// ```swift
/// let next = URLReference("../b?page=2").resolved(against: URLReference("http://a/x/y"))
/// print(next)   // http://a/b?page=2
/// ```
public struct URLReference: Hashable, Sendable, CustomStringConvertible {
  /// The part before the first colon, such as `https`.
  public var scheme: String?
  /// What follows `//`: user, host and port.
  public var authority: String?
  /// The path, possibly empty.
  public var path: String
  /// What follows the question mark.
  public var query: String?
  /// What follows the hash sign.
  public var fragment: String?

  /// Splits any text; every text is a reference.
  public init(_ text: String) {
    var rest = Substring(text)
    func cut(at byte: Character) -> String? {
      guard let index = rest.firstIndex(of: byte) else { return nil }
      defer { rest = rest[..<index] }
      return String(rest[rest.index(after: index)...])
    }
    fragment = cut(at: "#")
    query = cut(at: "?")
    if let colon = rest.firstIndex(of: ":"), Self.isScheme(rest[..<colon]) {
      scheme = String(rest[..<colon])
      rest = rest[rest.index(after: colon)...]
    }
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      let end = rest.firstIndex(of: "/") ?? rest.endIndex
      authority = String(rest[..<end])
      rest = rest[end...]
    }
    path = String(rest)
  }

  /// The address this reference means in a document found at `base` (RFC 3986, section 5.2.2).
  public func resolved(against base: URLReference) -> URLReference {
    var target = self
    if scheme != nil {
      target.path = Self.removingDotSegments(path)
      return target
    }
    target.scheme = base.scheme
    if authority != nil {
      target.path = Self.removingDotSegments(path)
      return target
    }
    target.authority = base.authority
    if path.isEmpty {
      target.path = base.path
      target.query = query ?? base.query
    } else if path.hasPrefix("/") {
      target.path = Self.removingDotSegments(path)
    } else {
      target.path = Self.removingDotSegments(merged(with: base))
    }
    return target
  }

  /// The parts put together again (RFC 3986, section 5.3).
  public var description: String {
    var text = ""
    if let scheme { text += scheme + ":" }
    if let authority { text += "//" + authority }
    text += path
    if let query { text += "?" + query }
    if let fragment { text += "#" + fragment }
    return text
  }

  private func merged(with base: URLReference) -> String {
    if base.authority != nil, base.path.isEmpty { return "/" + path }
    guard let slash = base.path.lastIndex(of: "/") else { return path }
    return base.path[...slash] + path
  }

  static func isScheme(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, (first | 0x20) >= 0x61, (first | 0x20) <= 0x7A else {
      return false
    }
    return text.utf8.allSatisfy { $0.isASCIIAlphanumeric || [0x2B, 0x2D, 0x2E].contains($0) }
  }

  /// Takes `.` and `..` out of a path (RFC 3986, section 5.2.4); `..` at the root stays at the root.
  static func removingDotSegments(_ path: String) -> String {
    guard path.utf8.contains(0x2E) else { return path }
    let isAbsolute = path.hasPrefix("/")
    var kept: [Substring] = []
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
      .dropFirst(isAbsolute ? 1 : 0)
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      switch segment {
      case ".":
        if isLast { kept.append("") }
      case "..":
        if !kept.isEmpty { kept.removeLast() }
        if isLast { kept.append("") }
      default:
        kept.append(segment)
      }
    }
    return (isAbsolute ? "/" : "") + kept.joined(separator: "/")
  }
}

extension UInt8 {
  var isASCIIDigit: Bool { (0x30...0x39).contains(self) }
  var isASCIIAlphanumeric: Bool { isASCIIDigit || (0x61...0x7A).contains(self | 0x20) }
  var isASCIIHexDigit: Bool { isASCIIDigit || (0x61...0x66).contains(self | 0x20) }
}

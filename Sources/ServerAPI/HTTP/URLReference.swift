internal import Support

/// A URL or a relative reference such as `../b?page=2` or `//host/x`, split as in RFC 3986 but not validated.
///
/// ```swift
/// let next = URLReference("../b?page=2").resolved(against: URLReference("http://a/x/y"))
/// print(next)   // http://a/b?page=2
/// ```
package struct URLReference: Hashable, Sendable, CustomStringConvertible {
  /// The part before the first colon, such as `https`.
  package var scheme: String?
  /// The part after `//`: user, host and port.
  package var authority: String?
  /// The path, possibly empty.
  package var path: String
  /// The part after the question mark.
  package var query: String?
  /// The part after the hash sign.
  package var fragment: String?

  /// Splits a text; every text is a valid reference.
  ///
  /// Separators are searched for as bytes, so that a combining character after one can't hide it.
  package init(_ text: String) {
    var rest = text[...]
    func cut(at separator: UInt8) -> String? {
      guard let index = rest.utf8.firstIndex(of: separator) else { return nil }
      defer { rest = rest[..<index] }
      return String(rest[rest.utf8.index(after: index)...])
    }
    fragment = cut(at: 0x23)
    query = cut(at: 0x3F)
    if let colon = Self.endOfScheme(in: rest) {
      scheme = String(rest[..<colon])
      rest = rest[rest.utf8.index(after: colon)...]
    }
    if rest.utf8.starts(with: [0x2F, 0x2F]) {
      let start = rest.utf8.index(rest.startIndex, offsetBy: 2)
      let end = rest.utf8[start...].firstIndex(of: 0x2F) ?? rest.endIndex
      authority = String(rest[start..<end])
      rest = rest[end...]
    }
    path = String(rest)
  }

  /// Resolves the reference against a base (RFC 3986, section 5.2.2).
  package func resolved(against base: URLReference) -> URLReference {
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
    } else if path.utf8.first == 0x2F {
      target.path = Self.removingDotSegments(path)
    } else {
      target.path = Self.removingDotSegments(merged(with: base))
    }
    return target
  }

  /// The recomposed parts (RFC 3986, section 5.3).
  package var description: String {
    var text = ""
    if let scheme { text += scheme + ":" }
    if let authority {
      text += "//" + authority
    } else if path.utf8.starts(with: [0x2F, 0x2F]) {
      text += "/."  // otherwise the path would be parsed as an authority
    }
    text += path
    if let query { text += "?" + query }
    if let fragment { text += "#" + fragment }
    return text
  }

  private func merged(with base: URLReference) -> String {
    if base.authority != nil, base.path.isEmpty { return "/" + path }
    guard let slash = base.path.utf8.lastIndex(of: 0x2F) else { return path }
    return base.path[...slash] + path
  }

  /// Returns the index of the colon after a scheme, or `nil` if the text has no scheme.
  static func endOfScheme(in text: Substring) -> String.Index? {
    let bytes = text.utf8
    guard let first = bytes.first, first.isASCIILetter,
      let end = bytes.firstIndex(where: { !$0.isSchemeByte }), bytes[end] == 0x3A
    else { return nil }
    return end
  }

  /// Removes `.` and `..` from a path (RFC 3986, section 5.2.4); `..` at the root stays at the root.
  static func removingDotSegments(_ path: String) -> String {
    guard hasDotSegment(path.utf8) else { return path }
    var isAbsolute = path.utf8.first == 0x2F
    let segments = path.utf8.dropFirst(isAbsolute ? 1 : 0)
      .split(separator: 0x2F, omittingEmptySubsequences: false)
    var kept: [Substring] = []
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      if segment.elementsEqual([0x2E]) {
        if isLast { kept.append("") }
      } else if segment.elementsEqual([0x2E, 0x2E]) {
        // The rest of the path keeps its slash when the first segment is removed.
        if kept.popLast() != nil, kept.isEmpty { isAbsolute = true }
        if isLast { kept.append("") }
      } else {
        kept.append(Substring(segment))
      }
    }
    return (isAbsolute ? "/" : "") + kept.joined(separator: "/")
  }

  /// Whether a segment starts with a dot. Most paths have none and stay unchanged.
  private static func hasDotSegment(_ path: String.UTF8View) -> Bool {
    var previous: UInt8 = 0x2F
    for byte in path {
      if byte == 0x2E, previous == 0x2F { return true }
      previous = byte
    }
    return false
  }
}

extension UInt8 {
  fileprivate var isSchemeByte: Bool {
    isASCIIAlphanumeric || self == 0x2B || self == 0x2D || self == 0x2E
  }
}

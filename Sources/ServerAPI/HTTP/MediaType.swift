internal import Support

extension HTTPResponse {
  /// The value of a `Content-Type` field, compared without regard to case.
  ///
  /// ```swift
  /// MediaType("Application/Problem+JSON; charset=UTF-8").essence   // application/problem+json
  /// ```
  package struct MediaType: Hashable, Sendable {
    /// Type and subtype in lower case, such as `application/json`.
    package let essence: String
    /// The character set in lower case, if given.
    package let charset: String?

    /// Parses the value of a field; invalid parameters are skipped.
    package init(_ text: String) {
      var parts = text.utf8.split(separator: 0x3B, omittingEmptySubsequences: false)[...]
      essence = Self.clean(parts.popFirst() ?? "".utf8[...])
      charset = parts.lazy.compactMap(Self.charset).first
    }

    /// Whether the type has the suffix `+json`, such as `application/problem+json`.
    var isJSONSuffixed: Bool { essence.utf8.suffix(5).elementsEqual("+json".utf8) }

    /// Whether the type matches `pattern`, which may be a range such as `image/*`.
    func matches(_ pattern: HTTPResponse.MediaType) -> Bool {
      if pattern.essence == "*/*" || pattern.essence == essence { return true }
      guard pattern.essence.utf8.suffix(2).elementsEqual("/*".utf8) else { return false }
      return essence.utf8.starts(with: pattern.essence.utf8.dropLast())
    }

    private static func charset(_ parameter: Substring.UTF8View) -> String? {
      guard let sign = parameter.firstIndex(of: 0x3D),
        clean(parameter[..<sign]) == "charset"
      else { return nil }
      return clean(parameter[sign...].dropFirst())
    }

    /// Returns the text in lower case, without surrounding white space and quotes.
    private static func clean(_ text: Substring.UTF8View) -> String {
      let isEdge: (UInt8) -> Bool = { $0.isBlank || $0 == 0x22 }
      let start = text.firstIndex { !isEdge($0) } ?? text.endIndex
      let end = text.lastIndex { !isEdge($0) }.map(text.index(after:)) ?? start
      return String(decoding: text[start..<end].map(\.asciiLowercased), as: UTF8.self)
    }
  }
}

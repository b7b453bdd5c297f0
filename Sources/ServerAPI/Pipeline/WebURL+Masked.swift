extension WebURL {
  /// The address as errors and the attempt log show it: values of parameters whose names speak of
  /// secrets are left out.
  var masked: String {
    guard let query, Self.secretNames.contains(where: { query.containsIgnoringCase($0) }) else {
      return description
    }
    let shown = query.split(separator: "&", omittingEmptySubsequences: false).map { pair in
      guard let equals = pair.utf8.firstIndex(of: 0x3D),
        Self.secretNames.contains(where: { pair[..<equals].containsIgnoringCase($0) })
      else { return String(pair) }
      return pair[...equals] + "…"
    }
    return description.dropLast(query.utf8.count) + shown.joined(separator: "&")
  }

  /// Parts of names; in small letters.
  private static let secretNames = [
    "key", "token", "secret", "passw", "auth", "sig", "session", "credential", "code", "jwt",
  ]
}

extension StringProtocol {
  /// Whether `part`, which is in small letters, occurs; letters compare without case.
  fileprivate func containsIgnoringCase(_ part: String) -> Bool {
    guard let first = part.utf8.first else { return true }
    var rest = utf8[...]
    while let start = rest.firstIndex(where: { $0.asciiLowercased == first }) {
      rest = rest[start...]
      if rest.prefix(part.utf8.count).elementsEqual(part.utf8, by: { $0.asciiLowercased == $1 }) {
        return true
      }
      rest = rest.dropFirst()
    }
    return false
  }
}

internal import Support

/// Classifies request fields by name.
///
/// The lists name harmless fields, so an unknown name counts as a credential: it stays at its origin,
/// separates users in the cache, and is masked in logs.
enum FieldNames {
  /// Whether a redirect may send the field to another origin: it describes the request and not the user.
  static func mayLeave(_ name: String, withBody: Bool) -> Bool {
    describingRequest.contains { $0.equalsIgnoringCase(name) }
      || withBody && describingBody.contains { $0.equalsIgnoringCase(name) }
  }

  /// Whether the field may identify the user.
  static func mayIdentify(_ name: String) -> Bool {
    !mayLeave(name, withBody: true) && !mechanics.contains { $0.equalsIgnoringCase(name) }
  }

  /// Whether a word in the name suggests that the field identifies the user. This is the weaker rule, for
  /// calls of a user that the program has named.
  static func seemsToIdentify(_ name: String) -> Bool {
    guard mayIdentify(name) else { return false }
    if SecretNames.usual.containsField(name.utf8) { return true }
    let words = SecretNames.words(of: name.utf8)
    let whole = words.joined()
    return words.contains(where: wordsForPeople.contains)
      || partsForPeople.contains { whole.contains($0) }
  }

  private static let describingRequest = [
    "accept", "accept-charset", "accept-encoding", "accept-language", "user-agent", "range",
    "if-range", "traceparent", "tracestate", "x-request-id", "x-correlation-id",
  ]
  private static let describingBody = ["content-type", "content-encoding", "content-language"]

  /// Fields about the exchange itself. They stay at their origin, but don't depend on the user.
  private static let mechanics = [
    "cache-control", "pragma", "if-match", "if-none-match", "if-modified-since",
    "if-unmodified-since", "content-length", "connection", "date", "expect", "host", "prefer", "te",
    "trailer", "transfer-encoding", "upgrade", "via",
  ]

  private static let wordsForPeople: Set<String> = [
    "actor", "email", "from", "login", "org", "owner", "profile", "sudo", "uid", "viewer",
  ]
  /// Longer words, which also count as a part of a word: `X-Tenantid`, `XUSERID`.
  private static let partsForPeople = [
    "account", "acting", "actas", "behalf", "clientid", "company", "customer", "delegate",
    "forwardedfor", "identity", "impersonat", "member", "organi", "orgid", "principal", "runas",
    "subject", "teamid", "tenant", "user", "workspace",
  ]
}

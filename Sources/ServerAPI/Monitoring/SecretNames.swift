internal import Support

/// Decides by its name whether a value is a secret.
///
/// A name is split at separators and changes of case: `X-Api-Key`, `apiKey` and `api_key` are the same name.
/// Some words make a name secret anywhere in it (`token`), others only as a whole word (`auth`, so that
/// `author` is not masked).
///
/// Names of list positions, such as `nextPageToken` and `startKey`, are not secret. Neither is `code`, which
/// mostly names error codes and postal codes.
struct SecretNames: Hashable, Sendable {
  /// Additional secret names, normalized.
  private var added: Set<String>
  /// Names that are not secret, normalized.
  private var excepted: Set<String>

  /// A shared value with the default rules.
  static let usual = SecretNames()

  init(added: [String] = [], excepted: [String] = []) {
    self.added = Set(added.map { Self.words(of: $0.utf8).joined() })
    self.excepted = Set(excepted.map { Self.words(of: $0.utf8).joined() })
  }

  /// Whether a JSON member with this name is a secret.
  func contains(_ name: some Collection<UInt8>) -> Bool {
    let words = Self.words(of: name)
    let whole = words.joined()
    if added.contains(whole) { return true }
    if excepted.contains(whole) || Self.positions.contains(whole) { return false }
    if words.contains(where: Self.secretWords.contains) { return true }
    let significant = words.filter { word in
      !Self.harmlessPrefixes.contains { word.utf8.starts(with: $0.utf8) }
    }
    let bytes = Array(significant.joined().utf8)
    return Self.secretParts.contains { part in
      bytes.indices.contains { bytes[$0...].starts(with: part) }
    }
  }

  /// Whether a header field or a parameter with this name is a secret. Services accept keys as
  /// `X-Functions-Key:` and `?key=`, while a JSON member such as `sortKey` is rarely one.
  func containsField(_ name: some Collection<UInt8>) -> Bool {
    if contains(name) { return true }
    let words = Self.words(of: name)
    let whole = words.joined()
    return words.last == "key" && !excepted.contains(whole) && !Self.positions.contains(whole)
  }

  /// Whether a parameter with this percent-encoded name is a secret.
  func containsParameter(_ name: some Collection<UInt8>) -> Bool {
    containsField(
      PercentEncoding.decodeComponent(Substring(decoding: name, as: UTF8.self)).utf8)
  }

  /// Whether the name was declared harmless.
  func excepts(_ name: some Collection<UInt8>) -> Bool {
    excepted.contains(Self.words(of: name).joined())
  }

  private static let secretWords: Set<String> = [
    "assertion", "auth", "bearer", "csrf", "hmac", "jsessionid", "jwt", "otp", "pass", "phpsessid",
    "pwd", "saml", "sessid", "session", "sessionid", "sid", "sig", "xsrf",
  ]

  private static let secretParts = [
    "accesskey", "apikey", "authkey", "authorization", "codeverifier", "cookie", "credential",
    "encryptionkey",
    "masterkey", "passcode", "passphrase", "passwd", "password", "privatekey", "secret",
    "samlrequest", "samlresponse", "sharedkey", "signature", "signingkey", "subscriptionkey",
    "token",
  ].map { Array($0.utf8) }

  private static let harmlessPrefixes = ["secretar", "tokeniz"]

  private static let positions: Set<String> = [
    "afterkey", "beforekey", "continuationtoken", "endkey", "exclusivestartkey", "lastevaluatedkey",
    "lastkey", "nextkey", "pagekey", "prevkey", "previouskey", "sortkey", "startkey",
    "nextcontinuationtoken", "nextpagetoken", "nexttoken", "pagetoken",
    "prevpagetoken", "previouspagetoken", "synctoken", "nextsynctoken",
  ]

  /// Returns the words of a name in lower case: `APIKey-2` gives `api`, `key`, `2`.
  static func words(of name: some Collection<UInt8>) -> [String] {
    let bytes = Array(name)
    var words: [String] = []
    var word: [UInt8] = []
    func isCapital(_ index: Int) -> Bool { (0x41...0x5A).contains(bytes[index]) }
    func isSmall(_ index: Int) -> Bool { (0x61...0x7A).contains(bytes[index]) }
    func endWord() {
      if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
      word = []
    }
    for (index, byte) in bytes.enumerated() {
      guard byte >= 0x80 || byte.isASCIIAlphanumeric else {
        endWord()
        continue
      }
      if index > 0, isCapital(index) {
        let beginsWord = index + 1 < bytes.count && isSmall(index + 1)
        if isSmall(index - 1) || (isCapital(index - 1) && beginsWord) { endWord() }
      }
      word.append(byte.asciiLowercased)
    }
    endWord()
    return words
  }
}

internal import Support

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Identifies entries of a cache by kind, owner and address.
package struct CacheKey: Hashable, Sendable {
  /// The kind of an entry. Entries of two kinds never share a key.
  package enum Space: String, Hashable, Sendable, CaseIterable {
    /// Responses of servers.
    case responses
    /// Bytes that a program stores next to the responses, such as the state of a list.
    case bytes
  }

  /// The kind of the entry.
  package var space: Space
  /// The owner: a name that the program gave, or a digest of credentials. Never a secret itself.
  package var partition: String
  /// The complete address. It may contain secrets; a store that outlives the process keeps a digest instead.
  package var text: String

  /// Creates a key.
  package init(_ space: Space, partition: String = "", _ text: String) {
    self.space = space
    self.partition = partition
    self.text = text
  }

  /// The key of the responses to a request. A program's name for a request follows its address as a fragment,
  /// which no other key has.
  ///
  /// A server need not send `Vary` with a response that HTTP doesn't cache, so that all header fields count
  /// that may change the response. The partition stands for credentials.
  init(_ request: HTTPRequest, partition: String, ignoring fields: Set<String>, salt: [UInt8]) {
    var text = request.url.description
    if let name = request.cacheKey {
      var asked = Array("\(request.method)\n".utf8)
      let names = fields.union(Self.fieldsOfTransfer)
      for field in request.headers.fields where !names.contains(field.name.asciiLowercased) {
        asked += "\(field.name.asciiLowercased):\(field.value)\n".utf8
      }
      // Separates the body, which may begin like a field.
      asked += "\n".utf8
      for case .bytes(let bytes) in request.body?.pieces ?? [] { asked += bytes }
      text += "#\(name) \(SHA256.name(of: asked, salt: salt))"
    }
    self.init(.responses, partition: partition, text)
  }

  /// The lowercase names of fields that say how a request is sent, not what it asks for.
  private static let fieldsOfTransfer: Set<String> = [
    "accept-encoding", "authorization", "cache-control", "connection", "cookie", "date",
    "idempotency-key", "pragma", "proxy-authorization", "traceparent", "tracestate", "user-agent",
    "x-correlation-id", "x-request-id",
  ]

  /// Compares the bytes of the texts: two users may have names that Unicode considers equal.
  package static func == (a: CacheKey, b: CacheKey) -> Bool {
    a.space == b.space && a.text.hasSameBytes(as: b.text)
      && a.partition.hasSameBytes(as: b.partition)
  }
}

/// Selects the entries of a cache that meet every condition that is set. Without conditions, it selects all.
package struct CacheSelection: Hashable, Sendable {
  /// The kind of the entries.
  package var space: CacheKey.Space?
  /// The owner of the entries.
  package var partition: String?
  /// The exact address, for any owner.
  package var text: String?
  /// The prefix of the address. Secrets in it are masked before the comparison.
  package var prefix: String?
  /// The variant of the entries.
  package var variant: String?
  /// Selects only entries that were received or created before this date.
  package var receivedBefore: Date?

  /// Selects everything.
  package init() {}

  /// Compares the bytes of the texts, as keys do.
  package static func == (a: CacheSelection, b: CacheSelection) -> Bool {
    a.space == b.space && a.receivedBefore == b.receivedBefore
      && zip(a.texts, b.texts).allSatisfy { $0.map(ExactText.init) == $1.map(ExactText.init) }
  }

  private var texts: [String?] { [partition, text, prefix, variant] }

  /// Selects one key, with all its variants or one of them.
  package init(key: CacheKey, variant: String? = nil) {
    (space, partition, text) = (key.space, key.partition, key.text)
    self.variant = variant
  }
}

extension CacheSelection {
  /// The key, if the selection names exactly one and has neither a date nor a prefix.
  var key: CacheKey? {
    guard let space, let partition, let text, prefix == nil, receivedBefore == nil else {
      return nil
    }
    return CacheKey(space, partition: partition, text)
  }

  /// Whether the selection includes an entry, for a ``CacheStore`` of your own.
  package func includes(_ entry: CacheEntry) -> Bool {
    includes(entry.key, address: Self.masked(entry.key.text))
      && includes(variant: entry.variant, receivedAt: entry.receivedAt.timeIntervalSince1970)
  }

  /// Whether the selection includes entries of this key. `address` is the text of the key, with secrets masked.
  func includes(_ key: CacheKey, address: String) -> Bool {
    if let space, space != key.space { return false }
    if let partition, !partition.hasSameBytes(as: key.partition) { return false }
    if let text, !text.hasSameBytes(as: key.text) { return false }
    guard let prefix else { return true }
    return address.utf8.starts(with: Self.masked(prefix).utf8)
  }

  /// Whether the selection includes an entry whose key it includes.
  func includes(variant: String, receivedAt: Double) -> Bool {
    if let wanted = self.variant, !wanted.hasSameBytes(as: variant) { return false }
    if let receivedBefore, !(receivedAt < receivedBefore.timeIntervalSince1970) { return false }
    return true
  }

  /// Returns the text of a key, or a prefix of one, with its secrets masked.
  static func masked(_ text: String) -> String {
    guard let questionMark = text.utf8.firstIndex(of: 0x3F) else {
      return Redaction.usual.text(text)
    }
    let query = Redaction.usual.form(Array(text.utf8[text.utf8.index(after: questionMark)...]))
    return Redaction.usual.text(String(text[..<questionMark])) + "?"
      + String(decoding: query, as: UTF8.self)
  }
}

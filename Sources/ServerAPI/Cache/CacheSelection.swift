#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Selects the entries of a cache that meet every condition that is set. Without conditions, it selects all.
public struct CacheSelection: Hashable, Sendable {
  /// The kind of the entries.
  public var space: CacheKey.Space?
  /// The owner of the entries.
  public var partition: String?
  /// The exact address, for any owner.
  public var text: String?
  /// The prefix of the address. Secrets in it are masked before the comparison.
  public var prefix: String?
  /// The variant of the entries.
  public var variant: String?
  /// Selects only entries that were received or created before this date.
  public var receivedBefore: Date?

  /// Selects everything.
  public init() {}

  /// Selects one key, with all its variants or one of them.
  public init(key: CacheKey, variant: String? = nil) {
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

  /// Whether the selection includes entries of this key. `address` is the text of the key, with secrets masked.
  func includes(_ key: CacheKey, address: String) -> Bool {
    if let space, space != key.space { return false }
    if let partition, partition != key.partition { return false }
    if let text, text != key.text { return false }
    guard let prefix else { return true }
    return address.utf8.starts(with: Self.masked(prefix).utf8)
  }

  /// Whether the selection includes an entry whose key it includes.
  func includes(variant: String, receivedAt: Double) -> Bool {
    if let wanted = self.variant, wanted != variant { return false }
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

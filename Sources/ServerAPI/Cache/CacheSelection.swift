#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Which entries of a cache are meant: those that meet every condition that is set. Without one, all.
public struct CacheSelection: Hashable, Sendable {
  /// Of this kind.
  public var space: CacheKey.Space?
  /// Of this owner.
  public var partition: String?
  /// Of this very address, whoever's it is.
  public var text: String?
  /// Of addresses that begin like this. Secrets in it are masked before it is compared.
  public var prefix: String?
  /// Of this variant.
  public var variant: String?
  /// Received or kept before this date.
  public var receivedBefore: Date?

  /// Everything.
  public init() {}

  /// One key, with all its variants or one of them.
  public init(key: CacheKey, variant: String? = nil) {
    (space, partition, text) = (key.space, key.partition, key.text)
    self.variant = variant
  }
}

extension CacheSelection {
  /// The one key that is meant, where it is one and no moment or prefix is asked for beside it.
  var key: CacheKey? {
    guard let space, let partition, let text, prefix == nil, receivedBefore == nil else {
      return nil
    }
    return CacheKey(space, partition: partition, text)
  }

  /// Whether an entry of this key is meant. `address` is the text of the key, secrets masked.
  func includes(_ key: CacheKey, address: String) -> Bool {
    if let space, space != key.space { return false }
    if let partition, partition != key.partition { return false }
    if let text, text != key.text { return false }
    guard let prefix else { return true }
    return address.utf8.starts(with: Self.masked(prefix).utf8)
  }

  /// Whether an entry that stands where it is meant is meant itself.
  func includes(variant: String, receivedAt: Double) -> Bool {
    if let wanted = self.variant, wanted != variant { return false }
    if let receivedBefore, !(receivedAt < receivedBefore.timeIntervalSince1970) { return false }
    return true
  }

  /// A text of a key, or the beginning of one, with the secrets in it masked.
  static func masked(_ text: String) -> String {
    guard let mark = text.utf8.firstIndex(of: 0x3F) else { return Redaction.usual.text(text) }
    let query = Redaction.usual.form(Array(text.utf8[text.utf8.index(after: mark)...]))
    return Redaction.usual.text(String(text[..<mark])) + "?"
      + String(decoding: query, as: UTF8.self)
  }
}

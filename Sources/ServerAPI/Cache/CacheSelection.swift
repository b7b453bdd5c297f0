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
  /// Received or kept before this moment, in seconds since 1970.
  public var receivedBefore: Double?

  /// Everything.
  public init() {}

  /// One key, with all its variants or one of them.
  public init(key: CacheKey, variant: String? = nil) {
    (space, partition, text) = (key.space, key.partition, key.text)
    self.variant = variant
  }
}

/// One thing in a cache.
public struct CacheEntry: Sendable {
  /// Where it stands.
  public var key: CacheKey
  /// Tells entries of one key apart. An entry takes the place of the one with the same key and variant.
  public var variant: String
  /// What is kept.
  public var answer: StoredAnswer
  /// What its owner wrote beside it.
  public var note: [UInt8]

  /// Makes an entry.
  public init(key: CacheKey, variant: String = "", answer: StoredAnswer, note: [UInt8] = []) {
    self.key = key
    self.variant = variant
    self.answer = answer
    self.note = note
  }
}

/// What a store says of an entry without handing out its body.
public struct CacheListing: Sendable {
  /// What kind of thing it is.
  public var space: CacheKey.Space
  /// Whose it is.
  public var partition: String
  /// The address, secrets masked.
  public var address: String
  /// Tells entries of one address apart.
  public var variant: String
  /// What is kept, its body left out.
  public var answer: StoredAnswer
  /// What it takes, in bytes.
  public var bytes: Int
  /// When it was last read, in seconds since 1970, to the minute.
  public var usedAt: Double

  /// Makes a listing, as a store does.
  public init(
    space: CacheKey.Space, partition: String, address: String, variant: String,
    answer: StoredAnswer, bytes: Int, usedAt: Double
  ) {
    self.space = space
    self.partition = partition
    self.address = address
    self.variant = variant
    self.answer = answer
    self.bytes = bytes
    self.usedAt = usedAt
  }
}

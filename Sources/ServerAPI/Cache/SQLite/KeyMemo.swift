/// Remembers what follows from the keys that were asked for last: a digest and an address take as long
/// to make as a row takes to read.
struct KeyMemo {
  struct Facts {
    var place: RowPlace
    /// The text of the key as an address, where it is one.
    var url: WebURL?
  }

  private static let limit = 1_024

  private var salt: [UInt8] = []
  private var recent: [CacheKey: Facts] = [:]
  /// What was asked for before that; it goes when the recent ones have become as many.
  private var older: [CacheKey: Facts] = [:]

  /// What is known of a key with this salt.
  mutating func facts(_ key: CacheKey, salt: [UInt8]) -> Facts? {
    guard salt == self.salt else {
      self = KeyMemo()
      self.salt = salt
      return nil
    }
    if let facts = recent[key] { return facts }
    guard let facts = older[key] else { return nil }
    add(key, facts, salt: salt)
    return facts
  }

  mutating func add(_ key: CacheKey, _ facts: Facts, salt: [UInt8]) {
    guard salt == self.salt else { return }
    if recent.count >= Self.limit / 2 { (older, recent) = (recent, [:]) }
    recent[key] = facts
  }
}

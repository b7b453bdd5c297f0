internal import Support

/// Keeps entries in memory as long as the process lives, within a bound in bytes.
///
/// When room is needed, that goes first which has taken most room for longest: bytes times the number
/// of uses of other entries since its own last use. So a large body gives way before small ones of a
/// similar age, and an old one before one that is in use. Variants of one key count together, and the
/// oldest of them goes first.
public final class MemoryCacheStore: CacheStore {
  /// How many variants a key has at most; beyond that the oldest give way.
  static let maximumVariants = 64

  /// How much is kept at most, in bytes.
  public let maximumBytes: Int
  /// Random bytes of this store.
  public let salt: [UInt8]
  private let time: TimeSource
  /// Guards what is kept. What is dropped is freed after the lock was left.
  private let shelf: Lock<MemoryShelf>

  /// Makes an empty store. An entry that would take more than an eighth of the bound is not kept.
  public init(maximumBytes: Int = 32 << 20, time: TimeSource = .system) {
    var random = SystemRandomNumberGenerator()
    self.maximumBytes = max(0, maximumBytes)
    self.time = time
    salt = (0..<16).map { _ in random.next() }
    shelf = Lock(MemoryShelf(maximumBytes: max(0, maximumBytes)))
  }

  /// Every variant under a key, the one that was put last at the end.
  public func entries(for key: CacheKey) -> [CacheEntry] {
    let now = time.secondsSince1970()
    return shelf.withLock { $0.entries(for: key, now: now) }
  }

  /// Keeps an entry, and lets others go where there is no room.
  public func put(_ entry: CacheEntry) {
    let now = time.secondsSince1970()
    let address = CacheSelection.masked(entry.key.text)
    _ = shelf.withLock { $0.put(entry, address: address, now: now) }
  }

  /// Removes what is selected.
  public func remove(_ selection: CacheSelection) {
    _ = shelf.withLock { $0.remove(selection) }
  }

  /// What there is, the newest first. The size is about what an entry takes in memory.
  public func listings(_ selection: CacheSelection) -> [CacheEntry.Listing] {
    shelf.withLock { $0.listings(selection) }
      .sorted { $0.entry.receivedAt > $1.entry.receivedAt }
  }

  /// Returns at once: what was put is there.
  public func flush() async {}

  /// None: memory does not fail.
  public var problems: [CacheProblem] { [] }

  /// What is kept, in bytes.
  var bytes: Int { shelf.withLock { $0.bytes } }
}

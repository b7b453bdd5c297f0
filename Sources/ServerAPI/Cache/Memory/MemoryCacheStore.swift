internal import Support

/// A store that keeps entries in memory, up to a maximum size in bytes.
///
/// When space is needed, the store evicts the key with the highest cost: its bytes times the number of uses of
/// other keys since its own last use. A large body is therefore evicted before small ones of a similar age, and
/// an old one before one in use. The variants of a key count together, and the oldest is evicted first.
public final class MemoryCacheStore: CacheStore {
  /// The maximum number of variants of a key. The oldest are evicted.
  static let maximumVariants = 64

  /// The maximum size of the entries, in bytes.
  package let maximumBytes: Int
  /// Random bytes of this store.
  public let salt: [UInt8]
  private let time: TimeSource
  /// Guards the entries. Removed entries are freed outside of the lock.
  private let state: Lock<MemoryCacheState>

  /// Creates an empty store. An entry larger than an eighth of the maximum size is not stored.
  public init(maximumBytes: Int = 32 << 20, time: TimeSource = .system) {
    var random = SystemRandomNumberGenerator()
    self.maximumBytes = max(0, maximumBytes)
    self.time = time
    salt = (0..<16).map { _ in random.next() }
    state = Lock(MemoryCacheState(maximumBytes: max(0, maximumBytes)))
  }

  /// Returns every variant of a key, the latest last.
  public func entries(for key: CacheKey) -> [CacheEntry] {
    let now = time.secondsSince1970()
    return state.withLock { $0.entries(for: key, now: now) }
  }

  /// Stores an entry, and evicts others if there is no room.
  public func put(_ entry: CacheEntry) {
    let now = time.secondsSince1970()
    let address = CacheSelection.masked(entry.key.text)
    _ = state.withLock { $0.put(entry, address: address, now: now) }
  }

  /// Removes the selected entries.
  public func remove(_ selection: CacheSelection) {
    _ = state.withLock { $0.remove(selection) }
  }

  /// Lists the selected entries, newest first. The size is the approximate one in memory.
  public func listings(_ selection: CacheSelection) -> [CacheEntry.Listing] {
    state.withLock { $0.listings(selection) }
      .sorted { $0.entry.receivedAt > $1.entry.receivedAt }
  }

  /// Returns at once: nothing is ever pending.
  public func flush() async {}

  /// Always empty: memory does not fail.
  public var problems: [CacheProblem] { [] }

  /// The size of the entries, in bytes.
  var bytes: Int { state.withLock { $0.bytes } }
}

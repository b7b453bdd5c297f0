internal import Support

/// A store that keeps entries in memory, up to a maximum size in bytes.
///
/// When space is needed, the store evicts the key with the highest cost: its bytes times the number of uses of
/// other keys since its own last use. A large body is therefore evicted before small ones of a similar age, and
/// an old one before one in use. The variants of a key count together, and the oldest is evicted first.
package final class MemoryCacheStore: CacheStore {
  /// The maximum number of variants of a key. The oldest are evicted.
  static let maximumVariants = 64

  /// The maximum size of the entries, in bytes.
  package let maximumBytes: Int
  /// Random bytes of this store.
  package let salt: [UInt8]
  private let time: TimeSource
  /// Guards the entries. Removed entries are freed outside of the lock.
  private let state: Lock<MemoryCacheState>
  private let log = Lock(ProblemLog())

  /// Creates an empty store. An entry larger than an eighth of the maximum size is not stored.
  package init(maximumBytes: Int = 32 << 20, time: TimeSource = .system) {
    var random = SystemRandomNumberGenerator()
    self.maximumBytes = max(0, maximumBytes)
    self.time = time
    salt = (0..<16).map { _ in random.next() }
    state = Lock(MemoryCacheState(maximumBytes: max(0, maximumBytes)))
  }

  /// Returns every variant of a key, the latest last.
  package func entries(for key: CacheKey) -> [CacheEntry] {
    let now = time.secondsSince1970()
    return state.withLock { $0.entries(for: key, now: now) }
  }

  /// Stores an entry, and evicts others if there is no room.
  package func put(_ entry: CacheEntry) {
    let now = time.secondsSince1970()
    let address = CacheSelection.masked(entry.key.text)
    _ = state.withLock { $0.put(entry, address: address, now: now) }
  }

  /// Removes the selected entries.
  package func remove(_ selection: CacheSelection) {
    _ = state.withLock { $0.remove(selection) }
  }

  /// Lists the selected entries, newest first. The size is the approximate one in memory.
  package func listings(_ selection: CacheSelection) -> [CacheEntry.Listing] {
    state.withLock { $0.listings(selection) }
      .sorted { $0.entry.receivedAt > $1.entry.receivedAt }
  }

  /// Returns at once: nothing is ever pending.
  package func flush() async {}

  /// What users of the store reported: memory itself does not fail.
  package var problems: [CacheProblem] { log.withLock { $0.problems } }

  /// Adds a problem that a user of the store found, once.
  package func report(_ problem: CacheProblem) { log.withLock { $0.add(problem) } }

  /// The size of the entries, in bytes.
  var bytes: Int { state.withLock { $0.bytes } }
}

/// The content of a ``MemoryCacheStore``: a value without clock and lock.
///
/// The entries of a key share one slot, oldest first, so that a hit copies one reference. Slots are evicted by
/// ``EvictionOrder``; every operation of a call takes constant time, no matter how much is stored.
struct MemoryCacheState {
  private struct Slot {
    var key: CacheKey
    /// The text of the key, with secrets masked.
    var address: String
    var entries: [CacheEntry] = []
    var bytes = 0
    var usedAt: Double
  }

  let maximumBytes: Int
  private(set) var bytes = 0
  private var slots: [Slot?] = []
  private var freeIndices: [Int] = []
  private var indexOfKey: [CacheKey: Int] = [:]
  /// The slots of an address, for any owner.
  private var indicesOfText: [String: Set<Int>] = [:]
  private var evictionOrder = EvictionOrder()

  init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

  mutating func entries(for key: CacheKey, now: Double) -> [CacheEntry] {
    guard let index = indexOfKey[key], let entries = slots[index]?.entries else { return [] }
    slots[index]?.usedAt = now
    evictionOrder.use(index)
    return entries
  }

  /// Returns the removed entries, for the caller to free.
  mutating func put(_ entry: CacheEntry, address: String, now: Double) -> [CacheEntry] {
    let size = entry.bytesInMemory
    var dropped = removeEntries(from: indexOfKey[entry.key]) {
      $0.variant.hasSameBytes(as: entry.variant)
    }
    guard size <= maximumBytes / 8 else { return dropped }
    let index = indexOfKey[entry.key] ?? addSlot(entry.key, address: address, now: now)
    slots[index]?.entries.append(entry)
    slots[index]?.bytes += size
    slots[index]?.usedAt = now
    bytes += size
    evictionOrder.put(index, bytes: slots[index]?.bytes ?? size)
    if let count = slots[index]?.entries.count, count > MemoryCacheStore.maximumVariants {
      dropped += removeOldest(from: index)
    }
    while bytes > maximumBytes, let worst = evictionOrder.nextVictim {
      dropped += removeOldest(from: worst)
    }
    return dropped
  }

  mutating func remove(_ selection: CacheSelection) -> [CacheEntry] {
    var dropped: [CacheEntry] = []
    for index in indices(selection) {
      dropped += removeEntries(from: index) {
        selection.includes(variant: $0.variant, receivedAt: $0.content.receivedAt)
      }
    }
    return dropped
  }

  func listings(_ selection: CacheSelection) -> [CacheEntry.Listing] {
    indices(selection).flatMap { index -> [CacheEntry.Listing] in
      guard let slot = slots[index] else { return [] }
      return slot.entries.reversed().compactMap { entry in
        guard selection.includes(variant: entry.variant, receivedAt: entry.content.receivedAt)
        else {
          return nil
        }
        return CacheEntry.Listing(
          entry, address: slot.address, bytes: entry.bytesInMemory,
          usedAt: (slot.usedAt / 60).rounded(.down) * 60)
      }
    }
  }

  /// Returns the slots of a selection. Only a selection without an address searches all slots.
  private func indices(_ selection: CacheSelection) -> [Int] {
    if let key = selection.key { return indexOfKey[key].map { [$0] } ?? [] }
    let candidates: any Collection<Int> =
      selection.text.map { indicesOfText[$0] ?? [] } ?? slots.indices
    return candidates.filter { index in
      slots[index].map { selection.includes($0.key, address: $0.address) } ?? false
    }
  }

  private mutating func addSlot(_ key: CacheKey, address: String, now: Double) -> Int {
    // Equal texts share one buffer.
    let slot = Slot(key: key, address: address == key.text ? key.text : address, usedAt: now)
    let index = freeIndices.popLast() ?? slots.count
    if index == slots.count { slots.append(slot) } else { slots[index] = slot }
    indexOfKey[key] = index
    indicesOfText[key.text, default: []].insert(index)
    return index
  }

  private mutating func removeOldest(from index: Int) -> [CacheEntry] {
    guard let oldest = slots[index]?.entries.first?.variant else { return [] }
    return removeEntries(from: index) { $0.variant.hasSameBytes(as: oldest) }
  }

  /// Removes entries from a slot, and the slot itself when it is empty.
  private mutating func removeEntries(
    from index: Int?, where isRemoved: (CacheEntry) -> Bool
  ) -> [CacheEntry] {
    guard let index, let entries = slots[index]?.entries else { return [] }
    let removed = entries.filter(isRemoved)
    guard !removed.isEmpty else { return [] }
    let freed = removed.reduce(0) { $0 + $1.bytesInMemory }
    bytes -= freed
    guard removed.count < entries.count else {
      removeSlot(index)
      return removed
    }
    slots[index]?.entries.removeAll(where: isRemoved)
    slots[index]?.bytes -= freed
    evictionOrder.resize(index, bytes: slots[index]?.bytes ?? 0)
    return removed
  }

  private mutating func removeSlot(_ index: Int) {
    guard let key = slots[index]?.key else { return }
    evictionOrder.remove(index)
    slots[index] = nil
    freeIndices.append(index)
    indexOfKey[key] = nil
    indicesOfText[key.text]?.remove(index)
    if indicesOfText[key.text]?.isEmpty == true { indicesOfText[key.text] = nil }
  }
}

/// The content of a ``MemoryCacheStore``: a value without clock and lock.
///
/// The entries of a key stand together on one row, oldest first, so that a hit copies one reference.
/// Rows are in the lines of ``EvictionOrder``; everything on the way of a call takes the same time however
/// much is kept.
struct MemoryShelf {
  private struct Row {
    var key: CacheKey
    /// The text of the key, secrets masked.
    var address: String
    var entries: [CacheEntry] = []
    var bytes = 0
    var usedAt: Double
  }

  let maximumBytes: Int
  private(set) var bytes = 0
  private var rows: [Row?] = []
  private var free: [Int] = []
  private var places: [CacheKey: Int] = [:]
  /// Where an address stands, whoever's it is.
  private var placesOfText: [String: Set<Int>] = [:]
  private var lines = EvictionOrder()

  init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

  mutating func entries(for key: CacheKey, now: Double) -> [CacheEntry] {
    guard let place = places[key], let entries = rows[place]?.entries else { return [] }
    rows[place]?.usedAt = now
    lines.use(place)
    return entries
  }

  /// Returns what had to go, for the caller to free.
  mutating func put(_ entry: CacheEntry, address: String, now: Double) -> [CacheEntry] {
    let size = entry.bytesInMemory
    var dropped = take(from: places[entry.key]) { $0.variant == entry.variant }
    guard size <= maximumBytes / 8 else { return dropped }
    let place = places[entry.key] ?? open(entry.key, address: address, now: now)
    rows[place]?.entries.append(entry)
    rows[place]?.bytes += size
    rows[place]?.usedAt = now
    bytes += size
    lines.put(place, bytes: rows[place]?.bytes ?? size)
    if let count = rows[place]?.entries.count, count > MemoryCacheStore.maximumVariants {
      dropped += takeOldest(from: place)
    }
    while bytes > maximumBytes, let worst = lines.leastWorthKeeping {
      dropped += takeOldest(from: worst)
    }
    return dropped
  }

  mutating func remove(_ selection: CacheSelection) -> [CacheEntry] {
    var dropped: [CacheEntry] = []
    for place in places(selection) {
      dropped += take(from: place) {
        selection.includes(variant: $0.variant, receivedAt: $0.content.receivedAt)
      }
    }
    return dropped
  }

  func listings(_ selection: CacheSelection) -> [CacheEntry.Listing] {
    places(selection).flatMap { place -> [CacheEntry.Listing] in
      guard let row = rows[place] else { return [] }
      return row.entries.reversed().compactMap { entry in
        guard selection.includes(variant: entry.variant, receivedAt: entry.content.receivedAt)
        else {
          return nil
        }
        return CacheEntry.Listing(
          entry, address: row.address, bytes: entry.bytesInMemory,
          usedAt: (row.usedAt / 60).rounded(.down) * 60)
      }
    }
  }

  /// Where what is selected stands; only a selection without an address looks at all rows.
  private func places(_ selection: CacheSelection) -> [Int] {
    if let key = selection.key { return places[key].map { [$0] } ?? [] }
    let candidates: any Collection<Int> =
      selection.text.map { placesOfText[$0] ?? [] } ?? rows.indices
    return candidates.filter { place in
      rows[place].map { selection.includes($0.key, address: $0.address) } ?? false
    }
  }

  private mutating func open(_ key: CacheKey, address: String, now: Double) -> Int {
    // Equal texts share their memory.
    let row = Row(key: key, address: address == key.text ? key.text : address, usedAt: now)
    let place = free.popLast() ?? rows.count
    if place == rows.count { rows.append(row) } else { rows[place] = row }
    places[key] = place
    placesOfText[key.text, default: []].insert(place)
    return place
  }

  private mutating func takeOldest(from place: Int) -> [CacheEntry] {
    guard let oldest = rows[place]?.entries.first?.variant else { return [] }
    return take(from: place) { $0.variant == oldest }
  }

  /// Takes entries off a row, and the row away when none is left.
  private mutating func take(
    from place: Int?, where isMeant: (CacheEntry) -> Bool
  ) -> [CacheEntry] {
    guard let place, let entries = rows[place]?.entries else { return [] }
    let taken = entries.filter(isMeant)
    guard !taken.isEmpty else { return [] }
    let freed = taken.reduce(0) { $0 + $1.bytesInMemory }
    bytes -= freed
    guard taken.count < entries.count else {
      close(place)
      return taken
    }
    rows[place]?.entries.removeAll(where: isMeant)
    rows[place]?.bytes -= freed
    lines.resize(place, bytes: rows[place]?.bytes ?? 0)
    return taken
  }

  private mutating func close(_ place: Int) {
    guard let key = rows[place]?.key else { return }
    lines.remove(place)
    rows[place] = nil
    free.append(place)
    places[key] = nil
    placesOfText[key.text]?.remove(place)
    if placesOfText[key.text]?.isEmpty == true { placesOfText[key.text] = nil }
  }
}

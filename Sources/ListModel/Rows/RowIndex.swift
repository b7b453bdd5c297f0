/// Where the row with an id is: from the hash of the id to the order of its page.
///
/// Ids are not kept here, pages have them; who looks up confirms that it is the id and not another with
/// the same hash. Entries lie in small buckets that part in two when they are full, each at its own
/// time, so that no row ever pays for all the others. Looking up reads one place in memory.
struct RowIndex: Sendable {
  private struct Slot: Sendable {
    var hash = 0
    var order = free
  }

  /// Stands for the order in a slot that is free.
  private static let free = Int.min
  /// How many slots a bucket has, as a power of two, and how many of them it fills before it parts.
  private static let bucketBits = 7
  private static let most = 112
  /// How many buckets share an array, as a power of two.
  private static let blockBits = 3

  /// The slots of all buckets.
  private var blocks: [[Slot]] = []
  private var counts: [Int] = []
  /// How many of the lowest bits all hashes in a bucket share.
  private var depths: [Int] = []
  /// The bucket for each value of the lowest bits of a hash; as long as a power of two.
  private var directory: [Int32] = [0]
  /// Entries that parting makes no room for, as their hashes are too much alike. Only a poor hash of the
  /// program's own ids comes here.
  private var crowded: [Int: [Int]] = [:]

  /// The order of the page that has the id with this hash; `isIt` says whether a page really does.
  func order(of hash: Int, isIt: (Int) -> Bool) -> Int? {
    guard !blocks.isEmpty else { return nil }
    let bucket = bucket(for: hash)
    var at = home(of: hash)
    while true {
      let slot = self[bucket, at]
      if slot.order == Self.free { break }
      if slot.hash == hash, isIt(slot.order) { return slot.order }
      at = next(at)
    }
    return crowded.isEmpty ? nil : crowded[hash]?.first(where: isIt)
  }

  /// Adds a row that has no entry yet.
  mutating func insert(_ hash: Int, order: Int) {
    if blocks.isEmpty { _ = addBucket(depth: 0) }
    var bucket = bucket(for: hash)
    while counts[bucket] == Self.most {
      guard 1 << depths[bucket] <= 64 * counts.count else {
        crowded[hash, default: []].append(order)
        return
      }
      part(bucket)
      bucket = self.bucket(for: hash)
    }
    put(Slot(hash: hash, order: order), in: bucket)
  }

  /// Takes out the entry of a row.
  mutating func remove(_ hash: Int, order: Int) {
    guard !blocks.isEmpty else { return }
    let bucket = bucket(for: hash)
    var gap = home(of: hash)
    while self[bucket, gap].hash != hash || self[bucket, gap].order != order {
      guard self[bucket, gap].order != Self.free else { return removeCrowded(hash, order: order) }
      gap = next(gap)
    }
    counts[bucket] -= 1
    // Entries behind the gap that would no longer be found across it move up.
    var at = next(gap)
    while self[bucket, at].order != Self.free {
      let distance = (at - home(of: self[bucket, at].hash)) & (1 << Self.bucketBits - 1)
      if distance >= (at - gap) & (1 << Self.bucketBits - 1) {
        self[bucket, gap] = self[bucket, at]
        gap = at
      }
      at = next(at)
    }
    self[bucket, gap] = Slot()
  }

  private mutating func removeCrowded(_ hash: Int, order: Int) {
    guard var orders = crowded[hash], let at = orders.firstIndex(of: order) else { return }
    orders.remove(at: at)
    crowded[hash] = orders.isEmpty ? nil : orders
  }
}

extension RowIndex {
  private func bucket(for hash: Int) -> Int { Int(directory[hash & (directory.count - 1)]) }

  /// The lower bits chose the bucket, so the upper ones choose the slot.
  private func home(of hash: Int) -> Int { hash >> 40 & (1 << Self.bucketBits - 1) }

  private func next(_ at: Int) -> Int { (at + 1) & (1 << Self.bucketBits - 1) }

  private subscript(bucket: Int, at: Int) -> Slot {
    get { blocks[bucket >> Self.blockBits][place(bucket, at)] }
    set { blocks[bucket >> Self.blockBits][place(bucket, at)] = newValue }
  }

  private func place(_ bucket: Int, _ at: Int) -> Int {
    (bucket & (1 << Self.blockBits - 1)) << Self.bucketBits | at
  }

  private mutating func put(_ slot: Slot, in bucket: Int) {
    var at = home(of: slot.hash)
    while self[bucket, at].order != Self.free { at = next(at) }
    self[bucket, at] = slot
    counts[bucket] += 1
  }

  private mutating func addBucket(depth: Int) -> Int {
    let bucket = counts.count
    if bucket >> Self.blockBits == blocks.count {
      blocks.append(Array(repeating: Slot(), count: 1 << (Self.blockBits + Self.bucketBits)))
    }
    counts.append(0)
    depths.append(depth)
    return bucket
  }

  /// Moves half of a bucket into a new one, by the next bit of the hashes.
  private mutating func part(_ bucket: Int) {
    let bit = 1 << depths[bucket]
    if directory.count == bit { directory += directory }
    depths[bucket] += 1
    counts[bucket] = 0
    let new = addBucket(depth: depths[bucket])
    var entries: [Slot] = []
    entries.reserveCapacity(Self.most)
    for at in 0..<1 << Self.bucketBits where self[bucket, at].order != Self.free {
      entries.append(self[bucket, at])
      self[bucket, at] = Slot()
    }
    let low = entries[0].hash & (bit - 1)
    for place in stride(from: low | bit, to: directory.count, by: bit << 1) {
      directory[place] = Int32(new)
    }
    for entry in entries { put(entry, in: entry.hash & bit == 0 ? bucket : new) }
  }
}

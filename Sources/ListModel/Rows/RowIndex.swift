/// An index of rows: from the hash of an id to the order of its page.
///
/// Ids are stored in the pages, not here; a look-up checks the page, since another id may have the same
/// hash. Entries are in small buckets. A full bucket is split, each at another time, so that no insertion
/// pays for all rows.
///
/// In long lists, memory access dominates. Only 32 bits of a hash are stored, and separate from the orders, so
/// that a look-up mostly reads one place.
struct RowIndex: Sendable {
  /// The stored part of a hash: the lower bits choose the bucket, the upper ones the slot.
  private typealias Tag = UInt32

  /// The tag of a free slot.
  private static let free: Tag = 0
  /// The number of slots in a bucket, as a power of two.
  private static let bucketBits = 7
  /// The number of buckets in an array, as a power of two.
  private static let blockBits = 3

  /// The slots of all buckets: the tag, and the order of its page.
  private var tags: [[Tag]] = []
  private var orders: [[Int]] = []
  private var counts: [UInt8] = []
  /// The number of lowest bits that all tags in a bucket share.
  private var depths: [UInt8] = []
  /// The bucket for each value of the lowest bits of a tag. The count is a power of two.
  private var directory: [Int32] = [0]
  /// Entries for which splitting makes no room, since too many hashes collide. Only a poor hash of the
  /// program's own ids causes this.
  private var overflow: [Tag: [Int]] = [:]

  /// Returns the order of the page with this hash for which `isMatch` confirms the id.
  func order(of hash: Int, isMatch: (Int) -> Bool) -> Int? {
    guard !tags.isEmpty else { return nil }
    let tag = Self.tag(of: hash)
    let bucket = bucket(for: tag)
    var at = Self.home(of: tag)
    while true {
      at = place(of: tag, in: bucket, from: at)
      guard self[bucket, at] != Self.free else { break }
      let order = orders[bucket >> Self.blockBits][Self.slot(bucket, at)]
      if isMatch(order) { return order }
      at = Self.next(at)
    }
    return overflow.isEmpty ? nil : overflow[tag]?.first(where: isMatch)
  }

  /// Inserts a row that has no entry.
  mutating func insert(_ hash: Int, order: Int) {
    if tags.isEmpty { _ = addBucket(depth: 0) }
    let tag = Self.tag(of: hash)
    var bucket = bucket(for: tag)
    while counts[bucket] >= Self.capacity(of: bucket) {
      guard 1 << depths[bucket] <= 64 * counts.count, depths[bucket] < 32 - Self.bucketBits else {
        overflow[tag, default: []].append(order)
        return
      }
      split(bucket, of: tag)
      bucket = self.bucket(for: tag)
    }
    put(tag, order, in: bucket)
  }

  /// Inserts rows up to the first that may have an entry already. Returns their number.
  mutating func insertNew(_ hashes: [Int], order: Int) -> Int {
    guard overflow.isEmpty, !hasHomeEntry(forAny: hashes) else { return 0 }
    for (at, hash) in hashes.enumerated() {
      guard self.order(of: hash, isMatch: { _ in true }) == nil else { return at }
      insert(hash, order: order)
    }
    return hashes.count
  }

  /// Whether one of the hashes is in its first slot. This loop is so short that the processor loads the memory
  /// for many hashes at once, which later look-ups then find in its cache.
  private func hasHomeEntry(forAny hashes: [Int]) -> Bool {
    guard !tags.isEmpty else { return false }
    return hashes.contains { hash in
      let tag = Self.tag(of: hash)
      return self[bucket(for: tag), Self.home(of: tag)] == tag
    }
  }

  /// Removes the entry of a row.
  mutating func remove(_ hash: Int, order: Int) {
    guard !tags.isEmpty else { return }
    let tag = Self.tag(of: hash)
    let bucket = bucket(for: tag)
    var gap = Self.home(of: tag)
    while true {
      gap = place(of: tag, in: bucket, from: gap)
      guard self[bucket, gap] != Self.free else { return removeOverflow(tag, order: order) }
      if orders[bucket >> Self.blockBits][Self.slot(bucket, gap)] == order { break }
      gap = Self.next(gap)
    }
    counts[bucket] -= 1
    // Entries after the gap that would no longer be found move up.
    var at = Self.next(gap)
    while self[bucket, at] != Self.free {
      let distance = (at - Self.home(of: self[bucket, at])) & Self.mask
      if distance >= (at - gap) & Self.mask {
        self[bucket, gap] = self[bucket, at]
        orders[bucket >> Self.blockBits][Self.slot(bucket, gap)] =
          orders[bucket >> Self.blockBits][Self.slot(bucket, at)]
        gap = at
      }
      at = Self.next(at)
    }
    self[bucket, gap] = Self.free
  }

  private mutating func removeOverflow(_ tag: Tag, order: Int) {
    guard var orders = overflow[tag], let at = orders.firstIndex(of: order) else { return }
    orders.remove(at: at)
    overflow[tag] = orders.isEmpty ? nil : orders
  }
}

// MARK: - Slots

extension RowIndex {
  private static let mask = 1 << bucketBits - 1

  private static func tag(of hash: Int) -> Tag {
    let tag = Tag(truncatingIfNeeded: hash)
    return tag == free ? 1 : tag
  }

  private static func home(of tag: Tag) -> Int { Int(tag >> (32 - bucketBits)) }

  private static func next(_ at: Int) -> Int { (at + 1) & mask }

  /// The index of a slot in the arrays of its block.
  private static func slot(_ bucket: Int, _ at: Int) -> Int {
    (bucket & (1 << blockBits - 1)) << bucketBits | at
  }

  private func bucket(for tag: Tag) -> Int { Int(directory[Int(tag) & (directory.count - 1)]) }

  private subscript(bucket: Int, at: Int) -> Tag {
    get { tags[bucket >> Self.blockBits][Self.slot(bucket, at)] }
    set { tags[bucket >> Self.blockBits][Self.slot(bucket, at)] = newValue }
  }

  /// The next slot with this tag or without any.
  private func place(of tag: Tag, in bucket: Int, from start: Int) -> Int {
    tags[bucket >> Self.blockBits].withUnsafeBufferPointer { tags in
      var at = start
      while true {
        let other = tags[Self.slot(bucket, at)]
        if other == tag || other == Self.free { return at }
        at = Self.next(at)
      }
    }
  }

  private mutating func put(_ tag: Tag, _ order: Int, in bucket: Int) {
    let block = bucket >> Self.blockBits
    let slot = tags[block].withUnsafeMutableBufferPointer { tags in
      var at = Self.home(of: tag)
      while tags[Self.slot(bucket, at)] != Self.free { at = Self.next(at) }
      tags[Self.slot(bucket, at)] = tag
      return Self.slot(bucket, at)
    }
    orders[block][slot] = order
    counts[bucket] += 1
  }
}

// MARK: - Buckets

extension RowIndex {
  /// The number of entries at which a bucket is split. With one number for all buckets, which fill evenly, they
  /// would split at about the same time, and the pages inserted then would take twice as long.
  private static func capacity(of bucket: Int) -> Int { 56 + bucket &* 29 % 48 }

  private mutating func addBucket(depth: UInt8) -> Int {
    let bucket = counts.count
    if bucket >> Self.blockBits == tags.count {
      let size = 1 << (Self.blockBits + Self.bucketBits)
      tags.append(Array(repeating: Self.free, count: size))
      orders.append(Array(repeating: 0, count: size))
    }
    counts.append(0)
    depths.append(depth)
    return bucket
  }

  /// Moves half of the entries into a new bucket, by the next bit of the tags. `tag` is one of the bucket's.
  private mutating func split(_ bucket: Int, of tag: Tag) {
    let bit = 1 << Int(depths[bucket])
    if directory.count == bit { directory += directory }
    depths[bucket] += 1
    let new = addBucket(depth: depths[bucket])
    let slots = Self.slot(bucket, 0)..<Self.slot(bucket, Self.mask) + 1
    let block = bucket >> Self.blockBits
    let oldOrders = [Int](orders[block][slots])
    let oldTags = [Tag](tags[block][slots])
    tags[block].withUnsafeMutableBufferPointer { $0[slots].update(repeating: Self.free) }
    let low = Int(tag) & (bit - 1)
    for place in stride(from: low | bit, to: directory.count, by: bit << 1) {
      directory[place] = Int32(new)
    }
    counts[bucket] = 0
    for (tag, order) in zip(oldTags, oldOrders) where tag != Self.free {
      put(tag, order, in: Int(tag) & bit == 0 ? bucket : new)
    }
  }
}

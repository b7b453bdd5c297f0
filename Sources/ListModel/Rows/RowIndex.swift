/// Where the row with an id is: from the hash of the id to the order of its page.
///
/// Ids are not kept here, pages have them; who looks up confirms that it is the id and not another with
/// the same hash. Entries lie in small buckets that part in two when they are full, each at its own
/// time, so that no row ever pays for all the others.
///
/// In long lists the time goes into waiting for memory. Of a hash only 32 bits are kept, and apart from
/// the orders, so that looking up mostly reads one place.
struct RowIndex: Sendable {
  /// The part of a hash that is kept: the lower bits choose the bucket, the upper ones the slot.
  private typealias Tag = UInt32

  /// Stands in slots that are free.
  private static let free: Tag = 0
  /// How many slots a bucket has, as a power of two.
  private static let bucketBits = 7
  /// How many buckets share an array, as a power of two.
  private static let blockBits = 3

  /// The slots of all buckets: for each its tag, and the order of its page.
  private var tags: [[Tag]] = []
  private var orders: [[Int]] = []
  private var counts: [UInt8] = []
  /// How many of the lowest bits all tags in a bucket share.
  private var depths: [UInt8] = []
  /// The bucket for each value of the lowest bits of a tag; as long as a power of two.
  private var directory: [Int32] = [0]
  /// Entries that parting makes no room for, as their hashes are too much alike. Only a poor hash of the
  /// program's own ids comes here.
  private var crowded: [Tag: [Int]] = [:]

  /// The order of the page that has the id with this hash; `isIt` says whether a page really does.
  func order(of hash: Int, isIt: (Int) -> Bool) -> Int? {
    guard !tags.isEmpty else { return nil }
    let tag = Self.tag(of: hash)
    let bucket = bucket(for: tag)
    var at = Self.home(of: tag)
    while true {
      at = place(of: tag, in: bucket, from: at)
      guard self[bucket, at] != Self.free else { break }
      let order = orders[bucket >> Self.blockBits][Self.slot(bucket, at)]
      if isIt(order) { return order }
      at = Self.next(at)
    }
    return crowded.isEmpty ? nil : crowded[tag]?.first(where: isIt)
  }

  /// Adds a row that has no entry yet.
  mutating func insert(_ hash: Int, order: Int) {
    if tags.isEmpty { _ = addBucket(depth: 0) }
    let tag = Self.tag(of: hash)
    var bucket = bucket(for: tag)
    while counts[bucket] >= Self.most(of: bucket) {
      guard 1 << depths[bucket] <= 64 * counts.count, depths[bucket] < 32 - Self.bucketBits else {
        crowded[tag, default: []].append(order)
        return
      }
      part(bucket, of: tag)
      bucket = self.bucket(for: tag)
    }
    put(tag, order, in: bucket)
  }

  /// Adds rows up to the first that may have an entry already. Gives how many those are.
  mutating func insertNew(_ hashes: [Int], order: Int) -> Int {
    guard crowded.isEmpty, !hasFirst(ofAny: hashes) else { return 0 }
    for (at, hash) in hashes.enumerated() {
      guard self.order(of: hash, isIt: { _ in true }) == nil else { return at }
      insert(hash, order: order)
    }
    return hashes.count
  }

  /// Whether one of the hashes is right where it belongs. This loop is so short that the processor waits
  /// for the memory of many hashes at once, and has it at hand for what comes next.
  private func hasFirst(ofAny hashes: [Int]) -> Bool {
    guard !tags.isEmpty else { return false }
    return hashes.contains { hash in
      let tag = Self.tag(of: hash)
      return self[bucket(for: tag), Self.home(of: tag)] == tag
    }
  }

  /// Takes out the entry of a row.
  mutating func remove(_ hash: Int, order: Int) {
    guard !tags.isEmpty else { return }
    let tag = Self.tag(of: hash)
    let bucket = bucket(for: tag)
    var gap = Self.home(of: tag)
    while true {
      gap = place(of: tag, in: bucket, from: gap)
      guard self[bucket, gap] != Self.free else { return removeCrowded(tag, order: order) }
      if orders[bucket >> Self.blockBits][Self.slot(bucket, gap)] == order { break }
      gap = Self.next(gap)
    }
    counts[bucket] -= 1
    // Entries behind the gap that would no longer be found across it move up.
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

  private mutating func removeCrowded(_ tag: Tag, order: Int) {
    guard var orders = crowded[tag], let at = orders.firstIndex(of: order) else { return }
    orders.remove(at: at)
    crowded[tag] = orders.isEmpty ? nil : orders
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

  /// The place of a slot in the arrays of its block.
  private static func slot(_ bucket: Int, _ at: Int) -> Int {
    (bucket & (1 << blockBits - 1)) << bucketBits | at
  }

  private func bucket(for tag: Tag) -> Int { Int(directory[Int(tag) & (directory.count - 1)]) }

  private subscript(bucket: Int, at: Int) -> Tag {
    get { tags[bucket >> Self.blockBits][Self.slot(bucket, at)] }
    set { tags[bucket >> Self.blockBits][Self.slot(bucket, at)] = newValue }
  }

  /// The next slot that has a tag or is free.
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
  /// How many slots a bucket fills before it parts. All buckets fill alike: with one number for all they
  /// would part at about the same time, and pages that come then take twice as long.
  private static func most(of bucket: Int) -> Int { 56 + bucket &* 29 % 48 }

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

  /// Moves half of a bucket into a new one, by the next bit of the tags. `tag` belongs there.
  private mutating func part(_ bucket: Int, of tag: Tag) {
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

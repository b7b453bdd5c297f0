/// Finds the next entry to evict among entries of different sizes.
///
/// The cost of an entry is its bytes times its age, and age counts uses. There is one list for each power of
/// two of sizes, in order of last use. The most expensive entry of a list is its last, to within a factor of
/// two, so only the last ones need to be compared: every operation takes constant time.
struct EvictionOrder {
  private struct Link {
    var before = -1
    var after = -1
    var list = -1
    var bytes = 0
    var usedAt = 0
  }

  private struct List {
    var first = -1
    var last = -1
  }

  /// By slot.
  private var links: [Link] = []
  private var lists = [List](repeating: List(), count: Int.bitWidth)
  private var uses = 0

  /// Adds a slot as just used, or records a use and the new size of a known one.
  mutating func put(_ slot: Int, bytes: Int) {
    while links.count <= slot { links.append(Link()) }
    if links[slot].list >= 0 { unlink(slot) }
    links[slot].bytes = bytes
    uses += 1
    links[slot].usedAt = uses
    link(slot, Self.list(bytes))
  }

  /// Records a use.
  mutating func use(_ slot: Int) {
    uses += 1
    links[slot].usedAt = uses
    let list = links[slot].list
    guard lists[list].first != slot else { return }
    unlink(slot)
    link(slot, list)
  }

  /// Changes the size of a slot without counting a use.
  mutating func resize(_ slot: Int, bytes: Int) {
    links[slot].bytes = bytes
    let list = Self.list(bytes)
    guard list != links[slot].list else { return }
    unlink(slot)
    // Its age determines its position in the other list. A slot that shrinks was usually the last of a list, so
    // the search starts there; for others an approximate position is good enough.
    var before = lists[list].last
    var steps = 0
    while before >= 0, links[before].usedAt < links[slot].usedAt, steps < 64 {
      before = links[before].before
      steps += 1
    }
    link(slot, list, inFrontOf: before >= 0 ? links[before].after : lists[list].first)
  }

  mutating func remove(_ slot: Int) {
    unlink(slot)
    links[slot] = Link()
  }

  /// The slot to evict next.
  var nextVictim: Int? {
    var worst: (slot: Int, cost: Double)?
    for list in lists where list.last >= 0 {
      let link = links[list.last]
      let cost = Double(link.bytes) * Double(uses - link.usedAt)
      if cost >= worst?.cost ?? 0 { worst = (list.last, cost) }
    }
    return worst?.slot
  }

  private static func list(_ bytes: Int) -> Int {
    Int.bitWidth - 1 - max(1, bytes).leadingZeroBitCount
  }

  private mutating func link(_ slot: Int, _ list: Int) {
    link(slot, list, inFrontOf: lists[list].first)
  }

  /// Inserts a slot before another one, or at the end of the list.
  private mutating func link(_ slot: Int, _ list: Int, inFrontOf after: Int) {
    let before = after >= 0 ? links[after].before : lists[list].last
    links[slot].list = list
    links[slot].before = before
    links[slot].after = after
    if before >= 0 { links[before].after = slot } else { lists[list].first = slot }
    if after >= 0 { links[after].before = slot } else { lists[list].last = slot }
  }

  private mutating func unlink(_ slot: Int) {
    let (before, after, list) = (links[slot].before, links[slot].after, links[slot].list)
    if before >= 0 { links[before].after = after } else { lists[list].first = after }
    if after >= 0 { links[after].before = before } else { lists[list].last = before }
    links[slot].list = -1
  }
}

/// A page in the tree, or a run of neighboring pages.
///
/// The counts of a node are stored in the array of its parent, so a search reads one array per level. An
/// array is copied when it changes while a snapshot shares it; that alone makes the tree persistent. Nodes
/// are not generic: generic nodes take ten times as long, since other modules can't specialize them.
struct PageNode {
  /// The maximum number of children.
  static let fanOut = 16

  private(set) var span: PageSpan
  /// The order of the first page.
  private(set) var first: Int
  /// The nodes one level below; empty for a page.
  private(set) var children: [PageNode]
  /// The `StoredPage`, at the lowest level.
  let page: AnyObject?

  init<Item>(_ page: StoredPage<Item>) {
    let isLoaded = page.isLoaded
    self.page = page
    children = []
    first = page.id.order
    span = PageSpan(
      pages: 1, rows: page.count, items: isLoaded ? page.count : 0,
      bytes: isLoaded ? page.bytes : 0)
  }

  init(children: [PageNode]) {
    page = nil
    self.children = children
    first = children.first?.first ?? 0
    span = children.reduce(PageSpan()) { $0 + $1.span }
  }

  /// Returns the child that has the page with this order, or would have it.
  func child(for order: Int) -> Int {
    var (low, high) = (0, children.count)
    while low < high {
      let middle = (low + high) / 2
      if children[middle].first <= order { low = middle + 1 } else { high = middle }
    }
    return max(low - 1, 0)
  }

  /// The page with the lowest order.
  var firstPage: AnyObject? { page ?? children.first?.firstPage }
  /// The page with the highest order.
  var lastPage: AnyObject? { page ?? children.last?.lastPage }

  /// Inserts a page. Returns the part that no longer fits, which belongs right after this node.
  mutating func insert(_ leaf: PageNode) -> PageNode? {
    let near = child(for: leaf.first)
    var place = near + 1
    if children.isEmpty || children[near].page != nil {
      if children.isEmpty || leaf.first < children[near].first { place = near }
      children.insert(leaf, at: place)
    } else if let rest = children[near].insert(leaf) {
      children.insert(rest, at: place)
    }
    span = span + leaf.span
    first = children[0].first
    return children.count > Self.fanOut ? split(after: place) : nil
  }

  /// Splits next to the inserted child if it is at an end, so that lists that grow there have full nodes.
  private mutating func split(after place: Int) -> PageNode {
    let kept =
      place == children.count - 1 ? children.count - 1 : place <= 1 ? 1 : children.count / 2
    let rest = PageNode(children: Array(children[kept...]))
    children.removeSubrange(kept...)
    span = span - rest.span
    return rest
  }

  /// Replaces the page with the same order. Returns the growth of the counts.
  mutating func replace(_ leaf: PageNode) -> PageSpan {
    guard page == nil else {
      let growth = leaf.span - span
      self = leaf
      return growth
    }
    let growth = children[child(for: leaf.first)].replace(leaf)
    span = span + growth
    return growth
  }

  /// Removes the page with this order, which must exist.
  mutating func remove(_ order: Int) {
    let at = child(for: order)
    if children[at].page != nil {
      children.remove(at: at)
    } else {
      children[at].remove(order)
      if children[at].children.isEmpty { children.remove(at: at) } else { merge(around: at) }
    }
    self = PageNode(children: children)
  }

  /// Joins a node that has become small with a neighbor, so that the tree stays flat.
  private mutating func merge(around at: Int) {
    let left = max(at - 1, 0)
    guard left + 1 < children.count,
      children[left].children.count + children[left + 1].children.count <= Self.fanOut / 2
    else { return }
    let joined = PageNode(children: children[left].children + children[left + 1].children)
    children.replaceSubrange(left...left + 1, with: [joined])
  }
}

/// Searches use pointers: indexing the arrays would retain and release each node, which takes longer than
/// the search.
extension PageNode {
  /// Returns the page with the row, item or page of this number. Adds the counts before it to `before`.
  func page(at number: Int, by unit: PageSpan.Unit, after before: inout PageSpan) -> AnyObject? {
    children.withUnsafeBufferPointer { Self.page(at: number, by: unit, in: $0, after: &before) }
  }

  private static func page(
    at number: Int, by unit: PageSpan.Unit, in nodes: UnsafeBufferPointer<PageNode>,
    after before: inout PageSpan
  ) -> AnyObject? {
    var left = number
    for at in nodes.indices {
      let count = nodes[at].span[unit]
      if left < count {
        return nodes[at].page
          ?? nodes[at].children.withUnsafeBufferPointer {
            page(at: left, by: unit, in: $0, after: &before)
          }
      }
      left -= count
      before = before + nodes[at].span
    }
    return nil
  }

  /// Returns the page with this order, or the preceding one. Adds the counts before it to `before`.
  func page(for order: Int, after before: inout PageSpan) -> AnyObject? {
    children.withUnsafeBufferPointer { Self.page(for: order, in: $0, after: &before) }
  }

  private static func page(
    for order: Int, in nodes: UnsafeBufferPointer<PageNode>, after before: inout PageSpan
  ) -> AnyObject? {
    guard !nodes.isEmpty else { return nil }
    var at = 0
    while at + 1 < nodes.count, nodes[at + 1].first <= order {
      before = before + nodes[at].span
      at += 1
    }
    return nodes[at].page
      ?? nodes[at].children.withUnsafeBufferPointer { page(for: order, in: $0, after: &before) }
  }
}

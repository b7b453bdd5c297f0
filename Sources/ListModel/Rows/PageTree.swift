/// The pages of a list in their order: a balanced tree that counts rows. A copy is a snapshot.
///
/// Each step costs O(log pages) and copies only the nodes on its way, those that a snapshot has too.
struct PageTree<Item> {
  private(set) var root = PageNode<Item>(children: [])

  /// What all pages hold together.
  var span: PageSpan { root.span }

  /// The page with the lowest order.
  var first: StoredPage<Item>? { root.end(\.first) }
  /// The page with the highest order.
  var last: StoredPage<Item>? { root.end(\.last) }

  /// Puts a page in the place its order tells. No page has that order yet.
  mutating func insert(_ page: StoredPage<Item>) {
    guard let rest = root.insert(PageNode(page)) else { return }
    root = PageNode(children: [root, rest])
  }

  /// Puts a page in the place of the one with the same id.
  mutating func replace(_ page: StoredPage<Item>) {
    _ = root.replace(PageNode(page))
  }

  /// Takes out a page that is there.
  mutating func remove(_ id: PageID) {
    root.remove(id.order)
    while root.children.count == 1, root.children[0].page == nil { root = root.children[0] }
  }

  /// The page that has the row, item or page with this number, as `unit` says what is counted.
  func place(at number: Int, by unit: (PageSpan) -> Int) -> PagePlace<Item>? {
    guard number >= 0, number < unit(span) else { return nil }
    var (node, before, left) = (root, PageSpan(), number)
    while node.page == nil {
      var at = 0
      // Through a pointer, so that only the counts of a child are read, and nothing of it is copied.
      node.children.withUnsafeBufferPointer { children in
        while at < children.count, left >= unit(children[at].span) {
          left -= unit(children[at].span)
          before = before + children[at].span
          at += 1
        }
      }
      guard at < node.children.count else { return nil }
      node = node.children[at]
    }
    return node.page.map { PagePlace(page: $0, before: before) }
  }

  /// The page with this id.
  func place(of id: PageID) -> PagePlace<Item>? {
    var (node, before) = (root, PageSpan())
    while node.page == nil, !node.children.isEmpty {
      let at = node.child(for: id.order)
      for child in node.children[..<at] { before = before + child.span }
      node = node.children[at]
    }
    guard let page = node.page, page.id == id else { return nil }
    return PagePlace(page: page, before: before)
  }
}

extension PageTree: Sendable where Item: Sendable {}

/// A page and what the pages before it hold.
struct PagePlace<Item> {
  var page: StoredPage<Item>
  var before: PageSpan

  /// The rows of the page among all rows.
  var rows: Range<Int> { before.rows..<before.rows + page.count }
}

/// Walks through the pages in their order.
struct PageIterator<Item>: IteratorProtocol {
  private var levels: [IndexingIterator<[PageNode<Item>]>]

  init(_ tree: PageTree<Item>) { levels = [tree.root.children.makeIterator()] }

  mutating func next() -> StoredPage<Item>? {
    while !levels.isEmpty {
      guard let node = levels[levels.count - 1].next() else {
        levels.removeLast()
        continue
      }
      if let page = node.page { return page }
      levels.append(node.children.makeIterator())
    }
    return nil
  }
}

extension PageIterator: Sendable where Item: Sendable {}

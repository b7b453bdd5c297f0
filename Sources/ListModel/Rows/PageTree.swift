/// The pages of a list in order: a balanced tree that counts rows. A copy is a snapshot.
///
/// Each operation costs O(log pages) and copies only the nodes on its path that a snapshot shares.
struct PageTree<Item> {
  private(set) var root = PageNode(children: [])

  /// The counts of all pages.
  var span: PageSpan { root.span }

  /// The page with the lowest order.
  var first: StoredPage<Item>? { root.firstPage.map(Self.page) }
  /// The page with the highest order.
  var last: StoredPage<Item>? { root.lastPage.map(Self.page) }

  /// Inserts a page at the place of its order, which must be free.
  mutating func insert(_ page: StoredPage<Item>) {
    guard let rest = root.insert(PageNode(page)) else { return }
    root = PageNode(children: [root, rest])
  }

  /// Replaces the page with the same id.
  mutating func replace(_ page: StoredPage<Item>) {
    _ = root.replace(PageNode(page))
  }

  /// Removes a page, which must exist.
  mutating func remove(_ id: PageID) {
    root.remove(id.order)
    while root.children.count == 1, root.children[0].page == nil { root = root.children[0] }
  }

  /// Returns the page with the row, item or page of this number, as chosen by `unit`.
  func place(at number: Int, by unit: PageSpan.Unit) -> PagePlace<Item>? {
    guard number >= 0, number < span[unit] else { return nil }
    var before = PageSpan()
    guard let page = root.page(at: number, by: unit, after: &before) else { return nil }
    return PagePlace(page: Self.page(page), before: before)
  }

  /// Returns the page with this id.
  func place(of id: PageID) -> PagePlace<Item>? {
    var before = PageSpan()
    guard let found = root.page(for: id.order, after: &before) else { return nil }
    let page = Self.page(found)
    return page.id == id ? PagePlace(page: page, before: before) : nil
  }

  /// Returns the page of a node. Only `insert` and `replace` add pages, so its items have this type.
  static func page(_ object: AnyObject) -> StoredPage<Item> {
    unsafeDowncast(object, to: StoredPage<Item>.self)
  }
}

/// `@unchecked Sendable` is safe because the nodes are values that contain only pages of such items.
extension PageTree: @unchecked Sendable where Item: Sendable {}

/// A page, and the counts of the pages before it.
struct PagePlace<Item> {
  var page: StoredPage<Item>
  var before: PageSpan

  /// The rows of the page among all rows.
  var rows: Range<Int> { before.rows..<before.rows + page.count }
}

/// Iterates over the pages in order.
struct PageIterator<Item>: IteratorProtocol {
  private var levels: [IndexingIterator<[PageNode]>]

  init(_ tree: PageTree<Item>) { levels = [tree.root.children.makeIterator()] }

  mutating func next() -> StoredPage<Item>? {
    while !levels.isEmpty {
      guard let node = levels[levels.count - 1].next() else {
        levels.removeLast()
        continue
      }
      if let page = node.page { return PageTree.page(page) }
      levels.append(node.children.makeIterator())
    }
    return nil
  }
}

/// `@unchecked Sendable` is safe for the same reason as for the tree.
extension PageIterator: @unchecked Sendable where Item: Sendable {}

/// The counts of a run of neighboring pages.
struct PageSpan: Equatable, Sendable {
  var pages = 0
  /// Rows, placeholders included.
  var rows = 0
  /// Rows whose items are in memory.
  var items = 0
  /// The size of the items.
  var bytes = 0

  /// The unit of a position.
  enum Unit { case pages, rows, items }

  subscript(unit: Unit) -> Int {
    switch unit {
    case .pages: pages
    case .rows: rows
    case .items: items
    }
  }

  static func + (a: PageSpan, b: PageSpan) -> PageSpan {
    PageSpan(
      pages: a.pages + b.pages, rows: a.rows + b.rows, items: a.items + b.items,
      bytes: a.bytes + b.bytes)
  }

  static func - (a: PageSpan, b: PageSpan) -> PageSpan {
    PageSpan(
      pages: a.pages - b.pages, rows: a.rows - b.rows, items: a.items - b.items,
      bytes: a.bytes - b.bytes)
  }
}

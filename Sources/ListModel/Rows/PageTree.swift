/// The pages of a list in their order: a balanced tree that counts rows. A copy is a snapshot.
///
/// Each step costs O(log pages) and copies only the nodes on its way, those that a snapshot has too.
struct PageTree<Item> {
  private(set) var root = PageNode(children: [])

  /// What all pages hold together.
  var span: PageSpan { root.span }

  /// The page with the lowest order.
  var first: StoredPage<Item>? { root.firstPage.map(Self.page) }
  /// The page with the highest order.
  var last: StoredPage<Item>? { root.lastPage.map(Self.page) }

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
  func place(at number: Int, by unit: PageSpan.Unit) -> PagePlace<Item>? {
    guard number >= 0, number < span[unit] else { return nil }
    var before = PageSpan()
    guard let page = root.page(at: number, by: unit, after: &before) else { return nil }
    return PagePlace(page: Self.page(page), before: before)
  }

  /// The page with this id.
  func place(of id: PageID) -> PagePlace<Item>? {
    var before = PageSpan()
    guard let found = root.page(for: id.order, after: &before) else { return nil }
    let page = Self.page(found)
    return page.id == id ? PagePlace(page: page, before: before) : nil
  }

  /// The page of a node. Only `insert` and `replace` put pages in, so it is one of these items.
  static func page(_ object: AnyObject) -> StoredPage<Item> {
    unsafeDowncast(object, to: StoredPage<Item>.self)
  }
}

/// `@unchecked Sendable` holds because the nodes are values that lead to pages of such items only.
extension PageTree: @unchecked Sendable where Item: Sendable {}

/// A page and what the pages before it hold.
struct PagePlace<Item> {
  var page: StoredPage<Item>
  var before: PageSpan

  /// The rows of the page among all rows.
  var rows: Range<Int> { before.rows..<before.rows + page.count }
}

/// Walks through the pages in their order.
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

/// `@unchecked Sendable` holds as it does for the tree.
extension PageIterator: @unchecked Sendable where Item: Sendable {}

/// How much some neighbouring pages hold together.
struct PageSpan: Equatable, Sendable {
  var pages = 0
  /// Rows, placeholders included.
  var rows = 0
  /// Rows whose items are present.
  var items = 0
  /// What the items cost to keep.
  var bytes = 0

  /// What is counted to tell a position.
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

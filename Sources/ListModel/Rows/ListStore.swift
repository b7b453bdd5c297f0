internal import ListReading

/// The rows of a list: pages in a tree, and an index of their ids. A value without clock or task, and the only
/// place where rows change.
///
/// Keep one copy: unlike the tree, the index is not persistent, so a change to a second copy of a store copies
/// the whole index. Pass ``snapshot`` to others.
struct ListStore<Item> {
  /// The policy for a row that arrives again.
  var duplicates: DuplicatePolicy
  /// Whether two items with one id have the same content. Without it, later content counts as changed.
  let isSame: ((Item, Item) -> Bool)?

  var tree = PageTree<Item>()
  var index = RowIndex()
  var edits = EditLog<Item>()
  /// Whether pages have rows that differ from those of their responses, since an edit was made.
  var isEdited = false
  /// The gaps, in order.
  var gaps: [PageID] = []
  /// The number of times all pages were replaced, so that page ids are not reused.
  var generation = 0

  init(duplicates: DuplicatePolicy = .keepFirst, isSame: ((Item, Item) -> Bool)? = nil) {
    self.duplicates = duplicates
    self.isSame = isSame
  }

  /// The rows now.
  var snapshot: ListSnapshot<Item> { ListSnapshot(tree) }

  /// Inserts a page before the first one, or after the last one.
  mutating func join(_ rows: PageRows<Item>, at side: ListSide) -> Merge {
    join(rows, as: side == .next ? pageAfter : pageBefore)
  }

  /// Removes all pages, and forgets pending edits.
  mutating func removeAll() -> ListChange {
    let count = tree.span.rows
    edits.removeAll()
    clear()
    return .removing(0..<count)
  }

  /// The id for a page after the last one.
  var pageAfter: PageID {
    tree.last.map { PageID(order: $0.id.order + PageID.step) } ?? .first(of: generation)
  }

  /// The id for a page before the first one.
  var pageBefore: PageID {
    tree.first.map { PageID(order: $0.id.order - PageID.step) } ?? .first(of: generation)
  }

  mutating func clear() {
    tree = PageTree()
    index = RowIndex()
    gaps = []
    isEdited = !edits.isEmpty
    generation += 1
  }
}

extension PageID {
  /// The distance between neighboring pages, which leaves room for others between them.
  static let step = 1 << 20

  /// The id of the first page of a generation. Ids of different generations differ until half a million
  /// replacements later, when no old ids are in use.
  static func first(of generation: Int) -> PageID {
    PageID(order: (generation & (1 << 19 - 1)) << 44)
  }
}

extension ListStore {
  /// The number of rows whose items are in memory.
  var loadedRows: Int { tree.span.items }
  /// The size of the items in memory.
  var loadedBytes: Int { tree.span.bytes }

  /// Whether a row with this id is in the list.
  func contains(_ id: RowID) -> Bool { place(of: id) != nil }

  /// Returns the position of the row with this id. Takes O(log pages) and a search in its page.
  func position(of id: RowID) -> Int? { place(of: id)?.position }

  /// Returns the page of the row at a position.
  func page(atRow position: Int) -> PageRange? {
    tree.place(at: position, by: .rows).map(PageRange.init)
  }

  /// Returns the pages with rows at these positions.
  func pages(in rows: Range<Int>) -> [PageRange] {
    var pages: [PageRange] = []
    var position = rows.lowerBound
    while position < rows.upperBound, let page = page(atRow: position) {
      pages.append(page)
      position = page.range.upperBound
    }
    return pages
  }

  /// Returns the page with this id.
  func page(_ id: PageID) -> PageRange? { tree.place(of: id).map(PageRange.init) }

  /// Returns the key that requested a page.
  func key(of id: PageID) -> PageKey? { tree.place(of: id)?.page.key }

  /// Returns the place of the row with this id.
  func place(of id: RowID) -> RowPlace<Item>? {
    var lookup = RowLookup()
    return place(of: id, hash: id.indexHash, by: &lookup)
  }

  func place(of id: RowID, hash: Int, by lookup: inout RowLookup) -> RowPlace<Item>? {
    // The closure uses no generic type, since that would make it slow.
    let root = tree.root
    var (object, before, index): (AnyObject?, PageSpan, Int) = (nil, PageSpan(), 0)
    let order = self.index.order(of: hash) { order in
      before = PageSpan()
      object = root.page(for: order, after: &before)
      guard let object, let ids = PageTree<Item>.page(object).ids,
        let found = lookup.index(of: id, in: ids, of: order)
      else { return false }
      index = found
      return true
    }
    guard order != nil, let object else { return nil }
    return RowPlace(
      page: PagePlace(page: PageTree<Item>.page(object), before: before), index: index)
  }

  /// Returns the place of the row with this id in the page with this order.
  func place(of id: RowID, inPage order: Int, by lookup: inout RowLookup) -> RowPlace<Item>? {
    guard let page = tree.place(of: PageID(order: order)), let ids = page.page.ids,
      let index = lookup.index(of: id, in: ids, of: order)
    else { return nil }
    return RowPlace(page: page, index: index)
  }
}

/// The place of a row.
struct RowPlace<Item> {
  var page: PagePlace<Item>
  /// The index in the page.
  var index: Int

  /// The position among all rows.
  var position: Int { page.before.rows + index }
  /// The item; `nil` for a placeholder.
  var item: Item? { page.page.items?[index] }
}

/// Finds many rows in the same pages. The ids of a long page are put into a dictionary from the second search
/// on, instead of comparing all of them each time.
struct RowLookup {
  /// The length up to which a linear search is faster.
  private static let short = 32

  private var searched: Set<Int> = []
  private var indices: [Int: [RowID: Int]] = [:]

  /// Returns the index of an id among those of the page with this order.
  mutating func index(of id: RowID, in ids: [RowID], of order: Int) -> Int? {
    guard ids.count > Self.short, !searched.insert(order).inserted else {
      return ids.firstIndex(of: id)
    }
    if let known = indices[order] { return known[id] }
    let known = Dictionary(zip(ids, ids.indices)) { first, _ in first }
    indices[order] = known
    return known[id]
  }
}

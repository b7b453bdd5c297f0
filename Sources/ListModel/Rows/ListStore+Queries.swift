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

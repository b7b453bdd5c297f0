extension ListStore {
  /// How many rows are present with their items.
  var loadedRows: Int { tree.span.items }
  /// What the items that are present cost to keep.
  var loadedBytes: Int { tree.span.bytes }

  /// Whether a row with this id is in the list.
  func contains(_ id: RowID) -> Bool { place(of: id) != nil }

  /// The position of the row with this id. Takes O(log pages), and a search in its page.
  func position(of id: RowID) -> Int? { place(of: id)?.position }

  /// The page that has the row at a position.
  func page(atRow position: Int) -> ListPage? {
    tree.place(at: position, by: \.rows).map(ListPage.init)
  }

  /// The pages that have rows at these positions.
  func pages(in rows: Range<Int>) -> [ListPage] {
    var pages: [ListPage] = []
    var position = rows.lowerBound
    while position < rows.upperBound, let page = page(atRow: position) {
      pages.append(page)
      position = page.range.upperBound
    }
    return pages
  }

  /// A page by its id.
  func page(_ id: PageID) -> ListPage? { tree.place(of: id).map(ListPage.init) }

  /// How a page was asked for.
  func key(of id: PageID) -> PageKey? { tree.place(of: id)?.page.key }

  /// Where the row with this id is.
  func place(of id: RowID) -> RowPlace<Item>? {
    var lookup = RowLookup<Item>()
    return place(of: id, hash: id.hashValue, by: &lookup)
  }

  func place(of id: RowID, hash: Int, by lookup: inout RowLookup<Item>) -> RowPlace<Item>? {
    var place: RowPlace<Item>?
    _ = index.order(of: hash) { order in
      place = lookup.place(of: id, in: PageID(order: order), of: tree)
      return place != nil
    }
    return place
  }
}

/// Where a row is.
struct RowPlace<Item> {
  var page: PagePlace<Item>
  /// The place in the page.
  var index: Int

  /// The position among all rows.
  var position: Int { page.before.rows + index }
  /// The item; `nil` for a placeholder.
  var item: Item? { page.page.items?[index] }
}

/// Finds many rows in the same pages: those of a long page are sorted once, instead of searching through
/// all of them for each.
struct RowLookup<Item> {
  /// Up to this length looking at each row is faster.
  private static var short: Int { 32 }

  private var places: [PageID: PagePlace<Item>] = [:]
  private var positions: [PageID: [RowID: Int]] = [:]

  mutating func place(of id: RowID, in page: PageID, of tree: PageTree<Item>) -> RowPlace<Item>? {
    guard let place = places[page] ?? tree.place(of: page), let ids = place.page.ids else {
      return nil
    }
    var index: Int?
    if ids.count <= Self.short {
      index = ids.firstIndex(of: id)
    } else if let known = positions[page] {
      index = known[id]
    } else if places[page] == nil {
      index = ids.firstIndex(of: id)
    } else {
      let known = Dictionary(zip(ids, ids.indices)) { first, _ in first }
      positions[page] = known
      index = known[id]
    }
    places[page] = place
    return index.map { RowPlace(page: place, index: $0) }
  }
}

/// Changes of single rows, for edits and rollbacks.
extension ListStore {
  /// The place of a row, to find it again.
  func spot(of row: RowPlace<Item>) -> RowSpot {
    let after = row.index > 0 ? row.page.page.ids?[row.index - 1] : nil
    return RowSpot(page: row.page.page.id, after: after, index: row.index)
  }

  /// Inserts a row into a page and returns its position. Without an item, or in an evicted page, the row is
  /// a placeholder.
  mutating func insertRow(_ item: Item?, id: RowID, at spot: RowSpot) -> Int? {
    if tree.place(of: spot.page) == nil { insertPage(spot.page) }
    guard let place = tree.place(of: spot.page), var ids = place.page.ids else { return nil }
    var at = min(spot.index, ids.count)
    if let after = spot.after, let index = ids.firstIndex(of: after) { at = index + 1 }
    let content: StoredPage<Item>.Content
    if var items = place.page.items {
      guard let item else { return nil }
      items.insert(item, at: at)
      content = .items(items)
    } else {
      content = .evicted(count: ids.count + 1)
    }
    ids.insert(id, at: at)
    tree.replace(place.page.with(content, ids: ids))
    index.insert(id.indexHash, order: spot.page.order)
    return place.before.rows + at
  }

  /// Removes a row from its page. A page of local rows is removed with its last row.
  mutating func removeRow(_ row: RowPlace<Item>) {
    let page = row.page.page
    guard var ids = page.ids else { return }
    let id = ids.remove(at: row.index)
    index.remove(id.indexHash, order: page.id.order)
    var content = StoredPage<Item>.Content.evicted(count: ids.count)
    if var items = page.items {
      items.remove(at: row.index)
      content = .items(items)
    }
    if page.key == nil, ids.isEmpty {
      tree.remove(page.id)
    } else {
      tree.replace(page.with(content, ids: ids))
    }
  }

  /// Replaces the content of a row. A placeholder doesn't change.
  mutating func updateRow(_ row: RowPlace<Item>, with item: Item) -> ListChange {
    guard var items = row.page.page.items else { return ListChange() }
    let isChanged = isChanged(item, from: row.item)
    items[row.index] = item
    tree.replace(row.page.page.with(.items(items), ids: row.page.page.ids))
    return ListChange(updated: isChanged ? [row.position..<row.position + 1] : [])
  }

  /// Moves a row to an existing place. In an evicted page it becomes a placeholder. A placeholder is not
  /// moved to a place among items, since its own page restores it.
  mutating func moveRow(_ row: RowPlace<Item>, id: RowID, to spot: RowSpot) -> ListChange {
    let isAmongItems = tree.place(of: spot.page)?.page.isLoaded ?? true
    guard row.item != nil || !isAmongItems else { return ListChange() }
    removeRow(row)
    guard let to = insertRow(row.item, id: id, at: spot) else { return ListChange() }
    var change = ListChange()
    if to != row.position { change.moved = [.init(from: row.position, to: to)] }
    let isLost = row.item != nil && tree.place(of: spot.page)?.page.isLoaded == false
    if isLost { change.updated = [to..<to + 1] }
    return change
  }

  /// The current place for an edit. At an end of the list where no page can take the row, a page of local
  /// rows is created.
  func spot(at place: ListEdit<Item>.Place) throws(ListEditError) -> RowSpot {
    switch place {
    case .start:
      if let first = tree.first, first.items != nil, first.ids != nil {
        return RowSpot(page: first.id, after: nil, index: 0)
      }
      return RowSpot(page: pageBefore, after: nil, index: 0)
    case .end:
      if let last = tree.last, last.items != nil, let ids = last.ids {
        return RowSpot(page: last.id, after: ids.last, index: ids.count)
      }
      return RowSpot(page: pageAfter, after: nil, index: 0)
    case .after(let id):
      let row = try loadedRow(id)
      return RowSpot(page: row.page.page.id, after: id, index: row.index + 1)
    case .before(let id):
      return spot(of: try loadedRow(id))
    }
  }

  /// Returns the row with this id, which must not be a placeholder.
  func loadedRow(_ id: RowID) throws(ListEditError) -> RowPlace<Item> {
    let row = try row(id)
    guard row.page.page.isLoaded else { throw .notLoaded(id) }
    return row
  }

  /// Returns the row with this id.
  func row(_ id: RowID) throws(ListEditError) -> RowPlace<Item> {
    guard let row = place(of: id) else {
      if let other = edits.replaced[id] { throw .replaced(id, by: other) }
      throw edits.isRemoving(id) ? .beingRemoved(id) : .unknownRow(id)
    }
    return row
  }

  private mutating func insertPage(_ id: PageID) {
    tree.insert(StoredPage(id: id, key: nil, content: .items([]), ids: []))
  }
}

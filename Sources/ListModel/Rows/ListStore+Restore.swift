extension ListStore {
  /// Drops the items of a page to save memory. Its rows stay, as placeholders, and so do their ids.
  ///
  /// `nil` where there is nothing to drop: the page is not there, has no items, or has rows that
  /// no server could bring back.
  mutating func giveUp(_ id: PageID) -> Merge? {
    guard let place = tree.place(of: id), place.page.isLoaded, !place.rows.isEmpty,
      place.page.key != nil,
      !pagesWithEdits.contains(id)
    else { return nil }
    tree.replace(place.page.with(.givenUp(count: place.page.count), ids: place.page.ids))
    return Merge(page: id, change: ListChange(updated: [place.rows]))
  }

  /// Puts rows in the place of those of a page: a page given up comes back, perhaps with other rows.
  ///
  /// `nil` where the page is no longer there.
  mutating func restore(_ id: PageID, with rows: PageRows<Item>) -> Merge? {
    guard let old = tree.place(of: id) else { return nil }
    if let origin = rows.origin, old.page.origin === origin, old.page.isWhole, edits.isEmpty {
      return Merge(page: id)
    }
    let (rows, own) = keepingPlacedRows(in: rows, of: old.page)
    guard let ids = rows.ids, let oldIDs = old.page.ids else {
      return restoreByPosition(old, with: rows)
    }
    for id in oldIDs { index.remove(id.indexHash, order: old.page.id.order) }
    var arrival = Arrival(rows, ids: ids, own: own)
    settle(
      &arrival, in: id, former: Dictionary(zip(oldIDs, old.rows)) { first, _ in first })
    for (at, position) in arrival.origins where old.rows.contains(position) {
      let item = old.page.items?[position - old.rows.lowerBound]
      if isNews(arrival.items[at], after: item) { arrival.renewed.insert(at) }
    }
    forgetRows(takenFrom: id, unlessIn: ids.filter { !own.contains($0) })
    let renewed = carryOut(arrival.patches)
    tree.replace(StoredPage(id: id, rows: rows.keeping(arrival, isWhole: edits.isEmpty)))
    return merge(of: arrival, in: id, region: old.rows, renewed: renewed)
  }

  /// Where rows can't be told apart, each takes the place of the one at its position.
  private mutating func restoreByPosition(
    _ old: PagePlace<Item>, with rows: PageRows<Item>
  ) -> Merge {
    let id = old.page.id
    for row in old.page.ids ?? [] { index.remove(row.indexHash, order: id.order) }
    var rows = rows
    rows.ids = nil
    rows.isWhole = edits.isEmpty
    let same = min(rows.items.count, old.page.count)
    tree.replace(StoredPage(id: id, rows: rows))
    let (before, after) = (old.rows, rowsOf(id))
    let news = (0..<same).filter { isNews(rows.items[$0], after: old.page.items?[$0]) }
    var merge = Merge(page: id)
    merge.added = rows.items.count - same
    if before.count > same { merge.change.removed = [before.dropFirst(same)] }
    if after.count > same { merge.change.inserted = [after.dropFirst(same)] }
    merge.change.updated = [Range<Int>](news.map { after.lowerBound + $0 })
    return merge
  }
}

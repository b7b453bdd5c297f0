internal import ListReading

extension ListStore {
  /// Evicts the items of a page. Its rows become placeholders and keep their ids.
  ///
  /// Returns `nil` if there is nothing to evict: the page does not exist, has no items in memory, or has rows
  /// that can't be reloaded from a server.
  mutating func evict(_ id: PageID) -> Merge? {
    guard let place = tree.place(of: id), place.page.isLoaded, !place.rows.isEmpty,
      place.page.key != nil,
      !pagesWithEdits.contains(id)
    else { return nil }
    tree.replace(place.page.with(.evicted(count: place.page.count), ids: place.page.ids))
    return Merge(page: id, change: ListChange(updated: [place.rows]))
  }

  /// Replaces the rows of a page, such as of an evicted one that was reloaded, perhaps with other rows.
  ///
  /// Returns `nil` if the page no longer exists.
  mutating func restore(_ id: PageID, with rows: PageRows<Item>) -> Merge? {
    guard let old = tree.place(of: id) else { return nil }
    if let parsed = rows.parsed, old.page.parsed === parsed, old.page.isWhole, edits.isEmpty {
      return Merge(page: id)
    }
    let (rows, localRows) = keepingPlacedRows(in: rows, of: old.page)
    guard let ids = rows.ids, let oldIDs = old.page.ids else {
      return restoreByPosition(old, with: rows)
    }
    let (arrival, changed) = exchange(old, oldIDs, for: rows, ids, localRows)
    return merge(of: arrival, in: id, region: old.rows, changed: changed)
  }

  /// Gives a page other rows. Returns these, and the rows of other pages with changed content.
  mutating func exchange(
    _ old: PagePlace<Item>, _ oldIDs: [RowID], for rows: PageRows<Item>, _ ids: [RowID],
    _ localRows: Set<RowID> = []
  ) -> (arrival: Arrival<Item>, changed: [(PageID, Int)]) {
    let id = old.page.id
    for row in oldIDs { index.remove(row.indexHash, order: id.order) }
    var arrival = Arrival(rows, ids: ids, localRows: localRows)
    resolveDuplicates(
      &arrival, in: id, former: Dictionary(zip(oldIDs, old.rows)) { first, _ in first })
    markChanges(of: &arrival, since: old)
    forgetRows(displacedFrom: id, unlessIn: ids.filter { !localRows.contains($0) })
    let changed = applyPatches(of: arrival)
    tree.replace(
      StoredPage(id: id, rows: rows.keeping(arrival, isWhole: edits.isEmpty && rows.isWhole)))
    return (arrival, changed)
  }

  /// Marks the rows of a page that have other content than before.
  private func markChanges(of arrival: inout Arrival<Item>, since old: PagePlace<Item>) {
    for (at, position) in arrival.origins where old.rows.contains(position) {
      let item = old.page.items?[position - old.rows.lowerBound]
      if isChanged(arrival.items[at], from: item) { arrival.changed.insert(at) }
    }
  }

  /// Without ids, each row replaces the one at its index.
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
    let changed = (0..<same).filter { isChanged(rows.items[$0], from: old.page.items?[$0]) }
    var merge = Merge(page: id)
    merge.added = rows.items.count - same
    if before.count > same { merge.change.removed = [before.dropFirst(same)] }
    if after.count > same { merge.change.inserted = [after.dropFirst(same)] }
    merge.change.updated = [Range<Int>](changed.map { after.lowerBound + $0 })
    return merge
  }
}

extension ListStore {
  /// Returns the pages to evict to stay within `limit`, farthest from the visible rows first. Visible pages
  /// stay even beyond the limit, and so do `needed` pages and rows that can't be reloaded from a server.
  func pagesToEvict(
    _ limit: ListWindow, around visible: Range<Int>, keeping needed: Set<PageID> = []
  ) -> [PageID] {
    var pages: [PageID] = []
    var excess = excess(over: limit)
    let needed = needed.union(pagesWithEdits)
    var items = 0..<tree.span.items
    while excess > 0, !items.isEmpty, let first = tree.place(at: items.lowerBound, by: .items),
      let last = tree.place(at: items.upperBound - 1, by: .items)
    {
      let isFirstFarther = visible.distance(to: first.rows) >= visible.distance(to: last.rows)
      let place = isFirstFarther ? first : last
      items =
        isFirstFarther
        ? items.dropFirst(place.page.count) : items.dropLast(place.page.count)
      guard visible.distance(to: place.rows) > 0 else { break }
      guard place.page.key != nil, !needed.contains(place.page.id) else { continue }
      pages.append(place.page.id)
      switch limit {
      case .rows: excess -= place.page.count
      case .bytes: excess -= place.page.bytes
      }
    }
    return pages
  }

  /// The pages with rows whose place is determined by pending edits.
  var pagesWithEdits: Set<PageID> {
    Set(edits.placedRows.compactMap { place(of: $0)?.page.page.id })
  }

  private func excess(over limit: ListWindow) -> Int {
    switch limit {
    case .rows(let most): loadedRows.minus(most)
    case .bytes(let most): loadedBytes.minus(most)
    }
  }
}

extension Range<Int> {
  /// The number of steps to the nearest row of the other range; 0 if they overlap.
  fileprivate func distance(to rows: Range<Int>) -> Int {
    if rows.upperBound <= lowerBound { return lowerBound - rows.upperBound + 1 }
    if rows.lowerBound >= upperBound { return rows.lowerBound - upperBound + 1 }
    return 0
  }
}

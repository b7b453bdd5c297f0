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
    if let parsed = rows.parsed, old.page.parsed === parsed, old.page.isWhole, edits.isEmpty {
      return Merge(page: id)
    }
    let (rows, own) = keepingPlacedRows(in: rows, of: old.page)
    guard let ids = rows.ids, let oldIDs = old.page.ids else {
      return restoreByPosition(old, with: rows)
    }
    for id in oldIDs { index.remove(id.indexHash, order: old.page.id.order) }
    var arrival = Arrival(rows, ids: ids, own: own)
    settleDuplicates(
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

extension ListStore {
  /// The pages to give up so that no more is kept than `limit`, those farthest from the visible rows
  /// first. Pages that are visible stay even if that is more than the limit allows, and so do `needed`
  /// ones and rows that no server could bring back.
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

  /// The pages with rows that are where pending edits put them.
  var pagesWithEdits: Set<PageID> {
    Set(edits.placedRows.compactMap { place(of: $0)?.page.page.id })
  }

  private func excess(over limit: ListWindow) -> Int {
    switch limit {
    case .rows(let most): loadedRows - most
    case .bytes(let most): loadedBytes - most
    }
  }
}

extension Range<Int> {
  /// How many steps it takes to the nearest row of the other range; 0 when they share one.
  fileprivate func distance(to rows: Range<Int>) -> Int {
    if rows.upperBound <= lowerBound { return lowerBound - rows.upperBound + 1 }
    if rows.lowerBound >= upperBound { return rows.lowerBound - upperBound + 1 }
    return 0
  }
}

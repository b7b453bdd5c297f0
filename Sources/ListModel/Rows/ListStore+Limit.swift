extension ListStore {
  /// The pages to give up so that no more is kept than `limit`, those farthest from the visible rows
  /// first. Pages that are visible stay even if that is more than the limit allows, and so do `needed`
  /// ones and rows that no server could bring back.
  func pagesToGiveUp(
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

extension ListStore {
  /// Puts a page in the place of all others, as a refresh does. Rows that were there are kept or moved,
  /// whichever page they were in, and pending edits are made again.
  ///
  /// What it costs depends on the page and not on the list, but for freeing what the list had.
  mutating func replace(with rows: PageRows<Item>) -> Merge {
    let region = 0..<tree.span.rows
    let old = self
    clear()
    let page = PageID.first(of: generation)
    let (rows, own) = redoEdits(on: rows, as: page)
    guard let ids = rows.ids else {
      tree.insert(StoredPage(id: page, rows: rows))
      return Merge(
        page: page,
        change: .arranging(region, origins: rows.items.map { _ in nil }, from: 0),
        added: rows.items.count)
    }
    var arrival = Arrival(rows, ids: ids, own: own)
    settle(&arrival, in: page)
    old.recall(&arrival)
    tree.insert(StoredPage(id: page, rows: rows.keeping(arrival)))
    return merge(of: arrival, in: page, region: region, renewed: [])
  }

  /// Tells a page where its rows were, and which of them say something else now.
  private func recall(_ arrival: inout Arrival<Item>) {
    var lookup = RowLookup()
    for at in arrival.kept {
      let id = arrival.ids[at]
      guard let place = place(of: id, hash: id.indexHash, by: &lookup) else { continue }
      arrival.origins[at] = place.position
      if isNews(arrival.items[at], after: place.item) { arrival.renewed.insert(at) }
    }
  }
}

extension ListStore {
  /// Replaces all pages by one, as a refresh does. Rows that were in the list are kept or moved, from any page,
  /// and pending edits are applied again.
  ///
  /// The cost depends on the new page and not on the list, except for freeing the old pages.
  mutating func replace(with rows: PageRows<Item>) -> Merge {
    if let place = wholePage(of: rows) { return keepOnly(place, as: rows) }
    let region = 0..<tree.span.rows
    let hasEdits = !edits.isEmpty
    let old = self
    clear()
    let page = PageID.first(of: generation)
    let (rows, localRows) = reapplyEdits(on: rows, as: page)
    guard let ids = rows.ids else {
      tree.insert(StoredPage(id: page, rows: rows))
      return Merge(
        page: page,
        change: .arranging(region, origins: rows.items.map { _ in nil }, from: 0),
        added: rows.items.count)
    }
    var arrival = Arrival(rows, ids: ids, localRows: localRows)
    resolveDuplicates(&arrival, in: page)
    old.noteOrigins(&arrival)
    tree.insert(StoredPage(id: page, rows: rows.keeping(arrival, isWhole: !hasEdits)))
    return merge(of: arrival, in: page, region: region, changed: [])
  }

  /// The page at an end of the list that was parsed from the same response and has all of its rows.
  private func wholePage(of rows: PageRows<Item>) -> PagePlace<Item>? {
    guard let parsed = rows.parsed, edits.isEmpty,
      let page = [tree.first, tree.last].compactMap(\.self)
        .first(where: { $0.parsed === parsed && $0.isWhole })
    else { return nil }
    return tree.place(of: page.id)
  }

  /// Keeps a page that is unchanged and removes the others, without comparing any rows.
  private mutating func keepOnly(_ place: PagePlace<Item>, as rows: PageRows<Item>) -> Merge {
    let all = tree.span.rows
    var id = place.page.id
    if tree.span.pages > 1 {
      clear()
      id = .first(of: generation)
      tree.insert(StoredPage(id: id, rows: rows))
      for row in rows.ids ?? [] { index.insert(row.indexHash, order: id.order) }
    } else {
      tree.replace(StoredPage(id: id, rows: rows))
    }
    var merge = Merge(page: id, added: rows.items.count)
    merge.change.removed = [0..<place.rows.lowerBound, place.rows.upperBound..<all].filter {
      !$0.isEmpty
    }
    return merge
  }

  /// Records in a page where its rows were, and which of them have other content now.
  private func noteOrigins(_ arrival: inout Arrival<Item>) {
    var lookup = RowLookup()
    for at in arrival.kept {
      let id = arrival.ids[at]
      guard let place = place(of: id, hash: id.indexHash, by: &lookup) else { continue }
      arrival.origins[at] = place.position
      if isChanged(arrival.items[at], from: place.item) { arrival.changed.insert(at) }
    }
  }
}

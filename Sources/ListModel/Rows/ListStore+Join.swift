internal import ListReading

extension ListStore {
  /// Inserts a page at the place of its id, which is free.
  mutating func join(_ rows: PageRows<Item>, as id: PageID) -> Merge {
    let new = edits.isEmpty ? indexRows(rows.ids ?? [], of: id) : 0
    guard let ids = rows.ids, new < ids.count else {
      tree.insert(StoredPage(id: id, rows: rows))
      return Merge(page: id, change: .inserting(rowsOf(id)), added: rows.items.count)
    }
    var arrival = Arrival(rows, ids: ids)
    resolveDuplicates(&arrival, in: id, after: new)
    let changed = applyPatches(of: arrival)
    tree.insert(StoredPage(id: id, rows: rows.keeping(arrival, isWhole: edits.isEmpty)))
    return merge(of: arrival, in: id, region: 0..<0, changed: changed)
  }

  /// Inserts rows into the index, up to the first that may be there already. Returns their number, which is
  /// almost always that of all rows: then no duplicates have to be resolved.
  private mutating func indexRows(_ ids: [RowID], of page: PageID) -> Int {
    index.insertNew(ids.map(\.indexHash), order: page.order)
  }

  /// Whether the content of an item differs from the previous one; `nil` if that was not in memory.
  func isChanged(_ item: Item, from old: Item?) -> Bool {
    guard let old, let isSame else { return true }
    return !isSame(old, item)
  }

  /// Changes other pages. Returns the rows with changed content, by page and index. A page that gets new rows has its items
  /// in memory.
  mutating func applyPatches(of arrival: Arrival<Item>) -> [(PageID, Int)] {
    var changed: [(PageID, Int)] = []
    for (id, patch) in arrival.patches {
      guard let page = tree.place(of: id)?.page else { continue }
      var (items, ids) = ([Item](), [RowID]())
      var count = 0
      for at in 0..<page.count {
        if !patch.removed.contains(at) {
          if let old = page.items?[at] {
            let item = patch.replaced[at]
            if let item, isChanged(item, from: old) { changed.append((id, count)) }
            items.append(item ?? old)
          }
          if let row = page.ids?[at] { ids.append(row) }
          count += 1
        }
        for new in patch.inserted[at] ?? [] {
          items.append(arrival.items[new])
          ids.append(arrival.ids[new])
          index.insert(arrival.ids[new].indexHash, order: id.order)
          count += 1
        }
      }
      tree.replace(
        page.with(
          page.isLoaded ? .items(items) : .evicted(count: count), ids: page.ids.map { _ in ids }))
    }
    return changed
  }

  /// Returns the effect of a page that was inserted.
  ///
  /// `region` has the previous positions of the rows that it replaces, and `changed` the rows of other pages
  /// with changed content. Of the region, the rows at the positions `before` and `after` stay around the page.
  func merge(
    of arrival: Arrival<Item>, in page: PageID, region: Range<Int>, changed: [(PageID, Int)],
    between before: [Int] = [], _ after: [Int] = []
  ) -> Merge {
    var merge = Merge(page: page)
    merge.duplicatesInPage = arrival.duplicatesInPage
    merge.duplicatesAcross = arrival.duplicatesAcross
    let rows = rowsOf(page)
    guard !region.isEmpty || !arrival.origins.isEmpty || !changed.isEmpty else {
      merge.change = .inserting(rows)
      merge.added = rows.count
      return merge
    }
    let kept = arrival.kept
    merge.change = .arranging(
      region, origins: before + kept.map { arrival.origins[$0] } + after,
      from: rows.lowerBound - before.count)
    merge.added = rows.count - arrival.origins.count
    var updated = changed.map { page, place in rowsOf(page).lowerBound + place }
    for (place, at) in kept.enumerated() where arrival.changed.contains(at) {
      updated.append(rows.lowerBound + place)
    }
    merge.change.updated = [Range<Int>](updated)
    return merge
  }

  /// The positions of the rows of a page.
  func rowsOf(_ page: PageID) -> Range<Int> { tree.place(of: page)?.rows ?? 0..<0 }
}

extension PageRows {
  /// The page without the rows that an arrival leaves out. It is whole only if no edit changed it.
  func keeping(_ arrival: Arrival<Item>, isWhole: Bool) -> PageRows {
    var rows = self
    rows.items = arrival.items
    rows.isWhole = isWhole && arrival.dropped.isEmpty
    guard !arrival.dropped.isEmpty else { return rows }
    let kept = arrival.kept
    rows.items = kept.map { arrival.items[$0] }
    rows.bytes = rows.bytes * kept.count / max(1, arrival.items.count)
    rows.ids = kept.map { arrival.ids[$0] }
    return rows
  }
}

/// The effect of a page on the rows of the list.
struct Merge: Hashable, Sendable {
  /// The page that has the rows now.
  var page: PageID
  /// The exact change of the rows.
  var change = ListChange()
  /// The number of rows that the list did not have before.
  var added = 0
  /// Whether the page had a row that the list did not have.
  var isNew: Bool { added > 0 }
  /// The number of rows that repeat another row of the page.
  var duplicatesInPage = 0
  /// The number of rows that the list already had from other pages.
  var duplicatesAcross = 0
  /// Whether a page that came again took rows away that may still be in the list.
  var losesRows = false
}

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
    // No row was anywhere before.
    if region.isEmpty, !hasEdits { return join(rows, as: page) }
    let (rows, localRows) = reapplyEdits(on: rows, as: page)
    guard let ids = rows.ids else {
      tree.insert(StoredPage(id: page, rows: rows))
      return Merge(
        page: page,
        change: .arranging(region, origins: rows.items.map { _ in nil }, from: 0),
        added: rows.items.count)
    }
    var arrival = Arrival(rows, ids: ids, localRows: localRows)
    resolveDuplicates(&arrival, in: page, after: hasEdits ? 0 : indexRows(ids, of: page))
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
    var merge = Merge(page: id)
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

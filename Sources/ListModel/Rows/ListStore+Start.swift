internal import ListReading

extension ListStore {
  /// Lays the first page over the start of the list. Rows after the last one that both have stay as they are.
  ///
  /// The cost depends on the page and on the rows that it replaces, and not on the list.
  ///
  /// - Parameters:
  ///   - rows: The page.
  ///   - next: The page after it, which has the rows of the old first page that this one lacks.
  ///   - evidence: What else is known of the rows.
  ///   - keepsEmptyPages: Whether pages stay in the list when all of their rows are replaced.
  /// - Returns: The effect on the rows, and what was decided; `nil` if the page has to replace all rows.
  mutating func spliceStart(
    _ rows: PageRows<Item>, next: PageKey?, _ evidence: SpliceEvidence = SpliceEvidence(),
    keepsEmptyPages: Bool = false
  ) -> (merge: Merge, plan: SplicePlan)? {
    guard edits.isEmpty, let ids = rows.ids, let first = tree.first else { return nil }
    // Only the rows before a gap follow each other.
    let count = gaps.first.map { rowsOf($0).lowerBound } ?? tree.span.rows
    if let parsed = rows.parsed, first.parsed === parsed, first.isWhole, first.count < count {
      return (Merge(page: first.id), SplicePlan(replacing: first.count))
    }
    var arrival = Arrival(rows, ids: ids)
    let places = knownPlaces(of: &arrival)
    guard !places.contains(where: { $0.map { $0.position > count } ?? false }) else { return nil }
    var evidence = evidence
    // A row that comes twice is no new one.
    if arrival.duplicatesInPage > 0 { evidence.growth = nil }
    guard
      let plan = SplicePlan(
        places: places.map { $0?.position }, count: count, evidence, isBeforeGap: !gaps.isEmpty)
    else { return nil }
    arrange(&arrival, at: places, by: plan)
    guard hasItemsForNewRows(of: arrival) else { return nil }
    let page = PageID(order: first.id.order - PageID.step)
    return lay(rows, &arrival, from: 0, by: plan, as: page, next: next, keepsEmptyPages).map { ($0, plan) }
  }

  /// Carries out a plan: inserts a page in place of rows from a position on.
  ///
  /// - Parameter gap: A gap before these rows, which closes.
  mutating func lay(
    _ rows: PageRows<Item>, _ arrival: inout Arrival<Item>, from start: Int, by plan: SplicePlan,
    as page: PageID, next: PageKey? = nil, _ keepsEmptyPages: Bool = false, closing gap: PageID? = nil
  ) -> Merge? {
    guard let replaced = pages(from: start, rows: plan.end) else { return nil }
    let ids = arrival.ids
    forgetMovedRows(of: arrival)
    var changed = applyPatches(of: arrival)
    for (old, count) in replaced {
      for id in old.ids?.prefix(count) ?? [] { index.remove(id.indexHash, order: old.id.order) }
      removeFirst(count, of: old.id, key: next, keepsEmptyPages)
      for at in changed.indices where changed[at].0 == old.id { changed[at].1 -= count }
    }
    if let gap { removeGap(gap) }
    for at in arrival.kept { index.insert(ids[at].indexHash, order: page.order) }
    tree.insert(StoredPage(id: page, rows: rows.keeping(arrival, isWhole: rows.isWhole)))
    var merge = merge(
      of: arrival, in: page, region: start - (gap == nil ? 0 : 1)..<start + plan.end, changed: changed)
    let elsewhere = arrival.patches.values.flatMap { $0.inserted.values.joined() }
    merge.added += elsewhere.count
    merge.change.inserted = [Range<Int>](
      merge.change.inserted.flatMap(Array.init) + elsewhere.compactMap { position(of: ids[$0]) })
    return merge
  }

  /// Whether the pages that get new rows have their items in memory.
  func hasItemsForNewRows(of arrival: Arrival<Item>) -> Bool {
    arrival.patches.allSatisfy { id, patch in
      patch.inserted.isEmpty || tree.place(of: id)?.page.isLoaded == true
    }
  }

  /// Decides for each row of a page whether it joins the list in place of others, or stays where it is. New rows behind one
  /// that stays are inserted there, up to the row at `end`.
  ///
  /// - Parameter start: The position of the first row that may be replaced.
  func arrange(
    _ arrival: inout Arrival<Item>, at places: [RowPlace<Item>?], by plan: SplicePlan, from start: Int = 0,
    until end: Int? = nil
  ) {
    arrival.origins.reserveCapacity(places.count)
    var left: RowPlace<Item>?
    for (at, place) in places.enumerated() where !arrival.dropped.contains(at) {
      guard let place else {
        guard let left else { continue }
        arrival.dropped.insert(at)
        arrival.patches[left.page.page.id, default: .init()].inserted[left.index, default: []].append(at)
        continue
      }
      let other = place.page.page.id
      if plan.left.contains(at) {
        left = at == end ? nil : place
        arrival.dropped.insert(at)
        arrival.patches[other, default: .init()].replaced[place.index] = arrival.items[at]
        continue
      }
      arrival.origins[at] = place.position
      if isChanged(arrival.items[at], from: place.item) { arrival.changed.insert(at) }
      if place.position >= start + plan.end {
        arrival.patches[other, default: .init()].removed.insert(place.index)
      }
    }
  }

  /// Removes the rows from the index that leave another page.
  private mutating func forgetMovedRows(of arrival: Arrival<Item>) {
    for (id, patch) in arrival.patches {
      guard let ids = tree.place(of: id)?.page.ids else { continue }
      for at in patch.removed { index.remove(ids[at].indexHash, order: id.order) }
    }
  }

  /// Returns where the rows of a page are in the list. Rows that repeat another one of the page are dropped.
  func knownPlaces(of arrival: inout Arrival<Item>) -> [RowPlace<Item>?] {
    var lookup = RowLookup()
    var seen = Set<RowID>(minimumCapacity: arrival.ids.count)
    var places: [RowPlace<Item>?] = []
    places.reserveCapacity(arrival.ids.count)
    var before: RowPlace<Item>?
    for (at, id) in arrival.ids.enumerated() {
      if seen.insert(id).inserted {
        // Mostly it is the row after the last one that was found.
        let place = before?.following(id) ?? place(of: id, hash: id.indexHash, by: &lookup)
        before = place ?? before
        places.append(place)
      } else {
        places.append(nil)
        arrival.duplicatesInPage += 1
        arrival.dropped.insert(at)
      }
    }
    return places
  }

  /// Returns the pages with the rows from a position on, each with how many of these it has; `nil` if rows have no ids.
  private func pages(from start: Int, rows count: Int) -> [(page: StoredPage<Item>, rows: Int)]? {
    guard count > 0, let first = tree.place(at: start, by: .rows) else { return [] }
    var pages: [(page: StoredPage<Item>, rows: Int)] = []
    var (number, left) = (first.before.pages, count)
    while left > 0, let page = tree.place(at: number, by: .pages)?.page {
      guard page.ids != nil || page.count == 0 else { return nil }
      pages.append((page, min(left, page.count)))
      left -= page.count
      number += 1
    }
    return pages
  }

  /// Removes the first rows of a page. What is left of it is requested by `key`.
  private mutating func removeFirst(
    _ count: Int, of id: PageID, key: PageKey?, _ keepsEmptyPages: Bool
  ) {
    guard let page = tree.place(of: id)?.page else { return }
    let left = page.count - count
    if left == 0, !keepsEmptyPages { return tree.remove(id) }
    let ids = page.ids.map { Array($0.dropFirst(count)) }
    let content = page.items.map { StoredPage.Content.items(Array($0.dropFirst(count))) }
    tree.replace(page.with(content ?? .evicted(count: left), ids: ids, key: page.key == nil ? nil : key))
  }
}

extension RowPlace {
  /// Returns the place of the row after this one in its page, if it has this id.
  fileprivate func following(_ id: RowID) -> RowPlace? {
    guard let ids = page.page.ids, index + 1 < ids.count, ids[index + 1] == id else { return nil }
    return RowPlace(page: page, index: index + 1)
  }
}

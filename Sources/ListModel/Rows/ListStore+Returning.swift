internal import ListReading
internal import ServerAPI

/// Pages that come back into the window. On the server the list may have moved meanwhile, so that their responses have
/// rows of other pages.
extension ListStore {
  /// The pages next to a response, as far as they can be requested.
  struct Neighbors {
    var previous: PageKey?
    var next: PageKey?
    /// Whether the response begins with the first row of the list, and whether it ends with the last one.
    var isFirst = false
    var isLast = false
  }

  /// Lays the response for an evicted page over the list. Rows of the page that it lacks are removed if they are gone.
  /// Others stay, as evicted rows of the pages that have them now.
  ///
  /// Returns `nil` if the page no longer exists.
  mutating func splice(
    _ rows: PageRows<Item>, over id: PageID, nextTo neighbors: Neighbors
  ) -> Merge? {
    guard let old = tree.place(of: id) else { return nil }
    // A stored response doesn't show which rows are gone, and edits remember rows by their pages.
    guard edits.isEmpty, !rows.source.isCache, let ids = rows.ids, let oldIDs = old.page.ids else {
      let hasIDs = rows.ids != nil && old.page.ids != nil
      return restore(id, with: rows).map { $0.losingRows(hasIDs: hasIDs) }
    }
    if let parsed = rows.parsed, old.page.parsed === parsed, old.page.isWhole {
      return Merge(page: id)
    }
    let missing = MissingRows(
      of: .init(
        ids: oldIDs, idBefore: self.id(atRow: old.rows.lowerBound - 1),
        idAfter: self.id(atRow: old.rows.upperBound)),
      in: .init(
        ids: ids, filteredIDs: Set(rows.filteredIDs), isFirst: neighbors.isFirst,
        isLast: neighbors.isLast)
    ) { id in
      position(of: id).map { $0 < old.rows.lowerBound ? .previous : .next }
    }
    var rows = rows
    if missing.places != ids.indices {
      rows.items = Array(rows.items[missing.places])
      rows.ids = Array(ids[missing.places])
      rows.isWhole = false
    }
    let (arrival, changed) = exchange(old, oldIDs, for: rows, rows.ids ?? [])
    let areBeforeKept = displace(missing.before, of: old.page, to: .previous, neighbors.previous)
    let areAfterKept = displace(missing.after, of: old.page, to: .next, neighbors.next)
    var merge = merge(
      of: arrival, in: id, region: old.rows, changed: changed,
      between: areBeforeKept ? missing.before.map { old.rows.lowerBound + $0 } : [],
      areAfterKept ? missing.after.map { old.rows.lowerBound + $0 } : [])
    merge.losesRows = !areBeforeKept || !areAfterKept
    if old.page.isLoaded {
      // A stored response had shown rows that have no content now.
      let here = rowsOf(id)
      var shown: [Int] = merge.change.updated.flatMap(\.self)
      if areBeforeKept { shown += here.lowerBound - missing.before.count..<here.lowerBound }
      if areAfterKept { shown += here.upperBound..<here.upperBound + missing.after.count }
      merge.change.updated = [Range<Int>](shown)
    }
    return merge
  }

  /// Puts rows of a page into a page next to it, which is requested by a key. Returns whether that is possible.
  private mutating func displace(
    _ rows: [Int], of page: StoredPage<Item>, to side: ListSide, _ key: PageKey?
  ) -> Bool {
    guard !rows.isEmpty else { return true }
    let before = page.displacement
    guard let key, key != page.key, let ids = page.ids, let place = tree.place(of: page.id),
      let displacement = before.map({ $0.further(to: side) }) ?? Displacement(side)
    else { return false }
    let moved = rows.map { ids[$0] }
    let number = place.before.pages + (side == .next ? 1 : -1)
    let neighbor = tree.place(at: number, by: .pages)?.page
    let id: PageID
    if let neighbor, !neighbor.isLoaded, neighbor.key == key, let others = neighbor.ids {
      id = neighbor.id
      let all = side == .next ? moved + others : others + moved
      tree.replace(neighbor.with(.evicted(count: all.count), ids: all))
    } else {
      guard let free = freeID(between: page.id, and: neighbor?.id, side) else { return false }
      id = free
      tree.insert(
        StoredPage(
          id: id, key: key, content: .evicted(count: moved.count), ids: moved,
          displacement: displacement))
    }
    for row in moved { index.insert(row.indexHash, order: id.order) }
    return true
  }

  /// An id between two neighboring pages; `nil` if there is none left.
  private func freeID(between page: PageID, and neighbor: PageID?, _ side: ListSide) -> PageID? {
    let step = side == .next ? PageID.step : -PageID.step
    guard let neighbor else { return PageID(order: page.order + step) }
    let order = page.order + (neighbor.order - page.order) / 2
    return order == page.order || order == neighbor.order ? nil : PageID(order: order)
  }
}

extension Merge {
  /// Returns the effect of a page whose missing rows were removed, whether they are gone or not.
  fileprivate func losingRows(hasIDs: Bool) -> Merge {
    var merge = self
    merge.losesRows = hasIDs ? !change.removed.isEmpty : !change.isEmpty
    return merge
  }
}

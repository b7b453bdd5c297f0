internal import ListReading

/// The effect of pending edits on a page that arrives.
extension ListStore {
  /// Applies the edits of a row to its state in a page. Returns whether that decides the row completely.
  mutating func applyEdits(
    at: Int, of arrival: inout Arrival<Item>, in page: PageID, found other: RowPlace<Item>?
  ) -> Bool {
    let id = arrival.ids[at]
    let item = arrival.items[at]
    let chain = edits[id]
    guard !chain.isEmpty, !arrival.localRows.contains(id) else { return false }

    if edits.isRemoving(id) {
      let isInserted = edits.isInserting(id)
      arrival.dropped.insert(at)
      edits.confirmInsertion(id)
      let home = edits[id].first(where: \.savesPlace)?.spot?.page
      let isNew = home == nil || home == page || isInserted
      if isNew || duplicates != .keepFirst { edits.record(item, for: id) }
      if isNew || duplicates == .moveToNew {
        edits.record(arrival.spot(at, in: page), for: id)
      }
      return true
    }
    let isInserted = edits.isInserting(id)
    edits.confirmInsertion(id)
    // The server's place is unknown since a page arrived without the moved row. It is in this page.
    let isUnplaced = edits[id].first(where: \.savesPlace).map { $0.spot == nil } ?? false
    if let content = edits.content(of: id) {
      if other == nil || duplicates != .keepFirst || isInserted || isUnplaced {
        edits.record(item, for: id)
      }
      arrival.items[at] = content
    }
    let home = edits[id].first(where: \.savesPlace)?.spot?.page
    if other == nil, home == nil || home == page || duplicates == .moveToNew {
      edits.record(arrival.spot(at, in: page), for: id)
    }
    guard let other, isInserted || isUnplaced || duplicates == .moveToNew && edits.isPlaced(id)
    else { return false }
    if !isInserted { edits.record(arrival.spot(at, in: page), for: id) }
    arrival.duplicatesAcross += 1
    arrival.dropped.insert(at)
    arrival.patches[other.page.page.id, default: .init()].replaced[other.index] = arrival.items[at]
    return true
  }

  /// Keeps the edited content of a row that is in the page twice.
  mutating func keepEditedContent(at: Int, of arrival: inout Arrival<Item>) {
    let id = arrival.ids[at]
    guard duplicates != .keepFirst, let content = edits.content(of: id) else { return }
    edits.record(arrival.items[at], for: id)
    arrival.items[at] = content
  }

  /// Applies the pending insertions and moves again to the rows of a refresh.
  mutating func reapplyEdits(
    on rows: PageRows<Item>, as page: PageID
  ) -> (PageRows<Item>, Set<RowID>) {
    guard !edits.isEmpty else { return (rows, []) }
    guard var ids = rows.ids else {
      edits.removeAll()
      return (rows, [])
    }
    var rows = rows
    var localRows: Set<RowID> = []
    edits.forgetAll()
    for pending in edits.all {
      let id = pending.edit.row
      guard !edits.isRemoving(id) else { continue }
      switch pending.edit {
      case .insert(_, _, let place):
        guard !ids.contains(id) else { continue }
        guard let item = edits.content(of: id) else { continue }
        let at = ids.index(for: place) ?? ids.count
        ids.insert(id, at: at)
        rows.items.insert(item, at: at)
        localRows.insert(id)
      case .move(_, let place):
        guard let from = ids.firstIndex(of: id), place != .after(id), place != .before(id) else {
          continue
        }
        let spot = RowSpot(page: page, after: from > 0 ? ids[from - 1] : nil, index: from)
        if let at = edits[id].firstIndex(where: { $0.id == pending.id }) {
          edits[id][at].spot = spot
        }
        let item = rows.items.remove(at: from)
        ids.remove(at: from)
        let to = ids.index(for: place) ?? from
        ids.insert(id, at: to)
        rows.items.insert(item, at: to)
      case .update, .remove: continue
      }
    }
    rows.ids = ids
    return (rows, localRows)
  }

  /// Adds the rows that edits placed in a page to the page as it is reloaded.
  func keepingPlacedRows(
    in rows: PageRows<Item>, of old: StoredPage<Item>
  ) -> (PageRows<Item>, Set<RowID>) {
    guard !edits.isEmpty, var ids = rows.ids, let oldIDs = old.ids, let oldItems = old.items else {
      return (rows, [])
    }
    var rows = rows
    var localRows: Set<RowID> = []
    for (at, id) in oldIDs.enumerated() where edits.isPlaced(id) && !ids.contains(id) {
      let before = at > 0 ? ids.firstIndex(of: oldIDs[at - 1]).map { $0 + 1 } : 0
      let to = before ?? min(at, ids.count)
      ids.insert(id, at: to)
      rows.items.insert(oldItems[at], at: to)
      localRows.insert(id)
    }
    rows.ids = ids
    return (rows, localRows)
  }

  /// Forgets rows that edits moved or removed from a page and that it no longer has after it was reloaded.
  mutating func forgetRows(displacedFrom page: PageID, unlessIn ids: [RowID]) {
    guard !edits.isEmpty else { return }
    let present = Set(ids)
    for row in edits.rowsDisplaced(from: page) where !present.contains(row) { edits.forget(row) }
  }
}

extension [RowID] {
  /// The index for a row at a place; `nil` if the row that the place names is not here.
  fileprivate func index<Item>(for place: ListEdit<Item>.Place) -> Int? {
    switch place {
    case .start: 0
    case .end: count
    case .after(let id): firstIndex(of: id).map { $0 + 1 }
    case .before(let id): firstIndex(of: id)
    }
  }
}

extension Arrival {
  /// The place of a row that is left out, relative to the kept rows before it.
  fileprivate func spot(_ place: Int, in page: PageID) -> RowSpot {
    let before = ids[..<place].indices.filter { !dropped.contains($0) }
    return RowSpot(page: page, after: before.last.map { ids[$0] }, index: before.count)
  }
}

/// What pending edits make of a page that comes.
extension ListStore {
  /// Lets the edits of a row meet what a page says of it. `true` when that settles the row.
  mutating func meetEdits(
    at: Int, of arrival: inout Arrival<Item>, in page: PageID, found other: RowPlace<Item>?
  ) -> Bool {
    let id = arrival.ids[at]
    let item = arrival.items[at]
    let chain = edits[id]
    guard !chain.isEmpty, !arrival.own.contains(id) else { return false }

    if edits.isRemoving(id) {
      let isInserted = edits.isInserting(id)
      arrival.dropped.insert(at)
      edits.fulfil(id)
      let home = edits[id].first(where: \.knowsPlace)?.spot?.page
      let isNew = home == nil || home == page || isInserted
      if isNew || duplicates != .keepFirst { edits.remember(item, for: id) }
      if isNew || duplicates == .moveToNew {
        edits.remember(arrival.spot(at, in: page), for: id)
      }
      return true
    }
    let isInserted = edits.isInserting(id)
    edits.fulfil(id)
    // A page without the row came since it was moved: this one is where the server has it.
    let isHomeless = edits[id].first(where: \.knowsPlace).map { $0.spot == nil } ?? false
    if let content = edits.content(of: id) {
      if other == nil || duplicates != .keepFirst || isInserted || isHomeless {
        edits.remember(item, for: id)
      }
      arrival.items[at] = content
    }
    let home = edits[id].first(where: \.knowsPlace)?.spot?.page
    if other == nil, home == nil || home == page || duplicates == .moveToNew {
      edits.remember(arrival.spot(at, in: page), for: id)
    }
    guard let other, isInserted || isHomeless || duplicates == .moveToNew && edits.isPlaced(id)
    else { return false }
    if !isInserted { edits.remember(arrival.spot(at, in: page), for: id) }
    arrival.duplicatesAcross += 1
    arrival.dropped.insert(at)
    arrival.patches[other.page.page.id, default: .init()].replaced[other.index] = arrival.items[at]
    return true
  }

  /// Lets a row that is in the page twice keep the content an edit gave it.
  mutating func keepEdits(at: Int, of arrival: inout Arrival<Item>) {
    let id = arrival.ids[at]
    guard duplicates != .keepFirst, let content = edits.content(of: id) else { return }
    edits.remember(arrival.items[at], for: id)
    arrival.items[at] = content
  }

  /// Makes the pending insertions and moves again on the rows of a refresh.
  mutating func redoEdits(on rows: PageRows<Item>, as page: PageID) -> (PageRows<Item>, Set<RowID>)
  {
    guard !edits.isEmpty, var ids = rows.ids else {
      edits.removeAll()
      return (rows, [])
    }
    var rows = rows
    var own: Set<RowID> = []
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
        own.insert(id)
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
    return (rows, own)
  }

  /// Adds to a page that comes back the rows that edits put there and that only the program has there.
  func keepingPlacedRows(
    in rows: PageRows<Item>, of old: StoredPage<Item>
  ) -> (PageRows<Item>, Set<RowID>) {
    guard !edits.isEmpty, var ids = rows.ids, let oldIDs = old.ids, let oldItems = old.items else {
      return (rows, [])
    }
    var rows = rows
    var own: Set<RowID> = []
    for (at, id) in oldIDs.enumerated() where edits.isPlaced(id) && !ids.contains(id) {
      let before = at > 0 ? ids.firstIndex(of: oldIDs[at - 1]).map { $0 + 1 } : 0
      let to = before ?? min(at, ids.count)
      ids.insert(id, at: to)
      rows.items.insert(oldItems[at], at: to)
      own.insert(id)
    }
    rows.ids = ids
    return (rows, own)
  }

  /// After a page came back: rows that edits took from it and that it no longer has are the server's no more.
  mutating func forgetRows(takenFrom page: PageID, unlessIn ids: [RowID]) {
    guard !edits.isEmpty else { return }
    let there = Set(ids)
    for row in edits.rowsTaken(from: page) where !there.contains(row) { edits.forget(row) }
  }
}

extension [RowID] {
  /// Where a row goes that is to be put at a place; `nil` when what that names is not here.
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
  /// The place of a row that is left out, among those before it that are kept.
  fileprivate func spot(_ place: Int, in page: PageID) -> RowSpot {
    let before = ids[..<place].indices.filter { !dropped.contains($0) }
    return RowSpot(page: page, after: before.last.map { ids[$0] }, index: before.count)
  }
}

internal import ListReading

/// Edits of the program: an overlay that stays across loads until each edit is confirmed or rolled back.
///
/// - A removed row is left out of the pages that contain it.
/// - A row with a pending update keeps that content; a rollback shows what the server has sent since.
/// - An inserted row that the server also sends becomes the server's row: it has the server's content, and
///   keeps its place until a refresh puts it where the server has it.
/// - A refresh applies pending edits again to the new rows. If the row that a place names is gone, an
///   inserted row goes to the end, and a moved row stays where the server has it.
extension ListStore {
  /// Makes an edit, or throws the reason why it is impossible.
  mutating func apply(
    _ edit: ListEdit<Item>
  ) throws(ListEditError) -> (id: EditID, change: ListChange) {
    defer { isEdited = isEdited || !edits.isEmpty }
    switch edit {
    case .insert(let item, let id, let place):
      guard !edits.isRemoving(id) else { throw .beingRemoved(id) }
      guard !contains(id) else { throw .rowExists(id) }
      let position = insertRow(item, id: id, at: try spot(at: place))
      let change = ListChange(inserted: position.map { [$0..<$0 + 1] } ?? [])
      return (edits.add(edit), change)
    case .remove(let id):
      let row = try row(id)
      let spot = spot(of: row)
      removeRow(row)
      let item = row.item ?? edits.content(of: id)
      return (
        edits.add(edit, item: item, spot: spot),
        ListChange(removed: [row.position..<row.position + 1])
      )
    case .update(let id, let item):
      let row = try row(id)
      let change = updateRow(row, with: item)
      return (edits.add(edit, item: row.item ?? edits.content(of: id)), change)
    case .move(let id, let place):
      let row = try loadedRow(id)
      let home = spot(of: row)
      var change = ListChange()
      if place != .after(id), place != .before(id) {
        var spot = try spot(at: place)
        // The row still counts at its old place; a place after itself is the place it has.
        if spot.page == home.page {
          if spot.after == id { spot.after = home.after }
          if spot.index > home.index { spot.index -= 1 }
        }
        change = moveRow(row, id: id, to: spot)
      }
      return (edits.add(edit, spot: home), change)
    }
  }

  /// Throws if an update would give a row another id. A draft or a row without an id of its own keeps that of its item.
  func checkUpdate(
    _ edit: ListEdit<Item>, identity: (Item) -> RowID
  ) throws(ListEditError) {
    guard case .update(let id, let item) = edit, identity(item) != id else { return }
    let row = try row(id)
    let own = (row.item ?? edits.content(of: id)).map(identity)
    guard own == identity(item) else { throw .differentID(identity(item), expected: id) }
  }

  /// Confirms an edit: the rows don't change, and it can't be rolled back. Earlier edits of the same kind on
  /// the same row are superseded and confirmed with it.
  ///
  /// - Returns: The edit, if the server changed a row with it: not for one that was confirmed before, for an
  ///   insertion that the server has sent since, or for the removal of a row that it never had.
  @discardableResult
  mutating func confirm(_ id: EditID) -> ListEdit<Item>? {
    guard let row = edits.row(of: id) else { return nil }
    var chain = edits[row]
    guard let at = chain.firstIndex(where: { $0.id == id }) else { return nil }
    let isLocal = edits.isInserting(row)
    let confirmed = chain[at]
    if confirmed.isRemoval {
      chain = []
    } else {
      let isUpdate = confirmed.isUpdate
      let isMove = confirmed.isMove
      let superseded = chain[...at].filter { isUpdate && $0.isUpdate || isMove && $0.isMove }.map(
        \.id)
      chain.removeAll { $0.id == id || superseded.contains($0.id) }
    }
    edits[row] = chain
    return confirmed.isRemoval && isLocal ? nil : confirmed.edit
  }

  /// Undoes exactly this edit. Nothing changes if it is confirmed or rolled back already, or if later edits
  /// of the row hide it.
  mutating func rollback(_ id: EditID) -> ListChange {
    guard let row = edits.row(of: id) else { return ListChange() }
    var chain = edits[row]
    guard let at = chain.firstIndex(where: { $0.id == id }) else { return ListChange() }
    let undone = chain.remove(at: at)
    edits[row] = chain
    let later = chain.indices.filter { $0 >= at }
    switch undone.edit {
    case .insert:
      edits.forget(row)
      guard let place = place(of: row) else { return ListChange() }
      removeRow(place)
      return ListChange(removed: [place.position..<place.position + 1])
    case .update:
      if let next = later.first(where: { chain[$0].savesContent }) {
        edits[row][next].item = undone.item
        return ListChange()
      }
      guard let item = undone.item, let place = place(of: row) else { return ListChange() }
      return updateRow(place, with: item)
    case .move:
      if let next = later.first(where: { chain[$0].savesPlace }) {
        edits[row][next].spot = undone.spot
        return ListChange()
      }
      guard let place = place(of: row) else { return ListChange() }
      if let spot = undone.spot { return moveRow(place, id: row, to: spot) }
      // Its page was reloaded without it, so only the move kept it.
      guard !edits.isInserting(row) else { return ListChange() }
      removeRow(place)
      return ListChange(removed: [place.position..<place.position + 1])
    case .remove:
      guard let spot = undone.spot ?? spotOfInsertion(of: row), !contains(row),
        let position = insertRow(undone.item, id: row, at: spot)
      else { return ListChange() }
      return ListChange(inserted: [position..<position + 1])
    }
  }

  /// The place for a local row whose place is gone.
  private func spotOfInsertion(of row: RowID) -> RowSpot? {
    guard case .insert(_, _, let place)? = edits[row].first?.edit else { return nil }
    return (try? spot(at: place)) ?? (try? spot(at: .end))
  }
}

/// Changes of single rows, for edits and rollbacks.
extension ListStore {
  /// The place of a row, to find it again.
  func spot(of row: RowPlace<Item>) -> RowSpot {
    let after = row.index > 0 ? row.page.page.ids?[row.index - 1] : nil
    return RowSpot(page: row.page.page.id, after: after, index: row.index)
  }

  /// Inserts a row into a page and returns its position. Without an item, or in an evicted page, the row is
  /// a placeholder.
  mutating func insertRow(_ item: Item?, id: RowID, at spot: RowSpot) -> Int? {
    if tree.place(of: spot.page) == nil { insertPage(spot.page) }
    guard let place = tree.place(of: spot.page), var ids = place.page.ids else { return nil }
    var at = min(spot.index, ids.count)
    if let after = spot.after, let index = ids.firstIndex(of: after) { at = index + 1 }
    let content: StoredPage<Item>.Content
    if var items = place.page.items {
      guard let item else { return nil }
      items.insert(item, at: at)
      content = .items(items)
    } else {
      content = .evicted(count: ids.count + 1)
    }
    ids.insert(id, at: at)
    tree.replace(place.page.with(content, ids: ids))
    index.insert(id.indexHash, order: spot.page.order)
    return place.before.rows + at
  }

  /// Removes a row from its page. A page of local rows is removed with its last row.
  mutating func removeRow(_ row: RowPlace<Item>) {
    let page = row.page.page
    guard var ids = page.ids else { return }
    let id = ids.remove(at: row.index)
    index.remove(id.indexHash, order: page.id.order)
    var content = StoredPage<Item>.Content.evicted(count: ids.count)
    if var items = page.items {
      items.remove(at: row.index)
      content = .items(items)
    }
    if page.key == nil, ids.isEmpty {
      tree.remove(page.id)
    } else {
      tree.replace(page.with(content, ids: ids))
    }
  }

  /// Replaces the content of a row. A placeholder doesn't change.
  mutating func updateRow(_ row: RowPlace<Item>, with item: Item) -> ListChange {
    guard var items = row.page.page.items else { return ListChange() }
    let isChanged = isChanged(item, from: row.item)
    items[row.index] = item
    tree.replace(row.page.page.with(.items(items), ids: row.page.page.ids))
    return ListChange(updated: isChanged ? [row.position..<row.position + 1] : [])
  }

  /// Moves a row to an existing place. In an evicted page it becomes a placeholder. A placeholder is not
  /// moved to a place among items, since its own page restores it.
  mutating func moveRow(_ row: RowPlace<Item>, id: RowID, to spot: RowSpot) -> ListChange {
    let isAmongItems = tree.place(of: spot.page)?.page.isLoaded ?? true
    guard row.item != nil || !isAmongItems else { return ListChange() }
    removeRow(row)
    guard let to = insertRow(row.item, id: id, at: spot) else { return ListChange() }
    var change = ListChange()
    if to != row.position { change.moved = [.init(from: row.position, to: to)] }
    let isLost = row.item != nil && tree.place(of: spot.page)?.page.isLoaded == false
    if isLost { change.updated = [to..<to + 1] }
    return change
  }

  /// The current place for an edit. At an end of the list where no page can take the row, a page of local
  /// rows is created.
  func spot(at place: ListEdit<Item>.Place) throws(ListEditError) -> RowSpot {
    switch place {
    case .start:
      if let first = tree.first, first.items != nil, first.ids != nil {
        return RowSpot(page: first.id, after: nil, index: 0)
      }
      return RowSpot(page: pageBefore, after: nil, index: 0)
    case .end:
      if let last = tree.last, last.items != nil, let ids = last.ids {
        return RowSpot(page: last.id, after: ids.last, index: ids.count)
      }
      return RowSpot(page: pageAfter, after: nil, index: 0)
    case .after(let id):
      let row = try loadedRow(id)
      return RowSpot(page: row.page.page.id, after: id, index: row.index + 1)
    case .before(let id):
      return spot(of: try loadedRow(id))
    }
  }

  /// Returns the row with this id, which must not be a placeholder.
  func loadedRow(_ id: RowID) throws(ListEditError) -> RowPlace<Item> {
    let row = try row(id)
    guard row.page.page.isLoaded else { throw .notLoaded(id) }
    return row
  }

  /// Returns the row with this id.
  func row(_ id: RowID) throws(ListEditError) -> RowPlace<Item> {
    guard let row = place(of: id) else {
      if let other = edits.replaced[id] { throw .replaced(id, by: other) }
      throw edits.isRemoving(id) ? .beingRemoved(id) : .unknownRow(id)
    }
    return row
  }

  private mutating func insertPage(_ id: PageID) {
    tree.insert(StoredPage(id: id, key: nil, content: .items([]), ids: []))
  }
}

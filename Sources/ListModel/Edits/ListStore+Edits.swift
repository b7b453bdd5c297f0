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

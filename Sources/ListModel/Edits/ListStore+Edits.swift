/// Edits of the program: an overlay that stays as loads come and go, until each is confirmed or rolled
/// back.
///
/// - A row that is being removed is left out of the pages that bring it.
/// - A row with a pending update keeps it; what the server sends is what a rollback gives.
/// - A row that was inserted and then comes from the server is the server's from then on: it has the
///   server's content and stays where it is, until a refresh puts it where the server has it.
/// - A refresh brings the server's rows, and pending edits are made again on them. What they named may
///   be gone: a row inserted beside it goes to the end, a row moved there stays where the server has it.
extension ListStore {
  /// Makes an edit, or says why it can't be made.
  mutating func apply(
    _ edit: ListEdit<Item>
  ) throws(ListEditError) -> (id: EditID, change: ListChange) {
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
        // The row is still counted where it was; behind itself is where it is.
        if spot.page == home.page {
          if spot.after == id { spot.after = home.after }
          if spot.index > home.index { spot.index -= 1 }
        }
        change = moveRow(row, id: id, to: spot)
      }
      return (edits.add(edit, spot: home), change)
    }
  }

  /// The server has made the edit too: nothing changes, and there is no way back. Earlier edits of the
  /// same kind on the same row are overtaken by it and settled with it.
  mutating func confirm(_ id: EditID) {
    guard let row = edits.row(of: id) else { return }
    var chain = edits[row]
    guard let at = chain.firstIndex(where: { $0.id == id }) else { return }
    let confirmed = chain[at]
    if confirmed.isRemoval {
      chain = []
    } else {
      let isUpdate = confirmed.isUpdate
      let isMove = confirmed.isMove
      let overtaken = chain[...at].filter { isUpdate && $0.isUpdate || isMove && $0.isMove }.map(
        \.id)
      chain.removeAll { $0.id == id || overtaken.contains($0.id) }
    }
    edits[row] = chain
  }

  /// Undoes exactly this edit, whatever happened since. Nothing changes when it is settled already, or
  /// when later edits of the row hide it.
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
      if let next = later.first(where: { chain[$0].knowsContent }) {
        edits[row][next].item = undone.item
        return ListChange()
      }
      guard let item = undone.item, let place = place(of: row) else { return ListChange() }
      return updateRow(place, with: item)
    case .move:
      if let next = later.first(where: { chain[$0].knowsPlace }) {
        edits[row][next].spot = undone.spot
        return ListChange()
      }
      guard let place = place(of: row) else { return ListChange() }
      if let spot = undone.spot { return moveRow(place, id: row, to: spot) }
      // Its page came again without it, so only the move kept it.
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

  /// Where a row goes that only the program has, when its place is gone.
  private func spotOfInsertion(of row: RowID) -> RowSpot? {
    guard case .insert(_, _, let place)? = edits[row].first?.edit else { return nil }
    return (try? spot(at: place)) ?? (try? spot(at: .end))
  }
}

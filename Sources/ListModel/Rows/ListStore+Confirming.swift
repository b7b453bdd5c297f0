internal import ListReading

/// Confirmations with the row that the server made of an edit.
///
/// - The row stays where it is, and gets the content and the id of the server's row.
/// - If the list already has that row from a page, the edited row goes away and the row of the page stays: its
///   place is the server's, other edits may name it, and a refresh would move the row there anyway. A
///   pending move of the edited row is kept, so that the row takes that place.
/// - Later edits of the row stay pending on the server's row.
extension ListStore {
  /// Confirms an edit with the server's row.
  ///
  /// - Parameters:
  ///   - id: The edit.
  ///   - item: The server's row.
  ///   - other: The id of the server's row.
  /// - Returns: The edit, if the server changed a row with it and no page has shown that yet, and the change.
  @discardableResult
  mutating func confirm(
    _ id: EditID, as item: Item, id other: RowID
  ) -> (edit: ListEdit<Item>?, change: ListChange) {
    guard let row = edits.row(of: id),
      let isRemoval = edits[row].first(where: { $0.id == id })?.isRemoval
    else { return (nil, ListChange()) }
    let edit = confirm(id)
    if isRemoval { return (edit, ListChange()) }
    // The server has the row, whichever of its edits is confirmed first.
    edits.confirmInsertion(row)
    guard row != other else {
      edits.setContent(item, of: row)
      // An edit of the content stays visible.
      guard edits.content(of: row) == nil, let place = place(of: row) else {
        return (edit, ListChange())
      }
      return (edit, updateRow(place, with: item))
    }
    let isFromPage =
      (contains(other) || edits.isRemoving(other)) && !edits.isInserting(other)
    edits.confirmInsertion(other)
    return (isFromPage ? nil : edit, replace(row, by: other, item))
  }

  /// Puts the server's row in the place of a row.
  private mutating func replace(_ row: RowID, by other: RowID, _ item: Item) -> ListChange {
    let isMoved = edits.isPlaced(row)
    let (place, otherPlace) = (place(of: row), self.place(of: other))
    let draft = place.map(spot(of:))
    var home = otherPlace.map(spot(of:)) ?? edits.home(of: other)
    if let draft, home?.after == row { home?.after = draft.after }
    if let draft, let at = home?.index, home?.page == draft.page, draft.index < at {
      home?.index = at - 1
    }
    edits.rename(row, to: other)
    edits.setContent(item, of: other)
    if let home { edits.setHome(home, of: other, movedTo: isMoved ? draft : nil) }

    if edits.isRemoving(other) {
      // At most one of them is there: the other one is removed already.
      guard let gone = place ?? otherPlace else { return ListChange() }
      removeRow(gone)
      return ListChange(removed: [gone.position..<gone.position + 1])
    }
    guard let otherPlace else { return place.map { rename($0, to: other, item) } ?? ListChange() }
    guard let place else {
      return updateRow(otherPlace, with: edits.content(of: other) ?? item)
    }
    return isMoved
      ? move(otherPlace, to: place, as: other, item) : remove(place, for: other, item)
  }

  /// Gives a row another id in its place.
  private mutating func rename(
    _ place: RowPlace<Item>, to other: RowID, _ item: Item
  ) -> ListChange {
    put(other, edits.content(of: other) ?? item, at: place)
    let rows = [place.position..<place.position + 1]
    return ListChange(removed: rows, inserted: rows)
  }

  /// Removes a row whose server's row is in the list already.
  private mutating func remove(
    _ place: RowPlace<Item>, for other: RowID, _ item: Item
  ) -> ListChange {
    removeRow(place)
    let row = self.place(of: other)
    var change = row.map { updateRow($0, with: edits.content(of: other) ?? item) } ?? ListChange()
    change.removed = [place.position..<place.position + 1]
    return change
  }

  /// Moves the server's row to the place of a row that goes away.
  private mutating func move(
    _ from: RowPlace<Item>, to place: RowPlace<Item>, as other: RowID, _ item: Item
  ) -> ListChange {
    let content = edits.content(of: other) ?? item
    let isChanged = isChanged(content, from: from.item)
    removeRow(from)
    // Its index is another one if both rows were in one page.
    guard let id = place.page.page.ids?[place.index], let now = self.place(of: id) else {
      return ListChange()
    }
    put(other, content, at: now)
    var change = ListChange(removed: [place.position..<place.position + 1])
    if abs(from.position - place.position) > 1 {
      change.moved = [.init(from: from.position, to: now.position)]
    }
    if isChanged { change.updated = [now.position..<now.position + 1] }
    return change
  }

  /// Replaces a row by another one.
  private mutating func put(_ id: RowID, _ item: Item, at place: RowPlace<Item>) {
    let page = place.page.page
    guard var ids = page.ids else { return }
    index.remove(ids[place.index].indexHash, order: page.id.order)
    index.insert(id.indexHash, order: page.id.order)
    ids[place.index] = id
    var content = page.content
    if var items = page.items {
      items[place.index] = item
      content = .items(items)
    }
    tree.replace(page.with(content, ids: ids))
  }
}

extension ListStore {
  /// Makes confirmed edits pending while a page arrives that may be from before them, so that it doesn't undo
  /// them. ``confirm(_:)`` ends that.
  mutating func makePending(_ confirmed: [RowID: ConfirmedEdit]) -> [EditID] {
    let removed = confirmed.filter { $0.value == .removed }.keys.filter {
      !contains($0) && edits[$0].isEmpty
    }
    let places = confirmed.filter { $0.value != .removed }.compactMap { id, edit in
      place(of: id).map { (edit: edit, place: $0) }
    }
    return removed.map { edits.add(.remove($0)) }
      + places.sorted { $0.place.position < $1.place.position }.compactMap { edit, row in
        guard let item = row.item, let id = row.page.page.ids?[row.index] else { return nil }
        if edit == .updated {
          return edits.content(of: id) == nil ? edits.add(.update(id, item), item: item) : nil
        }
        let place = self.id(atRow: row.position - 1).map { ListEdit<Item>.Place.after($0) }
        return edits.addInsertion(of: item, id, at: place ?? .start)
      }
  }

  func id(atRow position: Int) -> RowID? {
    guard let place = tree.place(at: position, by: .rows) else { return nil }
    return place.page.ids?[position - place.before.rows]
  }
}

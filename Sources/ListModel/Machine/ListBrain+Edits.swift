internal import ServerAPI

/// Edits, and where the list continues after they moved the rows of the server.
extension ListBrain {
  mutating func edit(
    _ edit: ListEdit<Item>
  ) throws(ListEditError) -> (id: EditID, effects: [ListEffect]) {
    let made = try store.apply(edit)
    visible = made.change.moving(visible)
    if edit.changesCount, let frontier = machine.frontier { frontiers[made.id] = frontier }
    return (made.id, notice(of: made.change))
  }

  /// Confirms an edit.
  mutating func confirm(_ id: EditID) -> [ListEffect] {
    let frontier = frontiers.removeValue(forKey: id)
    if let edit = store.confirm(id) {
      didConfirm(edit, frontier)
      if edit.isInsertion { noteInsertion(of: edit.row) }
    }
    return []
  }

  /// Confirms an edit with the row that the server made of it.
  mutating func confirm(_ id: EditID, as item: Item, id row: RowID) -> [ListEffect] {
    let frontier = frontiers.removeValue(forKey: id)
    let (edit, change) = store.confirm(id, as: item, id: row)
    if change.removed != change.inserted { visible = change.moving(visible) }
    if let edit {
      didConfirm(edit, frontier)
      if edit.isInsertion { noteInsertion(of: row) }
    }
    let rows = receivedRows
    machine.extent?.account.rows = rows
    return notice(of: change)
  }

  /// Where pages are counted, the rows behind a confirmed edit have moved on the server, so that the list
  /// continues at another page than the last response said.
  private mutating func didConfirm(_ edit: ListEdit<Item>, _ frontier: PageKey?) {
    switch edit {
    case .remove:
      machine.extent?.account.expect(-1)
      if let frontier, frontier.place.isCounted { rowsMovedUp(from: frontier) }
    case .insert(_, _, let place):
      machine.extent?.account.expect(1)
      // Pages that arrived meanwhile may be from before or after the insertion. A row that they have twice
      // is dropped; one that is left out would be missing.
      if let frontier, frontier == machine.frontier, machine.state(of: .next) != .loading,
        place != .end, let next = frontier.moved(by: 1)
      {
        continueAt(next)
        frontiers = frontiers.mapValues { $0.moved(by: 1) ?? $0 }
      }
    case .update, .move: break
    }
    let rows = receivedRows
    machine.extent?.account.rows = rows
  }

  /// Notes a confirmed insertion for the requests that are in flight. A page by number has other rows anyway.
  private mutating func noteInsertion(of row: RowID) {
    let requests = machine.runningLoads.map(\.running)
    insertedMeanwhile = insertedMeanwhile.filter { number, _ in
      requests.contains { $0.number == number }
    }
    for request in requests {
      if case .page = request.kind { continue }
      insertedMeanwhile[request.number, default: []].insert(row)
    }
  }

  /// The pages of the rows whose insertion a response in flight may lack.
  var pagesOfInsertedRows: [PageID] {
    insertedMeanwhile.filter { kind(of: $0.key) != nil }.values.joined()
      .compactMap { store.place(of: $0)?.page.page.id }
  }

  /// Keeps the rows that were inserted since a request was sent while its response joins the list.
  mutating func keepInserted(during number: Int) -> [EditID] {
    insertedMeanwhile[number].map { store.keepLocal($0) } ?? []
  }

  mutating func rollback(_ id: EditID) -> [ListEffect] {
    frontiers[id] = nil
    let change = store.rollback(id)
    visible = change.moving(visible)
    return notice(of: change)
  }

  /// A row was removed before this page, so that its first row has moved to the page before. Pages that
  /// arrived since the edit was made may have been requested too late to have it.
  private mutating func rowsMovedUp(from frontier: PageKey) {
    if let next = frontier.moved(by: -1) {
      continueAt(next)
      frontiers = frontiers.mapValues { $0.moved(by: -1) ?? $0 }
    } else {
      movedUp[frontier, default: 0] += 1
      if let before = store.key(before: frontier, rows: movedUp[frontier, default: 0]) {
        continueAt(before)
      }
    }
  }

  private mutating func continueAt(_ key: PageKey) {
    guard let extent = machine.extent else { return }
    // A list that has all rows stays complete.
    if extent.next == .end, extent.account.lowestTotal != nil, extent.end(of: .next) == .complete {
      return
    }
    machine.redirect(to: key)
  }
}

extension ListEdit {
  fileprivate var isInsertion: Bool { if case .insert = self { true } else { false } }

  fileprivate var changesCount: Bool {
    switch self {
    case .insert, .remove: true
    case .update, .move: false
    }
  }
}

extension PageKey {
  /// The same page after rows before it were inserted or removed; `nil` where its place is not an offset.
  fileprivate func moved(by rows: Int) -> PageKey? {
    guard case .offset(let offset) = place else { return nil }
    var key = self
    key.place = .offset(max(0, offset.plus(rows)))
    return key
  }
}

internal import ListReading
internal import ServerAPI

/// Edits, and where the list continues after they moved the rows of the server.
extension ListBrain {
  /// Makes an edit.
  ///
  /// - Parameter identity: Returns the id of an item. Without it, the item of an update is not checked.
  mutating func edit(
    _ edit: ListEdit<Item>, identity: ((Item) -> RowID)? = nil
  ) throws(ListEditError) -> (id: EditID, effects: [ListEffect]) {
    if let identity { try store.checkUpdate(edit, identity: identity) }
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
      if case .insert = edit { machine.extent?.ownRows.insert(edit.row) }
      note(edit, of: edit.row)
    }
    return goOnWithoutEdits()
  }

  /// Confirms an edit with the row that the server made of it.
  mutating func confirm(_ id: EditID, as item: Item, id row: RowID) -> [ListEffect] {
    // The server has made the row of a draft, whichever edit of it is confirmed first.
    let draft = store.edits.row(of: id).flatMap { store.edits[$0].first { $0.isInsertion } }
    let frontier = frontiers.removeValue(forKey: draft?.id ?? id)
    let (edit, change) = store.confirm(id, as: item, id: row)
    if change.removed != change.inserted { visible = change.moving(visible) }
    if let edit {
      let made = draft?.edit ?? edit
      didConfirm(made, frontier)
      if case .insert = made { machine.extent?.ownRows.insert(row) }
      note(made, of: row)
    }
    if draft != nil {
      let rows = receivedRows
      machine.extent?.reading.account.recount(rows)
    }
    return notice(of: change) + goOnWithoutEdits()
  }

  /// Goes on with a deep refresh that has waited for the last pending edit.
  private mutating func goOnWithoutEdits() -> [ListEffect] { store.edits.isEmpty ? machine.resumeDeep() : [] }

  /// Where pages are counted, the rows after a confirmed edit have moved on the server, so that the list
  /// continues at another page than the last response said.
  private mutating func didConfirm(_ edit: ListEdit<Item>, _ frontier: PageKey?) {
    switch edit {
    case .remove:
      machine.extent?.reading.account.expect(-1)
      machine.extent?.moveGaps(by: -1)
      if let frontier, frontier.place.isCounted { rowsMovedUp(from: frontier) }
    case .insert(_, _, let place):
      machine.extent?.reading.account.expect(1)
      // Pages that arrived meanwhile may be from before or after the insertion. A row that they have twice
      // is dropped; one that is left out would be missing.
      if let frontier, frontier == machine.frontier, machine.state(of: .next) != .loading,
        place != .end, let next = frontier.moved(by: 1)
      {
        continueAt(next)
        frontiers = frontiers.mapValues { $0.moved(by: 1) ?? $0 }
      }
    case .update, .move: return
    }
    let rows = receivedRows
    machine.extent?.reading.account.recount(rows)
  }

  /// Notes a confirmed edit for the requests that are in flight.
  private mutating func note(_ edit: ListEdit<Item>, of row: RowID) {
    guard let confirmed = ConfirmedEdit(edit) else { return }
    let requests = machine.runningLoads.map(\.running)
    confirmedMeanwhile = confirmedMeanwhile.filter { number, _ in
      requests.contains { $0.number == number }
    }
    for request in requests {
      // A page by number has other rows anyway.
      if case .page = request.kind, confirmed == .inserted { continue }
      let before = confirmedMeanwhile[request.number, default: [:]][row]
      confirmedMeanwhile[request.number, default: [:]][row] = confirmed.following(before)
    }
  }

  /// The pages of the rows that a response in flight may lack, or have from before an edit.
  var pagesOfConfirmedRows: [PageID] {
    confirmedMeanwhile.filter { kind(of: $0.key) != nil }.values.flatMap(\.keys)
      .compactMap { store.place(of: $0)?.page.page.id }
  }

  /// Reopens the edits that were confirmed after a request was sent, until its response has joined the list.
  mutating func beginArrival(of number: Int) -> [EditID] {
    confirmedMeanwhile[number].map { store.makePending($0) } ?? []
  }

  /// Confirms these edits again, except removals of rows that the page has, and returns those.
  mutating func endArrival(_ edits: [EditID]) -> [EditID] {
    edits.filter { edit in
      if store.edits.hasPlace(ofRemoval: edit) { return true }
      store.confirm(edit)
      return false
    }
  }

  /// Confirms removals of rows that a page had.
  mutating func settle(_ removals: [EditID], _ placement: PagePlacement) {
    for removal in removals {
      guard let edit = store.confirm(removal), placement == .all else { continue }
      // The rows after it have moved up since the response. At other places the list has moved on by it already.
      didConfirm(edit, machine.frontier)
    }
    guard !removals.isEmpty, placement != .all else { return }
    let rows = receivedRows
    machine.extent?.reading.account.recount(rows)
  }

  mutating func rollback(_ id: EditID) -> [ListEffect] {
    frontiers[id] = nil
    let change = store.rollback(id)
    visible = change.moving(visible)
    return notice(of: change) + goOnWithoutEdits()
  }

  /// A row was removed before this page, so that its first row has moved to the page before. Pages that
  /// arrived since the edit was made may have been requested too late to have it.
  private mutating func rowsMovedUp(from frontier: PageKey) {
    if let next = machine.frontier, machine.extent?.reading.overlap(before: next) != nil {
      return machine.shiftNext(by: -1)
    }
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
    if extent[.next] == .end, extent.reading.hasTotal || extent.reading.showsSeams,
      extent.end(of: .next) == .complete
    {
      return
    }
    machine.redirect(to: key)
  }
}

extension ListEdit {
  fileprivate var changesCount: Bool {
    switch self {
    case .insert, .remove: true
    case .update, .move: false
    }
  }
}

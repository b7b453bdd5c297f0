internal import ListModel
public import ListReading

extension CellKinds.Rules {
  /// Returns the handler of an action; `nil` if the rules have none.
  fileprivate func handler(
    of action: RowAction
  ) -> (@MainActor @Sendable (Item, RowPosition) -> Void)? {
    switch action {
    case .select: select
    case .deselect: deselect
    case .insert, .delete, .move, .swipe, .show, .hide, .custom: nil
    }
  }
}

extension ListController {
  /// Handles the selection of a row. The row is deselected first, whether or not a handler follows, unless
  /// ``ListController/Settings/deselectsAfterSelection`` is `false`.
  @discardableResult public func select(_ position: RowPosition) -> RowAction.Reply {
    guard sections.row(at: position) != nil else { return .noRow }
    // A handler may move the row.
    if settings.deselectsAfterSelection { view?.deselect(position) }
    return act(.select, at: position)
  }

  /// Handles the deselection of a row.
  @discardableResult public func deselect(_ position: RowPosition) -> RowAction.Reply {
    act(.deselect, at: position)
  }

  /// Returns the edit that a row offers: ``RowAction/insert``, ``RowAction/delete`` or `nil` for none. When the user
  /// confirms it, pass it to ``act(_:at:)``.
  public func editing(at position: RowPosition) -> RowAction? {
    guard let row = sections.row(at: position) else { return nil }
    return delegate?.editing(of: row.item, at: position)
  }

  /// Returns whether a row can be moved.
  public func canMove(_ position: RowPosition) -> Bool {
    guard let row = sections.row(at: position) else { return false }
    return delegate?.canMove(row.item, at: position) ?? false
  }

  /// Handles a row that was moved in the view. If no handler handles it, the view replaces all its rows at once.
  /// Otherwise it gets the rows when the list has changed: by ``ListView/applyMove(_:commit:)`` if that is the move
  /// alone, else by ``ListView/replaceAll(commit:)``.
  @discardableResult
  public func move(from old: RowPosition, to new: RowPosition) -> RowAction.Reply {
    let room = sections.section(at: new.section).map {
      old.section == new.section ? 0..<$0.rows.count : 0..<$0.rows.count + 1
    }
    movedRow = MovedRow(from: old, to: new)
    let reply = room?.contains(new.row) == true ? act(.move(to: new), at: old) : .noRow
    if case .handled = reply { return reply }
    movedRow = nil
    view?.replaceAll {}
    return reply
  }

  /// Returns the swipe actions of a row.
  public func swipeActions(at position: RowPosition, on edge: RowAction.Swipe.Edge) -> [RowAction
    .Swipe]
  {
    guard let row = sections.row(at: position) else { return [] }
    return delegate?.swipeActions(for: row.item, at: position, on: edge) ?? []
  }

  /// Sends an action on the row with this id, wherever it is now; for the buttons of a cell.
  @discardableResult public func act(_ action: RowAction, on id: RowID) -> RowAction.Reply {
    position(of: id).map { act(action, at: $0) } ?? .noRow
  }

  /// Sends an action on a row to the delegate, then to the rules of its kind (``CellKinds/Rules``), then to the
  /// handlers in ``actions``, until one handles it. If none does, ``onUnhandled`` is called. Selecting a gap loads it.
  @discardableResult public func act(_ action: RowAction, at position: RowPosition)
    -> RowAction.Reply
  {
    guard let row = sections.row(at: position) else { return .noRow }
    if delegate?.handle(action, on: row.item, at: position) == true {
      return .handled(by: "delegate")
    }
    if let item = row.item {
      let kind = kinds.kind(of: item)
      if let handler = kinds.rules(of: kind, for: item)?.handler(of: action) {
        handler(item, position)
        return .handled(by: "kind \(kind)")
      }
    }
    if action == .select, loadGap(at: position) { return .handled(by: "list") }
    let reply = actions.handle(action, on: row.item, at: position)
    switch action {
    case .show, .hide, .deselect: break  // These need no handler.
    default: if reply == .unhandled { onUnhandled?(action, row.item, position) }
    }
    return reply
  }
}

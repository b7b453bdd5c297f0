internal import ListModel

extension ListController {
  /// A row was selected. Its mark goes, whoever deals with it, or nobody, unless
  /// ``ListController/Settings/deselectsAfterSelection`` says otherwise.
  @discardableResult public func select(_ position: RowPosition) -> RowReply {
    guard sections.row(at: position) != nil else { return .noRow }
    // Whoever deals with it may move the row.
    if settings.deselectsAfterSelection { view?.deselect(position) }
    return act(.select, at: position)
  }

  /// A row is selected no more.
  @discardableResult public func deselect(_ position: RowPosition) -> RowReply {
    act(.deselect, at: position)
  }

  /// What editing a row means.
  public func editing(at position: RowPosition) -> RowEditing {
    guard let row = sections.row(at: position) else { return .none }
    return delegate?.editing(of: row.item, at: position) ?? .none
  }

  /// Inserting at a row, or deleting it, was confirmed.
  @discardableResult
  public func commit(_ editing: RowEditing, at position: RowPosition) -> RowReply {
    switch editing {
    case .none: .unhandled
    case .insert: act(.insert, at: position)
    case .delete: act(.delete, at: position)
    }
  }

  /// Whether a row may be moved.
  public func canMove(_ position: RowPosition) -> Bool {
    guard let row = sections.row(at: position) else { return false }
    return delegate?.canMove(row.item, at: position) ?? false
  }

  /// A row was moved in the view. Where nobody deals with that, the view gets all rows as they are; else
  /// it gets them when the list has moved the row too.
  @discardableResult
  public func move(from old: RowPosition, to new: RowPosition) -> RowReply {
    let room = sections.section(at: new.section).map {
      old.section == new.section ? 0..<$0.rows.count : 0..<$0.rows.count + 1
    }
    isMovedByHand = true
    let reply = room?.contains(new.row) == true ? act(.move(to: new), at: old) : .noRow
    if case .handled = reply { return reply }
    isMovedByHand = false
    view?.replaceAll {}
    return reply
  }

  /// What may be chosen when a row is swiped.
  public func swipeActions(at position: RowPosition, on edge: SwipeAction.Edge) -> [SwipeAction] {
    guard let row = sections.row(at: position) else { return [] }
    return delegate?.swipeActions(for: row.item, at: position, on: edge) ?? []
  }

  /// Something was done to a row. It is offered to the delegate, then to ``actions``, until one of them deals
  /// with it; ``onUnhandled`` is told where none does.
  @discardableResult public func act(_ action: RowAction, at position: RowPosition) -> RowReply {
    guard let row = sections.row(at: position) else { return .noRow }
    let event = RowEvent(action, of: row.item, at: position)
    if delegate?.handle(event) == true { return .handled(by: "delegate") }
    let reply = actions.handle(event)
    switch action {
    case .show, .hide, .deselect: break  // Nobody has to care.
    default: if reply == .unhandled { onUnhandled?(event) }
    }
    return reply
  }
}

internal import ListModel

extension ListController {
  /// A row was selected. Its mark goes, whoever deals with it, or nobody, unless
  /// ``ListControllerSettings/deselectsAfterSelection`` says otherwise.
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
    guard let row = sections.row(at: position), let delegate else { return .none }
    guard let item = row.item else { return delegate.editingOfRow(at: position) }
    return delegate.editing(of: item, at: position)
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
    guard let row = sections.row(at: position), let delegate else { return false }
    guard let item = row.item else { return delegate.canMoveRow(at: position) }
    return delegate.canMove(item, at: position)
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
    guard let row = sections.row(at: position), let delegate else { return [] }
    guard let item = row.item else { return delegate.swipeActionsForRow(at: position, on: edge) }
    return delegate.swipeActions(for: item, at: position, on: edge)
  }

  /// Something was done to a row. It is offered to the delegate, the item, its kind and ``actions``, until
  /// one of them deals with it; ``onUnhandled`` is told where none does.
  @discardableResult public func act(_ action: RowAction, at position: RowPosition) -> RowReply {
    guard let row = sections.row(at: position) else { return .noRow }
    let event = RowEvent(action, of: row.item, at: position)
    let reply = reply(to: event)
    switch action {
    case .show, .hide, .deselect: break  // Nobody has to care.
    default: if reply == .unhandled { onUnhandled?(event) }
    }
    return reply
  }

  private func reply(to event: RowEvent<Item>) -> RowReply {
    if isHandledByDelegate(event) { return .handled(by: "delegate") }
    if event.action == .select, let item = event.item {
      if let item = item as? any CellItem, item.rowSelected(at: event.position) {
        return .handled(by: "item")
      }
      if let select = kinds.rules(of: kinds.kind(of: item), for: item)?.select,
        select(item, event.position)
      {
        return .handled(by: "kind")
      }
    }
    return actions.handle(event)
  }

  private func isHandledByDelegate(_ event: RowEvent<Item>) -> Bool {
    guard let delegate else { return false }
    let position = event.position
    guard let item = event.item else {
      return switch event.action {
      case .select: delegate.didSelectRow(at: position)
      case .deselect: delegate.didDeselectRow(at: position)
      case .insert: delegate.commitRow(.insert, at: position)
      case .delete: delegate.commitRow(.delete, at: position)
      case .move(let new): delegate.moveRow(from: position, to: new)
      case .swipe(let action): delegate.performOnRow(action, at: position)
      case .show: delegate.willShowRow(at: position)
      case .hide: delegate.didHideRow(at: position)
      case .custom: false
      }
    }
    return switch event.action {
    case .select: delegate.didSelect(item, at: position)
    case .deselect: delegate.didDeselect(item, at: position)
    case .insert: delegate.commit(.insert, of: item, at: position)
    case .delete: delegate.commit(.delete, of: item, at: position)
    case .move(let new): delegate.move(item, from: position, to: new)
    case .swipe(let action): delegate.perform(action, on: item, at: position)
    case .show: delegate.willShow(item, at: position)
    case .hide: delegate.didHide(item, at: position)
    case .custom: false
    }
  }
}

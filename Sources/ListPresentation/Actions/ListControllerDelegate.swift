/// Told what is done to rows, and asked what may be.
///
/// Each matter has two methods: one with the item, whose default hands on to the one with the position
/// only. A row that is not in memory has no item, and goes straight to the second. Methods that return a
/// `Bool` say whether they dealt with it; what nobody dealt with goes on to the item, to its kind, and to
/// ``ListController/actions``.
@MainActor public protocol ListControllerDelegate<Item>: AnyObject {
  /// What rows show.
  associatedtype Item

  /// A row was selected.
  func didSelect(_ item: Item, at position: RowPosition) -> Bool
  /// A row was selected.
  func didSelectRow(at position: RowPosition) -> Bool

  /// A row is selected no more.
  func didDeselect(_ item: Item, at position: RowPosition) -> Bool
  /// A row is selected no more.
  func didDeselectRow(at position: RowPosition) -> Bool

  /// What editing a row means.
  func editing(of item: Item, at position: RowPosition) -> RowEditing
  /// What editing a row means.
  func editingOfRow(at position: RowPosition) -> RowEditing

  /// Inserting at a row, or deleting it, was confirmed.
  func commit(_ editing: RowEditing, of item: Item, at position: RowPosition) -> Bool
  /// Inserting at a row, or deleting it, was confirmed.
  func commitRow(_ editing: RowEditing, at position: RowPosition) -> Bool

  /// Whether a row may be moved.
  func canMove(_ item: Item, at position: RowPosition) -> Bool
  /// Whether a row may be moved.
  func canMoveRow(at position: RowPosition) -> Bool

  /// A row was moved.
  func move(_ item: Item, from old: RowPosition, to new: RowPosition) -> Bool
  /// A row was moved.
  func moveRow(from old: RowPosition, to new: RowPosition) -> Bool

  /// What may be chosen when a row is swiped.
  func swipeActions(
    for item: Item, at position: RowPosition, on edge: SwipeAction.Edge
  ) -> [SwipeAction]
  /// What may be chosen when a row is swiped.
  func swipeActionsForRow(at position: RowPosition, on edge: SwipeAction.Edge) -> [SwipeAction]

  /// An action was chosen after a swipe.
  func perform(_ action: SwipeAction.ID, on item: Item, at position: RowPosition) -> Bool
  /// An action was chosen after a swipe.
  func performOnRow(_ action: SwipeAction.ID, at position: RowPosition) -> Bool

  /// A row came into sight.
  func willShow(_ item: Item, at position: RowPosition) -> Bool
  /// A row came into sight.
  func willShowRow(at position: RowPosition) -> Bool

  /// A row went out of sight.
  func didHide(_ item: Item, at position: RowPosition) -> Bool
  /// A row went out of sight.
  func didHideRow(at position: RowPosition) -> Bool
}

extension ListControllerDelegate {
  /// Hands on to the method with the position.
  public func didSelect(_ item: Item, at position: RowPosition) -> Bool {
    didSelectRow(at: position)
  }

  /// Leaves it to others.
  public func didSelectRow(at position: RowPosition) -> Bool { false }

  /// Hands on to the method with the position.
  public func didDeselect(_ item: Item, at position: RowPosition) -> Bool {
    didDeselectRow(at: position)
  }

  /// Leaves it to others.
  public func didDeselectRow(at position: RowPosition) -> Bool { false }

  /// Hands on to the method with the position.
  public func editing(of item: Item, at position: RowPosition) -> RowEditing {
    editingOfRow(at: position)
  }

  /// Can't be edited.
  public func editingOfRow(at position: RowPosition) -> RowEditing { .none }

  /// Hands on to the method with the position.
  public func commit(_ editing: RowEditing, of item: Item, at position: RowPosition) -> Bool {
    commitRow(editing, at: position)
  }

  /// Leaves it to others.
  public func commitRow(_ editing: RowEditing, at position: RowPosition) -> Bool { false }

  /// Hands on to the method with the position.
  public func canMove(_ item: Item, at position: RowPosition) -> Bool {
    canMoveRow(at: position)
  }

  /// Can't be moved.
  public func canMoveRow(at position: RowPosition) -> Bool { false }

  /// Hands on to the method with the position.
  public func move(_ item: Item, from old: RowPosition, to new: RowPosition) -> Bool {
    moveRow(from: old, to: new)
  }

  /// Leaves it to others.
  public func moveRow(from old: RowPosition, to new: RowPosition) -> Bool { false }

  /// Hands on to the method with the position.
  public func swipeActions(
    for item: Item, at position: RowPosition, on edge: SwipeAction.Edge
  ) -> [SwipeAction] {
    swipeActionsForRow(at: position, on: edge)
  }

  /// Nothing.
  public func swipeActionsForRow(
    at position: RowPosition, on edge: SwipeAction.Edge
  ) -> [SwipeAction] { [] }

  /// Hands on to the method with the position.
  public func perform(_ action: SwipeAction.ID, on item: Item, at position: RowPosition) -> Bool {
    performOnRow(action, at: position)
  }

  /// Leaves it to others.
  public func performOnRow(_ action: SwipeAction.ID, at position: RowPosition) -> Bool { false }

  /// Hands on to the method with the position.
  public func willShow(_ item: Item, at position: RowPosition) -> Bool {
    willShowRow(at: position)
  }

  /// Leaves it to others.
  public func willShowRow(at position: RowPosition) -> Bool { false }

  /// Hands on to the method with the position.
  public func didHide(_ item: Item, at position: RowPosition) -> Bool {
    didHideRow(at: position)
  }

  /// Leaves it to others.
  public func didHideRow(at position: RowPosition) -> Bool { false }
}

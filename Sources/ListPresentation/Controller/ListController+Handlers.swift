extension ListController {
  /// Handlers that are tried in order until one handles the action on a row.
  ///
  /// ```swift
  /// chain.add("favorites") { action, book, _ in
  ///   guard action == .custom("star"), let book else { return false }
  ///   star(book)
  ///   return true
  /// }
  /// ```
  @MainActor public struct Actions {
    private var links: [(name: String, handle: (RowAction, Item?, RowPosition) -> Bool)] = []

    /// Creates a chain without handlers.
    init() {}

    /// Adds a handler after all others. It returns whether it handled the action. The item is `nil` if it isn't in
    /// memory.
    public mutating func add(
      _ name: String, _ handle: @escaping (RowAction, Item?, RowPosition) -> Bool
    ) {
      links.append((name, handle))
    }

    /// Adds a handler for items of one type after all others.
    public mutating func add<Member>(
      _ name: String, for type: Member.Type,
      _ handle: @escaping (RowAction, Member, RowPosition) -> Bool
    ) {
      add(name) { action, item, position in
        (item as? Member).map { handle(action, $0, position) } ?? false
      }
    }

    /// Removes the handlers with a name.
    public mutating func remove(_ name: String) { links.removeAll { $0.name == name } }

    /// Calls the handlers in order until one handles the action.
    func handle(_ action: RowAction, on item: Item?, at position: RowPosition) -> RowAction.Reply {
      for link in links where link.handle(action, item, position) {
        return .handled(by: link.name)
      }
      return .unhandled
    }
  }
}

/// Handles actions on rows, and decides which actions are allowed.
///
/// A row that isn't in memory has no item. Actions that the delegate doesn't handle go on to
/// ``ListController/actions``.
///
/// ```swift
/// func handle(_ action: RowAction, on book: Book?, at position: RowPosition) -> Bool {
///   guard action == .select, let book else { return false }
///   open(book)
///   return true
/// }
/// ```
@MainActor public protocol ListControllerDelegate<Item>: AnyObject {
  /// The item of a row.
  associatedtype Item

  /// Handles an action on a row. Returns whether it did; if not, other handlers are tried.
  func handle(_ action: RowAction, on item: Item?, at position: RowPosition) -> Bool
  /// Returns the edit that a row offers: ``RowAction/insert``, ``RowAction/delete`` or `nil` for none.
  func editing(of item: Item?, at position: RowPosition) -> RowAction?
  /// Returns whether a row can be moved.
  func canMove(_ item: Item?, at position: RowPosition) -> Bool
  /// Returns the swipe actions of a row.
  func swipeActions(
    for item: Item?, at position: RowPosition, on edge: RowAction.Swipe.Edge
  ) -> [RowAction.Swipe]
}

extension ListControllerDelegate {
  /// Returns `false`: other handlers are tried.
  public func handle(_ action: RowAction, on item: Item?, at position: RowPosition) -> Bool {
    false
  }
  /// Returns `nil`.
  public func editing(of item: Item?, at position: RowPosition) -> RowAction? { nil }
  /// Returns `false`.
  public func canMove(_ item: Item?, at position: RowPosition) -> Bool { false }
  /// Returns no actions.
  public func swipeActions(
    for item: Item?, at position: RowPosition, on edge: RowAction.Swipe.Edge
  ) -> [RowAction.Swipe] { [] }
}

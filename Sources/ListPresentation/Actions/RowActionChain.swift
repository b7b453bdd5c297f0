/// Handlers that are tried one after the other, until one deals with what was done to a row.
///
/// ```swift
/// chain.add("favourites") { event in
///   guard event.action == .custom("star"), let book = event.item else { return false }
///   star(book)
///   return true
/// }
/// ```
@MainActor public struct RowActionChain<Item> {
  private var links: [(name: String, handle: (RowEvent<Item>) -> Bool)] = []

  /// No handlers.
  public init() {}

  /// Adds a handler behind all others.
  public mutating func add(_ name: String, _ handle: @escaping (RowEvent<Item>) -> Bool) {
    links.append((name, handle))
  }

  /// Adds a handler for items of one type behind all others.
  public mutating func add<Member>(
    _ name: String, for type: Member.Type,
    _ handle: @escaping (Member, RowEvent<Item>) -> Bool
  ) {
    add(name) { event in (event.item as? Member).map { handle($0, event) } ?? false }
  }

  /// Takes handlers out by their name.
  public mutating func remove(_ name: String) { links.removeAll { $0.name == name } }

  /// Asks one after the other.
  public func handle(_ event: RowEvent<Item>) -> RowReply {
    for link in links where link.handle(event) { return .handled(by: link.name) }
    return .unhandled
  }
}

/// Told what is done to rows, and asked what may be.
///
/// A row that is not in memory has no item. What the delegate does not deal with goes on to
/// ``ListController/actions``.
///
/// ```swift
/// func handle(_ event: RowEvent<Book>) -> Bool {
///   guard event.action == .select, let book = event.item else { return false }
///   open(book)
///   return true
/// }
/// ```
@MainActor public protocol ListControllerDelegate<Item>: AnyObject {
  /// What rows show.
  associatedtype Item

  /// Something was done to a row. Says whether that is all there is to do.
  func handle(_ event: RowEvent<Item>) -> Bool
  /// What editing a row means.
  func editing(of item: Item?, at position: RowPosition) -> RowEditing
  /// Whether a row may be moved.
  func canMove(_ item: Item?, at position: RowPosition) -> Bool
  /// What may be chosen when a row is swiped.
  func swipeActions(
    for item: Item?, at position: RowPosition, on edge: SwipeAction.Edge
  ) -> [SwipeAction]
}

extension ListControllerDelegate {
  /// Leaves it to others.
  public func handle(_ event: RowEvent<Item>) -> Bool { false }
  /// Can't be edited.
  public func editing(of item: Item?, at position: RowPosition) -> RowEditing { .none }
  /// Can't be moved.
  public func canMove(_ item: Item?, at position: RowPosition) -> Bool { false }
  /// Nothing.
  public func swipeActions(
    for item: Item?, at position: RowPosition, on edge: SwipeAction.Edge
  ) -> [SwipeAction] { [] }
}

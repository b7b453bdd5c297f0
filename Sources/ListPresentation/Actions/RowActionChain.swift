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

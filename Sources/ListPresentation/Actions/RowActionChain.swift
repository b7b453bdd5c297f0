/// Deals with what is done to rows, or leaves it to the next one.
@MainActor public protocol RowActionHandler<Item>: AnyObject {
  /// What rows show.
  associatedtype Item
  /// Says whether it dealt with the event.
  func handle(_ event: RowEvent<Item>) -> Bool
}

/// Handlers that are tried one after the other, until one deals with what was done.
///
/// ```swift
/// chain.add("favourites") { event in
///   guard event.action == .custom("star"), let book = event.item else { return false }
///   star(book)
///   return true
/// }
/// ```
@MainActor public struct RowActionChain<Item> {
  private enum Link {
    case closure(String, (RowEvent<Item>) -> Bool)
    case object(String, () -> (any RowActionHandler<Item>)?)

    var name: String {
      switch self {
      case .closure(let name, _), .object(let name, _): name
      }
    }
  }

  private var links: [Link] = []

  /// No handlers.
  public init() {}

  /// Adds a handler behind all others.
  public mutating func add(_ name: String, _ handle: @escaping (RowEvent<Item>) -> Bool) {
    links.append(.closure(name, handle))
  }

  /// Adds an object behind all others; it is not kept alive.
  public mutating func add(_ name: String, _ handler: some RowActionHandler<Item>) {
    links.removeAll { if case .object(_, let object) = $0 { object() == nil } else { false } }
    links.append(.object(name) { [weak handler] in handler })
  }

  /// Takes handlers out by their name.
  public mutating func remove(_ name: String) { links.removeAll { $0.name == name } }

  /// Asks one after the other.
  public func handle(_ event: RowEvent<Item>) -> RowReply {
    for link in links {
      let isHandled =
        switch link {
        case .closure(_, let handle): handle(event)
        case .object(_, let handler): handler()?.handle(event) ?? false
        }
      if isHandled { return .handled(by: link.name) }
    }
    return .unhandled
  }
}

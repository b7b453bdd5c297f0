internal import ItemMapping

/// How a list tells whether two items are the same row.
///
/// ```swift
/// ListModel<Book>(
///   server, Call("/books"), reading: .items(), paging: .link, identity: .by(\.isbn))
/// ```
///
/// Items that are `Identifiable` say it themselves.
public struct ItemIdentity<Item>: Sendable {
  /// The id of an item; absent where items can't be told apart.
  package let id: (@Sendable (Item) -> RowID)?

  /// Items with equal values there are the same row.
  public static func by<ID: Hashable & Sendable>(
    _ keyPath: any KeyPath<Item, ID> & Sendable
  ) -> ItemIdentity {
    ItemIdentity { RowID($0[keyPath: keyPath]) }
  }

  /// Items for which the closure gives equal values are the same row.
  public static func by<ID: Hashable & Sendable>(
    _ id: @escaping @Sendable (Item) -> ID
  ) -> ItemIdentity {
    ItemIdentity { RowID(id($0)) }
  }

  /// Every item is a row of its own. Duplicates are not noticed then.
  public static var none: ItemIdentity { ItemIdentity(id: nil) }
}

extension ItemIdentity where Item: Identifiable & SendableMetatype, Item.ID: Sendable {
  /// Items are the same row when their `id` is.
  public static var id: ItemIdentity { ItemIdentity { RowID($0.id) } }
}

extension ItemIdentity {
  private init(_ id: @escaping @Sendable (Item) -> RowID) { self.id = id }
}

/// Whether two items with one id also say the same, so that a refresh does not report rows as changed
/// that are not.
package enum ItemSameness {
  /// By the type's own equality, or for items with a table by their mapped values. Without either, it
  /// can't be known.
  package static func isSame<Item>(_ a: Item, _ b: Item) -> Bool {
    if let a = a as? any Equatable { return isEqual(a, b) }
    if let a = a as? any JSONValue { return isSameValue(a, b) }
    return false
  }

  private static func isEqual<Value: Equatable>(_ a: Value, _ b: Any) -> Bool {
    (b as? Value).map { $0 == a } ?? false
  }

  private static func isSameValue<Value: JSONValue>(_ a: Value, _ b: Any) -> Bool {
    (b as? Value).map { a.isSame(as: $0) } ?? false
  }
}

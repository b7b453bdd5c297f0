internal import ItemMapping

/// The identity of items, by which a list recognizes that two items are the same row.
///
/// ```swift
/// ListModel<Book>(
///   server, Call("/books"), reading: .items(), paging: .link, identity: .by(\.isbn))
/// ```
///
/// `Identifiable` items need none.
public struct ItemIdentity<Item>: Sendable {
  /// Returns the id of an item; `nil` if items have no ids.
  package let id: (@Sendable (Item) -> RowID)?

  // Inlinable, so that the id of each row is made without looking up its type.
  /// Identifies items by the value at a key path.
  @inlinable public static func by<ID: Hashable & Sendable>(
    _ keyPath: any KeyPath<Item, ID> & Sendable
  ) -> ItemIdentity {
    ItemIdentity { RowID($0[keyPath: keyPath]) }
  }

  /// Identifies items by the result of a closure.
  @inlinable public static func by<ID: Hashable & Sendable>(
    _ id: @escaping @Sendable (Item) -> ID
  ) -> ItemIdentity {
    ItemIdentity { RowID(id($0)) }
  }

  /// Treats every item as a row of its own. Duplicates are not detected.
  public static var none: ItemIdentity { ItemIdentity(id: nil) }
}

extension ItemIdentity where Item: Identifiable & SendableMetatype, Item.ID: Sendable {
  /// Identifies items by their `id`.
  @inlinable public static var id: ItemIdentity { ItemIdentity { RowID($0.id) } }
}

extension ItemIdentity {
  @usableFromInline init(_ id: @escaping @Sendable (Item) -> RowID) { self.id = id }
}

/// Compares the content of two items with one id, so that a refresh does not report unchanged rows as
/// updated.
package enum ItemSameness {
  /// Compares with `Equatable`, or the mapped values of items with a table. Returns `false` for items with
  /// neither, since they can't be compared.
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

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
  public static var own: ItemIdentity { ItemIdentity { RowID($0.id) } }
}

extension ItemIdentity {
  private init(_ id: @escaping @Sendable (Item) -> RowID) { self.id = id }
}

public import ListReading

/// A local change of a row, made before or after the server makes it.
///
/// ```swift
/// let edit = try books.edit(.insert(draft, id: "draft", at: .start))
/// ```
///
/// An edit changes the list only; sending the change to the server is up to the program. See
/// ``ListModel/edit(_:)``.
public enum ListEdit<Item> {
  /// The place of an inserted or moved row.
  public enum Place: Hashable, Sendable {
    /// Before all rows.
    case start
    /// After all rows that the list has now.
    case end
    /// Right after the row with this id.
    case after(RowID)
    /// Right before the row with this id.
    case before(RowID)
  }

  /// Inserts a row that the list does not have.
  case insert(Item, id: RowID, at: Place)
  /// Removes a row.
  case remove(RowID)
  /// Replaces the content of a row. The item has the id of the row.
  case update(RowID, Item)
  /// Moves a row.
  case move(RowID, to: Place)

  /// The id of the edited row.
  public var row: RowID {
    switch self {
    case .insert(_, let id, _), .remove(let id), .update(let id, _), .move(let id, _): id
    }
  }
}

extension ListEdit where Item: Identifiable, Item.ID: Sendable {
  /// Inserts an item as the row with its own id, such as a draft.
  ///
  /// ```swift
  /// let edit = try books.edit(.insert(draft, at: .start))
  /// ```
  ///
  /// ``ListModel/confirm(_:as:)`` replaces it by the server's row, which may have another id.
  public static func insert(_ item: Item, at place: Place) -> ListEdit {
    .insert(item, id: RowID(item.id), at: place)
  }

  /// Replaces the content of the row with the id of an item.
  public static func update(_ item: Item) -> ListEdit { .update(RowID(item.id), item) }
}

extension ListEdit: Sendable where Item: Sendable {}
extension ListEdit: Equatable where Item: Equatable {}
extension ListEdit: Hashable where Item: Hashable {}

/// The id of an edit until it is confirmed or rolled back.
public struct EditID: Hashable, Sendable {
  /// Later edits have greater numbers.
  let number: Int
}

/// The reason why an edit is impossible. The rows are unchanged.
public enum ListEditError: Error, Hashable, Sendable {
  /// The list has no row with this id.
  case unknownRow(RowID)
  /// The list already has a row with the id of the inserted one.
  case rowExists(RowID)
  /// An edit removes the row, and is neither confirmed nor rolled back.
  case beingRemoved(RowID)
  /// The second row is the server's, and has replaced the first one when its edit was confirmed.
  case replaced(RowID, by: RowID)
  /// The items of the list have no ids, so no row can be named.
  case noIdentity
  /// The item has another id than the edit is for.
  case differentID(RowID, expected: RowID)
  /// The page of the row was evicted, and this edit needs it.
  case notLoaded(RowID)
}

extension ListEditError: CustomStringConvertible {
  /// One line with the problem and what to do.
  public var description: String {
    switch self {
    case .unknownRow(let id):
      "the list has no row with the id \(id); check the id, or load the page of the row first"
    case .rowExists(let id):
      "the list already has a row with the id \(id); update it instead of inserting it"
    case .beingRemoved(let id):
      "the row with the id \(id) is being removed; roll back the removal to edit the row"
    case .replaced(let id, let other):
      "the row with the id \(id) is now the server's row with the id \(other); edit that row"
    case .noIdentity:
      "the items of this list have no ids; create the list with an identity to edit its rows"
    case .differentID(let id, let expected):
      "the item has the id \(id), but the edit is for \(expected); remove that row and insert the item"
    case .notLoaded(let id):
      "the row with the id \(id) is not in memory; load its page before the edit"
    }
  }
}

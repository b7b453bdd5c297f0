/// A change that the program makes to the rows by itself, before the server knows of it or after.
public enum ListEdit<Item> {
  /// Where a row goes.
  public enum Place: Hashable, Sendable {
    /// Before all rows.
    case start
    /// Behind all rows that the list has now.
    case end
    /// Right behind the row with this id.
    case after(RowID)
    /// Right before the row with this id.
    case before(RowID)
  }

  /// A row that the list does not have.
  case insert(Item, id: RowID, at: Place)
  /// A row goes.
  case remove(RowID)
  /// A row gets other content.
  case update(RowID, Item)
  /// A row goes elsewhere.
  case move(RowID, to: Place)

  /// The row it is about.
  public var row: RowID {
    switch self {
    case .insert(_, let id, _), .remove(let id), .update(let id, _), .move(let id, _): id
    }
  }
}

extension ListEdit: Sendable where Item: Sendable {}
extension ListEdit: Equatable where Item: Equatable {}
extension ListEdit: Hashable where Item: Hashable {}

/// Names an edit until it is confirmed or rolled back. Later ones are greater.
public struct EditID: Hashable, Sendable, Comparable {
  let number: Int

  /// Edits compare by the order they were made in.
  public static func < (a: EditID, b: EditID) -> Bool { a.number < b.number }
}

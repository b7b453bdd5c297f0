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

/// Why an edit can't be made. The rows are as they were.
public enum ListEditError: Error, Hashable, Sendable {
  /// The list has no row with this id.
  case unknownRow(RowID)
  /// The list has a row with the id of the new one.
  case rowExists(RowID)
  /// The row is removed, and nobody confirmed that yet or took it back.
  case beingRemoved(RowID)
  /// The items of the list can't be told apart, so there is no row to name.
  case noIdentity
  /// The row was given up to save memory, and this edit needs its page.
  case notLoaded(RowID)
}

extension ListEditError: CustomStringConvertible {
  /// One line that says what and what to do.
  public var description: String {
    switch self {
    case .unknownRow(let id): "the list has no row with the id \(id)"
    case .rowExists(let id):
      "the list has a row with the id \(id) already; update it instead of inserting it"
    case .beingRemoved(let id):
      "the row with the id \(id) is being removed; roll that back to have the row again"
    case .noIdentity:
      "the items of this list can't be told apart; make it with an identity to edit its rows"
    case .notLoaded(let id):
      "the row with the id \(id) is not in memory; load its page before editing there"
    }
  }
}

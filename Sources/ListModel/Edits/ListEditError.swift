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

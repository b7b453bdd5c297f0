public import ListReading

/// Why lists can't be collected.
public enum CollectError: Error, Hashable, Sendable {
  /// The plan can't be used.
  case plan(String)
  /// The database can't be used.
  case database(String)
  /// The table has the rows of another list, or another program has changed it.
  case table(String, String)
  /// The list of a row, whose id is here, has no address.
  case row(String, RowID, String)
  /// The rows of the table can't be read for a list.
  case reading(String, String)
}

extension CollectError: CustomStringConvertible {
  /// What failed, the cause, and what to do.
  public var description: String {
    switch self {
    case .plan(let text): "can't use the plan: \(text)"
    case .database(let text): "can't use the database: \(text)"
    case .row(let name, let id, let text): "can't read “\(name)” of the row \(id): \(text)"
    case .reading(let name, let text): "can't read the table “\(name)”: \(text)"
    case .table(let name, let text): "can't collect into the table “\(name)”: \(text)"
    }
  }
}

public import ItemMapping

/// Why a list can't be synced, or a stored state can't be used.
public enum SyncError: Error, Hashable, Sendable {
  /// Rows have no ids, so that it can't be seen which of them are new.
  case noIDs
  /// The value that was taken for the id is the same in different rows.
  case repeatedID(JSONPath)
  /// A row that had an id of one type has one of another type now.
  case otherIDType(id: String, was: String, now: String)
  /// No row of the first page has the stamp of a ``SyncWatermark``.
  case noStamps(JSONPath)
  /// Stored records are damaged, or they are in another order than they were made in.
  case damagedRecord(Int)
  /// Stored records were made by another version of Quire.
  case otherFormat
}

extension SyncError: CustomStringConvertible {
  /// What failed, the cause, and what to do.
  public var description: String {
    switch self {
    case .noIDs:
      "can't tell which rows are new: they have no id that could be found; declare the path of the id"
    case .repeatedID(let path):
      "can't tell which rows are new: “\(path)” is no id, since different rows have the same one;"
        + " declare the path of the id, and start over with a new state"
    case .otherIDType(let id, let was, let now):
      "can't compare the rows with those of the last round: the id \(id) was a \(was) and is a \(now) now, so"
        + " every row would be reported as gone and as new; nothing was changed: if the server has changed its ids for"
        + " good, start over with a new state"
    case .noStamps(let path):
      "can't tell which rows have changed: no row of the first page has “\(path)”; correct the path of the stamp"
    case .damagedRecord(let number):
      "can't read the state: record \(number) is damaged or missing; start over with a new state"
    case .otherFormat:
      "can't read the state: it was written by another version of Quire; start over with a new state"
    }
  }
}

/// What a confirmed edit did to its row.
enum ConfirmedEdit {
  case inserted
  case updated
  case removed

  /// Creates it from an edit; `nil` for a move, since the next response decides on the order.
  init?<Item>(_ edit: ListEdit<Item>) {
    switch edit {
    case .insert: self = .inserted
    case .update: self = .updated
    case .remove: self = .removed
    case .move: return nil
    }
  }

  /// Both edits of a row as one.
  func following(_ before: ConfirmedEdit?) -> ConfirmedEdit {
    before == .inserted && self == .updated ? .inserted : self
  }
}

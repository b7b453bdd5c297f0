public import ListReading

/// A change of a row.
public enum SyncChange<Item> {
  /// The row is new, or was gone.
  case insert(RowID, Item)
  /// The row has new content.
  case update(RowID, Item)
  /// The row is gone.
  case delete(RowID)

  /// The id of the row.
  public var id: RowID {
    switch self {
    case .insert(let id, _), .update(let id, _), .delete(let id): id
    }
  }
}

extension SyncChange: Sendable where Item: Sendable {}
extension SyncChange: Equatable where Item: Equatable {}

/// What a ``ListSync`` reports at once: the changes of a page, some deletes, or the end of a round.
public struct SyncStep<Item> {
  /// The number of the round, counted from 1.
  public var round: Int
  /// The changes, in the order of the page.
  public var changes: [SyncChange<Item>]
  /// What is known of the round, in its last step.
  public var receipt: SyncReceipt?
  /// What to add to the records of the ``SyncState``, together with the changes.
  public var record: [UInt8]

  init(_ step: inout SyncWalk.Step, _ items: [Item]) {
    (round, receipt, record) = (step.round, step.receipt, step.record())
    var items = items.makeIterator()
    changes = []
    for row in step.rows {
      switch row.operation {
      case .delete: changes.append(.delete(row.id))
      case .insert: if let item = items.next() { changes.append(.insert(row.id, item)) }
      case .update: if let item = items.next() { changes.append(.update(row.id, item)) }
      }
    }
    changes += step.deletes.map { .delete($0) }
  }
}

extension SyncStep: Sendable where Item: Sendable {}

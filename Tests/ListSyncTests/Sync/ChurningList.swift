import ItemMapping
import ListReading
import ListSync
import QuireTesting
import ServerAPI
import Support

import TestSupport

/// A row of a served list.
struct SyncedRow: ItemValue, Equatable, Sendable {
  var id = 0
  var version = 0

  static var fields: FieldTable {
    FieldTable(SyncedRow.self) { f in
      f(\.id, "id", .required)
      f(\.version, "version")
    }
  }
}

extension ChurningList {
  /// A sync that goes on from records.
  func sync(_ records: [[UInt8]], _ level: Consistency.Level) throws -> ListSync<SyncedRow> {
    let server = Server("https://test", transport: self) { $0.retry = .never }
    let sync = ListSync<SyncedRow>(
      server, Call("/rows"), reading: .items(at: "rows"), paging: paging, consistency: level,
      from: try SyncState(records: records))
    sync.deleteLimit = .none
    return sync
  }
}

/// What a program has that stores a feed.
final class FeedTable {
  var rows: [Int: Int] = [:]
  var records: [[UInt8]] = []
  var receipts: [SyncReceipt] = []
  var problems: [String] = []
  /// Whether the next step fails to be stored.
  var failsNext = false

  struct Failure: Error {}

  func store(_ step: SyncStep<SyncedRow>, there: Set<Int>) throws {
    if failsNext {
      failsNext = false
      throw Failure()
    }
    for change in step.changes {
      guard case .number(let id) = change.id else { continue }
      switch change {
      case .insert(_, let row):
        if rows.updateValue(row.version, forKey: id) != nil { problems.append("\(id) is inserted twice") }
      case .update(_, let row):
        if rows.updateValue(row.version, forKey: id) == nil { problems.append("\(id) is updated and not there") }
      case .delete:
        if rows.removeValue(forKey: id) == nil { problems.append("\(id) is deleted and not there") }
        if there.contains(id) { problems.append("\(id) is reported as gone and is there") }
      }
    }
    records.append(step.record)
    if let receipt = step.receipt { receipts.append(receipt) }
  }
}

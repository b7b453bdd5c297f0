import ListReading
import SQLiteFile

@testable import QuireCollect

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A sink whose program is killed at a batch.
final class KilledSink: RowSink {
  enum End { case none, before, after, diskFull }

  struct Killed: Error {}

  let inner: SQLiteSink
  private let stored: (CollectBatch) -> Void
  private var end = End.none
  private var batches = 0

  init(_ inner: SQLiteSink, stored: @escaping (CollectBatch) -> Void) { (self.inner, self.stored) = (inner, stored) }

  func plan(_ end: End, after batches: Int = 0) { (self.end, self.batches) = (end, batches) }

  func open(_ list: CollectList) throws -> StoredList? { try inner.open(list) }

  func store(_ batch: inout CollectBatch) throws {
    batches -= 1
    let end = batches < 0 ? end : .none
    try inner.database.run("PRAGMA max_page_count = 1000000")
    if end == .before { throw Killed() }
    if end == .diskFull {
      try inner.database.run("PRAGMA max_page_count = \(inner.database.number("PRAGMA page_count"))")
    }
    try inner.store(&batch)
    stored(batch)
    if end == .after { throw Killed() }
  }

  func replaceRecords(of list: CollectList, by records: [[UInt8]]) throws {
    try inner.replaceRecords(of: list, by: records)
  }

  func rows(of list: CollectList, after id: RowID?) throws -> [CollectBatch.Row] { try inner.rows(of: list, after: id) }

  func note(_ failure: String, of list: CollectList, at date: Date) throws {
    batches -= 1
    if batches < 0, end == .before { throw Killed() }
    try inner.note(failure, of: list, at: date)
    if batches < 0, end == .after { throw Killed() }
  }
}

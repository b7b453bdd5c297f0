internal import ListReading
package import ListSync
package import ServerAPI

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Keeps the rounds of one list in a sink.
package final class SinkStore: RoundStore {
  private let list: CollectList
  private let source: String
  private let sink: any RowSink
  private let time: TimeSource
  /// The bytes of all records, and of those that would have the whole state.
  private var size = (all: 0, least: 0)
  private var state: SyncState
  /// The row whose list was read last, for the table of the lists of many rows.
  let lastParent: RowID?

  /// Opens the table of a list. Throws if it has the rows of another one.
  package init(_ list: CollectList, _ source: ListSource, _ sink: any RowSink, _ time: TimeSource) async throws {
    (self.list, self.source, self.sink, self.time) = (list, source.text, sink, time)
    let stored = try await sink.open(list)
    lastParent = stored?.lastParent
    guard let stored else {
      state = SyncState()
      return
    }
    if let difference = ListSource(text: stored.source)?.difference(from: source) {
      throw CollectError.table(
        list.name, "it has the rows of another list, with \(difference); use another table or another database")
    }
    do {
      state = try SyncState(records: stored.records)
    } catch {
      throw CollectError.table(list.name, "\(error); to start over, drop the table")
    }
    size.all = stored.records.reduce(0) { $0 + $1.count }
    if let rows = stored.rows, rows != state.rowCount {
      throw CollectError.table(
        list.name,
        "it has \(rows) \(rows == 1 ? "row" : "rows"), and \(state.rowCount) were collected: another program has added or"
          + " removed some; to collect all again, drop the table")
    }
  }

  /// Returns the state, which the store does not keep.
  package func takeState() -> SyncState {
    defer { state = SyncState() }
    return state
  }

  package func store(_ step: inout SyncWalk.Step) async throws {
    var batch = CollectBatch(step, of: list, source, at: Date(timeIntervalSince1970: time.secondsSince1970()))
    try await sink.store(&batch)
    guard let record = batch.made else {
      preconditionFailure("store(_:) of \(type(of: sink)) has to store batch.record() with the rows")
    }
    size.all += record.count
    step = batch.step
  }

  package func shorten(_ walk: SyncWalk) async throws {
    if size.least == 0 { size.least = 40 * walk.state.rowCount }
    // Many lists of one table have little room each.
    guard size.all > 2 * size.least + (list.parent == nil ? 1 << 20 : 4 << 10) else { return }
    let records = Array(walk.records())
    try await sink.replaceRecords(of: list, by: records)
    size.least = records.reduce(0) { $0 + $1.count }
    size.all = size.least
  }
}

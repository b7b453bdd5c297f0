package import ListReading
package import ListSync
package import ServerAPI

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Reads a list for each row of another one: a round and a receipt for each row, one row after the other. What is known of
/// a list is in memory only while it is read.
package final class ChildRounds {
  private let child: CollectList
  private let parent: CollectList
  private let template: CallTemplate
  private let source: ListSource
  private let sink: any RowSink
  private let time: TimeSource
  /// The row whose list was read last.
  private var last: RowID?

  /// Opens the table. Throws if it has the rows of another list, or if the sink takes no children.
  package init(
    _ child: CollectList, of parent: CollectList, _ source: ListSource, _ sink: any RowSink, _ time: TimeSource
  ) async throws {
    do throws(CallTemplate.Problem) { template = try CallTemplate(child.call) } catch {
      throw CollectError.plan("the list “\(child.name)” of each row of another one: \(error)")
    }
    (self.child, self.parent, self.source, self.sink, self.time) = (child, parent, source, sink, time)
    _ = try await sink.rows(of: parent, after: nil)
    let store = try await SinkStore(child.belonging(to: parent.name), source, sink, time)
    last = store.lastParent
  }

  /// Reads the list of each row once.
  ///
  /// - Parameters:
  ///   - read: Reads a round of the list of a row. What it throws is a failure of that row, unless it is one of the
  ///     database.
  ///   - observe: Called with what became of each list.
  package func run(
    _ read: (CollectList, SinkStore) async throws -> SyncReceipt,
    observe: (RowID, Result<SyncReceipt, any Error>) -> Void
  ) async throws -> ChildrenSummary {
    var summary = ChildrenSummary(child.name, of: parent.name)
    // A run that is killed each time would otherwise never come to the last rows.
    let start = last
    var first: RowID?
    for lap in 0..<(start == nil ? 1 : 2) {
      var place = lap == 0 ? start : nil
      while true {
        let rows = try await sink.rows(of: parent, after: place)
        guard let end = rows.last else { break }
        place = end.id
        for row in rows {
          if row.id == first { return summary }
          first = first ?? row.id
          let result = try await result(of: row, read)
          last = row.id
          summary.add(result, of: row.id)
          observe(row.id, result)
          if summary.problem != nil { return summary }
        }
      }
    }
    return summary
  }

  private func result(
    of row: CollectBatch.Row, _ read: (CollectList, SinkStore) async throws -> SyncReceipt
  ) async throws -> Result<SyncReceipt, any Error> {
    try Task.checkCancellation()
    var list = child.belonging(to: parent.name, row.id)
    do {
      do throws(CallTemplate.Problem) { list.call = try template.call(child.call, for: row.json) } catch {
        throw CollectError.row(child.name, row.id, error.description)
      }
      return .success(try await read(list, try await SinkStore(list, source, sink, time)))
    } catch {
      let failure = try Self.failure(error)
      try await sink.note("\(failure)", of: list, at: Date(timeIntervalSince1970: time.secondsSince1970()))
      return .failure(failure)
    }
  }

  /// Returns an error that is one of a list. Throws one that ends the run.
  package static func failure(_ error: any Error) throws -> any Error {
    switch error {
    case LoadError.request(let failure):
      if case .cancelled = failure.kind { throw CancellationError() }
      return error
    case is LoadError, is SyncError, CollectError.row: return error
    default: throw error
    }
  }
}

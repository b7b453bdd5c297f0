public import ListReading

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A database that rows are collected into.
///
/// A sink owns the transactions: it stores the rows of a batch and its record together, or none of them. So each row is
/// stored exactly once, whenever the program is killed.
///
/// ```swift
/// final class ShelfSink: RowSink {
///   func open(_ list: CollectList) throws -> StoredList? { try shelf.storedList(list.name) }
///
///   func store(_ batch: inout CollectBatch) throws {
///     try shelf.transaction {
///       for row in batch.rows { try shelf.put(row.id.description, row.json.text) }
///       for id in batch.deletes { try shelf.remove(id.description) }
///       try shelf.append(batch.record(), of: batch.list.name)
///     }
///   }
///
///   func replaceRecords(of list: CollectList, by records: [[UInt8]]) throws {
///     try shelf.transaction { try shelf.replaceRecords(records, of: list.name) }
///   }
/// }
/// ```
///
/// # Children
///
/// A sink that takes ``CollectList/children`` has the rows and records of each row's list by ``CollectList/parent``, and
/// has `rows(of:after:)`. When it deletes a row, it also deletes the rows of its children as
/// ``CollectList/deletes-swift.property`` of these says, and unless that is `off` their records, in the same transaction.
public protocol RowSink: AnyObject {
  /// Prepares the table of a list, and returns what was stored with its rows; `nil` if there is nothing yet.
  ///
  /// A list that is read for each row of another one is opened once without a row, and then with each of them.
  func open(_ list: CollectList) async throws -> StoredList?

  /// Stores the rows of a batch and its record, in one transaction.
  ///
  /// A row that the database refuses is left out with ``CollectBatch/refuse(_:because:)``, before the record is made.
  func store(_ batch: inout CollectBatch) async throws

  /// Replaces all records of a list by fewer ones, in one transaction.
  func replaceRecords(of list: CollectList, by records: [[UInt8]]) async throws

  /// Returns the next rows of a list that are not gone, in an order that stays the same; none after the last one. Without
  /// this function, a sink takes no children.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - id: The id of the row before them, which may be gone by now; `nil` for the first ones.
  func rows(of list: CollectList, after id: RowID?) async throws -> [CollectBatch.Row]

  /// Notes that the list of a row could not be read, so that the next run begins with another one. Without this function,
  /// it begins where a list was read last.
  func note(_ failure: String, of list: CollectList, at date: Date) async throws
}

extension RowSink {
  /// Throws, since the sink takes no children.
  public func rows(of list: CollectList, after id: RowID?) throws -> [CollectBatch.Row] {
    throw CollectError.plan(
      "the list “\(list.name)” has children, and \(type(of: self)) has no function rows(of:after:) to read its rows")
  }

  /// Does nothing.
  public func note(_ failure: String, of list: CollectList, at date: Date) {}
}

/// What a sink has stored with the rows of a list.
public struct StoredList: Sendable {
  /// The source of the first batch; empty if there is none yet.
  public var source: String
  /// The records of all batches, in order.
  public var records: [[UInt8]]
  /// The number of rows that are not gone; `nil` if the sink doesn't know it. If it is another one than expected,
  /// another program has changed the table.
  public var rows: Int?
  /// The row whose list was read last, for a list that is read for each row of another one.
  public var lastParent: RowID?

  /// Creates a value.
  public init(source: String, records: [[UInt8]], rows: Int? = nil) {
    (self.source, self.records, self.rows) = (source, records, rows)
  }
}

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
///   func replaceRecords(of list: String, by records: [[UInt8]]) throws {
///     try shelf.transaction { try shelf.replaceRecords(records, of: list) }
///   }
/// }
/// ```
public protocol RowSink: AnyObject {
  /// Prepares the table of a list, and returns what was stored with its rows; `nil` if there is nothing yet.
  func open(_ list: CollectList) async throws -> StoredList?

  /// Stores the rows of a batch and its record, in one transaction.
  ///
  /// A row that the database refuses is left out with ``CollectBatch/refuse(_:because:)``, before the record is made.
  func store(_ batch: inout CollectBatch) async throws

  /// Replaces all records of a list by fewer ones, in one transaction.
  func replaceRecords(of list: String, by records: [[UInt8]]) async throws
}

/// What a sink has stored with the rows of a list.
public struct StoredList: Sendable {
  /// The source of the first batch.
  public var source: String
  /// The records of all batches, in order.
  public var records: [[UInt8]]
  /// The number of rows that are not gone; `nil` if the sink doesn't know it. If it is another one than expected,
  /// another program has changed the table.
  public var rows: Int?

  /// Creates a value.
  public init(source: String, records: [[UInt8]], rows: Int? = nil) {
    (self.source, self.records, self.rows) = (source, records, rows)
  }
}

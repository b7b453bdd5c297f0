public import ItemMapping
public import ListReading
public import ListSync

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What a sink stores in one transaction: the rows of a page, some deletes, or the end of a round.
public struct CollectBatch {
  /// A new or changed row.
  public struct Row: Sendable {
    /// The id.
    public let id: RowID
    /// The row as the server sent it.
    public let json: JSONView

    /// Creates a row.
    public init(id: RowID, json: JSONView) { (self.id, self.json) = (id, json) }
  }

  /// A row that is not in the table.
  public struct UnreadRow: Sendable {
    /// The id, if it has one.
    public let id: RowID?
    /// The row as the server sent it.
    public let json: JSONView
    /// What is wrong with it.
    public let reason: String
  }

  /// The list.
  public let list: CollectList
  /// What decides which rows the list has, to be stored with the first batch.
  public let source: String
  /// The number of the round, counted from 1.
  public let round: Int
  /// When the batch was made.
  public let date: Date
  /// The path of the id in a row, once it is known.
  public let idPath: JSONPath?
  /// The rows that are new or have changed, in the order of the page.
  public let rows: [Row]
  /// The rows that are gone, or have left a filter of the program. What happens to them is
  /// ``CollectList/deletes-swift.property``; with `off` there are only rows that have left a filter.
  public let deletes: [RowID]
  /// The rows that are left out.
  public private(set) var unread: [UnreadRow]
  /// What is known of the round, in its last batch.
  public let receipt: SyncReceipt?
  /// The rows that the sink has left out, by their places.
  private var refused: [Int] = []
  /// The record, once the sink has asked for it.
  private(set) var made: [UInt8]?
  private(set) var step: SyncWalk.Step

  init(_ step: SyncWalk.Step, of list: CollectList, _ source: String, at date: Date) {
    (self.list, self.source, self.date, self.step) = (list, source, date, step)
    (round, idPath, receipt) = (step.round, step.idPath, step.receipt)
    rows = step.rows.compactMap { $0.operation == .delete ? nil : Row(id: $0.id, json: $0.row) }
    deletes = step.rows.compactMap { $0.operation == .delete ? $0.id : nil } + step.deletes
    unread = step.withoutID.map { UnreadRow(id: nil, json: $0, reason: "it has no id") }
  }

  /// Leaves out a row that the database refuses. It is tried again in the next round that has it.
  ///
  /// - Parameters:
  ///   - place: Its place in ``rows``.
  ///   - reason: What is wrong with it.
  public mutating func refuse(_ place: Int, because reason: String) {
    precondition(made == nil, "a row can't be refused after the record of its batch was made")
    refused.append(place)
    unread.append(UnreadRow(id: rows[place].id, json: rows[place].json, reason: reason))
  }

  /// What is to be stored with the rows. Ask for it last.
  public mutating func record() -> [UInt8] {
    if let made { return made }
    let places = step.rows.indices.filter { step.rows[$0].operation != .delete }
    step.refuse(refused.map { places[$0] })
    let record = step.record()
    made = record
    return record
  }
}

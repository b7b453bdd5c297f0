public import ListReading
internal import ListSync
internal import ServerAPI

/// What became of the lists of all rows of another one in a run.
public struct ChildrenSummary: Sendable {
  /// A list that was not read.
  public struct Failure: Sendable {
    /// The id of the row.
    public let row: RowID
    /// Why its list was not read.
    public let error: any Error
  }

  /// A list that may have more rows, or has rows that could not be stored.
  public struct Incomplete: Sendable {
    /// The id of the row.
    public let row: RowID
    /// Why that is so.
    public let problem: String
  }

  /// The name of the list, and its table.
  public let list: String
  /// The name of the other list.
  public let parent: String
  /// How many lists have a receipt.
  public private(set) var read = 0
  /// How many of them may have more rows, or have rows that could not be stored.
  public private(set) var incomplete = 0
  /// The first ten of these.
  public private(set) var incompleteLists: [Incomplete] = []
  /// How many of them hold deletes back.
  public private(set) var holding = 0
  /// How many lists could not be read. Nothing of them is deleted, and the next run tries them again.
  public private(set) var failed = 0
  /// The first ten of these.
  public private(set) var failures: [Failure] = []
  /// Why not all lists were tried; `nil` if they were.
  public private(set) var problem: String?
  /// The number of rows of all lists with a receipt.
  public private(set) var rows = 0
  /// How many rows are new.
  public private(set) var inserted = 0
  /// How many rows have changed.
  public private(set) var updated = 0
  /// How many rows are gone.
  public private(set) var deleted = 0
  /// How many rows were not there and are not reported as gone.
  public private(set) var heldBack = 0
  /// How many rows could not be read or stored.
  public private(set) var unreadable = 0
  /// The number of requests.
  public private(set) var requests = 0
  /// How many lists in a row had no response.
  private var unreachable = 0

  init(_ list: String, of parent: String) { (self.list, self.parent) = (list, parent) }

  static let mostExamples = 10
  /// So many lists without a response say something of the server, not of rows.
  static let mostUnreachable = 10

  mutating func add(_ result: Result<SyncReceipt, any Error>, of row: RowID) {
    switch result {
    case .success(let receipt):
      unreachable = 0
      read += 1
      if !receipt.isComplete || receipt.unreadable > 0 { add(incomplete: receipt, of: row) }
      if receipt.heldBack > 0 { holding += 1 }
      rows += receipt.rows
      inserted += receipt.inserted
      updated += receipt.updated
      deleted += receipt.deleted
      heldBack += receipt.heldBack
      unreadable += receipt.unreadable
      requests += receipt.requests
    case .failure(let error):
      failed += 1
      if failures.count < Self.mostExamples { failures.append(Failure(row: row, error: error)) }
      unreachable = error.saysNothingOfRow ? unreachable + 1 : 0
      if unreachable == Self.mostUnreachable {
        problem = "the server can't be reached, for \(unreachable) lists in a row; the next run goes on behind them"
      }
    }
  }
}

extension ChildrenSummary {
  private mutating func add(incomplete receipt: SyncReceipt, of row: RowID) {
    incomplete += 1
    guard incompleteLists.count < Self.mostExamples else { return }
    let unread = receipt.unreadable == 1 ? "1 row" : "\(receipt.unreadable) rows"
    incompleteLists.append(Incomplete(row: row, problem: receipt.problem ?? "\(unread) could not be read or stored"))
  }
}

extension ChildrenSummary: CustomStringConvertible {
  /// The name of the list, how many were read, and the first failure or problem.
  public var description: String {
    let changes = [(inserted, "new"), (updated, "changed"), (deleted, "gone"), (heldBack, "held back")]
      .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    var text = "\(list): \(read == 1 ? "1 list" : "\(read) lists") of \(parent)"
    if !changes.isEmpty { text += " (\(changes.joined(separator: ", ")))" }
    if incomplete > 0 { text += ", \(incomplete) incomplete" }
    if failed > 0 { text += ", \(failed) failed" }
    if let first = failures.first {
      text += ": \(first.row): \(first.error)"
    } else if let first = incompleteLists.first {
      text += ": \(first.row): \(first.problem)"
    }
    return text
  }
}

extension Error {
  /// Whether there was no response, for a reason that the lists of all rows have in common.
  fileprivate var saysNothingOfRow: Bool {
    guard case .request(let error)? = self as? LoadError else { return false }
    return switch error.kind {
    case .nameNotResolved, .connectRefused, .connectFailed, .tls, .proxy, .offline, .timeout: true
    default: false
    }
  }
}

public import ListReading

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What is known of one round of a ``ListSync``.
public struct SyncReceipt: Hashable, Sendable {
  /// The number of the round, counted from 1.
  public var round: Int
  /// What can be claimed of the rows of the round, without the assumptions that the program distrusts.
  public var consistency: Consistency
  /// Why the list may have more rows; `nil` if it was read to its end.
  public var problem: String?
  /// Whether the round ended with its first page, since the list had the version of the last round.
  public var isSameVersion = false
  /// Whether the round read the whole list. A round that goes by a ``SyncWatermark`` may have read a part of it, to
  /// which the claim is confined, and shows no rows that are gone.
  public var isFull = true
  /// What is known of the stamps; `nil` without a ``SyncWatermark``.
  public var watermark: Watermark?
  /// The number of requests for pages and to be sure of them, without retries.
  public var requests: Int
  /// How many rows were reported as new.
  public var inserted = 0
  /// How many of these had been reported as gone in an earlier round. The server broke
  /// ``Quire/ListAssumption/absence`` for them, or the rows moved.
  public var returned = 0
  /// How many rows were reported as changed.
  public var updated = 0
  /// How many rows were reported as gone.
  public var deleted = 0
  /// How many rows had no id, or could not be read as items. They are reported once they can.
  public var unreadable = 0
  /// How many rows were not in this round and are not reported as gone.
  public var heldBack = 0
  /// Why rows are held back; `nil` if none is.
  public var reason: HeldBackReason?
  /// The number of rows that are reported and not gone.
  public var rows: Int
  /// When the round began and ended, by the clock of this machine.
  public var moments: ClosedRange<Date>
  /// How far the clock of this machine went back since the round before, in seconds; 0 if it did not.
  public var clockStep = 0.0

  /// Whether the list was read to its end, or as far down as the round had to read it.
  public var isComplete: Bool { problem == nil }
}

extension SyncReceipt {
  /// What a round has measured of the stamps by which the next one finds what has changed; see ``SyncWatermark``.
  public struct Watermark: Hashable, Sendable {
    /// The stamp down to which the next short round reads, and below it the overlap; `nil` if no round has left one.
    public var mark: String?
    /// The largest lateness of the last twenty rounds: how far below the mark a row came. In seconds where stamps are
    /// dates, otherwise in their unit; infinite where they are texts.
    public var lateness: Double
    /// How many new or changed rows of this round were below the mark.
    public var late: Int
    /// How many of them a short round would not have read. Only full rounds see that.
    public var missed: Int
    /// Why the round read the whole list, or why the next one does; `nil` if all went well.
    public var problem: String?
  }
}

/// Why rows that were not in a round are not reported as gone.
public enum HeldBackReason: Hashable, Sendable {
  /// The claim of the round doesn't prove that they are gone.
  case unproven(Consistency.Claim)
  /// The round didn't reach the end of the list.
  case incomplete
  /// More rows are gone than the limit allows: rights or a filter may have changed.
  case aboveLimit(Int)
  /// So many rows of the round could not be read, and may be these.
  case unreadable(Int)
}

extension HeldBackReason: CustomStringConvertible {
  /// The reason, and what to do.
  public var description: String {
    switch self {
    case .unproven(let claim):
      "the claim of the round, \(claim.name), doesn't prove that they are gone; read with a higher level of consistency"
    case .incomplete: "the round didn't reach the end of the list; the next round that does reports them"
    case .aboveLimit(let limit):
      "more than \(limit) rows would be reported as gone at once; check rights and filters, then allow more deletes"
    case .unreadable(let count):
      "\(count) \(count == 1 ? "row" : "rows") of the round could not be read, and may be these; correct the id or the"
        + " type of the items"
    }
  }
}

/// How many proven deletes a round may report.
///
/// A list that has lost most of its rows is more often a matter of narrowed rights or a broken filter than of deletes.
public struct DeleteLimit: Hashable, Sendable {
  /// So many may be reported, however few rows there are.
  public var rows: Int
  /// This share of the known rows may be reported, from 0 to 1.
  public var share: Double

  /// Creates a limit. The larger one of both numbers counts.
  public init(rows: Int = 10, share: Double = 0.1) { (self.rows, self.share) = (rows, share) }

  /// No limit.
  public static let none = DeleteLimit(rows: .max, share: 1)

  /// Returns how many of a number of rows may be reported as gone.
  public func count(of known: Int) -> Int {
    // A share may be any number, also none.
    max(rows, share > 0 ? Int(Double(known) * min(1, share)) : 0)
  }
}

extension ClosedRange<Date> {
  /// The range from a moment to another one, or that moment alone if the clock went back since.
  static func between(_ start: Double, _ end: Double) -> Self {
    Date(timeIntervalSince1970: start)...Date(timeIntervalSince1970: Swift.max(start, end))
  }
}

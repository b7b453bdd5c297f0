public import ItemMapping
package import ListReading

/// What a ``ListSync`` knows of a list: for each row its id, a mark of its content, and the round in which it was there
/// last.
///
/// A state is a value. It is stored as records, which are bytes: those of a ``SyncStep`` are added to the others in the
/// same transaction as the changes, and ``records()`` replaces all of them by fewer ones.
public struct SyncState: Sendable {
  package var rows = RowTable()
  /// The number of the last round that began.
  public internal(set) var round = 0
  /// How many rows are reported and not gone.
  public internal(set) var rowCount = 0
  /// The path of the id in a row; `nil` before the first row.
  public internal(set) var idPath: JSONPath?
  /// The version of the list whose rows are known.
  package internal(set) var version: String?
  package internal(set) var phase = Phase.idle
  /// What short rounds go by.
  package internal(set) var watermark: Watermark?
  /// When the last round ended, in seconds since 1970.
  package internal(set) var lastEnd: Double?
  /// How many rows have an id of each kind; those that are gone too.
  var kinds = [Int](repeating: 0, count: PackedID.Kind.allCases.count)
  /// How many rows of the table are gone.
  var goneCount = 0
  /// How many rows the records have, as the first of them says; 0 once they are all there.
  var announced = 0

  /// Creates the state of a list of which nothing is known.
  public init() {}

  /// The round of a row that is gone.
  static let gone = 0

  /// What happens now.
  package enum Phase: Hashable, Sendable {
    /// The next round has not begun.
    case idle
    /// Pages are read. The checkpoint is `nil` before the first one.
    case reading(Progress, checkpoint: String?)
    /// The list was read, and deletes are reported.
    case deleting(Progress, SyncDelta.Seal)
  }

  /// What the pages of a round had.
  package struct Progress: Hashable, Sendable {
    package var begin: Double
    package var clockStep = 0.0
    package var pages = 0
    package var requests = 0
    package var seen = 0
    package var inserted = 0
    package var returned = 0
    package var updated = 0
    package var left = 0
    package var deleted = 0
    package var unreadable = 0
    package var stamps: RoundStamps?
  }

  /// Whether a round has begun and not ended.
  public var isInsideRound: Bool { phase != .idle }

  /// How many rows the running round has had so far.
  package var seenCount: Int {
    if case .reading(let progress, _) = phase { progress.seen + progress.inserted - progress.returned } else { 0 }
  }

  /// The ids of the rows that the running round has had so far, for a walk that goes on.
  package var seenIDs: some Sequence<RowID> {
    (0..<rows.count).lazy.filter { rows[roundOf: $0] == round }.map { rows.id(at: $0).id }
  }

  /// Whether a row was in earlier rounds, and the running one lacks it so far.
  package func lacks(_ id: PackedID) -> Bool {
    guard let index = rows.index(of: id.bytes) else { return false }
    return rows[roundOf: index] != Self.gone && rows[roundOf: index] < round
  }

  /// Whether a row is known and reported.
  package func contains(_ id: RowID) -> Bool {
    guard let index = rows.index(of: PackedID(id).bytes) else { return false }
    return rows[roundOf: index] != Self.gone && rows[markOf: index] != RowTable.noMark
  }
}

// MARK: - Steps

extension SyncState {
  /// Changes the state by a step. Throws if the step belongs to another state.
  package mutating func apply(_ delta: SyncDelta) throws(SyncError.Mismatch) {
    switch (delta, phase) {
    case (.begin(let date, let stamps), .idle), (.begin(let date, let stamps), .reading):
      // A round that can't go on is followed by another one.
      round += 1
      phase = .reading(
        Progress(begin: date, clockStep: max(0, (lastEnd ?? date) - date), stamps: stamps), checkpoint: nil)
    case (.page(let page), .reading(var progress, _)):
      try add(page, &progress)
      phase = .reading(progress, checkpoint: page.checkpoint)
    case (.seal(let seal), .reading(var progress, _)):
      progress.requests = seal.requests
      if seal.isSameVersion {
        for index in 0..<rows.count where rows[roundOf: index] != Self.gone { rows[roundOf: index] = round }
      }
      version = seal.version
      watermark = seal.watermark ?? watermark
      phase = .deleting(progress, seal)
    case (.remove(let indices), .deleting(var progress, let seal)):
      for index in indices { try remove(index) }
      progress.deleted += indices.count
      phase = .deleting(progress, seal)
    case (.end(let date), .deleting(_, let seal)):
      if seal.isFull, seal.reason == nil, seal.consistency.claim.isProven { dropLeft() }
      lastEnd = date
      phase = .idle
      if goneCount > 64, goneCount > rows.count / 2 { dropGone() }
    default: throw SyncError.Mismatch()
    }
  }

  private mutating func add(_ page: SyncDelta.Page, _ progress: inout Progress) throws(SyncError.Mismatch) {
    for index in page.seen { try see(index) }
    for row in page.updated {
      try see(row.index)
      rows[markOf: row.index] = row.mark
    }
    for row in page.returned {
      guard row.index < rows.count else { throw SyncError.Mismatch() }
      if rows[roundOf: row.index] == Self.gone {
        goneCount -= 1
        progress.returned += 1
      }
      rows[roundOf: row.index] = round
      rows[markOf: row.index] = row.mark
    }
    for index in page.left {
      try see(index)
      rows[markOf: index] = RowTable.noMark
    }
    for row in page.inserted {
      guard let kind = row.id.first.flatMap(PackedID.Kind.init(rawValue:)),
        rows.insert(row.id, mark: row.mark, round: round).isNew
      else { throw SyncError.Mismatch() }
      kinds[Int(kind.rawValue)] += 1
    }
    rowCount += page.newRows
    idPath = page.idPath ?? idPath
    progress.pages += 1
    progress.requests = page.requests
    progress.seen += page.seen.count + page.updated.count + page.returned.count
    progress.inserted += page.inserted.count { !$0.isLeft } + page.returned.count
    progress.updated += page.updated.count
    progress.left += page.left.count
    progress.unreadable += page.unreadable
    progress.stamps = page.stamps ?? progress.stamps
  }

  private mutating func see(_ index: Int) throws(SyncError.Mismatch) {
    guard index < rows.count, rows[roundOf: index] != Self.gone else { throw SyncError.Mismatch() }
    rows[roundOf: index] = round
  }

  private mutating func remove(_ index: Int) throws(SyncError.Mismatch) {
    guard index < rows.count, rows[roundOf: index] != Self.gone else { throw SyncError.Mismatch() }
    if rows[markOf: index] != RowTable.noMark { rowCount -= 1 }
    rows[roundOf: index] = Self.gone
    goneCount += 1
  }

  /// Forgets the rows that were not meant to be reported, and were not in the round.
  private mutating func dropLeft() {
    for index in 0..<rows.count
    where rows[markOf: index] == RowTable.noMark && rows[roundOf: index] < round && rows[roundOf: index] != Self.gone {
      rows[roundOf: index] = Self.gone
      goneCount += 1
    }
  }

  /// Forgets the rows that are gone. The others get new indices.
  package mutating func dropGone() {
    var table = RowTable()
    kinds = [Int](repeating: 0, count: kinds.count)
    for index in 0..<rows.count where rows[roundOf: index] != Self.gone {
      let id = rows.packedID(at: index)
      kinds[Int(id[0])] += 1
      _ = table.insert(id, mark: rows[markOf: index], round: rows[roundOf: index])
    }
    rows = table
    goneCount = 0
  }
}

extension SyncError {
  /// A step belongs to another state.
  package struct Mismatch: Error {
    package init() {}
  }
}

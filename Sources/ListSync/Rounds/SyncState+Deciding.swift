package import ListReading

/// What happens to a row.
public enum SyncOperation: String, Hashable, Sendable, CaseIterable {
  /// The row is new, or was gone.
  case insert
  /// The row has new content.
  case update
  /// The row is gone.
  case delete
}

/// A row as a page has it.
package struct ReceivedRow: Hashable, Sendable {
  package var id: PackedID
  package var content: Content

  package enum Content: Hashable, Sendable {
    /// It has the content with this mark.
    case mark(UInt64)
    /// It is not meant to be reported.
    case left
    /// It could not be read.
    case unreadable
  }

  package init(_ id: RowID, _ content: Content) { (self.id, self.content) = (PackedID(id), content) }
}

// MARK: - Decisions, which change nothing

extension SyncState {
  /// Returns what happens to each row of a page, and the step that records it.
  package func decide(
    _ received: [ReceivedRow]
  ) throws(SyncError) -> (operations: [SyncOperation?], page: SyncDelta.Page) {
    try checkTypes(received)
    var page = SyncDelta.Page()
    var operations = [SyncOperation?](repeating: nil, count: received.count)
    var known: Set<Int> = []
    var new: Set<[UInt8]> = []
    for (place, row) in received.enumerated() {
      if case .unreadable = row.content { page.unreadable += 1 }
      guard let index = rows.index(of: row.id.bytes) else {
        guard new.insert(row.id.bytes).inserted else { continue }
        switch row.content {
        case .mark(let mark):
          operations[place] = .insert
          page.inserted.append(.init(id: row.id.bytes, mark: mark))
        case .left: page.inserted.append(.init(id: row.id.bytes, mark: RowTable.noMark))
        case .unreadable: break
        }
        continue
      }
      guard known.insert(index).inserted else { continue }
      let isGone = rows[roundOf: index] == Self.gone
      let isReported = !isGone && rows[markOf: index] != RowTable.noMark
      switch row.content {
      case .mark(let mark) where !isReported:
        operations[place] = .insert
        page.returned.append(.init(index: index, mark: mark))
      case .mark(let mark) where !ContentMark.isSameContent(mark, rows[markOf: index]):
        operations[place] = .update
        page.updated.append(.init(index: index, mark: mark))
      case .left where isReported:
        operations[place] = .delete
        page.left.append(index)
      case .mark, .left, .unreadable:
        if !isGone, rows[roundOf: index] != round { page.seen.append(index) }
      }
    }
    return (operations, page)
  }

  /// Whether a row has another stamp than when its content was read last. One that is new has.
  func hasNewStamp(_ row: ReceivedRow) -> Bool {
    guard case .mark(let mark) = row.content, let index = rows.index(of: row.id.bytes) else { return true }
    return rows[roundOf: index] == Self.gone || !ContentMark.isSameStamp(mark, rows[markOf: index])
  }

  /// The stamps that the running round has measured.
  package var stamps: RoundStamps? {
    if case .reading(let progress, _) = phase { progress.stamps } else { nil }
  }

  /// Throws if ids have another type than those of earlier rounds.
  private func checkTypes(_ received: [ReceivedRow]) throws(SyncError) {
    let numbers = kinds[Int(PackedID.Kind.number.rawValue)]
    guard round > 1, rows.count > 0, numbers == 0 || numbers == rows.count else { return }
    let wereNumbers = numbers > 0
    let others = received.filter { $0.id.isNumber != wereNumbers }
    guard let first = others.first else { return }
    let isWholePage = others.count == received.count && received.count > 1
    let twin = others.first { row in row.id.twin.map { rows.index(of: $0.bytes) != nil } ?? false }
    guard isWholePage || twin != nil else { return }
    throw .otherIDType(
      id: (twin ?? first).id.text, was: wereNumbers ? "number" : "text", now: wereNumbers ? "text" : "number")
  }

  /// What a walk says of a round at its end.
  package struct Outcome: Hashable, Sendable {
    package var consistency: Consistency
    package var end: ListEnd
    package var version: String?
    package var isSameVersion = false
    package var requests = 0
    /// Whether the whole list was read, and not a part of it by its stamps.
    package var isFull = true
    /// Whether the pages join without a gap, apart from rows that moved to the start of the list meanwhile.
    package var joins = false

    package init(
      _ consistency: Consistency, _ end: ListEnd, version: String? = nil, isSameVersion: Bool = false,
      requests: Int = 0
    ) {
      (self.consistency, self.end, self.version) = (consistency, end, version)
      (self.isSameVersion, self.requests) = (isSameVersion, requests)
    }

    /// Whether the list was read to its end. It was, too, if only less can be claimed than the program asked for.
    var isRead: Bool {
      switch end {
      case .complete, .incomplete(.lowClaim): true
      case .incomplete: false
      }
    }
  }

  /// Returns how a round ends. Rows are reported as gone only if that is proven.
  ///
  /// - Parameters:
  ///   - outcome: What the walk says.
  ///   - last: The last page, if the state doesn't have it yet.
  ///   - limit: How many rows may be reported as gone.
  package func seal(
    _ outcome: Outcome, after last: SyncDelta.Page = SyncDelta.Page(), atMost limit: DeleteLimit
  ) -> SyncDelta.Seal {
    let unreadable = unreadableCount + last.unreadable
    var seal = SyncDelta.Seal(consistency: outcome.consistency.lacking(unreadable), requests: outcome.requests)
    (seal.isSameVersion, seal.isFull) = (outcome.isSameVersion, outcome.isFull)
    if case .incomplete(let problem) = outcome.end { seal.problem = "\(problem)" }
    let found = last.seen + last.updated.map(\.index) + last.left
    // A short round doesn't show what is gone.
    let missing = outcome.isSameVersion || !outcome.isFull ? 0 : missingCount - found.count(where: isMissing)
    if missing > 0 {
      let most = limit.count(of: rowCount + last.newRows)
      if !outcome.isRead {
        seal.reason = .incomplete
      } else if unreadable > 0 {
        seal.reason = .unreadable(unreadable)
      } else if !outcome.consistency.claim.isProven {
        seal.reason = .unproven(outcome.consistency.claim)
      } else if missing > most {
        seal.reason = .aboveLimit(most)
      }
      if seal.reason == nil { seal.deletes = missing } else { seal.heldBack = missing }
    }
    // With another end, the next round looks again for rows that are missing or could not be read.
    if outcome.isRead, outcome.isFull, seal.reason == nil, unreadable == 0,
      outcome.consistency.claim.isProven
    {
      seal.version = outcome.version
    }
    if let stamps = last.stamps ?? stamps, !outcome.isSameVersion {
      let before = watermark(of: stamps.plan) ?? Watermark(plan: stamps.plan)
      let ending = Watermark.Ending(isFull: outcome.isFull, isRead: outcome.isRead, isProven: outcome.joins)
      (seal.watermark, seal.watermarkProblem) = before.after(stamps, ending)
    }
    return seal
  }

  /// What earlier rounds of a plan have left. Other filters make another list, of which it says nothing.
  package func watermark(of plan: UInt64) -> Watermark? { watermark?.plan == plan ? watermark : nil }

  /// Whether the program has a row that the running round lacks so far.
  private func isMissing(_ index: Int) -> Bool {
    rows[roundOf: index] < round && rows[roundOf: index] != Self.gone && rows[markOf: index] != RowTable.noMark
  }

  private var unreadableCount: Int {
    if case .reading(let progress, _) = phase { progress.unreadable } else { 0 }
  }

  private var missingCount: Int { (0..<rows.count).count(where: isMissing) }

  /// The next rows that are reported as gone, at most a number of them; empty if there are no more.
  ///
  /// - Parameter start: The index where the search begins.
  package func nextDeletes(_ limit: Int, from start: Int = 0) -> [Int] {
    guard case .deleting(_, let seal) = phase, seal.deletes > 0 else { return [] }
    return Array((start..<rows.count).lazy.filter(isMissing).prefix(limit))
  }

  /// The receipt of the round whose deletes are all reported.
  package func receipt(at date: Double) -> SyncReceipt? {
    guard case .deleting(let progress, let seal) = phase else { return nil }
    var receipt = SyncReceipt(
      round: round, consistency: seal.consistency, problem: seal.problem, requests: progress.requests,
      rows: rowCount, moments: .between(progress.begin, date))
    (receipt.isSameVersion, receipt.clockStep) = (seal.isSameVersion, progress.clockStep)
    (receipt.inserted, receipt.returned) = (progress.inserted, progress.returned)
    (receipt.updated, receipt.deleted) = (progress.updated, progress.deleted + progress.left)
    (receipt.unreadable, receipt.heldBack, receipt.reason) = (progress.unreadable, seal.heldBack, seal.reason)
    receipt.isFull = seal.isFull
    if let stamps = progress.stamps, let watermark = watermark(of: stamps.plan) {
      receipt.watermark = SyncReceipt.Watermark(
        mark: watermark.mark?.stamp.text, lateness: watermark.largestLateness, late: stamps.late,
        missed: seal.isFull ? stamps.missed : 0, problem: seal.watermarkProblem ?? stamps.detour)
    }
    return receipt
  }
}

extension Consistency {
  /// The same for a program that could not read a number of the rows.
  fileprivate func lacking(_ unreadable: Int) -> Consistency {
    guard unreadable > 0 else { return self }
    var lacking = lackingRows
    if claim.isProven { lacking.claim = .mayLack(atMost: unreadable) }
    return lacking
  }
}

/// The stamps of a round, measured page by page: their order, how late rows came, and how far the round has read.
///
/// A plain value that decides where a short round stops. Nothing is taken for granted: what speaks against the stamps
/// lets the round go on to the end of the list, or leaves no mark.
package struct RoundStamps: Hashable, Sendable {
  /// The plan of the round.
  package var plan: UInt64
  /// Whether the list has to be sorted by the stamps, newest first.
  package var isSorted: Bool
  /// Whether the round is to stop early, or to read a filtered list.
  package var isShort: Bool
  /// The border that earlier rounds have left.
  package let border: Watermark.Border?
  /// How far below the mark the round reads. Rows that come late widen it.
  package var overlap: Double
  /// Stamps after this moment, in seconds since 1970, are in the future.
  package var now: Double

  /// Why the round leaves no mark.
  package var problem: String?
  /// Why it doesn't stop early.
  package var detour: String?
  package var pages = 0
  /// The last stamp that was read.
  package var last: Stamp?
  /// Whether a stamp was lower than the one before it in a response, and whether one was higher.
  package var hasFall = false
  package var hasRise = false
  /// The highest stamp of the first page that is not in the future.
  package var top: Stamp?
  /// The highest ones of the round, the highest first.
  package var highestRows: [Stamp] = []
  /// How far below the mark the lowest new row was.
  package var lateness = 0.0
  /// How many new or changed rows were below the mark.
  package var late = 0
  /// How many of them a short round would not have read.
  package var missed = 0
  /// Whether a row was read that was known and has not changed, so that the round meets the one before.
  package var isWitnessed = false

  /// How many rows of the last round are read again, so that late ones are seen.
  package static let leastOverlap = 10

  package init(plan: UInt64, isSorted: Bool, isShort: Bool, border: Watermark.Border?, now: Double) {
    (self.plan, self.isSorted, self.isShort, self.border, self.now) = (plan, isSorted, isShort, border, now)
    overlap = border?.overlap ?? 0
  }

  /// A row of a page.
  package struct Row: Hashable, Sendable {
    package var stamp: Stamp?
    /// Whether the row before it is in the same response, whose rows are of one instant.
    package var followsInResponse: Bool
    /// Whether it was in earlier rounds.
    package var isKnown = true
    /// Whether it is new, or its content has changed.
    package var isChanged: Bool
    /// Whether its stamp is another one than before.
    package var hasNewStamp: Bool

    package init(
      _ stamp: Stamp?, followsInResponse: Bool = true, isChanged: Bool = false, hasNewStamp: Bool = false
    ) {
      (self.stamp, self.followsInResponse) = (stamp, followsInResponse)
      (self.isChanged, self.hasNewStamp) = (isChanged, hasNewStamp)
    }
  }

  package var highest: Stamp? { highestRows.first }

  /// Whether the list may be sorted by the stamps, so that rows move when they change.
  package var isInOrder: Bool { isSorted || !hasFall || !hasRise }

  /// Whether the highest stamps may come first, so that rows that change move to the start.
  package var isNewestFirst: Bool { isSorted || !hasRise }

  /// Whether the highest stamps may come last, so that rows that change move to where the walk has not been.
  package var movesDown: Bool { !isSorted && !hasFall }

  /// Whether a short round has read all that it has to, so that the rest of the list needn't be read.
  package var mayStop: Bool {
    guard isShort, isSorted, problem == nil, detour == nil, let last, let mark = border?.mark else { return false }
    return Watermark.Border(mark: mark, overlap: overlap).isAbove(last)
  }

  /// Adds the rows of a page.
  package mutating func add(_ rows: [Row]) {
    pages += 1
    for row in rows {
      guard let stamp = row.stamp else {
        problem = problem ?? "a row has no stamp that can be compared"
        continue
      }
      checkOrder(of: stamp, row.followsInResponse)
      note(stamp)
      if let border { compare(row, stamp, border) }
    }
    guard pages == 1, !rows.isEmpty, problem == nil else { return }
    if top == nil {
      problem = "no stamp of the first page is in the past, by the clock of this machine"
    } else if isSorted, let mark = border?.mark.stamp, let top, top.isBelow(mark) {
      detour = "the newest stamp, \(top.text), is below the last mark, \(mark.text)"
    }
  }

  private mutating func checkOrder(of stamp: Stamp, _ followsInResponse: Bool) {
    if let last {
      if last.kind != stamp.kind {
        problem = problem ?? "stamps have different types: \(last.text) and \(stamp.text)"
      } else if isSorted, last.isBelow(stamp) {
        problem = problem ?? "the list is not sorted newest first: \(stamp.text) comes after \(last.text)"
      }
      if followsInResponse, last.isBelow(stamp) { hasRise = true }
      if followsInResponse, stamp.isBelow(last) { hasFall = true }
    }
    last = stamp
  }

  private mutating func note(_ stamp: Stamp) {
    guard !stamp.isLater(than: now) else { return }
    if pages == 1, top.map({ $0.isBelow(stamp) }) ?? true { top = stamp }
    let place = highestRows.firstIndex { $0.isBelow(stamp) } ?? highestRows.count
    highestRows.insert(stamp, at: place)
    if highestRows.count > Self.leastOverlap { highestRows.removeLast() }
  }

  private mutating func compare(_ row: Row, _ stamp: Stamp, _ border: Watermark.Border) {
    guard stamp.kind == border.mark.stamp.kind else {
      detour = detour ?? "stamps have another type than the last mark, \(border.mark.stamp.text): \(stamp.text)"
      return
    }
    if row.isKnown, !row.isChanged { isWitnessed = true }
    guard row.isChanged, stamp.isBelow(border.mark.stamp) else { return }
    late += 1
    if border.isAbove(stamp) { missed += 1 }
    // The content of a row may change without its stamp, which says nothing of how late it came.
    guard row.hasNewStamp else { return }
    lateness = max(lateness, stamp.distance(below: border.mark.stamp))
    overlap = max(overlap, 2 * lateness)
  }

  /// The mark that the round leaves if nothing speaks against it.
  ///
  /// All that changes while the round reads has higher stamps than the list had when it began: those of its first page,
  /// and of rounds before it. In a sorted list the first page alone says how high they are.
  func nextMark(after highest: Stamp?) -> Watermark.Mark? {
    guard var mark = top else { return nil }
    if !isSorted, let highest, mark.isBelow(highest) { mark = highest }
    let floor = highestRows.last ?? mark
    return Watermark.Mark(mark, floor: floor.isBelow(mark) ? floor : mark)
  }
}

/// Decides for a list how far its pages overlap, so that one response has rows of both sides of a seam, and how far to
/// step back where it has none.
///
/// A plain value. A server that refuses or ignores overlaps loses nothing by it: they are given up for the list.
struct OverlapPolicy: Hashable, Sendable {
  /// The number of rows before a page that its overlap begins with.
  private(set) var rows = 1
  /// Whether overlaps request as many further rows, so that they reach as far as pages do. Otherwise they have the
  /// size of a page, which some servers don't exceed.
  private(set) var isWide = true
  /// Whether an overlap had all the rows that were requested beyond the size of a page.
  private(set) var isWideHonored = false
  /// The number of requests that brought no new rows.
  private var checks = 0
  /// The number of these that ``takeChecks()`` returned.
  private var takenChecks = 0
  /// Whether an overlap began where it was requested.
  private(set) var isTrusted = false
  /// The number of pages that were read again after stepping back.
  private var rereadPages = 0.0
  /// The number of rows that come again before new ones do, since the walk has stepped back.
  private var rowsToReread = 0
  private var failures = 0
  private var shifts: [Int] = []

  /// Whether overlaps are not requested any more.
  var isGivenUp: Bool { failures >= 2 }

  /// The number of the last seams at which no row had moved.
  private var stillSeams = 0
  /// Whether no row has moved at the last seams.
  var isStill: Bool { stillSeams >= 3 }

  /// What an overlap showed.
  enum Verdict: Hashable {
    /// It has rows of both sides.
    case joined
    /// It has more known rows than requested. Rows were inserted, or it begins elsewhere: the page itself shows which.
    case doubtful
    /// It has no row that was read before.
    case apart
    /// It has fewer rows than a page, which would be the end of the list, but the server may not send so many.
    case short
    /// It doesn't have the requested size.
    case ignored
  }

  /// Judges an overlap.
  ///
  /// - Parameters:
  ///   - overlap: What was requested.
  ///   - count: The number of its rows.
  ///   - shared: What it shares with the rows that were read before.
  ///   - size: The number of rows of a page; `nil` if that is not known.
  ///   - hasNext: Whether a page follows it.
  ///   - isEndTold: Whether the server says so, or else it is known by the number of rows alone.
  mutating func judge(
    _ overlap: PageOverlap, count: Int, _ shared: SharedRows, size: Int?,
    hasNext: Bool, isEndTold: Bool
  ) -> Verdict {
    if let asked = overlap.ownSize,
      count > asked || !isTrusted && count < min(asked, overlap.isFirst ? 0 : overlap.rows)
    {
      (checks, failures) = (checks + 1, 2)
      return .ignored
    }
    // A row far before the last one, with new rows after it, has more likely moved than all rows between were removed.
    let isFar = !shared.endsKnown && size.map { shared.distance ?? 0 > $0 } ?? false
    guard shared.known > 0, !isFar || !shared.isOrdered else { return .apart }
    // One further back may begin where a page does, which any server sends.
    if overlap.isFirst {
      let isUnmoved = shared.known == overlap.rows && !shared.hasNewBeforeKnown
      stillSeams = isUnmoved ? stillSeams + 1 : 0
      // Where rows have gone meanwhile, an overlap has fewer of the known ones. Its size shows that it came as requested.
      let isShifted =
        overlap.isWide && shared.known < overlap.rows && count == overlap.key.size
        && !shared.hasNewBeforeKnown
      if isUnmoved || isShifted, overlap.ownSize == nil || overlap.ownSize != size {
        isTrusted = true
      }
    }
    if let size, overlap.isFirst {
      if !isTrusted, shared.known > overlap.rows { return .doubtful }
      if isWide, !isWideHonored, !hasNext, !isEndTold, overlap.isWide {
        (isWide, checks) = (false, checks + 1)
        return .short
      }
      note(shift: max(0, overlap.rows - shared.known), size)
      if overlap.isWide, hasNext {
        if count >= size + overlap.rows { isWideHonored = true }
        if count <= size { (isWide, isWideHonored) = (false, false) }
      }
    }
    return .joined
  }

  /// Records that the list is read on from an overlap, with the pages between it and the place where it was.
  ///
  /// - Parameter isJoined: Whether it has a row that was read before, or else it begins where the list does.
  mutating func goOn(from overlap: PageOverlap, size: Int, isJoined: Bool) {
    guard !overlap.isFirst || !isJoined else { return }
    rereadPages += Double(overlap.rows) / Double(max(1, size))
    rowsToReread = overlap.rows
  }

  /// Returns whether a page has rows that come again after a step back.
  mutating func takeReread(_ count: Int) -> Bool {
    guard count > 0 else { return false }
    defer { rowsToReread = max(0, rowsToReread - count) }
    return rowsToReread > 0
  }

  /// Compares a doubtful overlap with the page itself.
  ///
  /// - Parameters:
  ///   - position: The number of rows of the overlap before the first one of the page; negative if that one comes before
  ///     the overlap, and `nil` if they don't share a row.
  ///   - count: The number of rows of the overlap.
  mutating func verify(_ overlap: PageOverlap, position: Int?, of count: Int) {
    checks += 1
    // Between the two requests, rows may have come or gone, more of them if others are in flight. A page of another
    // size than requested may begin anywhere near, and the page itself in place of an overlap shows nothing.
    let tolerance = overlap.ownSize != nil ? 1 : max(1, count / 2)
    if let position, abs(position - overlap.rows) <= tolerance, position != 0 || overlap.rows == 1 {
      isTrusted = true
    } else {
      failures += 1
    }
  }

  /// Records that an overlap was refused.
  mutating func refuse() {
    checks += 1
    if isWide { (isWide, isWideHonored) = (false, false) }
    failures += 1
  }

  /// Returns the number of requests that brought no new rows since the last call.
  mutating func takeChecks() -> Int {
    defer { takenChecks = checks }
    return checks - takenChecks
  }

  /// Returns how many rows before the page the next overlap begins, further back than this one; `nil` if that took too
  /// many requests already.
  mutating func stepBack(
    from overlap: PageOverlap, size: Int, _ position: OverlapPlan.Position
  ) -> Int? {
    (checks, stillSeams) = (checks + 1, 0)
    if overlap.isFirst { note(shift: rows, size) }
    guard allowsRereading(0, size: size, position) else {
      giveUpUnlessTrusted()
      return nil
    }
    // An overlap further back has to begin before this one.
    return overlap.isFirst ? max(size - 1, overlap.rows + 1) : overlap.rows.times(2)
  }

  /// Gives overlaps up for the list, as a server that never sent one as requested doesn't know them.
  mutating func giveUpUnlessTrusted() { if !isTrusted { failures = 2 } }

  /// Whether as many pages may be read again: twice as many as were read, or as many where only signs are followed.
  /// Pages without new rows don't count, or a list that gets shorter while it is read would not end soon.
  func allowsRereading(_ count: Int, size: Int, _ position: OverlapPlan.Position) -> Bool {
    let pages = min(Double(position.pages) - rereadPages, Double(position.rows / max(1, size) + 1))
    let factor = position.level == .signs ? 1.0 : 2
    // Bursts may follow each other from the start. A server that sent no overlap yet gets fewer tries.
    let start: Double = isTrusted ? 9 : 6
    return Double(checks + count) + rereadPages <= factor * (max(0, pages) + start)
  }

  /// Keeps twice the largest shift of the last overlaps.
  private mutating func note(shift: Int, _ size: Int) {
    shifts.append(shift)
    if shifts.count > 8 { shifts.removeFirst() }
    rows = min(max(1, 2 * (shifts.max() ?? 0)), max(1, size / 2))
  }
}

/// Decides for a list how its windows overlap, so that one response has rows of both sides of a seam, and how far to
/// step back where it has none.
///
/// A plain value. A server that refuses or ignores windows loses nothing by it: they are given up for the list.
struct Overlap: Hashable, Sendable {
  /// The number of rows before a page that its window begins with.
  private(set) var rows = 1
  /// Whether windows request as many further rows, so that they reach as far as pages do. Otherwise they have the
  /// size of a page, which some servers don't exceed.
  private(set) var isWide = true
  /// Whether a window had all the rows that were requested beyond the size of a page.
  private(set) var isWideHonored = false
  /// The number of requests that brought no new rows.
  private var checks = 0
  /// The number of these that ``takeChecks()`` returned.
  private var takenChecks = 0
  /// Whether a window began where it was requested.
  private(set) var isTrusted = false
  /// The number of pages that were read again after stepping back.
  private var rereadPages = 0.0
  /// The number of rows that come again before new ones do, since the walk has stepped back.
  private var rowsToReread = 0
  private var failures = 0
  private var shifts: [Int] = []

  /// Whether windows are not requested any more.
  var isGivenUp: Bool { failures >= 2 }

  /// The number of the last seams at which no row had moved.
  private var stillSeams = 0
  /// Whether no row has moved at the last seams.
  var isStill: Bool { stillSeams >= 3 }

  /// What a window showed.
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

  /// Judges a window.
  ///
  /// - Parameters:
  ///   - window: What was requested.
  ///   - count: The number of its rows.
  ///   - meeting: What it shares with the rows that were read before.
  ///   - size: The number of rows of a page; `nil` if that is not known.
  ///   - hasNext: Whether a page follows it.
  ///   - isEndTold: Whether the server says so, or else it is known by the number of rows alone.
  mutating func judge(
    _ window: PageWindow, count: Int, _ meeting: ConsistencyRecord.Meeting, size: Int?,
    hasNext: Bool, isEndTold: Bool
  ) -> Verdict {
    if let asked = window.ownSize,
      count > asked || !isTrusted && count < min(asked, window.isFirst ? 0 : window.rows)
    {
      (checks, failures) = (checks + 1, 2)
      return .ignored
    }
    // A row far before the last one, with new rows after it, has more likely moved than all rows between were removed.
    let isFar = !meeting.endsKnown && size.map { meeting.distance ?? 0 > $0 } ?? false
    guard meeting.known > 0, !isFar || !meeting.isOrdered else { return .apart }
    // One further back may begin where a page does, which any server sends.
    if window.isFirst {
      let isUnmoved = meeting.known == window.rows && !meeting.hasNewBeforeKnown
      stillSeams = isUnmoved ? stillSeams + 1 : 0
      // Where rows have gone meanwhile, a window has fewer of the known ones. Its size shows that it came as requested.
      let isShifted =
        window.isWide && meeting.known < window.rows && count == window.key.size
        && !meeting.hasNewBeforeKnown
      if isUnmoved || isShifted, window.ownSize == nil || window.ownSize != size {
        isTrusted = true
      }
    }
    if let size, window.isFirst {
      if !isTrusted, meeting.known > window.rows { return .doubtful }
      if isWide, !isWideHonored, !hasNext, !isEndTold, window.isWide {
        (isWide, checks) = (false, checks + 1)
        return .short
      }
      note(shift: max(0, window.rows - meeting.known), size)
      if window.isWide, hasNext {
        if count >= size + window.rows { isWideHonored = true }
        if count <= size { (isWide, isWideHonored) = (false, false) }
      }
    }
    return .joined
  }

  /// Records that the list is read on from a window, with the pages between it and the place where it was.
  ///
  /// - Parameter isJoined: Whether it has a row that was read before, or else it begins where the list does.
  mutating func goOn(from window: PageWindow, size: Int, isJoined: Bool) {
    guard !window.isFirst || !isJoined else { return }
    rereadPages += Double(window.rows) / Double(max(1, size))
    rowsToReread = window.rows
  }

  /// Returns whether a page has rows that come again after a step back.
  mutating func takeReread(_ count: Int) -> Bool {
    guard count > 0 else { return false }
    defer { rowsToReread = max(0, rowsToReread - count) }
    return rowsToReread > 0
  }

  /// Compares a doubtful window with the page itself.
  ///
  /// - Parameters:
  ///   - position: The number of rows of the window before the first one of the page; negative if that one comes before
  ///     the window, and `nil` if they don't share a row.
  ///   - count: The number of rows of the window.
  mutating func verify(_ window: PageWindow, position: Int?, of count: Int) {
    checks += 1
    // Between the two requests, rows may have come or gone, more of them if others are in flight. A page of another
    // size than requested may begin anywhere near, and the page itself in place of a window shows nothing.
    let tolerance = window.ownSize != nil ? 1 : max(1, count / 2)
    if let position, abs(position - window.rows) <= tolerance, position != 0 || window.rows == 1 {
      isTrusted = true
    } else {
      failures += 1
    }
  }

  /// Records that a window was refused.
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

  /// Returns how many rows before the page the next window begins, further back than this one; `nil` if that took too
  /// many requests already.
  mutating func stepBack(
    from window: PageWindow, size: Int, _ position: SeamWindows.Position
  ) -> Int? {
    (checks, stillSeams) = (checks + 1, 0)
    if window.isFirst { note(shift: rows, size) }
    guard allowsRereading(0, size: size, position) else {
      giveUpUnlessTrusted()
      return nil
    }
    // A window further back has to begin before this one.
    return window.isFirst ? max(size - 1, window.rows + 1) : window.rows.times(2)
  }

  /// Gives windows up for the list, as a server that never sent one as requested doesn't know them.
  mutating func giveUpUnlessTrusted() { if !isTrusted { failures = 2 } }

  /// Whether as many pages may be read again: twice as many as were read, or as many where only signs are followed.
  /// Pages without new rows don't count, or a list that gets shorter while it is read would not end soon.
  func allowsRereading(_ count: Int, size: Int, _ position: SeamWindows.Position) -> Bool {
    let pages = min(Double(position.pages) - rereadPages, Double(position.rows / max(1, size) + 1))
    let factor = position.level == .signs ? 1.0 : 2
    // Bursts may follow each other from the start. A server that sent no window yet gets fewer tries.
    let start: Double = isTrusted ? 9 : 6
    return Double(checks + count) + rereadPages <= factor * (max(0, pages) + start)
  }

  /// Keeps twice the largest shift of the last windows.
  private mutating func note(shift: Int, _ size: Int) {
    shifts.append(shift)
    if shifts.count > 8 { shifts.removeFirst() }
    rows = min(max(1, 2 * (shifts.max() ?? 0)), max(1, size / 2))
  }
}

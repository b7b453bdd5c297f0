internal import ItemMapping
internal import ServerAPI

/// Decides which windows of a list are requested, so that the seams between its pages are seen, and how a window joins
/// the rows so far. A plain value, the same for a walk and a list.
struct SeamWindows: Hashable, Sendable {
  var overlap = Overlap()
  /// The most rows that a page without a window had.
  private(set) var pageSize: Int?
  /// Whether a response in the middle of the list had fewer rows than it could have: no page was full.
  private(set) var isThinned = false
  /// The number of rows of the last window before the next page, if it could have as many as that page.
  private var windowCount: Int?

  /// How the links number their pages, as far as the first one shows.
  private var links: NumberedLinks?
  /// Whether a window has joined.
  private(set) var wasUsed = false
  /// Whether a page has shown that the list changes while it is read.
  private(set) var hasSign = false
  /// The number of rows of the last page without a window, and the size that was requested.
  private var lastCount: Int?
  private var lastSize: Int?
  /// The page before which a window was requested since it showed a sign.
  private var lookedAt: PageKey?
  /// The page before which a window was requested again after one further back, and how often.
  private var repeated: PageKey?
  private var repeats = 0

  /// What is known where the next page is requested.
  struct Position {
    /// How much is requested to be sure of the rows.
    let level: Consistency.Level
    /// How the page is requested.
    let paging: Paging
    /// The first page of the list.
    let first: PageKey
    /// The number of pages so far.
    let pages: Int
    /// The number of rows that the server has sent.
    let rows: Int
    /// The number of all rows that it told, if any.
    let total: Int?
    /// Whether the link to the page has the id of the row before it.
    let leadsToID: Bool
    /// Whether the page before it says that there is more.
    let saysMore: Bool
  }

  /// The rows of a response, and what it says of its place.
  struct Response {
    let key: PageKey
    let count: Int
    let facts: PageFacts
  }

  /// What follows from a window.
  enum Step {
    /// It joins the rows so far.
    case join
    /// Another window is requested.
    case request(PageWindow)
    /// The page itself is requested.
    case requestPage
    /// The page itself is requested, to compare it with the window.
    case verify
    /// The page itself is requested, although rows have moved that no window found.
    case giveUp
  }

  /// Records a page without a window. Known rows beside new ones, or fewer rows than on the page before although
  /// another page follows, are signs that the list changes.
  mutating func note(_ page: Response, knownRows: Int) {
    let isShort =
      page.count < lastCount ?? 0 && page.key.size == lastSize && page.facts.next != .end
    let isShifted = knownRows > 0 && knownRows < page.count
    if isShifted || isShort, page.key.place.isCounted { hasSign = true }
    if windowCount.take() ?? .max < page.count, page.key.size == nil { isThinned = true }
    if page.key.place == .start, case .page(let next) = page.facts.next {
      links = NumberedLinks(toSecond: next)
    }
    (lastCount, lastSize) = (page.count, page.key.size)
    pageSize = max(pageSize ?? 0, page.count)
  }

  /// Records whether a page reports another number of rows than the pages before it, which is a sign too.
  mutating func noteChange(at key: PageKey, _ isChanged: Bool) {
    if isChanged, key.place.isCounted { hasSign = true }
  }

  /// Whether the seam before a page that came without a window is worth a request: the list changes, and rows may have
  /// moved there.
  func isWorthLook(at key: PageKey) -> Bool { hasSign && key.place.isCounted && lookedAt != key }

  /// Records that a page is looked at, which is done once.
  mutating func look(at key: PageKey) { lookedAt = key }

  /// Returns the window before a page that shows the seam between it and the rows so far; `nil` where none can.
  func window(before key: PageKey, _ position: Position) -> PageWindow? {
    guard position.level >= .seams || position.level == .signs && hasSign, position.pages > 0,
      !overlap.isGivenUp
    else { return nil }
    let strategy = position.paging.strategy
    // No other row has the id of the last one, so that none is skipped.
    if strategy.isKeyset, position.leadsToID { return nil }
    guard
      var window = self.window(
        strategy, before: key, rows: overlap.rows,
        // Whether a larger size is honored shows a full window. A short list has none.
        isWide: overlap.isWide
          && (position.pages > 1 || position.total != nil || strategy.endSign == .told),
        isFirst: true, position.level)
    else { return nil }
    // A link whose number is not that of the rows so far counts something else.
    if position.pages == 1, case .url = key.place, let size = pageSize,
      let offset = window.position, offset != size, offset != size + 1
    {
      return nil
    }
    if let size = pageSize(at: key, position), window.key.size == size + window.rows,
      overlap.isWideHonored
    {
      window.key.full = window.key.size.map { FullSize(rows: $0, grounds: .confirmed) }
    }
    window.key.overlap = window.rows
    window.isAlone = window.ownSize != nil && !overlap.isStill
    return window
  }

  /// Returns a window by the way of paging. Pages with numbers have windows only for a list that should be whole, since
  /// these take more requests.
  private func window(
    _ strategy: any PageStrategy, before key: PageKey, rows: Int, isWide: Bool, isFirst: Bool,
    _ level: Consistency.Level
  ) -> PageWindow? {
    if let window = strategy.window(before: key, rows: rows, isWide: isWide) { return window }
    guard level == .whole else { return nil }
    if case .pageNumber(let paging) = strategy.way {
      return paging.window(before: key, rows: rows, reachesPage: isFirst)
    }
    return links?.window(before: key, rows: rows, reachesPage: isFirst, pageSize: pageSize)
  }

  /// The number of rows of a page, as far as it is known.
  private func pageSize(at key: PageKey, _ position: Position) -> Int? {
    switch position.paging.way {
    case .offset(let paging): key.fullSize ?? paging.limit
    case .range(let paging): key.fullSize ?? paging.size
    case .relay(let paging): pageSize ?? paging.size
    case .pageNumber(let paging): paging.pages.size ?? key.fullSize ?? pageSize
    default: links?.usualSize ?? key.fullSize ?? pageSize
    }
  }

  /// Handles the response to a window.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - window: What was requested.
  ///   - meeting: What it shares with the rows that were read before.
  ///   - key: The page that the window overlaps.
  ///   - position: What is known there.
  mutating func see(
    _ response: Response, _ window: PageWindow, _ meeting: ConsistencyRecord.Meeting,
    before key: PageKey, _ position: Position
  ) -> Step {
    let size = pageSize(at: key, position)
    let facts = response.facts
    if let pageSize, response.count > pageSize, response.count < window.key.size ?? 0,
      facts.next != .end
    {
      isThinned = true
    }
    windowCount = window.ownSize == nil ? response.count : nil
    let isAtStart =
      window.start == 0 || response.key.place == position.first.place
      || response.key.place == position.paging.strategy.first.place
    switch overlap.judge(
      window, count: response.count, meeting, size: size, hasNext: facts.next != .end,
      isEndTold: facts.total != nil || facts.pageCount != nil
        || position.paging.strategy.endSign == .told)
    {
    case .joined:
      // Windows further back are requested because there are rows after them.
      if facts.next == .end, !window.isFirst, !facts.endSign.isStated { return .giveUp }
      // A flag that goes by the size of the page means nothing in a window of another size.
      if facts.next == .end, position.saysMore, window.ownSize != nil,
        meeting.known == response.count
      {
        return .requestPage
      }
      // Some rules need the page itself to tell that it has no rows, also where a total promises more than came.
      if case .page(let next) = facts.next, meeting.known == response.count {
        let isPage = next.place == key.place && (window.ownSize == nil || next.size == key.size)
        let isShort = response.count < window.ownSize ?? 0
        if window.isFirst, isPage || isShort { return .requestPage }
        if isPage { return seeAgain(before: key, position) }
      }
    case .short, .ignored:
      return self.window(before: key, position).map { .request($0) } ?? .requestPage
    case .doubtful: return .verify
    case .apart where !isAtStart && !window.isChained:
      return stepBack(from: window, before: key, position)
    case .apart: break
    }
    overlap.goOn(from: window, size: size ?? 1, isJoined: meeting.known > 0)
    wasUsed = true
    return .join
  }

  /// Requests the first window of a page again, after one further back whose rows are all known and that leads to the
  /// page. Rows may have moved once more meanwhile, or the server has no window there, so it is tried three times.
  private mutating func seeAgain(before key: PageKey, _ position: Position) -> Step {
    (repeated, repeats) = (key, repeated == key ? repeats + 1 : 1)
    if repeats > 3 { overlap.giveUpUnlessTrusted() }
    guard repeats <= 3, let again = window(before: key, position) else { return .requestPage }
    return .request(again)
  }

  private mutating func stepBack(
    from window: PageWindow, before key: PageKey, _ position: Position
  ) -> Step {
    let size = pageSize(at: key, position)
    guard let back = overlap.stepBack(from: window, size: size ?? 1, position),
      let further = self.window(before: key, rows: back, size: size, furtherThan: window, position)
    else { return .giveUp }
    return .request(further)
  }

  /// Returns a window further back than one that has no known row; `nil` if there is none.
  private func window(
    before key: PageKey, rows back: Int, size: Int?, furtherThan window: PageWindow,
    _ position: Position
  ) -> PageWindow? {
    let strategy = position.paging.strategy
    guard
      var further = self.window(
        strategy, before: key, rows: back, isWide: false, isFirst: false, position.level)
    else { return nil }
    if further.rows <= window.rows {
      // No earlier cursor is known, but the first page needs none.
      let all = position.rows
      guard strategy.startsWithFirstCursor, all > window.rows,
        overlap.allowsRereading(all / max(1, size ?? 1), size: size ?? 1, position)
      else { return nil }
      further = PageWindow(key: strategy.first, rows: all)
    }
    further.isFirst = false
    further.key.overlap = further.rows
    return further
  }

  /// Compares the page itself with the rows of a doubtful window. Returns whether the server knows windows, so that one
  /// can take the place of the page.
  ///
  /// - Parameters:
  ///   - page: The ids of its rows.
  ///   - ids: The ids of the rows of the window.
  mutating func verify(_ window: PageWindow, _ page: [RowDigest], in ids: [RowDigest]) -> Bool {
    // Where the page has no rows, the list ends where the page begins.
    let position =
      page.first.map { first in
        ids.firstIndex(of: first) ?? ids.first.flatMap { page.firstIndex(of: $0) }.map { -$0 }
      } ?? ids.count
    overlap.verify(window, position: position, of: ids.count)
    return overlap.isTrusted
  }

  /// Returns what is requested in place of a window that the server refused; `nil` if the failure has another reason
  /// and the window can be requested again.
  mutating func refused(
    _ window: PageWindow, _ error: LoadError, before key: PageKey, _ position: Position
  ) -> Step? {
    guard error.refusesWindow else { return nil }
    // So many rows went that the list ends before the window. A server that sent others knows windows.
    if wasUsed, error.refusal == 416, case .range = position.paging.way {
      return stepBack(from: window, before: key, position)
    }
    overlap.refuse()
    guard window.isFirst else { return .giveUp }
    guard let narrow = self.window(before: key, position), narrow.key != window.key else {
      return .requestPage
    }
    return .request(narrow)
  }
}

extension LoadError {
  /// Whether a server that fails like this might have another response for a page without a window.
  var refusesWindow: Bool {
    guard case .request(let error) = self else { return !isCancelled }
    // Pages that were stored without windows, and web pages.
    if [.notStored, .unexpectedContent(.captivePortal)].contains(error.kind) { return true }
    return status.map {
      (400..<600).contains($0) && ![401, 403, 407, 408, 429, 502, 503, 504].contains($0)
    } ?? false
  }
}

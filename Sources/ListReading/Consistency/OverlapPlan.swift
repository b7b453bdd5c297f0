internal import ItemMapping
internal import ServerAPI

/// Decides which overlaps of a list are requested, so that the seams between its pages are seen, and how an overlap joins
/// the rows so far. A plain value, the same for a walk and a list.
struct OverlapPlan: Hashable, Sendable {
  var policy = OverlapPolicy()
  /// The most rows that a page without an overlap had.
  private(set) var pageSize: Int?
  /// Whether a response in the middle of the list had fewer rows than it could have: no page was full.
  private(set) var isThinned = false
  /// The number of rows of the last overlap before the next page, if it could have as many as that page.
  private var overlapCount: Int?

  /// How the links number their pages, as far as the first one shows.
  private var links: NumberedLinks?
  /// Whether an overlap has joined.
  private(set) var wasUsed = false
  /// Whether a page has shown that the list changes while it is read.
  private(set) var hasSign = false
  /// The number of rows of the last page without an overlap, and the size that was requested.
  private var lastCount: Int?
  private var lastSize: Int?
  /// The page before which an overlap was requested since it showed a sign.
  private var lookedAt: PageKey?
  /// The page before which an overlap was requested again after one further back, and how often.
  private var repeated: PageKey?
  private var repeats = 0

  /// What is known where the next page is requested.
  struct Position {
    /// How many extra requests may be sent to find missing rows.
    let level: Consistency.Level
    /// How the page is requested.
    let paging: Paging
    /// The first page of the list.
    let first: PageKey
    /// The number of pages so far.
    let pages: Int
    /// The number of rows that the server has sent.
    let rows: Int
    /// The total number of rows that it reports, if any.
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

  /// What follows from an overlap.
  enum Step {
    /// It joins the rows so far.
    case join
    /// Another overlap is requested.
    case request(PageOverlap)
    /// The page itself is requested.
    case requestPage
    /// The page itself is requested, to compare it with the overlap.
    case verify
    /// The page itself is requested, although rows have moved that no overlap found.
    case giveUp
  }

  /// Records a page without an overlap. Known rows beside new ones, or fewer rows than on the page before although
  /// another page follows, are signs that the list changes.
  mutating func note(_ page: Response, knownRows: Int) {
    let isShort =
      page.count < lastCount ?? 0 && page.key.size == lastSize && page.facts.next != .end
    let isShifted = knownRows > 0 && knownRows < page.count
    if isShifted || isShort, page.key.place.isCounted { hasSign = true }
    if overlapCount.take() ?? .max < page.count, page.key.size == nil { isThinned = true }
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

  /// Records that rows may have moved between two pages.
  mutating func noteMovedRows() { hasSign = true }

  /// Whether the seam before a page that came without an overlap is worth a request: the list changes, and rows may have
  /// moved there.
  func isWorthLook(at key: PageKey) -> Bool { hasSign && key.place.isCounted && lookedAt != key }

  /// Records that a page is looked at, which is done once.
  mutating func look(at key: PageKey) { lookedAt = key }

  /// Returns the overlap before a page that shows the seam between it and the rows so far; `nil` where none can.
  func overlap(before key: PageKey, _ position: Position) -> PageOverlap? {
    guard position.level >= .seams || position.level == .signs && hasSign, position.pages > 0,
      !policy.isGivenUp
    else { return nil }
    let strategy = position.paging.strategy
    // No other row has the id of the last one, so that none is skipped.
    if strategy.isKeyset, position.leadsToID { return nil }
    guard
      var overlap = self.overlap(
        strategy, before: key, rows: policy.rows,
        // Whether a larger size is honored shows a full overlap. A short list has none.
        isWide: policy.isWide
          && (position.pages > 1 || position.total != nil || strategy.endSign == .said),
        isFirst: true, position.level)
    else { return nil }
    // A link whose number is not that of the rows so far counts something else.
    if position.pages == 1, case .url = key.place, let size = pageSize,
      let offset = overlap.position, offset != size, offset != size + 1
    {
      return nil
    }
    if let size = pageSize(at: key, position), overlap.key.size == size + overlap.rows,
      policy.isWideHonored
    {
      overlap.key.full = overlap.key.size.map { FullSize(rows: $0, grounds: .confirmed) }
    }
    overlap.key.overlap = overlap.rows
    overlap.isAlone = overlap.ownSize != nil && !policy.isStill
    return overlap
  }

  /// Returns an overlap by the way of paging. Pages with numbers have overlaps only for a list that should be whole, since
  /// these take more requests.
  private func overlap(
    _ strategy: any PageStrategy, before key: PageKey, rows: Int, isWide: Bool, isFirst: Bool,
    _ level: Consistency.Level
  ) -> PageOverlap? {
    if let overlap = strategy.overlap(before: key, rows: rows, isWide: isWide) { return overlap }
    guard level == .whole else { return nil }
    if case .pageNumber(let paging) = strategy.way {
      return paging.overlap(before: key, rows: rows, reachesPage: isFirst)
    }
    return links?.overlap(before: key, rows: rows, reachesPage: isFirst, pageSize: pageSize)
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

  /// Handles the response to an overlap.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - overlap: What was requested.
  ///   - shared: What it shares with the rows that were read before.
  ///   - key: The page that it begins before.
  ///   - position: What is known there.
  mutating func see(
    _ response: Response, _ overlap: PageOverlap, shared: SharedRows,
    before key: PageKey, _ position: Position
  ) -> Step {
    let size = pageSize(at: key, position)
    let facts = response.facts
    if let pageSize, response.count > pageSize, response.count < overlap.key.size ?? 0,
      facts.next != .end
    {
      isThinned = true
    }
    overlapCount = overlap.ownSize == nil ? response.count : nil
    let isAtStart =
      overlap.start == 0 || response.key.place == position.first.place
      || response.key.place == position.paging.strategy.first.place
    switch policy.judge(
      overlap, count: response.count, shared, size: size, hasNext: facts.next != .end,
      isEndTold: facts.total != nil || facts.pageCount != nil
        || position.paging.strategy.endSign == .said)
    {
    case .joined:
      // Overlaps further back are requested because there are rows after them.
      if facts.next == .end, !overlap.isFirst, !facts.endSign.isStated { return .giveUp }
      // A flag that goes by the size of the page means nothing in an overlap of another size.
      if facts.next == .end, position.saysMore, overlap.ownSize != nil,
        shared.known == response.count
      {
        return .requestPage
      }
      // Some rules need the page itself to tell that it has no rows, also where a total promises more than came.
      if case .page(let next) = facts.next, shared.known == response.count {
        let isPage = next.place == key.place && (overlap.ownSize == nil || next.size == key.size)
        let isShort = response.count < overlap.ownSize ?? 0
        if overlap.isFirst, isPage || isShort { return .requestPage }
        if isPage { return seeAgain(before: key, position) }
      }
    case .short, .ignored:
      return self.overlap(before: key, position).map { .request($0) } ?? .requestPage
    case .doubtful: return .verify
    case .apart where !isAtStart && !overlap.isChained:
      return stepBack(from: overlap, before: key, position)
    case .apart: break
    }
    policy.goOn(from: overlap, size: size ?? 1, isJoined: shared.known > 0)
    wasUsed = true
    return .join
  }

  /// Requests the first overlap of a page again, after one further back whose rows are all known and that leads to the
  /// page. Rows may have moved once more meanwhile, or the server has no overlap there, so it is tried three times.
  private mutating func seeAgain(before key: PageKey, _ position: Position) -> Step {
    (repeated, repeats) = (key, repeated == key ? repeats + 1 : 1)
    if repeats > 3 { policy.giveUpUnlessTrusted() }
    guard repeats <= 3, let again = overlap(before: key, position) else { return .requestPage }
    return .request(again)
  }

  private mutating func stepBack(
    from overlap: PageOverlap, before key: PageKey, _ position: Position
  ) -> Step {
    let size = pageSize(at: key, position)
    guard let back = policy.stepBack(from: overlap, size: size ?? 1, position),
      let further = self.overlap(before: key, rows: back, size: size, furtherThan: overlap, position)
    else { return .giveUp }
    return .request(further)
  }

  /// Returns an overlap further back than one that has no known row; `nil` if there is none.
  private func overlap(
    before key: PageKey, rows back: Int, size: Int?, furtherThan overlap: PageOverlap,
    _ position: Position
  ) -> PageOverlap? {
    let strategy = position.paging.strategy
    guard
      var further = self.overlap(
        strategy, before: key, rows: back, isWide: false, isFirst: false, position.level)
    else { return nil }
    if further.rows <= overlap.rows {
      // No earlier cursor is known, but the first page needs none.
      let all = position.rows
      guard strategy.startsWithFirstCursor, all > overlap.rows,
        policy.allowsRereading(all / max(1, size ?? 1), size: size ?? 1, position)
      else { return nil }
      further = PageOverlap(key: strategy.first, rows: all)
    }
    further.isFirst = false
    further.key.overlap = further.rows
    return further
  }

  /// Compares the page itself with the rows of a doubtful overlap. Returns whether the server knows overlaps, so that one
  /// can take the place of the page.
  ///
  /// - Parameters:
  ///   - page: The ids of its rows.
  ///   - ids: The ids of the rows of the overlap.
  mutating func verify(_ overlap: PageOverlap, _ page: [RowDigest], in ids: [RowDigest]) -> Bool {
    // Where the page has no rows, the list ends where the page begins.
    let position =
      page.first.map { first in
        ids.firstIndex(of: first) ?? ids.first.flatMap { page.firstIndex(of: $0) }.map { -$0 }
      } ?? ids.count
    policy.verify(overlap, position: position, of: ids.count)
    return policy.isTrusted
  }

  /// Returns what is requested in place of an overlap that the server refused; `nil` if the failure has another reason
  /// and the overlap can be requested again.
  mutating func refused(
    _ overlap: PageOverlap, _ error: LoadError, before key: PageKey, _ position: Position
  ) -> Step? {
    guard error.refusesOverlap else { return nil }
    // So many rows went that the list ends before the overlap. A server that sent others knows overlaps.
    if wasUsed, error.refusal == 416, case .range = position.paging.way {
      return stepBack(from: overlap, before: key, position)
    }
    policy.refuse()
    guard overlap.isFirst else { return .giveUp }
    guard let narrow = self.overlap(before: key, position), narrow.key != overlap.key else {
      return .requestPage
    }
    return .request(narrow)
  }
}

extension LoadError {
  /// Whether a server that fails like this might have another response for a page without an overlap.
  var refusesOverlap: Bool {
    guard case .request(let error) = self else { return !isCancelled }
    // Pages that were stored without overlaps, and web pages.
    if [.notStored, .unexpectedContent(.captivePortal)].contains(error.kind) { return true }
    return status.map {
      (400..<600).contains($0) && ![401, 403, 407, 408, 429, 502, 503, 504].contains($0)
    } ?? false
  }
}

internal import ListReading

/// Decides what became of the rows of a page that a new response for it lacks.
///
/// Rows keep their order, so a row that stood between two others is gone once a response has these without it. Beyond the
/// first and the last row that the list and the response share, nothing is known to be gone: such rows are on the pages
/// next to it by now.
struct MissingRows: Hashable {
  /// The indices of the rows that are on a page before the response.
  private(set) var before: [Int] = []
  /// The indices of the rows that are on a page after it.
  private(set) var after: [Int] = []
  /// The places of the rows of the response that belong to the page. Others are before or after rows of other pages.
  private(set) var places: Range<Int>

  /// A page of the list, and the rows next to it.
  struct Place {
    let ids: [RowID]
    let idBefore: RowID?
    let idAfter: RowID?
  }

  /// A response for the page.
  struct Response {
    let ids: [RowID]
    /// The rows that a filter leaves out now.
    let filteredIDs: Set<RowID>
    /// Whether it begins with the first row of the list, and whether it ends with the last one.
    let isFirst: Bool
    let isLast: Bool
  }

  /// Compares a page with a response.
  ///
  /// - Parameter side: Returns the side of the page where the list has a row that is not on it; `nil` for a new row.
  init(of page: Place, in response: Response, side: (RowID) -> ListSide?) {
    let known = Dictionary(zip(response.ids, response.ids.indices)) { first, _ in first }
    let isShared = page.ids.map { known[$0] != nil }
    let missing = page.ids.indices.filter { index in
      !isShared[index] && !response.filteredIDs.contains(page.ids[index])
    }
    // Rows that have moved show nothing.
    let shared = page.ids.indices.filter { isShared[$0] }
    let stays = shared.compactMap { known[page.ids[$0]] }.longestIncrease().map { shared[$0] }
    let own = Set(page.ids)
    let sides = response.ids.map { own.contains($0) ? nil : side($0) }
    guard let first = stays.first, let last = stays.last, let firstPlace = known[page.ids[first]],
      let lastPlace = known[page.ids[last]]
    else {
      places = 0..<0
      decide(missing, response, sides, nextTo: page)
      return
    }
    let start = sides[..<firstPlace].lastIndex(of: .previous).map { $0 + 1 } ?? 0
    let end = sides[lastPlace...].firstIndex(of: .next) ?? sides.count
    places = start..<end
    let isJoinedBefore = start > 0 && response.ids[start - 1] == page.idBefore
    let isJoinedAfter = end < sides.count && response.ids[end] == page.idAfter
    if !response.isFirst, !isJoinedBefore { before = missing.filter { $0 < first } }
    if !response.isLast, !isJoinedAfter { after = missing.filter { $0 > last } }
  }

  /// Decides where all rows of a page are, of which a response has none.
  private mutating func decide(
    _ missing: [Int], _ response: Response, _ sides: [ListSide?], nextTo page: Place
  ) {
    let (lastBefore, firstAfter) = (sides.lastIndex(of: .previous), sides.firstIndex(of: .next))
    // New rows belong to the page if they are next to a row that is. Others may be anywhere between its neighbors.
    let start = lastBefore.flatMap { response.ids[$0] == page.idBefore ? $0 + 1 : nil }
    let end = firstAfter.flatMap { response.ids[$0] == page.idAfter ? $0 : nil }
    switch (lastBefore, firstAfter) {
    case (let before?, let after?) where before < after:
      if start != nil || end != nil { places = before + 1..<after }
    case (.some, _):
      if let start { places = start..<sides.count }
      if !response.isLast { after = missing }
    case (nil, .some):
      if let end { places = 0..<end }
      if !response.isFirst { before = missing }
    case (nil, nil) where response.ids.isEmpty: if !response.isFirst { before = missing }
    // The response shares no row with the list, so its rows belong elsewhere.
    case (nil, nil): after = missing
    }
  }
}

/// The side to which rows of a page have moved on the server, so that pages there have them.
struct Displacement: Hashable, Sendable {
  /// The most pages that are requested for them.
  private static let mostPages = 30
  /// How often they may be on the other side after all, since the list has moved again. Rows on neither of two pages that
  /// follow each other are gone, unless they moved between the requests.
  private static let mostTurns = 6

  private let side: ListSide
  private var pages = 1
  private var turns = 0

  init(_ side: ListSide) { self.side = side }

  private init(_ side: ListSide, after other: Displacement) {
    self.side = side
    pages = other.pages + 1
    turns = other.turns + (side == other.side ? 0 : 1)
  }

  /// Returns the displacement of rows that weren't on this page either; `nil` if they are no longer looked for.
  func further(to side: ListSide) -> Displacement? {
    let further = Displacement(side, after: self)
    return further.pages > Self.mostPages || further.turns > Self.mostTurns ? nil : further
  }
}

/// A page before which rows may have moved up to pages that were already read, and the search for them: pages before it
/// are read again until one starts with a known row.
package struct MovedRows: Hashable {
  /// The most pages that are read again for one page.
  package static let mostPages = 5

  /// A page of the search.
  private struct Found: Hashable {
    let page: ReadPage
    let ids: [RowDigest]
  }

  /// The page, which waits until the search has ended, and those that were read again, the nearest to it first.
  private var pages: [Found]
  /// What the page shows.
  let fall: ReportedNumbers.Fall
  /// Whether each page of the search meets the one after it.
  private var isConnected = true
  private var pagesLeft: Int

  init(
    before page: ReadPage, _ compared: ComparedRows, _ fall: ReportedNumbers.Fall,
    mostPages: Int = Self.mostPages
  ) {
    pages = [Found(page: page, ids: compared.ids)]
    self.fall = fall
    pagesLeft = min(mostPages, Self.mostPages)
  }

  /// The page that waits.
  var page: ReadPage { pages[0].page }
  /// The pages that were read again, the nearest first.
  var found: [ReadPage] { pages.dropFirst().map(\.page) }

  enum Step {
    case request(PageKey)
    /// The search has ended. Nothing else is missing if its pages meet, which the seam says.
    case end(Seam)
    /// There is no further page before.
    case lost
  }

  /// Returns what follows.
  ///
  /// - Parameter known: The page before the one that was read last, as far as that is known.
  func next(known: PageKey? = nil) -> Step {
    guard pagesLeft > 0 else { return .lost }
    let nearest = pages[pages.count - 1].page
    let key = nearest.key
    if let before = nearest.paging?.strategy.key(-1, after: key) { return .request(before) }
    guard key.place.isChained else { return .end(seam) }
    if case .page(let before) = nearest.facts.previous { return .request(before) }
    return known.map { $0 == key ? .lost : .request($0) } ?? .lost
  }

  /// Adds a page that was read again. Returns whether the search ends with it.
  mutating func add(_ page: ReadPage, _ compared: ComparedRows) -> Bool {
    let new = Found(page: page, ids: compared.ids)
    if !Self.meet(new, pages[pages.count - 1]) { isConnected = false }
    pages.append(new)
    pagesLeft -= 1
    return compared.startsKnown
  }

  /// The seam before the page when the search has ended.
  var seam: Seam { isConnected ? .mended : .open }

  /// Whether nothing can be missing between two pages that were read one after the other: they share a row, or
  /// the server reported the same total with both.
  private static func meet(_ page: Found, _ next: Found) -> Bool {
    if let total = page.page.facts.total, total == next.page.facts.total { return true }
    return !Set(page.ids).isDisjoint(with: next.ids)
  }
}

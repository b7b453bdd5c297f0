internal import ItemMapping

/// A page before which rows may have moved up to pages that were already read, and the search for them: pages before it
/// are read again until one starts with a known row. A plain value, the same for a walk and a list.
struct MovedRows<Item> {
  /// The most pages that are read again for one page.
  static var mostPages: Int { 5 }

  /// The page, which waits until the search has ended.
  let page: LoadedPage<Item>
  /// What it shows.
  let fall: ReportedNumbers.Fall
  /// The pages that were read again, the nearest first.
  private(set) var found: [LoadedPage<Item>] = []
  /// Whether each page of the search meets the one after it.
  private var isConnected = true
  private var pagesLeft: Int

  init(
    before page: LoadedPage<Item>, _ fall: ReportedNumbers.Fall, mostPages: Int = Self.mostPages
  ) {
    (self.page, self.fall) = (page, fall)
    pagesLeft = min(mostPages, Self.mostPages)
  }

  /// The page that was read last.
  var nearest: LoadedPage<Item> { found.last ?? page }

  enum Step {
    case request(PageKey)
    /// The search has ended. Nothing else is missing if its pages meet, which the seam says.
    case end(Seam)
    /// There is no further page before.
    case lost
  }

  /// Returns what follows.
  ///
  /// - Parameters:
  ///   - paging: How the page that was read last was requested.
  ///   - known: The page before it as far as that is known.
  func next(by paging: (any PageStrategy)?, known: PageKey? = nil) -> Step {
    guard pagesLeft > 0 else { return .lost }
    let key = nearest.rows.key
    if let before = paging?.key(-1, after: key) { return .request(before) }
    if case .page(let before) = nearest.page.facts.previous, key.place.seam == .chained {
      return .request(before)
    }
    if let known, known != key { return .request(known) }
    return key.place.seam == .assumed ? .end(seam) : .lost
  }

  /// Adds a page that was read again. Returns whether the search ends with it.
  ///
  /// - Parameters:
  ///   - startsKnown: Whether its first row was read before.
  ///   - ids: Returns the ids of the rows of a page.
  mutating func add(
    _ page: LoadedPage<Item>, startsKnown: Bool, ids: (LoadedPage<Item>) -> [RowID]
  ) -> Bool {
    if !Self.meet(page, nearest, ids) { isConnected = false }
    found.append(page)
    pagesLeft -= 1
    return startsKnown
  }

  /// The seam before the page when the search has ended.
  var seam: Seam { isConnected ? .mended : .open }

  /// Whether nothing can be missing between two pages that were read one after the other: they share a row, or
  /// the server told the same total with both.
  private static func meet(
    _ page: LoadedPage<Item>, _ next: LoadedPage<Item>, _ ids: (LoadedPage<Item>) -> [RowID]
  ) -> Bool {
    if let total = page.page.facts.total, total == next.page.facts.total { return true }
    let known = Set(ids(page))
    return ids(next).contains(where: known.contains)
  }
}

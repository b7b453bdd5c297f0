internal import ItemMapping
internal import Support

/// Judges page by page what can be claimed of a list that may move while it is read. A plain value, the same
/// for a walk, a loop and a list.
///
/// A page is the rows of one response. It is joined to those before it if it has one of their rows. If every
/// page is joined, from the start of the list to its end, no row that stayed is missing: such a row would be
/// after all known rows of each page, and so after the last row of the list.
package struct ConsistencyRecord: Hashable, Sendable {
  /// How a page was requested.
  enum Approach: Hashable, Sendable {
    /// As the first one, at the start of the list.
    case start
    /// By a place that the page before it led to.
    case chain
    /// By a number of rows or pages.
    case position
  }

  /// The number of pages.
  private(set) var pages = 0
  private var seams = [Int](repeating: 0, count: Seam.allCases.count)
  /// The number of mended seams for which no response has rows of both sides.
  private(set) var unprovenMends = 0
  /// The number of requests that only served to see seams.
  var checks = 0
  /// The assumptions that something spoke against.
  private(set) var broken: Set<ListAssumption> = []
  /// Whether a page had rows without ids.
  private(set) var lacksIDs = false
  private(set) var endSign = EndSign.said
  /// Whether the last page's end is a guess about a name.
  private(set) var endsByName = false
  /// Whether the first page was read again and laid over the rows.
  private(set) var isRejoined = false
  /// The number of rows that the server sent, repeated ones included.
  private var rowsSent = 0
  private var cursors = CountingCursor()
  /// Whether the server's cursors count rows or pages.
  private(set) var isCounting = false
  /// Whether the link to the next page has the id of the last row in it.
  private(set) var leadsToID = false
  /// The version in the responses.
  private(set) var version = ListVersion.undeclared
  /// The total of that version.
  private var versionTotal: Int?
  private(set) var oldest = Double.infinity
  private(set) var newest = -Double.infinity

  package init() {}

  /// Returns how the next page is requested.
  func approach(to key: PageKey, by paging: any PageStrategy) -> Approach {
    if pages == 0 { return .start }
    let isChain =
      key.place.isChained && !key.place.isCounted && !isCounting
      && (leadsToID || !paging.keysCanTie)
    return isChain ? .chain : .position
  }

  /// Adds a page.
  ///
  /// - Parameters:
  ///   - approach: How it was requested.
  ///   - shared: What it shares with the pages before; `nil` if rows have no ids.
  ///   - rows: The number of its rows.
  ///   - endSign: How the end of the list is known, if this is the last page; `nil` if it can't be.
  ///   - isKeyset: Whether the values of its last row lead to the page after it.
  ///   - next: What it says of the page after it.
  ///   - lastID: The id of its last row.
  ///   - moment: When the server sent or confirmed it, in seconds since 1970.
  ///   - outcome: The seam that a search for moved rows ended with.
  ///   - isSeen: Whether an overlap was requested and received.
  ///   - endsByName: Whether its end is a guess about a name.
  /// - Returns: The seam before it; `nil` for the first page.
  @discardableResult
  mutating func add(
    _ approach: Approach, _ shared: SharedRows?, rows: Int, endSign: EndSign?,
    isKeyset: Bool = false, next: PageFacts.Link = .end, lastID: RowID? = nil, at moment: Double,
    outcome: Seam? = nil, isSeen: Bool = false, endsByName: Bool = false
  ) -> Seam? {
    self.endsByName = endsByName
    pages += 1
    rowsSent += rows
    (oldest, newest) = (min(oldest, moment), max(newest, moment))
    if let endSign {
      self.endSign = endSign == .said && approach == .position ? .counted : endSign
    }
    if let shared { note(shared, approach, isSeen) } else if rows > 0 { lacksIDs = true }
    // The key of a row may be its number by chance.
    if !isKeyset, cursors.counts(next, rows: rowsSent, pages: pages, lastID: lastID) {
      isCounting = true
    }
    leadsToID = lastID.map(next.hasKey) ?? false
    guard approach != .start else { return nil }
    let seam = outcome ?? self.seam(approach, shared, rows: rows, isSeen: isSeen)
    seams[seam.index] += 1
    if seam == .mended, !isSeen { unprovenMends += 1 }
    return seam
  }

  /// Records the version and the total of the next page.
  mutating func note(_ version: PageVersion?, total: Int?) {
    self.version.add(version, isFirst: pages == 0)
    if case .one = self.version, let total {
      if versionTotal ?? total != total { broken.insert(.version) }
      versionTotal = total
    }
  }

  private mutating func note(_ shared: SharedRows, _ approach: Approach, _ isSeen: Bool) {
    if shared.repeatsID { broken.insert(.ids) }
    if !shared.isOrdered { broken.insert(.order) }
    // Pages of one version don't share rows, and have them in one order.
    if case .one = version, !shared.isOrdered || shared.known > 0 && !isSeen {
      broken.insert(.version)
    }
    // A place in the order has only new rows after it. Between rows that are read again, there may be inserted ones.
    if approach == .chain, !isSeen, shared.known > 0, shared.hasNewBeforeKnown {
      broken.formUnion([.order, .cursors])
    }
  }

  private func seam(_ approach: Approach, _ shared: SharedRows?, rows: Int, isSeen: Bool) -> Seam {
    // A row that is far before the last one has more likely moved than all rows after it were removed.
    if let shared, shared.known > 0, shared.isOrdered,
      isSeen || shared.distance.map({ $0 <= rows }) ?? false
    {
      return .seen
    }
    return approach == .chain ? .chained : .assumed
  }

  /// Records that rows of the next page were read before, in a page that is not known.
  ///
  /// - Parameter areKnown: Whether these rows can be told from others.
  mutating func resumeInside(areKnown: Bool) {
    pages += 1
    version.add(nil, isFirst: false)
    if !areKnown { seams[Seam.assumed.index] += 1 }
  }

  /// Records a page that takes the place of one of the others.
  ///
  /// - Parameters:
  ///   - moment: When the server sent or confirmed it.
  ///   - version: The version of the list that it has.
  ///   - dropsRows: Whether rows are missing in it that were in the list.
  mutating func replace(at moment: Double, version: PageVersion?, dropsRows: Bool) {
    self.version.add(version, isFirst: false)
    (oldest, newest) = (min(oldest, moment), max(newest, moment))
    if dropsRows { seams[Seam.assumed.index] += 1 }
  }

  /// Records that the first page was read again and laid over the rows at the start. It meets them there, so that no row
  /// that stayed is missing; but the rows are no longer those of one response.
  ///
  /// - Parameter hasMoves: Whether its rows came in another order than before.
  mutating func rejoinStart(at moment: Double, version: PageVersion?, hasMoves: Bool) {
    replace(at: moment, version: version, dropsRows: false)
    isRejoined = true
    if hasMoves { broken.insert(.order) }
  }

  /// Adds the pages of another record, which were read between rows of this one.
  mutating func add(_ other: ConsistencyRecord) {
    pages += other.pages
    for index in seams.indices { seams[index] += other.seams[index] }
    unprovenMends += other.unprovenMends
    checks += other.checks
    broken.formUnion(other.broken)
    lacksIDs = lacksIDs || other.lacksIDs
    isCounting = isCounting || other.isCounting
    (oldest, newest) = (min(oldest, other.oldest), max(newest, other.newest))
  }

  /// Records that the server's cursors count rows or pages.
  mutating func noteCounting() { isCounting = true }

  /// Records that something spoke against an assumption.
  mutating func doubt(_ assumption: ListAssumption) { broken.insert(assumption) }

  /// Records that what the end of the list was known by counts something else.
  mutating func doubtEnd() { endSign = .silent }

  /// Records a response of a second walk.
  mutating func noteConfirmation(at moment: Double) {
    (oldest, newest) = (min(oldest, moment), max(newest, moment))
  }

  /// Returns the number of seams of a kind.
  func count(_ seam: Seam) -> Int { seams[seam.index] }
}

// MARK: - Checkpoints

extension ConsistencyRecord {
  func write(to writer: inout ByteWriter) {
    writer.write(pages)
    for count in seams { writer.write(count) }
    writer.write(unprovenMends)
    writer.write(checks)
    for assumption in ListAssumption.allCases { writer.write(broken.contains(assumption)) }
    writer.write(lacksIDs)
    writer.write(endSign.rawValue)
    writer.write(endsByName)
    writer.write(rowsSent)
    cursors.write(to: &writer)
    writer.write(isCounting)
    writer.write(leadsToID)
    version.write(to: &writer)
    writer.write(versionTotal) { $0.write($1) }
    writer.write(oldest)
    writer.write(newest)
  }

  init(_ reader: inout ByteReader) throws(ByteReader.InvalidBytes) {
    pages = try reader.number()
    for index in seams.indices { seams[index] = try reader.number() }
    unprovenMends = try reader.number()
    checks = try reader.number()
    for assumption in ListAssumption.allCases {
      if try reader.flag() { broken.insert(assumption) }
    }
    lacksIDs = try reader.flag()
    guard let sign = EndSign(rawValue: try reader.number()) else { throw ByteReader.InvalidBytes() }
    endSign = sign
    endsByName = try reader.flag()
    rowsSent = try reader.number()
    cursors = try CountingCursor(&reader)
    (isCounting, leadsToID) = (try reader.flag(), try reader.flag())
    version = try ListVersion(&reader)
    versionTotal = try reader.optional { reader throws(ByteReader.InvalidBytes) in
      try reader.number()
    }
    (oldest, newest) = (try reader.double(), try reader.double())
    guard pages >= 0, rowsSent >= 0, unprovenMends >= 0,
      checks >= 0, seams.allSatisfy({ $0 >= 0 }),
      !oldest.isNaN, !newest.isNaN,
      pages == 0 || oldest <= newest
    else { throw ByteReader.InvalidBytes() }
  }
}

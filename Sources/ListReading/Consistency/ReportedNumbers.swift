internal import Support

/// What a server says of the size of its list, page by page.
///
/// It can show that rows are missing: fewer than the lowest number of each name. Rows that others insert or remove
/// meanwhile are counted in that.
package struct ReportedNumbers: Hashable, Sendable {
  /// A number that went down, so that rows may have moved to a page that was already read.
  package struct Fall: Hashable, Sendable {
    enum Unit: Int { case rows, pages }

    var unit: Unit
    var before: Int
    var now: Int
  }

  /// The numbers of all rows and of all pages that the server reported last.
  private(set) var total: Int?
  private(set) var pageCount: Int?
  /// The highest total number of rows.
  private(set) var highest: Int?
  /// The lowest of each total number of rows, by its name. One response may have several.
  private var lowest: [String: ReportedTotal] = [:]
  /// The name of the total; empty if only the paging knows it.
  private var totalName = ""
  /// Whether each total so far only counted its own page, so that it says nothing of others.
  private var hasOnlyOwnTotals = true
  /// The lowest number of pages that the server reported, also where the paging doesn't use it, and the lowest by the
  /// link to the last page. One of them may be of something else.
  private var lowestPages: Int?
  private var lowestByLink: Int?
  /// The lowest number of pages that a page with the most rows reported.
  private var fullPages: ReportedPages?
  /// The most rows of a page of the server's own size.
  private var pageRows = 0
  /// The number of pages with new rows, as the server counts them; `nil` if one of them had another size.
  private var pages: Int? = 0
  /// The number of rows that the program removed from the server, and that are not missing in its total yet.
  private var removals = 0
  /// The number of rows that the program inserted on the server, and that are not in its total yet.
  private var insertions = 0

  /// Returns the fall that a page shows, beyond what the program removed itself; `nil` if there is none.
  func fall(at page: PageFacts) -> Fall? {
    if let before = total, let now = page.total {
      if page.isTotalAtLeast || hasOnlyOwnTotals && page.isOwnTotal { return nil }
      return now < before - removals ? Fall(unit: .rows, before: before, now: now) : nil
    }
    // Rows may have been removed long before the number of pages shows it.
    guard page.total == nil, let before = pageCount, let now = page.pageCount, now < before else {
      return nil
    }
    return Fall(unit: .pages, before: before, now: now)
  }

  /// Whether a page reports another total number of rows or pages than the one before it, beyond what the program changed.
  func differs(from page: PageFacts) -> Bool {
    guard let before = total, let now = page.total else {
      return pageCount != nil && page.pageCount != nil && pageCount != page.pageCount
    }
    if page.isTotalAtLeast || hasOnlyOwnTotals && page.isOwnTotal { return false }
    return now < before - removals || now > before + insertions
  }

  /// Returns by how much the total number of rows has grown with a page; `nil` if that is not known.
  func growth(to page: PageFacts) -> Int? {
    guard let before = total, let now = page.total, !page.isTotalAtLeast,
      !(hasOnlyOwnTotals && page.isOwnTotal), removals == 0, insertions == 0
    else { return nil }
    return now - before
  }

  /// Records what a page says.
  ///
  /// - Parameters:
  ///   - isNew: Whether it has rows that no page before it had.
  ///   - size: The number of rows that its link requests, if that is not the usual one.
  mutating func add(_ page: PageFacts, at key: PageKey, isNew: Bool, size: Int? = nil) {
    addTotal(of: page)
    pageCount = page.pageCount ?? pageCount
    countPage(at: key, isNew: isNew)
    if page.startsInside { pages = nil }
    if let pages, let after = page.pagesAfter, isNew || after >= 0 {
      let all = pages.plus(isNew ? after : after.plus(1))
      lowestByLink = min(lowestByLink ?? all, all)
    }
    // A page of another size has a number of pages of its own.
    let isUsual = key.size == nil && !key.isOverlap
    if isUsual { pageRows = max(pageRows, page.sentRows) }
    guard var now = page.reportedPages else { return }
    if isUsual { lowestPages = min(lowestPages ?? now.pages, now.pages) }
    // The last page may be short, also where only it has the number.
    if key.size == nil { now.rows = max(now.rows, size ?? pageRows) }
    guard now.rows > 0 else { return }
    let isBetter = fullPages.map { full in
      now.rows > full.rows || isUsual && now.rows == full.rows && now.pages < full.pages
    }
    if isBetter ?? true { fullPages = now }
  }

  /// Records what the first page says when it is read again.
  mutating func rejoinStart(_ page: PageFacts) {
    addTotal(of: page)
    pageCount = page.pageCount ?? pageCount
  }

  /// Counts a page as the server does, on either side of the list.
  mutating func countPage(at key: PageKey, isNew: Bool) {
    guard isNew else { return }
    pages = key.size == nil && !key.isOverlap ? pages?.plus(1) : nil
  }

  /// Records the numbers of all rows that a page reports.
  mutating func addTotal(of page: PageFacts) {
    for (name, now) in page.totals { note(now, as: name) }
    guard let now = page.total else { return }
    if page.totals.isEmpty {
      note(ReportedTotal(rows: now, isAtLeast: page.isTotalAtLeast), as: totalName)
    } else {
      let named = page.totals.filter {
        $0.value.rows == now && $0.value.isAtLeast == page.isTotalAtLeast
      }
      totalName = named.keys.min() ?? totalName
    }
    removals = max(0, removals - max(0, (total ?? now) - now))
    insertions = max(0, insertions - max(0, now - (total ?? now)))
    total = now
    highest = max(highest ?? now, now)
    hasOnlyOwnTotals = hasOnlyOwnTotals && page.isOwnTotal
  }

  private mutating func note(_ now: ReportedTotal, as name: String) {
    if lowest[name].map({ now.rows <= $0.rows }) ?? true { lowest[name] = now }
  }

  /// Records that the server inserted (1) or removed (-1) a row for the program.
  mutating func expect(_ change: Int) {
    for (name, total) in lowest { lowest[name]?.rows = max(0, total.rows + change) }
    if change < 0 { (lowestPages, lowestByLink, fullPages) = (nil, nil, nil) }
    if change < 0 { removals -= change } else { insertions += change }
  }

  /// What the numbers say against an end after so many rows; `nil` if nothing does.
  func contradiction(rows: Int) -> PagingError? {
    if let total = lowest.values.max(), rows < total.rows {
      return .fewerRows(received: rows, reported: total.rows, isAtLeast: total.isAtLeast)
    }
    if let pages {
      let reported = max(lowestPages ?? 0, lowestByLink ?? 0)
      guard pages < reported else { return nil }
      return .missingRows(PagingError.missingPages(after: pages, of: reported))
    }
    guard let full = fullPages, full.pages > 1, rows <= (full.pages - 1).times(full.rows) else {
      return nil
    }
    return .missingRows(
      "the server reported \(full.pages) pages of \(full.rows) rows, but sent \(rows) different rows"
    )
  }

  /// Whether the rows are as many as a lower bound, which shows nothing of others.
  func isAtBound(rows: Int) -> Bool {
    lowest.values.contains { $0.isAtLeast && rows <= $0.rows }
  }

  /// The total number of rows, where it shows that so many are all; `nil` if nothing does.
  func met(byRows rows: Int) -> Int? {
    // Totals that are all below the rows count something else.
    guard let total, let highest, lowest[totalName]?.isAtLeast == false, !hasOnlyOwnTotals,
      rows >= total, rows <= highest.plus(insertions)
    else { return nil }
    return total
  }
}

// MARK: - Checkpoints

extension ReportedNumbers {
  func write(to writer: inout ByteWriter) {
    writer.write(total) { $0.write($1) }
    writer.write(pageCount) { $0.write($1) }
    writer.write(highest) { $0.write($1) }
    writer.write(lowest.count)
    for (name, total) in lowest.sorted(by: { $0.key < $1.key }) {
      writer.write(name)
      total.write(to: &writer)
    }
    writer.write(totalName)
    writer.write(hasOnlyOwnTotals)
    writer.write(lowestPages) { $0.write($1) }
    writer.write(lowestByLink) { $0.write($1) }
    writer.write(fullPages) { writer, full in
      writer.write(full.pages)
      writer.write(full.rows)
    }
    writer.write(pageRows)
    writer.write(pages) { $0.write($1) }
  }

  init(_ reader: inout ByteReader) throws(ByteReader.InvalidBytes) {
    func number(_ reader: inout ByteReader) throws(ByteReader.InvalidBytes) -> Int {
      try reader.number()
    }
    total = try reader.optional(number)
    pageCount = try reader.optional(number)
    highest = try reader.optional(number)
    for _ in 0..<max(0, try reader.number()) {
      lowest[try reader.text()] = try ReportedTotal(&reader)
    }
    totalName = try reader.text()
    hasOnlyOwnTotals = try reader.flag()
    lowestPages = try reader.optional(number)
    lowestByLink = try reader.optional(number)
    fullPages = try reader.optional { reader throws(ByteReader.InvalidBytes) in
      ReportedPages(pages: try reader.number(), rows: try reader.number())
    }
    pageRows = try reader.number()
    pages = try reader.optional(number)
  }
}

extension ReportedTotal {
  fileprivate func write(to writer: inout ByteWriter) {
    writer.write(rows)
    writer.write(isAtLeast)
  }

  fileprivate init(_ reader: inout ByteReader) throws(ByteReader.InvalidBytes) {
    self.init(rows: try reader.number(), isAtLeast: try reader.flag())
  }
}

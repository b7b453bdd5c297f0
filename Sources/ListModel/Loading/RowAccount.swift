internal import Support

/// Compares the rows of a list with the server's own numbers, to tell whether its end is complete.
///
/// The same value judges a list, a walk and a loop. It can only show that rows are missing: without a number
/// of the server, the end is complete as far as can be told.
struct RowAccount: Hashable, Sendable {
  /// A number of the server that went down, so that rows may have moved to a page that was already read.
  struct Fall: Hashable, Sendable {
    enum Unit: Int { case rows, pages }

    var unit: Unit
    var before: Int
    var now: Int
  }

  /// The rows that the server sent.
  var rows = ReceivedRows()
  /// The numbers of all rows and of all pages that the server reported last.
  private(set) var total: Int?
  private(set) var pageCount: Int?
  /// The lowest number of all rows that the server reported.
  private(set) var lowest: ReportedTotal?
  /// Whether each total so far only counted its own page, so that it tells nothing of others.
  private var hasOnlyOwnTotals = true
  /// The lowest number of pages that the server reported, also where the paging doesn't use it.
  private var lowestPages: Int?
  /// The number of pages with rows, as the server counts them; `nil` if one of them had another size.
  private var pages: Int? = 0
  /// What says that there is more after the last page, in words.
  private var more: String?
  /// How the last page ends the list, if it does.
  private var endSign = EndSign.told
  /// The first fall whose rows were not found again.
  private(set) var loss: Fall?
  /// Whether a page had no row of those before it, although it should, and no page further back had.
  private(set) var hasOpenSeam = false
  /// Why a page had some of its rows only, if its response said so.
  private(set) var partial: String?
  /// The number of rows that the program removed from the server, and that are not missing in its total yet.
  private var removals = 0
  /// The number of rows that the program inserted on the server, and that are not in its total yet.
  private var insertions = 0

  init(_ rows: ReceivedRows = ReceivedRows()) { self.rows = rows }

  /// Returns the fall that a page shows, beyond what the program removed itself; `nil` if there is none, or
  /// if rows don't move because pages are not counted.
  func fall(at page: PageFacts, _ key: PageKey, isCounting: Bool = false) -> Fall? {
    guard isCounting || key.place.isCounted else { return nil }
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

  /// Whether a page tells another number of all rows or pages than the one before it, beyond what the program changed.
  func differs(from page: PageFacts) -> Bool {
    guard let before = total, let now = page.total else {
      return pageCount != nil && page.pageCount != nil && pageCount != page.pageCount
    }
    if page.isTotalAtLeast || hasOnlyOwnTotals && page.isOwnTotal { return false }
    return now < before - removals || now > before + insertions
  }

  /// Replaces the rows that the server sent.
  mutating func recount(_ new: ReceivedRows) { rows = new }

  /// Records what a page says.
  mutating func add(_ page: PageFacts, at key: PageKey, isEmpty: Bool) {
    partial = partial ?? page.partial
    addTotal(of: page)
    pageCount = page.pageCount ?? pageCount
    // A page of another size has a number of pages of its own.
    if key.size == nil, let now = page.reportedPages {
      lowestPages = min(lowestPages ?? now, now)
    }
    countPage(at: key, isEmpty: isEmpty)
    endSign = page.endSign
    // A page without rows that doesn't say that the list ends takes nothing back.
    if page.more != nil || !isEmpty || endSign == .told { more = page.more }
  }

  /// Counts a page as the server does, on either side of the list.
  mutating func countPage(at key: PageKey, isEmpty: Bool) {
    if key.size != nil, !key.isWindow {
      pages = nil
    } else if !isEmpty {
      pages = pages?.plus(1)
    }
  }

  /// Whether the rows are as many as a lower bound, which shows nothing of others.
  var isAtBound: Bool { lowest.map { $0.isAtLeast && rows.count <= $0.rows } ?? false }

  /// Records the number of all rows that a page reports.
  mutating func addTotal(of page: PageFacts) {
    guard let now = page.total else { return }
    removals = max(0, removals - max(0, (total ?? now) - now))
    insertions = max(0, insertions - max(0, now - (total ?? now)))
    total = now
    hasOnlyOwnTotals = hasOnlyOwnTotals && page.isOwnTotal
    if lowest.map({ now <= $0.rows }) ?? true {
      lowest = ReportedTotal(rows: now, isAtLeast: page.isTotalAtLeast)
    }
  }

  /// Records that the rows of a fall were not found again.
  mutating func lose(_ fall: Fall) { loss = loss ?? fall }

  /// Records that rows moved between two pages, and that no page has rows of both.
  mutating func loseRows() { hasOpenSeam = true }

  /// Records that the server inserted (1) or removed (-1) a row for the program.
  mutating func expect(_ change: Int) {
    if let rows = lowest?.rows { lowest?.rows = max(0, rows + change) }
    if change < 0 { lowestPages = nil }
    if change < 0 { removals -= change } else { insertions += change }
  }

  /// The rows that are missing, as far as is known before the end.
  var losses: RowLosses {
    // How many is not known: of five removed and four inserted rows the total shows one.
    RowLosses(
      mayLackRows: loss != nil || hasOpenSeam || partial != nil, unreadable: rows.unreadable)
  }

  /// The reason why rows are missing although the server sent no further page; `nil` if none is known to be.
  ///
  /// - Parameter isWhole: Whether both ends of the list were reached.
  func shortage(isWhole: Bool) -> PagingError? {
    if let loss {
      return .missingRows(
        "the number of all \(loss.unit) fell from \(loss.before) to \(loss.now) while the pages were read"
      )
    }
    if hasOpenSeam {
      return .missingRows(
        "rows moved between two pages while they were read, and were not found again")
    }
    if let contradiction = contradiction(isWhole: isWhole) { return contradiction }
    return rows.unreadable > 0
      ? .unreadableRows(rows.unreadable, first: rows.firstError ?? "") : nil
  }

  /// What the server says against the end of the list; `nil` if nothing does. No claim stands against it: rows that
  /// others insert or remove meanwhile are counted in the lowest total.
  func contradiction(isWhole: Bool) -> PagingError? {
    if let reason = more ?? partial { return .missingRows(reason) }
    if isWhole, let lowest, rows.count < lowest.rows {
      let least = lowest.isAtLeast ? "at least " : ""
      return .missingRows(
        lowest.rows == 1
          ? "the server reported a row, but sent none"
          : "the server reported \(least)\(lowest.rows) rows, but sent \(rows.count) different ones"
      )
    }
    if isWhole, let lowestPages, let pages, pages < lowestPages {
      return .missingRows(
        "the server reported \(lowestPages) pages, but the list ended after \(pages)")
    }
    return endSign == .refused ? limit : nil
  }

  /// What to say of a list that ends with a refusal after a round number of rows; `nil` for all others.
  var limit: PagingError? {
    guard endSign.isRefusal, PageSizes.isLimit(rows.count) else { return nil }
    return .missingRows("the server stops at \(rows.count.grouped) rows; narrow the request")
  }

  /// Whether the rows so far are as many as the server reports, so that its number shows that they are all.
  var meetsTotal: Bool {
    guard let total, let lowest, !lowest.isAtLeast, !hasOnlyOwnTotals else { return false }
    // Servers that count up to a limit refuse the pages after it, too.
    return rows.count >= total && !(endSign.isRefusal && PageSizes.isLimit(total))
  }
}

extension Int {
  /// The number with separators between thousands: `10,000`.
  fileprivate var grouped: String {
    let digits = String(magnitude)
    let text = digits.enumerated().reduce(into: "") { text, digit in
      if digit.offset > 0, (digits.count - digit.offset).isMultiple(of: 3) { text += "," }
      text.append(digit.element)
    }
    return self < 0 ? "-" + text : text
  }
}

/// The rows that a list is known or suspected to lack.
package struct RowLosses: Hashable, Sendable {
  /// Whether rows may be missing between pages.
  package var mayLackRows = false
  /// The number of rows that could not be read.
  package var unreadable = 0

  package init(mayLackRows: Bool = false, unreadable: Int = 0) {
    (self.mayLackRows, self.unreadable) = (mayLackRows, unreadable)
  }
}

/// The rows that the server of a list sent.
struct ReceivedRows: Hashable, Sendable {
  /// The number of different rows, including those that a filter left out or that could not be read.
  var count = 0
  /// The number of rows that could not be read, unless the program accepts that, and why the first one could
  /// not.
  var unreadable = 0
  var firstError: String?
}

extension PageFacts {
  /// The link to the next page, checked: an empty page is not the end where the server's own numbers
  /// contradict that. A page that was requested because the end before it was in doubt settles that if it has no new
  /// rows.
  func checkedNext(after key: PageKey, isEmpty: Bool, isNew: Bool) -> Link {
    if let doubt = key.doubt, !isNew {
      if !isEmpty { return doubt.end }
      if doubt == .unconfirmed, case .page = next { return .end }
    }
    guard isEmpty, next == .end, (total ?? pageCount) != nil, let problem = problems.first else {
      return next
    }
    return .stopped(problem)
  }
}

// MARK: - Checkpoints

extension RowAccount {
  func write(to writer: inout ByteWriter) {
    writer.write(rows.count)
    writer.write(total) { $0.write($1) }
    writer.write(pageCount) { $0.write($1) }
    writer.write(lowest) { writer, lowest in
      writer.write(lowest.rows)
      writer.write(lowest.isAtLeast)
    }
    writer.write(lowestPages) { $0.write($1) }
    writer.write(pages) { $0.write($1) }
    writer.write(more) { $0.write($1) }
    writer.write(endSign.rawValue)
    writer.write(loss) { writer, loss in
      writer.write(loss.unit.rawValue)
      writer.write(loss.before)
      writer.write(loss.now)
    }
    writer.write(hasOpenSeam)
    writer.write(partial) { $0.write($1) }
    writer.write(hasOnlyOwnTotals)
    writer.write(rows.unreadable)
    writer.write(rows.firstError) { $0.write($1) }
  }

  init(_ reader: inout ByteReader) throws(ByteReader.InvalidBytes) {
    func number(_ reader: inout ByteReader) throws(ByteReader.InvalidBytes) -> Int {
      try reader.number()
    }
    rows.count = try reader.number()
    total = try reader.optional(number)
    pageCount = try reader.optional(number)
    lowest = try reader.optional { reader throws(ByteReader.InvalidBytes) in
      ReportedTotal(rows: try reader.number(), isAtLeast: try reader.flag())
    }
    lowestPages = try reader.optional(number)
    pages = try reader.optional(number)
    more = try reader.optional { reader throws(ByteReader.InvalidBytes) in try reader.text() }
    guard let sign = EndSign(rawValue: try reader.number()) else { throw ByteReader.InvalidBytes() }
    endSign = sign
    loss = try reader.optional { reader throws(ByteReader.InvalidBytes) in
      guard let unit = Fall.Unit(rawValue: try reader.number()) else {
        throw ByteReader.InvalidBytes()
      }
      return Fall(unit: unit, before: try reader.number(), now: try reader.number())
    }
    hasOpenSeam = try reader.flag()
    partial = try reader.optional { reader throws(ByteReader.InvalidBytes) in try reader.text() }
    hasOnlyOwnTotals = try reader.flag()
    rows.unreadable = try reader.number()
    rows.firstError = try reader.optional { reader throws(ByteReader.InvalidBytes) in
      try reader.text()
    }
  }
}

internal import Support

/// Compares the rows of a list with the server's own numbers, to tell whether its end is complete.
///
/// The same value judges a list, a walk and a loop. It can only show that rows are missing: without a number
/// of the server, the end is complete as far as can be told.
package struct RowAccount: Hashable, Sendable {
  /// The rows that the server sent.
  package var rows = ReceivedRows()
  /// What the server says of the size of the list.
  private(set) var numbers = ReportedNumbers()
  /// What says that there is more after the last page, in words.
  private var more: [String] = []
  /// How the last page ends the list, if it does.
  private var endSign = EndSign.said
  /// The first fall whose rows were not found again.
  private(set) var loss: ReportedNumbers.Fall?
  /// Whether a page had no row of those before it, although it should, and no page further back had.
  private(set) var hasOpenSeam = false
  /// Why a page had some of its rows only, if its response said so.
  private(set) var partial: String?

  package init(_ rows: ReceivedRows = ReceivedRows()) { self.rows = rows }

  /// The numbers of all rows and of all pages that the server reported last.
  var total: Int? { numbers.total }
  var pageCount: Int? { numbers.pageCount }

  /// Returns the fall that a page shows, beyond what the program removed itself; `nil` if there is none, or
  /// if rows don't move because pages are not counted.
  package func fall(at page: PageFacts, _ key: PageKey, isCounting: Bool = false) -> ReportedNumbers.Fall? {
    isCounting || key.place.isCounted ? numbers.fall(at: page) : nil
  }

  /// Returns by how much the total number of rows has grown with a page; `nil` if that is not known.
  package func growth(to page: PageFacts) -> Int? { numbers.growth(to: page) }

  /// Replaces the rows that the server sent.
  package mutating func recount(_ new: ReceivedRows) { rows = new }

  /// Records what a page says.
  ///
  /// - Parameters:
  ///   - isNew: Whether it has rows that no page before it had.
  ///   - size: The number of rows that its link requests, if that is not the usual one.
  package mutating func add(_ page: PageFacts, at key: PageKey, isNew: Bool, size: Int? = nil) {
    partial = partial ?? page.partial
    numbers.add(page, at: key, isNew: isNew, size: size)
    endSign = page.endSign
    // A page without new rows takes back what was said only if it says so itself.
    more = isNew ? page.more : page.more + more.filter { !page.denied.contains($0) }
  }

  /// Records what a page says that was read before those of the list, or again.
  package mutating func addTotals(of page: PageFacts) { numbers.addTotal(of: page) }

  /// Records what the first page says when it is read again.
  package mutating func rejoinStart(_ page: PageFacts) {
    partial = partial ?? page.partial
    numbers.rejoinStart(page)
  }

  /// Takes over the rows that another account lacks.
  mutating func addLosses(of other: RowAccount) {
    loss = loss ?? other.loss
    hasOpenSeam = hasOpenSeam || other.hasOpenSeam
    partial = partial ?? other.partial
  }

  /// Counts a page before those of the list.
  package mutating func countPage(at key: PageKey, isNew: Bool) { numbers.countPage(at: key, isNew: isNew) }

  /// Whether the page before said that there is more.
  var saysMore: Bool { !more.isEmpty }

  /// Whether the rows are as many as a lower bound, which shows nothing of others.
  var isAtBound: Bool { numbers.isAtBound(rows: rows.count) }

  /// Records that the rows of a fall were not found again.
  package mutating func lose(_ fall: ReportedNumbers.Fall) { loss = loss ?? fall }

  /// Records that rows moved between two pages, and that no page has rows of both.
  mutating func loseRows() { hasOpenSeam = true }

  /// Records that the server inserted (1) or removed (-1) a row for the program.
  package mutating func expect(_ change: Int) {
    numbers.expect(change)
  }

  /// The rows that are missing, as far as is known before the end.
  package var losses: RowLosses {
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
        "the total number of \(loss.unit) fell from \(loss.before) to \(loss.now) while pages were being read"
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
    if let reason = more.first ?? partial { return .missingRows(reason) }
    if isWhole, let contradiction = numbers.contradiction(rows: rows.count) { return contradiction }
    return endSign == .refused ? limit : nil
  }

  /// What to say of a list that ends with a refusal after a round number of rows; `nil` for all others.
  var limit: PagingError? {
    guard endSign.isRefusal, PageSizes.isLimit(rows.count) else { return nil }
    return .missingRows("the server stops at \(rows.count.grouped) rows; narrow the request")
  }

  /// Whether the rows so far are as many as the server reports, so that its number shows that they are all.
  var meetsTotal: Bool {
    guard let total = numbers.met(byRows: rows.count) else { return false }
    // Servers that count up to a limit refuse the pages after it, too.
    return !(endSign.isRefusal && PageSizes.isLimit(total))
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
package struct ReceivedRows: Hashable, Sendable {
  /// The number of different rows, including those that a filter left out or that could not be read.
  package var count = 0
  /// The number of rows that could not be read, unless the program accepts that, and why the first one could
  /// not.
  package var unreadable = 0
  package var firstError: String?

  package init(count: Int = 0) { self.count = count }
}

extension PageFacts {
  /// The link to the next page, checked: an empty page is not the end where the server's own numbers
  /// contradict that. A page that was requested because the end before it was in doubt settles that if it has no new
  /// rows.
  ///
  /// - Parameters:
  ///   - key: The page.
  ///   - isEmpty: Whether it has no rows.
  ///   - isNew: Whether it has rows that no page before it had.
  ///   - isMet: Whether the rows of the pages before are all rows by the server's number, then and now. Some servers
  ///     send a link with each page.
  package func checkedNext(after key: PageKey, isEmpty: Bool, isNew: Bool, isMet: Bool = false) -> Link {
    if isMet, isEmpty, more.isEmpty, case .page = next { return .end }
    if let doubt = key.doubt, !isNew, !takesBack(doubt) {
      if !isEmpty { return doubt.end }
      if doubt == .unconfirmed, case .page = next { return .end }
    }
    guard isEmpty, next == .end, (total ?? pageCount) != nil, let problem = problems.first else {
      return next
    }
    return .stopped(problem)
  }

  /// Whether what says in the doubt that there is more says here that there isn't.
  private func takesBack(_ doubt: EndDoubt) -> Bool {
    if case .contradicted(let reason) = doubt { denied.contains(reason) } else { false }
  }
}

// MARK: - Checkpoints

extension RowAccount {
  func write(to writer: inout ByteWriter) {
    writer.write(rows.count)
    numbers.write(to: &writer)
    writer.write(more.count)
    for reason in more { writer.write(reason) }
    writer.write(endSign.rawValue)
    writer.write(loss) { writer, loss in
      writer.write(loss.unit.rawValue)
      writer.write(loss.before)
      writer.write(loss.now)
    }
    writer.write(hasOpenSeam)
    writer.write(partial) { $0.write($1) }
    writer.write(rows.unreadable)
    writer.write(rows.firstError) { $0.write($1) }
  }

  init(_ reader: inout ByteReader) throws(ByteReader.InvalidBytes) {
    rows.count = try reader.number()
    numbers = try ReportedNumbers(&reader)
    for _ in 0..<max(0, try reader.number()) { more.append(try reader.text()) }
    guard let sign = EndSign(rawValue: try reader.number()) else { throw ByteReader.InvalidBytes() }
    endSign = sign
    loss = try reader.optional { reader throws(ByteReader.InvalidBytes) in
      guard let unit = ReportedNumbers.Fall.Unit(rawValue: try reader.number()) else {
        throw ByteReader.InvalidBytes()
      }
      return ReportedNumbers.Fall(unit: unit, before: try reader.number(), now: try reader.number())
    }
    hasOpenSeam = try reader.flag()
    partial = try reader.optional { reader throws(ByteReader.InvalidBytes) in try reader.text() }
    rows.unreadable = try reader.number()
    rows.firstError = try reader.optional { reader throws(ByteReader.InvalidBytes) in
      try reader.text()
    }
  }
}

internal import ItemMapping
internal import ServerAPI
internal import Support

extension PageStrategy {
  /// Returns what a response says, with every fact that bears on the size of the list or on its end.
  ///
  /// A server may stop early: a limit of pages, a failed backend, a wrong link. Its other facts then still show
  /// the whole list, wherever they are. Where the place of the next page can be worked out, it is requested; elsewhere
  /// the list stops. An end that the program chose is no contradiction.
  func checkedRecognition(in page: PageResponse) -> Recognizer.Recognition {
    var recognition = recognition(in: page)
    guard !endsByChoice else { return recognition }
    // Nothing is compared with the only page.
    let isOnly = if case .single = way { true } else { false }
    if !isOnly { recognition.shape = page.shape }
    // A page in the middle with the same facts as the first one needs no closer look.
    if recognition.facts.next != .end, let known = page.known, known.shape == recognition.shape {
      (recognition.signs, recognition.moreSigns) = (known.signs, known.moreSigns)
      recognition.facts.add(known.moreSigns.verdict(on: page))
      return recognition
    }
    let evidence = Evidence(page)
    let strategy = recognition.recognized?.paging.strategy ?? self
    if !isOnly {
      recognition.signs = evidence.signs(with: recognition.facts, next: strategy.placeOfNext)
    }
    recognition.moreSigns = evidence.moreSigns(
      besides: strategy.flagPlaces, strategy.placeOfNext)
    recognition.facts.add(evidence, recognition.moreSigns, first: strategy.first.place)
    guard recognition.facts.next == .end else { return recognition }
    recognition.facts.denyNext(at: strategy.placeOfNext)
    var key = page.key
    if let place = recognition.place { key.place = place }
    guard let doubt = EndCheck(recognition.facts, evidence, strategy, key).doubt else {
      return recognition
    }
    // A page without rows is only followed by another one if a flag or a link says so.
    let goesOn = page.count > 0 || key.doubt == nil && !recognition.facts.more.isEmpty
    if goesOn, var next = strategy.key(beyond: page, at: key) {
      next.doubt = doubt
      recognition.facts.next = .page(next)
    } else {
      recognition.facts.next = doubt.end
    }
    return recognition
  }

  /// Whether the program decides where the list ends.
  private var endsByChoice: Bool {
    switch way {
    case .custom: true
    default: ends.contains(where: \.isChoice)
    }
  }

  /// The rules for the end of the list.
  private var ends: [EndRule] {
    switch way {
    case .pageNumber(let paging): paging.pages.ends
    case .offset(let paging): paging.pages.ends
    case .cursor(let paging): paging.pages.ends
    case .keyset(let paging): paging.pages.ends
    case .range, .relay, .link, .nextURL, .custom, .single, .automatic: []
    }
  }

  /// The places of the flags that decide, which mean what the program says.
  fileprivate var flagPlaces: [ResponseLocation] { ends.compactMap(\.flagPlace) }

  /// Returns the page after one, whatever its response says; `nil` where only the response leads to it.
  private func key(beyond page: PageResponse, at key: PageKey) -> PageKey? {
    var next: PageKey?
    switch (way, key.place) {
    case (.pageNumber, _): next = self.key(1, after: key)
    case (.offset, .offset(let offset)), (.range, .offset(let offset)):
      guard page.count > 0 else { return nil }
      next = PageKey(.offset(offset.plus(page.count)))
    case (.keyset(let paging), _):
      guard page.count > 0 else { return nil }
      if case .page(let key) = paging.next(after: page, full: key.full) { next = key }
    default: break
    }
    next?.full = key.full
    if page.count > key.fullSize ?? 0 { next?.full = FullSize(rows: page.count) }
    return next
  }

  /// The number of rows that a page was requested with; `nil` where the server chooses it.
  fileprivate func sizeAsked(by key: PageKey) -> Int? {
    switch way {
    case .pageNumber(let paging):
      paging.pages.sizeParameter == nil ? nil : paging.pages.asked(by: key)
    case .offset(let paging): paging.pages.sizeParameter == nil ? nil : key.size ?? paging.limit
    case .range(let paging): key.size ?? paging.size
    case .keyset(let paging):
      paging.pages.sizeParameter == nil ? nil : paging.pages.asked(by: key)
    default: nil
    }
  }
}

extension PageFacts {
  /// Adds what the response says besides the facts that the paging reads.
  fileprivate mutating func add(
    _ evidence: Evidence, _ signs: [MoreSign], first: PageKey.Place
  ) {
    add(signs.verdict(on: evidence.page))
    // A page that has its own number is compared by itself.
    if evidence.pageFact == nil, evidence.headerNumber == nil {
      let key = evidence.page.key
      let full = min(key.fullSize ?? 0, key.size ?? .max)
      let pages = [pageCount, evidence.reportedPages, evidence.pagesInLink(from: first)]
      reportedPages = pages.compactMap(\.self).max().map {
        ReportedPages(pages: $0, rows: max(evidence.page.count, full))
      }
      pagesAfter = evidence.pagesAfter
    } else {
      pagesAfter = evidence.fewestPagesAfter
    }
    sentRows = evidence.page.count
    totals = evidence.totals
    if let total, !totals.values.contains(where: { $0.rows == total }) {
      totals[""] = ReportedTotal(rows: total, isAtLeast: isTotalAtLeast)
    } else if total == nil, let other = evidence.totalOfMore {
      (total, isTotalAtLeast) = (other.rows, other.isAtLeast)
    }
    isOwnTotal = total == evidence.page.count
  }

  /// Takes back that a place leads to another page, which the pages before said and this one doesn't.
  mutating func denyNext(at place: ResponseLocation?) {
    if let place { denied.append(MoreSign(kind: .next, place: place).reason) }
  }

  /// Adds what another page says against the end, and nothing else.
  mutating func addMore(from evidence: Evidence) {
    add(evidence.moreSigns(besides: [], nil).verdict(on: evidence.page))
    totals.merge(evidence.totals) { old, new in old.rows < new.rows ? old : new }
    reportedPages =
      reportedPages
      ?? evidence.reportedPages.map { ReportedPages(pages: $0, rows: 0) }
    pagesAfter = pagesAfter ?? evidence.pagesAfter
  }

  /// Adds what the first page says of the pages after it, where it came again under its own number.
  mutating func addPages(afterFirst evidence: Evidence) {
    guard let after = evidence.pagesAfter?.minus(1) else { return }
    pagesAfter = max(pagesAfter ?? after, after)
  }

  /// Adds what members and headers say of the pages after this one.
  fileprivate mutating func add(_ verdict: (more: [String], denied: [String])) {
    more += verdict.more
    denied += verdict.denied
  }
}

/// Compares an end with all other facts of its response.
private struct EndCheck {
  let facts: PageFacts
  let evidence: Evidence
  let strategy: any PageStrategy
  let key: PageKey

  init(_ facts: PageFacts, _ evidence: Evidence, _ strategy: any PageStrategy, _ key: PageKey) {
    (self.facts, self.evidence, self.strategy, self.key) = (facts, evidence, strategy, key)
  }

  private var page: PageResponse { evidence.page }

  /// The doubt about the end; `nil` if nothing in the response contradicts it.
  var doubt: EndDoubt? {
    if let reason = reasonForMore { return .contradicted(reason) }
    // How many rows an empty page leaves missing is counted for the whole list.
    return page.count > 0 && (lacksRows || isFullByItsOwnCount) ? .unconfirmed : nil
  }

  private var reasonForMore: String? {
    if let more = facts.more.first { return more }
    if let remaining = evidence.remaining, remaining.value > 0 {
      return "the list ended, but “\(remaining.path.plainText)” is \(remaining.value)"
    }
    if let count = facts.pageCount, let number, number < count {
      return PagingError.missingPages(after: number, of: count)
    }
    if let range = evidence.rowRange, let total = range.total, let rows = range.rows,
      rows.upperBound.plus(1) < total
    {
      return
        "the header Content-Range says \(total) rows, but the list ended after \(rows.upperBound.plus(1))"
    }
    return laterPage.map { "the list ended at page \($0.this) of \($0.last)" }
  }

  /// The number of pages up to this one, where the paging counts them.
  private var number: Int? {
    guard case .number(let number) = key.place, case .number(let first) = strategy.first.place
    else { return nil }
    return number.minus(first).plus(1)
  }

  /// The page and the last one, where the response says that there are pages after this one.
  private var laterPage: (this: Int, last: Int)? {
    if facts.pageCount != nil, number != nil { return nil }
    guard let numbers = evidence.numbers(at: number) else { return nil }
    return numbers.this < numbers.last ? numbers : nil
  }

  /// Whether the server reported more rows than there are up to the end of this page.
  private var lacksRows: Bool {
    guard let total = facts.total else { return false }
    switch key.place {
    case .offset(let offset): return offset.plus(page.count) < total
    case .number: return number.map { rows(upTo: $0) < total } ?? false
    default: return key.place == strategy.first.place && page.count < total
    }
  }

  private func rows(upTo number: Int) -> Int {
    (number - 1).times(max(key.fullSize ?? 0, page.count)).plus(page.count)
  }

  /// Whether the first page has all rows that were requested, and a total number of rows that may count only those.
  private var isFullByItsOwnCount: Bool {
    guard key.place == strategy.first.place, evidence.countsPage, !evidence.saysEnd,
      facts.pageCount == nil
    else { return false }
    return page.count
      == strategy.sizeAsked(by: key) ?? evidence.sizeParameter?.value
      ?? evidence.number(FactNames.size)?.value
  }
}

extension Evidence {
  /// The total number of rows, if it is larger than the page. One that is equal may count the page.
  fileprivate var totalOfMore: ReportedTotal? {
    totals.values.filter { $0.rows > page.count }.max()
  }

  /// The totals of the body and of headers, by their names.
  fileprivate var totals: [String: ReportedTotal] {
    // The size that was requested comes back under many names, also as `count`.
    var totals = bodyTotals.filter { name, total in
      total.isAtLeast || total.rows != sizeParameter?.value || NameWords(name).has("total")
    }
    if let (place, total) = headerTotal {
      totals["\(place)"] = ReportedTotal(rows: total, isAtLeast: page.isVague(header: place))
    }
    if let (name, count) = headerCount {
      totals[name] = ReportedTotal(rows: count, isAtLeast: true)
    }
    totals.merge(looseCounts) { known, _ in known }
    if let total = rowRange?.total { totals["Content-Range"] = ReportedTotal(rows: total) }
    if let remaining, remaining.value > 0, page.key.place == .start {
      totals[remaining.path.plainText] = ReportedTotal(
        rows: page.count.plus(remaining.value), isAtLeast: true)
    }
    return totals
  }

  /// The range of rows of the page in a header, where rows are counted.
  fileprivate var rowRange: RangeHeader? {
    guard let text = page.response.headers["Content-Range"] else { return nil }
    let range =
      page.response.headers["Range-Unit"].flatMap { RangeHeader("\($0) \(text)") }
      ?? RangeHeader(text) ?? RangeHeader("items \(text)")
    return range.flatMap { $0.unit.lowercased() == "bytes" ? nil : $0 }
  }

  /// Whether a total number of rows is the number of rows of the page.
  var countsPage: Bool { total?.value == page.count || headerTotal?.total == page.count }

  /// Whether something other than a number says that this is the last page.
  fileprivate var saysEnd: Bool {
    hasMore?.value == false || isLast?.value == true || page.response.headers["X-Next-Page"] == ""
      || members.contains {
        ($0.value.isNull || $0.value.string == "") && isNextName($0)
      }
  }

  /// The header of links that can't be used although it may lead to a next page, in words.
  var unusedLink: String? { page.count > 0 ? page.unusedNextLink?.description : nil }
}

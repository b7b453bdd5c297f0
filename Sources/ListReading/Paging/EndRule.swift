public import ItemMapping

/// A rule that decides whether a page is the last one.
///
/// ```swift
/// .pageNumber(size: 20, endsBy: .total("meta.total"))
/// .pageNumber(size: 20, endsBy: .hasNext("has_more"), .shortPage)
/// ```
///
/// Rules are evaluated in order, and the first one with a result decides. An invalid fact is reported
/// in ``PageFacts/problems``, and the next rule is evaluated. When no rule decides, a page without rows
/// is the last one, and so is a page with fewer rows than the pages before it, if all of them were full. The requested
/// size proves nothing, since the server may not know that parameter. The list also ends where the server refuses a
/// page after a full one with status 400, 404, 410, 416 or 422, if no rule said that there is a next page. Nothing is
/// proven of a list that ends with a refusal or an empty page: a server that stops early looks the same.
public enum EndRule: Hashable, Sendable {
  /// A page with fewer rows than requested is the last one. Saves a request where the
  /// server always fills its pages; loses rows where it doesn't.
  case shortPage
  /// Only a page without rows is the last one. Costs a request, loses nothing.
  case emptyPage
  /// The total number of rows is at this location.
  case total(ResponseLocation)
  /// The total number of pages is at this location.
  case pageCount(ResponseLocation)
  /// The number of the last page, as the server counts, is at this location.
  case lastPage(ResponseLocation)
  /// A flag at this location says whether there is a next page.
  case hasNext(ResponseLocation)
  /// A flag at this location says whether the page is the last one.
  case isLast(ResponseLocation)
  /// The number of the next page is at this location; `null`, or an empty header, ends the list.
  case nextPage(ResponseLocation)
  /// The page with this number is the last one, whether or not the server has more.
  case page(Int)
  /// This error status for any page after the first one means that there is no such page.
  case status(Int)
  /// A page whose cursor is the one that it was requested with is the last one, with or without rows.
  case repeatedCursor
  /// A page whose cursor is this value is the last one, such as `0`, `-1` or `"end"` where the service documents that. A
  /// text and the number that it has are the same value.
  case cursor(JSONAny)
}

extension EndRule: DeclarationText {
  var declared: String {
    switch self {
    case .shortPage: ".shortPage"
    case .emptyPage: ".emptyPage"
    case .total(let place): ".total(\(place.declared))"
    case .pageCount(let place): ".pageCount(\(place.declared))"
    case .lastPage(let place): ".lastPage(\(place.declared))"
    case .hasNext(let place): ".hasNext(\(place.declared))"
    case .isLast(let place): ".isLast(\(place.declared))"
    case .nextPage(let place): ".nextPage(\(place.declared))"
    case .page(let number): ".page(\(number))"
    case .status(let status): ".status(\(status))"
    case .repeatedCursor: ".repeatedCursor"
    case .cursor(let cursor): ".cursor(\(cursor.declared))"
    }
  }
}

extension EndRule {
  /// Whether the program chooses the last page, in pages of the usual size.
  var isChoice: Bool { if case .page = self { true } else { false } }

  /// The location of the fact that decides, if it is one of the response.
  var location: ResponseLocation? {
    switch self {
    case .total(let place), .pageCount(let place), .lastPage(let place), .hasNext(let place),
      .isLast(let place), .nextPage(let place):
      place
    case .shortPage, .emptyPage, .page, .status, .repeatedCursor, .cursor: nil
    }
  }

  /// The location of the flag that decides, if one does.
  var flagPlace: ResponseLocation? {
    switch self {
    case .hasNext(let place), .isLast(let place): place
    default: nil
    }
  }
}

/// The position of a page, as far as its way of paging knows it.
struct PagePosition {
  /// The number of rows that were requested.
  var asked: Int?
  /// The number of rows of a full page, as the responses before show it.
  var full: FullSize?
  /// The number of the page, as the server counts.
  var number: Int?
  /// The number of the first page.
  var firstNumber = 0
  /// The number of rows up to the end of the page, where that is certain.
  var rows: Int?
  /// The most rows that the page should have, where that differs from `asked`.
  var most: Int?
}

/// What the rules and facts of one response say about the end of the list.
struct PageVerdict {
  /// Whether the page is the last one; `nil` where no rule decides.
  private(set) var isLast: Bool?
  /// What says explicitly that there is a next page, in words.
  private var more: [String] = []
  /// Whether the response says explicitly that there is a next page.
  var claimsMore: Bool { !more.isEmpty }
  /// What says explicitly that there is none, in the words that it has where there is.
  private var denied: [String] = []
  /// The number of the next page, where the response has it.
  private(set) var nextNumber: Int?
  private(set) var total: ReportedTotal?
  private(set) var pageCount: Int?
  /// Whether the page reaches beyond the total, which so counts something else.
  private var exceedsTotal = false
  var problems: [PagingError] = []
  /// How the end is known where a rule decides that the page is the last one.
  private var decidedSign: EndSign?

  private let page: PageResponse
  private let position: PagePosition

  init(_ rules: [EndRule], _ page: PageResponse, at position: PagePosition) {
    self.page = page
    self.position = position
    if let most = position.most ?? position.asked, page.count > most {
      problems.append(
        .wrongFact("the page", expected: "at most \(most) rows", found: "\(page.count)"))
    }
    // All rules are evaluated: their facts inform even where another rule decides.
    for rule in rules {
      let verdict = evaluate(rule)
      guard isLast == nil, let verdict else { continue }
      isLast = verdict
      decidedSign = sign(of: rule)
    }
  }

  /// The verdict for any list with counted pages, also where no rule decides.
  var endsHere: Bool {
    isLast ?? (hasNoRows || position.full?.isLast(page.count, asked: position.asked) ?? false)
  }

  /// How the end is known, if the page is the last one.
  var endSign: EndSign { decidedSign ?? signByCount }

  private var signByCount: EndSign { position.full?.signOfShortPage ?? .silent }

  /// Whether the page has at most the rows before it, with which its request began, and is no full page.
  private var hasNoRows: Bool {
    page.count == 0 || page.count <= page.key.overlap && page.count < position.full?.rows ?? 0
  }

  private func sign(of rule: EndRule) -> EndSign {
    switch rule {
    case .shortPage, .emptyPage: signByCount
    case .total: .counted
    case .pageCount, .lastPage, .hasNext, .isLast, .nextPage, .repeatedCursor, .cursor: .said
    case .page: .chosen
    case .status: .absent
    }
  }

  /// Returns what the page says, with this link to the next one.
  func facts(
    _ next: PageFacts.Link, previous: PageFacts.Link = .end, pageCount: Int?
  ) -> PageFacts {
    var facts = PageFacts(
      next: next, previous: previous, total: total?.rows, pageCount: pageCount, problems: problems)
    facts.isTotalAtLeast = total?.isAtLeast ?? false
    facts.isOwnTotal = total?.rows == page.count
    facts.exceedsTotal = exceedsTotal
    (facts.endSign, facts.more, facts.denied) = (endSign, more, denied)
    return facts
  }

  /// The same, with the number of pages that the page reports.
  func facts(_ next: PageFacts.Link, previous: PageFacts.Link = .end) -> PageFacts {
    facts(next, previous: previous, pageCount: pageCount)
  }

  private mutating func evaluate(_ rule: EndRule) -> Bool? {
    switch rule {
    case .shortPage: return position.asked.map { page.count < $0 }
    case .emptyPage: return page.count == 0
    // The cursor is known where it is read.
    case .status, .repeatedCursor, .cursor: return nil
    case .page(let last): return position.number.flatMap { $0 >= last ? true : nil }
    case .total(let place):
      total = value(page.total(at: place), at: place, "the total number of rows")
      guard let reported = total else { return nil }
      // A lower bound says that there is more, never that there is not.
      if reported.isAtLeast {
        return position.rows.flatMap { page.count > 0 && $0 < reported.rows ? false : nil }
      }
      let isLast = ends(at: reported.rows, position.rows, place, areRows: true)
      // A number of rows that this page exceeds is not the total: some servers count the rows of the page.
      if let rows = position.rows, page.count > 0, rows > reported.rows {
        (total, exceedsTotal) = (nil, true)
      }
      return isLast
    case .pageCount(let place):
      pageCount = number(at: place, "the total number of pages")
      return pageCount.flatMap { count in
        let pages = position.number.map { $0.plus(1).minus(position.firstNumber) }
        return ends(at: count, pages, place)
      }
    case .lastPage(let place):
      guard let last = number(at: place, "the number of the last page") else { return nil }
      pageCount = pageCount ?? last.plus(1).minus(position.firstNumber)
      return ends(at: last, position.number, place)
    case .hasNext(let place): return flag(at: place).map { !$0 }
    case .isLast(let place): return flag(at: place, isOfMore: false)
    case .nextPage(let place): return nextPage(at: place)
    }
  }

  /// Reads a flag that decides.
  private mutating func flag(at place: ResponseLocation, isOfMore: Bool = true) -> Bool? {
    switch page.flag(at: place) {
    case .found(let flag):
      let sign = MoreSign(kind: isOfMore ? .hasMore : .isLast, place: place)
      if flag == isOfMore { more.append(sign.reason) } else { denied.append(sign.reason) }
      return flag
    case .missing: return nil
    case .wrong(let found): return wrong(place, "true or false", found)
    }
  }

  /// Compares the end of the page with the end of the list that a fact gives.
  private mutating func ends(
    at end: Int, _ reached: Int?, _ place: ResponseLocation, areRows: Bool = false
  ) -> Bool? {
    guard let reached else { return nil }
    // After other rows, a page that has none and counts none counts itself.
    if areRows, page.count == 0, end == 0, reached > 0 { return nil }
    if page.count == 0, reached < end {
      problems.append(
        areRows
          ? .fewerRows(received: reached, reported: end)
          : .missingRows(PagingError.missingPages(after: reached, of: end)))
      return nil
    }
    if page.count > 0, reached > end {
      return wrong(place, "at least \(reached), as this page has rows", "\(end)")
    }
    return reached >= end
  }

  private mutating func nextPage(at place: ResponseLocation) -> Bool? {
    guard let value = page.value(at: place) else { return nil }
    // PageHelper has 0 on the last page.
    if value.isNull || value.string == "" || value.wholeNumber == 0 { return true }
    guard let next = value.wholeNumber, position.number.map({ next > $0 }) ?? true else {
      let expected = position.number.map { "a number above \($0)" } ?? "a number"
      return wrong(place, expected, value.excerpt)
    }
    nextNumber = next
    return false
  }

  private mutating func number(at place: ResponseLocation, _ expected: String) -> Int? {
    value(page.number(at: place), at: place, expected)
  }

  private mutating func value<Value>(
    _ fact: FoundFact<Value>, at place: ResponseLocation, _ expected: String
  ) -> Value? {
    switch fact {
    case .found(let value): return value
    // A fact that is not needed may be missing.
    case .missing: if isLast == nil { _ = wrong(place, expected, nothing(at: place)) }
    case .wrong(let found): _ = wrong(place, expected, found)
    }
    return nil
  }

  /// Says that there is nothing at a place, and which similar name there is.
  private func nothing(at place: ResponseLocation) -> String {
    guard case .body(let path) = place, let near = page.envelope?.nearNames(for: path) else {
      return "nothing"
    }
    return "nothing; " + near
  }

  private mutating func wrong(_ place: ResponseLocation, _ expected: String, _ found: String)
    -> Bool?
  {
    problems.append(.wrongFact("\(place)", expected: expected, found: found))
    return nil
  }
}

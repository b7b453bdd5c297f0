internal import ItemMapping

/// What tells that a page is the last one.
///
/// ```swift
/// .pageNumber(size: 20, endsBy: .total("meta.total"))
/// .pageNumber(size: 20, endsBy: .hasNext("has_more"), .shortPage)
/// ```
///
/// Rules are asked in turn, and the first one that knows decides. A fact that is not what it should
/// be is reported in ``PageFacts/problems``, and the next rule is asked. When none knows, a page
/// without rows is the last one, and so is a page with fewer rows than a full one has turned out to
/// have: the size that was asked for proves nothing, since the server may not know that parameter.
public enum EndRule: Hashable, Sendable {
  /// A page with fewer rows than it was asked to have is the last one. Saves a request where the
  /// server always fills its pages; loses rows where it doesn't.
  case shortPage
  /// A page without rows is the last one, and only that. Costs a request, loses nothing.
  case emptyPage
  /// How many rows there are in all stands there.
  case total(ResponseLocation)
  /// How many pages there are in all stands there.
  case pageCount(ResponseLocation)
  /// The number of the last page stands there, as the server counts.
  case lastPage(ResponseLocation)
  /// Whether there is a next page stands there.
  case hasNext(ResponseLocation)
  /// The number of the next page stands there; `null` or nothing but an empty header ends the list.
  case nextPage(ResponseLocation)
  /// The page with this number is the last one, whatever the server has.
  case page(Int)
  /// This error status in place of a page behind the first one means that there is no such page.
  case status(Int)
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
    case .nextPage(let place): ".nextPage(\(place.declared))"
    case .page(let number): ".page(\(number))"
    case .status(let status): ".status(\(status))"
    }
  }
}

/// Where a page lies, as far as its way of paging knows.
struct PagePosition {
  /// How many rows the page was asked to have.
  var asked: Int?
  /// How many rows a full page has turned out to have.
  var full: Int?
  /// The number of the page, as the server counts.
  var number: Int?
  /// The number of the first page.
  var firstNumber = 0
  /// How many rows there are up to the end of the page, where that is certain.
  var rows: Int?
}

/// What the rules and facts of one answer say of the end.
struct PageVerdict {
  /// Whether the page is the last one; `nil` where no rule knows.
  private(set) var isLast: Bool?
  /// Whether the answer says in so many words that there is a next page.
  private(set) var claimsMore = false
  /// The number of the next page, where the answer names it.
  private(set) var nextNumber: Int?
  private(set) var total: Int?
  private(set) var pageCount: Int?
  var problems: [PagingError] = []

  private let answer: PageResponse
  private let position: PagePosition

  init(_ rules: [EndRule], _ answer: PageResponse, at position: PagePosition) {
    self.answer = answer
    self.position = position
    if let asked = position.asked, answer.count > asked {
      problems.append(
        .wrongFact("the page", expected: "at most \(asked) rows", found: "\(answer.count)"))
    }
    // All are read, since facts inform even where another rule decides.
    for rule in rules {
      let verdict = ask(rule)
      isLast = isLast ?? verdict
    }
  }

  /// What holds for every list of pages that are counted, where no rule knows.
  var endsHere: Bool {
    isLast ?? (answer.count == 0 || position.full.map { answer.count < $0 } ?? false)
  }

  private mutating func ask(_ rule: EndRule) -> Bool? {
    switch rule {
    case .shortPage: return position.asked.map { answer.count < $0 }
    case .emptyPage: return answer.count == 0
    case .status: return nil
    case .page(let last): return position.number.flatMap { $0 >= last ? true : nil }
    case .total(let place):
      total = number(at: place, "how many rows there are")
      return total.flatMap { ends(at: $0, position.rows, place) }
    case .pageCount(let place):
      pageCount = number(at: place, "how many pages there are")
      return pageCount.flatMap { count in
        let pages = position.number.map { $0.plus(1).minus(position.firstNumber) }
        return ends(at: count, pages, place)
      }
    case .lastPage(let place):
      guard let last = number(at: place, "the number of the last page") else { return nil }
      pageCount = pageCount ?? last.plus(1).minus(position.firstNumber)
      return ends(at: last, position.number, place)
    case .hasNext(let place):
      switch answer.flag(at: place) {
      case .found(let hasNext):
        claimsMore = hasNext
        return !hasNext
      case .missing: return nil
      case .wrong(let found): return wrong(place, "true or false", found)
      }
    case .nextPage(let place): return nextPage(at: place)
    }
  }

  /// Compares how far a page reaches with where the list is said to end.
  private mutating func ends(at end: Int, _ reached: Int?, _ place: ResponseLocation) -> Bool? {
    guard let reached else { return nil }
    if answer.count == 0, reached < end {
      return wrong(place, "at most \(reached), as no rows follow", "\(end)")
    }
    if answer.count > 0, reached > end {
      return wrong(place, "at least \(reached), as this page has rows", "\(end)")
    }
    return reached >= end
  }

  private mutating func nextPage(at place: ResponseLocation) -> Bool? {
    guard let value = answer.value(at: place) else { return nil }
    if value.isNull || value.string == "" { return true }
    guard let next = value.wholeNumber, position.number.map({ next > $0 }) ?? true else {
      let expected = position.number.map { "a number above \($0)" } ?? "a number"
      return wrong(place, expected, value.excerpt)
    }
    nextNumber = next
    return false
  }

  private mutating func number(at place: ResponseLocation, _ expected: String) -> Int? {
    switch answer.number(at: place) {
    case .found(let number): return number
    // What is not needed may be missing.
    case .missing: if isLast == nil { _ = wrong(place, expected, "nothing") }
    case .wrong(let found): _ = wrong(place, expected, found)
    }
    return nil
  }

  private mutating func wrong(_ place: ResponseLocation, _ expected: String, _ found: String)
    -> Bool?
  {
    problems.append(.wrongFact("\(place)", expected: expected, found: found))
    return nil
  }
}

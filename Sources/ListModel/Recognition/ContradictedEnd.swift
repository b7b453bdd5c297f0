internal import ServerAPI
internal import Support

extension PageStrategy {
  /// Returns what a response says, with an end only if nothing else in the response says that there is more.
  ///
  /// A server may stop early: a limit of pages, a failed backend, a wrong link. Its other facts then still show
  /// the whole list. An end that the program chose is no contradiction.
  func checkedRecognition(in page: PageResponse) -> Recognizer.Recognition {
    var recognition = recognition(in: page)
    // The total number of rows is compared where all rows are counted.
    guard recognition.facts.next == .end, recognition.facts.total == nil, page.count > 0,
      !endsByChoice,
      let reason = page.reasonForMore(than: recognition.facts, first: first)
    else { return recognition }
    recognition.facts.next = .stopped(.missingRows(reason))
    return recognition
  }

  /// Whether the program decides where the list ends.
  private var endsByChoice: Bool {
    switch way {
    case .single, .custom: true
    case .pageNumber(let paging):
      paging.pages.ends.contains { if case .page = $0 { true } else { false } }
    default: false
    }
  }
}

extension PageResponse {
  /// Returns the fact that contradicts the end of the list at this page; `nil` if there is none.
  fileprivate func reasonForMore(than facts: PageFacts, first: PageKey) -> String? {
    if case .number(let number) = key.place, case .number(let first) = first.place,
      let count = facts.pageCount, number.minus(first).plus(1) < count
    {
      return "the server reported \(count) pages, but the list ended after \(number - first + 1)"
    }
    let evidence = Evidence(self)
    if let more = evidence.hasMore, more.value {
      return "the list ended, but “\(more.path.plainText)” is true"
    }
    if let last = evidence.isLast, !last.value {
      return "the list ended, but “\(last.path.plainText)” is false"
    }
    guard evidence.total == nil, evidence.headerTotal == nil else { return nil }
    return evidence.laterPage.map { "the list ended at page \($0.this) of \($0.last)" }
  }
}

extension Evidence {
  /// This page and the last one, where the response says that there are pages after this one.
  fileprivate var laterPage: (this: Int, last: Int)? {
    let numbers = numberInBody ?? numberInHeader ?? numberInLink
    return numbers.flatMap { $0.this < $0.last ? $0 : nil }
  }

  private var numberInBody: (this: Int, last: Int)? {
    guard let this = number(FactNames.page.filter { $0 != "number" })?.value else { return nil }
    if let last = number(FactNames.lastPage)?.value { return (this, last) }
    // Pages may be counted from 0, so that the last of ten is 9.
    guard let count = number(FactNames.pageCount)?.value else { return nil }
    return this.plus(1) < count ? (this, count) : nil
  }

  private var numberInHeader: (this: Int, last: Int)? {
    let headers = page.response.headers
    func number(_ names: [String]) -> Int? {
      names.lazy.compactMap { headers[$0].flatMap { Int($0) } }.first
    }
    guard let this = number(["X-Page", "X-Pagination-Current-Page"]),
      let last = number(["X-Total-Pages", "X-WP-TotalPages", "X-Pagination-Page-Count"])
    else { return nil }
    return (this, last)
  }

  /// The page of the link to the last page, by the parameter that both addresses have.
  private var numberInLink: (this: Int, last: Int)? {
    guard let link = page.response.link("last"), let last = try? link.url(from: page.response.url),
      last.path == page.response.url.path
    else { return nil }
    func number(in url: WebURL) -> Int? {
      url.queryParams.items.first { ParameterNames.pages.contains($0.name) }
        .flatMap { $0.value.texts.first }.flatMap { Int($0) }
    }
    guard let this = number(in: page.response.url), let other = number(in: last) else { return nil }
    return (this, other)
  }
}

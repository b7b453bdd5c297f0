internal import ItemMapping
internal import ServerAPI

extension Paging {
  /// Pages that have numbers.
  ///
  /// ```swift
  /// .pageNumber(size: 20)                                            // ?page=1&per_page=20
  /// .pageNumber(size: 20, first: 0, sizeParameter: "size", endsBy: .pageCount("totalPages"))
  /// .pageNumber(size: 20, parameter: .path("page"))                  // /books/pages/{page}
  /// ```
  ///
  /// The list ends by the rules of ``EndRule``. Without any, it does at a page without rows, and at
  /// one with fewer rows than a page before it had; so a server that sends 10 rows where 20 are asked
  /// for loses none, and a list that fits on one page costs a second request. The page before number
  /// `first` is none.
  ///
  /// - Parameters:
  ///   - size: How many rows a page is asked to have; without it, it is the server's choice.
  ///   - first: The number of the first page, usually 1 or 0.
  ///   - parameter: Where the number goes.
  ///   - sizeParameter: Where the size goes; `nil` does not send it.
  ///   - firstSize: How many rows the first load asks for: `size` or a multiple of it, since pages
  ///     of other sizes would not meet the next one.
  ///   - endsBy: What tells the last page.
  public static func pageNumber(
    size: Int? = nil, first: Int = 1, parameter: RequestLocation = "page",
    sizeParameter: RequestLocation? = "per_page", firstSize: Int? = nil, endsBy rules: EndRule...
  ) -> Paging {
    if let firstSize {
      precondition(
        size.map { $0 > 0 && firstSize % $0 == 0 } ?? false,
        "firstSize should be a multiple of size, found \(firstSize) with \(size.declared)")
    }
    return Paging(
      strategy: PageNumberPaging(
        pages: CountedPages(
          size: size, firstSize: firstSize, sizeParameter: sizeParameter, ends: rules),
        start: first, parameter: parameter))
  }

  /// Pages that have numbers, with the facts in headers, as GitLab has it.
  ///
  /// ```swift
  /// .pageHeaders(size: 50)
  /// .pageHeaders(size: 50, total: "X-WP-Total", pageCount: "X-WP-TotalPages")        // WordPress
  /// ```
  ///
  /// The list ends where the header `next` is empty. Without that header, the number of pages decides,
  /// then that of rows, then what ``EndRule`` says of a list without rules.
  ///
  /// - Parameters:
  ///   - size: How many rows a page is asked to have; without it, it is the server's choice.
  ///   - first: The number of the first page, usually 1 or 0.
  ///   - parameter: Where the number goes.
  ///   - sizeParameter: Where the size goes; `nil` does not send it.
  ///   - next: The header with the number of the next page.
  ///   - total: The header with the number of all rows.
  ///   - pageCount: The header with the number of all pages.
  public static func pageHeaders(
    size: Int? = nil, first: Int = 1, parameter: RequestLocation = "page",
    sizeParameter: RequestLocation? = "per_page", next: String = "X-Next-Page",
    total: String = "X-Total", pageCount: String = "X-Total-Pages"
  ) -> Paging {
    let headers = PageNumberPaging.Headers(next: next, total: total, pageCount: pageCount)
    return Paging(
      strategy: PageNumberPaging(
        pages: CountedPages(
          size: size, firstSize: nil, sizeParameter: sizeParameter, ends: headers.ends),
        start: first, parameter: parameter, headers: headers))
  }
}

/// Pages that have numbers.
package struct PageNumberPaging: PageStrategy {
  package var pages: CountedPages
  /// The number of the first page.
  package var start: Int
  /// Where the number goes.
  package var parameter: RequestLocation
  /// The headers with the facts, where it is declared by them.
  var headers: Headers?

  /// The names of headers that say where the list ends.
  struct Headers: Hashable, Sendable {
    var next: String
    var total: String
    var pageCount: String

    var ends: [EndRule] {
      [.nextPage(.header(next)), .pageCount(.header(pageCount)), .total(.header(total))]
    }
  }

  var way: Paging.Way { .pageNumber(self) }

  var first: PageKey { PageKey(.number(start), size: pages.firstSize) }

  func key(ofPage number: Int) -> PageKey? {
    let (sum, overflows) = start.addingReportingOverflow(number)
    return number < 0 || overflows ? nil : PageKey(.number(sum))
  }

  func key(_ steps: Int, after key: PageKey) -> PageKey? {
    guard case .number(let number) = key.place else { return nil }
    if steps == 0 { return key }
    // A first load of several pages' size stands for as many pages.
    let skipped = steps > 0 ? pagesSpanned(by: key.size) - 1 : 0
    let target = number.plus(skipped).plus(steps)
    guard target >= start, target < .max else { return nil }
    return Self.key(target, full: key.full)
  }

  func pages(behind key: PageKey, of total: Int) -> Int? {
    guard case .number(let number) = key.place, let full = key.full else { return nil }
    return total.minus(number.minus(start).times(full)).minus(1) / full
  }

  func ask(for key: PageKey, in call: inout Call) throws(PagingError) {
    guard case .number(let number) = key.place else {
      throw .foreignKey(key, expected: "the number of a page")
    }
    try parameter.put(.int(number), in: &call)
    try pages.putSize(of: key, in: &call)
  }

  func isEnd(_ status: Int, for key: PageKey) -> Bool {
    key.place != .number(start) && pages.isEnd(status)
  }

  func facts(in answer: PageResponse) -> PageFacts {
    guard case .number(let number) = answer.key.place else {
      return PageFacts(next: .stopped(.foreignKey(answer.key, expected: "the number of a page")))
    }
    let full = pages.full(after: answer, isFirst: number == start)
    var position = PagePosition(
      asked: pages.asked(by: answer.key), full: answer.key.full, number: number, firstNumber: start)
    position.rows = rows(upTo: number, full: full, in: answer)
    let verdict = PageVerdict(pages.ends, answer, at: position)
    var next = PageFacts.Link.end
    if !verdict.endsHere {
      let following = verdict.nextNumber ?? number.plus(pagesSpanned(by: answer))
      next =
        following > number
        ? .page(Self.key(following, full: full)) : .stopped(.noProgress(answer.key))
    }
    return PageFacts(
      next: next,
      previous: number > start ? .page(Self.key(number - 1, full: full)) : .end,
      total: verdict.total, pageCount: verdict.pageCount, problems: verdict.problems)
  }

  private static func key(_ number: Int, full: Int?) -> PageKey {
    var key = PageKey(.number(number))
    key.full = full
    return key
  }

  /// How many pages of the usual size a page of another one stands for.
  private func pagesSpanned(by size: Int?) -> Int {
    guard let size, let usual = pages.size, size > usual, size % usual == 0 else { return 1 }
    return size / usual
  }

  /// The same, once it is known what came: where it is not exactly what was asked for, the server has
  /// its own pages, and the second one is the next.
  private func pagesSpanned(by answer: PageResponse) -> Int {
    answer.count == answer.key.size ? pagesSpanned(by: answer.key.size) : 1
  }

  /// How many rows there are up to the end of a page. On a short page of which nothing is known but
  /// its number, that can't be told.
  private func rows(upTo number: Int, full: Int?, in answer: PageResponse) -> Int? {
    if number == start { return answer.count }
    guard let size = full ?? (answer.count == 0 ? pages.size : nil) else { return nil }
    return number.minus(start).times(size).plus(answer.count)
  }

  var declaration: String {
    let call = Declaration(headers == nil ? "pageNumber" : "pageHeaders")
      .with("size", pages.size, unless: nil)
      .with("first", start, unless: 1)
      .with("parameter", parameter, unless: "page")
      .with("sizeParameter", pages.sizeParameter, unless: "per_page")
    guard let headers else {
      return call.with("firstSize", pages.firstSize, unless: nil).with(pages.ends).call
    }
    return
      call
      .with("next", headers.next, unless: "X-Next-Page")
      .with("total", headers.total, unless: "X-Total")
      .with("pageCount", headers.pageCount, unless: "X-Total-Pages")
      .call
  }
}

internal import ItemMapping
internal import ServerAPI

extension Paging {
  /// Pages that are addressed by number.
  ///
  /// ```swift
  /// .pageNumber(size: 20)                                            // ?page=1&per_page=20
  /// .pageNumber(size: 20, first: 0, sizeParameter: "size", endsBy: .pageCount("totalPages"))
  /// .pageNumber(size: 20, parameter: .path("page"))                  // /books/pages/{page}
  /// ```
  ///
  /// The list ends by the rules of ``EndRule``. Without any, it ends at a page without rows, and at
  /// one with fewer rows than a page before. So no row is lost if a server sends 10 rows per page
  /// although 20 are requested. The price is a second request for a list that fits on one page. There is no
  /// page before number `first`.
  ///
  /// - Parameters:
  ///   - size: The number of rows to request per page; without it, the server chooses.
  ///   - first: The number of the first page, usually 1 or 0.
  ///   - parameter: Where the number goes.
  ///   - sizeParameter: Where the size goes; `nil` does not send it.
  ///   - firstSize: The number of rows that the first load requests: `size` or a multiple of it, since
  ///     the next page would not follow a page of another size.
  ///   - endsBy: The rules that decide which page is the last.
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

  /// Pages that are addressed by number, with the facts in headers, as GitLab does.
  ///
  /// ```swift
  /// .pageHeaders(size: 50)
  /// .pageHeaders(size: 50, total: "X-WP-Total", pageCount: "X-WP-TotalPages")        // WordPress
  /// ```
  ///
  /// The list ends where the header `next` is empty. Without that header, the total number of pages
  /// decides, then the total number of rows, then the rule of ``EndRule`` for lists without rules.
  ///
  /// - Parameters:
  ///   - size: The number of rows to request per page; without it, the server chooses.
  ///   - first: The number of the first page, usually 1 or 0.
  ///   - parameter: Where the number goes.
  ///   - sizeParameter: Where the size goes; `nil` does not send it.
  ///   - next: The header with the number of the next page.
  ///   - total: The header with the total number of rows.
  ///   - pageCount: The header with the total number of pages.
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

/// Pages that are addressed by number.
package struct PageNumberPaging: PageStrategy {
  package var pages: CountedPages
  /// The number of the first page.
  package var start: Int
  /// Where the number goes.
  package var parameter: RequestLocation
  /// The headers with the facts, where the paging was declared by them.
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
    let size = ownSize(of: key)
    // A first load of several times the page size stands for as many pages.
    let skipped = steps > 0 && size == nil ? pagesSpanned(by: key.size) - 1 : 0
    let target = number.plus(skipped).plus(steps)
    guard target >= start, target < .max else { return nil }
    return Self.key(target, size: size, full: key.full)
  }

  func pages(after key: PageKey, of total: Int) -> Int? {
    guard case .number(let number) = key.place, let fullSize = key.fullSize else { return nil }
    return total.minus(number.minus(start).times(fullSize)).minus(1) / fullSize
  }

  func pages(after key: PageKey, ofPages count: Int) -> Int? {
    guard case .number(let number) = key.place else { return nil }
    return count.minus(number.minus(start)).minus(1)
  }

  func apply(_ key: PageKey, to call: inout Call) throws(PagingError) {
    guard case .number(let number) = key.place else {
      throw .foreignKey(key, expected: "the number of a page")
    }
    try parameter.put(.int(number), in: &call)
    try pages.putSize(of: key, in: &call)
  }

  func isEnd(_ status: Int, for key: PageKey) -> Bool {
    key.place != .number(start) && pages.isEnd(status, forLaterPage: key)
  }

  func facts(in page: PageResponse) -> PageFacts {
    guard case .number(let number) = page.key.place else {
      return PageFacts(next: .stopped(.foreignKey(page.key, expected: "the number of a page")))
    }
    let size = ownSize(of: page.key)
    var full = pages.full(after: page, isFirst: number == start)
    if let size { full = FullSize(rows: size, grounds: .confirmed) }
    var position = PagePosition(
      asked: pages.asked(by: page.key), full: page.key.full, number: number, firstNumber: start)
    position.rows = rows(upTo: number, fullSize: full?.rows, in: page)
    let verdict = PageVerdict(pages.ends, page, at: position)
    var next = PageFacts.Link.end
    if !verdict.endsHere {
      let following = number.plus(size == nil ? pagesSpanned(by: page) : 1)
      if let found = verdict.nextNumber, found != following {
        // An offset or a key would lead past rows.
        next = .stopped(
          .wrongFact(
            "the number of the next page", expected: "\(following)", found: "\(found)"))
      } else {
        next =
          following > number
          ? .page(Self.key(following, size: size, full: full))
          : .stopped(.noProgress(page.key))
      }
    }
    return verdict.facts(
      next,
      previous: number > start ? .page(Self.key(number - 1, size: size, full: full)) : .end,
      // The list has another number of pages of that size.
      pageCount: size == nil ? verdict.pageCount : nil)
  }

  private static func key(_ number: Int, size: Int?, full: FullSize?) -> PageKey {
    var key = PageKey(.number(number), size: size)
    key.full = full
    return key
  }

  /// Returns how many pages of the usual size a page of another size stands for.
  private func pagesSpanned(by size: Int?) -> Int {
    guard let size, let usual = pages.size, size > usual, size % usual == 0 else { return 1 }
    return size / usual
  }

  /// Returns the same for a received page: where the server didn't send exactly the requested number,
  /// it has its own page size, and the next page is the second one.
  private func pagesSpanned(by page: PageResponse) -> Int {
    page.count == page.key.size ? pagesSpanned(by: page.key.size) : 1
  }

  /// Returns the number of rows up to the end of a page; `nil` on a short page of which only the number
  /// is known.
  private func rows(upTo number: Int, fullSize: Int?, in page: PageResponse) -> Int? {
    if number == start { return page.count }
    guard let size = fullSize ?? (page.count == 0 ? pages.size : nil) else { return nil }
    return number.minus(start).times(size).plus(page.count)
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

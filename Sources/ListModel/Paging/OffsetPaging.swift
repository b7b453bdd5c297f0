internal import ItemMapping
internal import ServerAPI

extension Paging {
  /// Pages that begin behind a number of rows.
  ///
  /// ```swift
  /// .offset(limit: 20)                                               // ?offset=0&limit=20
  /// .offset(limit: 20, parameter: "skip", limitParameter: "take", endsBy: .total("total"))
  /// ```
  ///
  /// The next page begins behind the rows that were really sent, so that neither a server with a
  /// smaller limit of its own nor a short page in the middle loses rows. The page before offset 10 is
  /// asked to have 10 rows, however large the limit is.
  ///
  /// The list ends by the rules of ``EndRule``; without any, at a page without rows or with fewer than
  /// a page before it had.
  ///
  /// - Parameters:
  ///   - limit: How many rows a page is asked to have.
  ///   - first: The number of the first row: 0, or 1 as SCIM and OpenSearch count.
  ///   - parameter: Where the number of rows before the page goes, plus `first`.
  ///   - limitParameter: Where the limit goes; `nil` does not send it.
  ///   - firstSize: How many rows the first load asks for.
  ///   - endsBy: What tells the last page.
  public static func offset(
    limit: Int, first: Int = 0, parameter: RequestLocation = "offset",
    limitParameter: RequestLocation? = "limit",
    firstSize: Int? = nil, endsBy rules: EndRule...
  ) -> Paging {
    Paging(
      strategy: OffsetPaging(
        pages: CountedPages(
          size: limit, firstSize: firstSize, sizeParameter: limitParameter, ends: rules),
        limit: limit, start: first, parameter: parameter))
  }
}

/// Pages that begin behind a number of rows.
package struct OffsetPaging: PageStrategy {
  package var pages: CountedPages
  /// How many rows a page is asked to have.
  var limit: Int
  /// What the server calls the first row, 0 or 1.
  package var start = 0
  /// Where the number of rows before the page goes.
  package var parameter: RequestLocation

  var way: Paging.Way { .offset(self) }
  var first: PageKey { PageKey(.offset(0), size: pages.firstSize) }

  func key(ofPage number: Int) -> PageKey? {
    let (offset, overflows) = number.multipliedReportingOverflow(by: limit)
    return number < 0 || overflows ? nil : PageKey(.offset(offset))
  }

  func key(_ steps: Int, after key: PageKey) -> PageKey? {
    guard case .offset(let offset) = key.place else { return nil }
    // Where the server has pages of its own, only its answers tell where the next one begins.
    if steps > 0, key.full ?? limit != limit { return nil }
    switch steps {
    case 0: return key
    case 1...:
      let (gap, overflows) = (steps - 1).multipliedReportingOverflow(by: limit)
      let target = offset.plus(key.size ?? limit).plus(gap)
      return overflows || target == .max ? nil : Self.key(target, full: key.full)
    default:
      guard steps == -1 else { return nil }
      return Self.key(before: offset, limit: limit, full: key.full)
    }
  }

  func pages(behind key: PageKey, of total: Int) -> Int? {
    guard case .offset(let offset) = key.place else { return nil }
    return total.minus(offset).minus(1) / (key.size ?? limit)
  }

  func ask(for key: PageKey, in call: inout Call) throws(PagingError) {
    guard case .offset(let offset) = key.place else {
      throw .foreignKey(key, expected: "an offset")
    }
    try parameter.put(.int(offset.plus(start)), in: &call)
    try pages.putSize(of: key, in: &call)
  }

  func isEnd(_ status: Int, for key: PageKey) -> Bool {
    key.place != .offset(0) && pages.isEnd(status)
  }

  func facts(in answer: PageResponse) -> PageFacts {
    guard case .offset(let offset) = answer.key.place else {
      return PageFacts(next: .stopped(.foreignKey(answer.key, expected: "an offset")))
    }
    let full = pages.full(after: answer, isFirst: offset == 0)
    let reached = offset.plus(answer.count)
    let asked = answer.key.size ?? limit
    var position = PagePosition(asked: asked, full: answer.key.full, rows: reached)
    if asked < limit { position.full = position.full.map { min($0, asked) } }
    let verdict = PageVerdict(pages.ends, answer, at: position)
    var next = PageFacts.Link.end
    if !verdict.endsHere {
      // What was sent counts, not what was asked for. Only where the server says that more follows an
      // empty page did it leave rows out, as many as were asked for.
      let following = answer.count > 0 ? reached : offset.plus(asked)
      next =
        following > offset && following < .max
        ? .page(Self.key(following, full: full)) : .stopped(.noProgress(answer.key))
    }
    return PageFacts(
      next: next,
      previous: Self.key(before: offset, limit: limit, full: full).map(PageFacts.Link.page) ?? .end,
      total: verdict.total, pageCount: verdict.pageCount, problems: verdict.problems)
  }

  private static func key(_ offset: Int, full: Int?) -> PageKey {
    var key = PageKey(.offset(offset))
    key.full = full
    return key
  }

  /// The page that ends where this one begins; near the start it is a smaller one.
  static func key(before offset: Int, limit: Int, full: Int?) -> PageKey? {
    guard offset > 0 else { return nil }
    var key = key(max(0, offset.minus(limit)), full: full)
    if offset < limit { key.size = offset }
    return key
  }

  var declaration: String {
    Declaration("offset")
      .with("limit", limit)
      .with("first", start, unless: 0)
      .with("parameter", parameter, unless: "offset")
      .with("limitParameter", pages.sizeParameter, unless: "limit")
      .with("firstSize", pages.firstSize, unless: nil)
      .with(pages.ends)
      .call
  }
}

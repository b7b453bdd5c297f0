internal import ItemMapping
internal import ServerAPI

extension Paging {
  /// Pages that are addressed by the number of rows before them.
  ///
  /// ```swift
  /// .offset(limit: 20)                                               // ?offset=0&limit=20
  /// .offset(limit: 20, parameter: "skip", limitParameter: "take", endsBy: .total("total"))
  /// ```
  ///
  /// The next page starts after the rows that were actually sent, so neither a server with a smaller
  /// limit of its own nor a short page in the middle loses rows. The page before offset 10 is
  /// requested with 10 rows, however large the limit is.
  ///
  /// The list ends by the rules of ``EndRule``; without any, at a page without rows or with fewer rows than
  /// a page before.
  ///
  /// - Parameters:
  ///   - limit: The number of rows to request per page.
  ///   - first: The number of the first row: 0, or 1 as SCIM and OpenSearch count.
  ///   - parameter: Where the number of rows before the page, plus `first`, goes.
  ///   - limitParameter: Where the limit goes; `nil` does not send it.
  ///   - firstSize: The number of rows that the first load requests.
  ///   - endsBy: The rules that decide which page is the last.
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

/// Pages that are addressed by the number of rows before them.
package struct OffsetPaging: PageStrategy {
  package var pages: CountedPages
  /// The number of rows to request per page.
  var limit: Int
  /// The number the server gives the first row, 0 or 1.
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
    // Where the server chooses the page size, only its responses say where the next page starts.
    if steps > 0, let full = key.fullSize, full != limit, full != key.size { return nil }
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

  func pages(after key: PageKey, of total: Int) -> Int? {
    guard case .offset(let offset) = key.place else { return nil }
    return total.minus(offset).minus(1) / (key.size ?? limit)
  }

  func apply(_ key: PageKey, to call: inout Call) throws(PagingError) {
    guard case .offset(let offset) = key.place else {
      throw .foreignKey(key, expected: "an offset")
    }
    try parameter.put(.int(offset.plus(start)), in: &call)
    try pages.putSize(of: key, in: &call)
  }

  func isEnd(_ status: Int, for key: PageKey) -> Bool {
    key.place != .offset(0) && pages.isEnd(status, forLaterPage: key)
  }

  func facts(in page: PageResponse) -> PageFacts {
    guard case .offset(let offset) = page.key.place else {
      return PageFacts(next: .stopped(.foreignKey(page.key, expected: "an offset")))
    }
    let full = pages.full(after: page, isFirst: offset == 0)
    let reached = offset.plus(page.count)
    let asked = page.key.size ?? limit
    var position = PagePosition(
      asked: pages.least(in: page.key, isFirst: offset == 0), full: page.key.full, rows: reached,
      most: asked)
    if asked < limit, let rows = position.full?.rows { position.full?.rows = min(rows, asked) }
    let verdict = PageVerdict(pages.ends, page, at: position)
    var next = PageFacts.Link.end
    if !verdict.endsHere {
      // The next page starts after the rows that were sent, not those that were requested. After an
      // empty page the server says that more follows, so it left out as many rows as were requested.
      let following = page.count > 0 ? reached : offset.plus(asked)
      next =
        following > offset && following < .max
        ? .page(Self.key(following, full: full)) : .stopped(.noProgress(page.key))
    }
    return verdict.facts(
      next,
      previous: Self.key(before: offset, limit: limit, full: full).map(PageFacts.Link.page) ?? .end)
  }

  private static func key(_ offset: Int, full: FullSize?) -> PageKey {
    var key = PageKey(.offset(offset))
    key.full = full
    return key
  }

  /// Returns the page that ends where this one starts; near the start it is smaller.
  static func key(before offset: Int, limit: Int, full: FullSize?) -> PageKey? {
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

internal import ServerAPI

extension Paging {
  /// Pages that are requested by the `Range` header, as PostgREST does.
  ///
  /// ```swift
  /// .range(size: 20)                     // Range: items=0-19, response: Content-Range: items 0-19/523
  /// ```
  ///
  /// The list ends where `Content-Range` reaches the total, or, where the total is `*`, at a page
  /// with fewer rows than the full pages before it; and at the status 416. A response with status 200 and without
  /// `Content-Range` is the whole list. The next page starts after the last row that was sent.
  ///
  /// - Parameters:
  ///   - unit: The server's name for a row.
  ///   - size: The number of rows to request per page.
  ///   - firstSize: The number of rows that the first load requests.
  public static func range(
    unit: String = "items", size: Int, firstSize: Int? = nil
  ) -> Paging {
    Paging(
      strategy: RangePaging(
        unit: unit,
        pages: CountedPages(size: size, firstSize: firstSize, sizeParameter: nil, ends: []),
        size: size))
  }
}

/// Pages that are requested by the `Range` header.
package struct RangePaging: PageStrategy {
  package var unit: String
  var pages: CountedPages
  /// The number of rows to request per page.
  package var size: Int

  var way: Paging.Way { .range(self) }
  var first: PageKey { PageKey(.offset(0), size: pages.firstSize) }

  private var offsets: OffsetPaging {
    OffsetPaging(pages: pages, limit: size, parameter: .header("Range"))
  }

  func key(ofPage number: Int) -> PageKey? { offsets.key(ofPage: number) }
  func key(_ steps: Int, after key: PageKey) -> PageKey? { offsets.key(steps, after: key) }
  func pages(after key: PageKey, of total: Int) -> Int? { offsets.pages(after: key, of: total) }

  func apply(_ key: PageKey, to call: inout Call) throws(PagingError) {
    guard case .offset(let offset) = key.place else {
      throw .foreignKey(key, expected: "an offset")
    }
    call.headers["Range"] = "\(unit)=\(offset)-\(offset.plus(key.size ?? size).minus(1))"
  }

  func isEnd(_ status: Int, for key: PageKey) -> Bool { status == 416 }

  func facts(in page: PageResponse) -> PageFacts {
    guard case .offset(let offset) = page.key.place else {
      return PageFacts(next: .stopped(.foreignKey(page.key, expected: "an offset")))
    }
    let text = page.response.headers["Content-Range"]
    let range = text.flatMap(RangeHeader.init)
    guard let range, range.unit.lowercased() == unit.lowercased() else {
      return facts(after: offset, in: page, instead: text)
    }
    var facts = PageFacts(
      next: .end, previous: previous(offset, page.key), total: range.total)
    guard let rows = range.rows else { return facts }
    let reached = rows.upperBound.plus(1)
    facts.endSign = range.total == nil ? page.key.full?.signOfShortPage ?? .silent : .counted
    if range.total.map({ reached >= $0 }) ?? isLast(page) { return facts }
    facts.next = next(reached, after: offset, page)
    return facts
  }

  /// Whether a page is the last one by the number of its rows. A first page with a usual number of them may be full,
  /// though more were requested.
  private func isLast(_ page: PageResponse) -> Bool {
    let isFirst = page.key.place == .offset(0)
    guard page.count < pages.least(in: page.key, isFirst: isFirst) ?? size else { return false }
    let full = page.key.full
    if page.count <= page.key.overlap, page.count < full?.rows ?? 0 { return true }
    return full?.isLast(page.count, asked: size) ?? !PageSizes.usual.contains(page.count)
  }

  /// Returns the facts where the header doesn't say which rows were sent. A plain 200 is the whole list
  /// from a server without ranges.
  private func facts(after offset: Int, in page: PageResponse, instead text: String?)
    -> PageFacts
  {
    var facts = PageFacts(next: .end, previous: previous(offset, page.key))
    if text == nil, page.response.status != 206 {
      if offset > 0 { facts.next = .stopped(.noProgress(page.key)) }
      return facts
    }
    facts.problems = [
      .wrongFact(
        "header Content-Range", expected: "\(unit) \(offset)-…/…", found: text ?? "nothing")
    ]
    facts.endSign = .silent
    if !isLast(page) { facts.next = next(offset.plus(page.count), after: offset, page) }
    return facts
  }

  private func next(_ reached: Int, after offset: Int, _ page: PageResponse) -> PageFacts.Link {
    guard reached > offset, reached < .max else { return .stopped(.noProgress(page.key)) }
    var key = PageKey(.offset(reached))
    key.full = pages.full(after: page, isFirst: offset == 0)
    return .page(key)
  }

  private func previous(_ offset: Int, _ key: PageKey) -> PageFacts.Link {
    OffsetPaging.key(before: offset, limit: size, full: nil).map(PageFacts.Link.page) ?? .end
  }

  var declaration: String {
    Declaration("range")
      .with("unit", unit, unless: "items")
      .with("size", size)
      .with("firstSize", pages.firstSize, unless: nil)
      .call
  }
}

/// A parsed `Content-Range`: `items 0-19/523`, `items 0-19/*` or `items */523`.
struct RangeHeader: Equatable {
  var unit: Substring
  /// The positions of the first and the last row sent; `nil` where none were.
  var rows: ClosedRange<Int>?
  /// The total number of rows; `nil` where it is unknown.
  var total: Int?

  init?(_ text: String) {
    let parts = text.utf8.split(separator: 0x20)
    guard parts.count == 2 else { return nil }
    let range = parts[1].split(separator: 0x2F, omittingEmptySubsequences: false)
    guard range.count == 2 else { return nil }
    unit = Substring(parts[0])
    if !range[1].elementsEqual([0x2A]) {
      guard let total = Self.number(range[1]) else { return nil }
      self.total = total
    }
    if range[0].elementsEqual([0x2A]) { return }
    let ends = range[0].split(separator: 0x2D, omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]),
      first <= last, last < total ?? .max
    else { return nil }
    rows = first...last
  }

  private static func number(_ text: Substring.UTF8View) -> Int? {
    text.allSatisfy { (0x30...0x39).contains($0) } ? Int(Substring(text)) : nil
  }
}

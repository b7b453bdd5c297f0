internal import ServerAPI

extension Paging {
  /// Pages that are asked for by the `Range` header, as PostgREST has it.
  ///
  /// ```swift
  /// .range(size: 20)                     // Range: items=0-19, answered by Content-Range: items 0-19/523
  /// ```
  ///
  /// The list ends where `Content-Range` has reached the total, or, where the total is `*`, at a page
  /// with fewer rows than asked for; and at the status 416. An answer of 200 without `Content-Range`
  /// is taken for the whole list. The next page begins behind the last row that was sent.
  ///
  /// - Parameters:
  ///   - unit: What the server calls a row.
  ///   - size: How many rows a page is asked to have.
  ///   - firstSize: How many rows the first load asks for.
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

/// Pages that are asked for by the `Range` header.
package struct RangePaging: PageStrategy {
  package var unit: String
  var pages: CountedPages
  /// How many rows a page is asked to have.
  package var size: Int

  var way: Paging.Way { .range(self) }
  var first: PageKey { PageKey(.offset(0), size: pages.firstSize) }

  private var offsets: OffsetPaging {
    OffsetPaging(pages: pages, limit: size, parameter: .header("Range"))
  }

  func key(ofPage number: Int) -> PageKey? { offsets.key(ofPage: number) }
  func key(_ steps: Int, after key: PageKey) -> PageKey? { offsets.key(steps, after: key) }
  func pages(behind key: PageKey, of total: Int) -> Int? { offsets.pages(behind: key, of: total) }

  func ask(for key: PageKey, in call: inout Call) throws(PagingError) {
    guard case .offset(let offset) = key.place else {
      throw .foreignKey(key, expected: "an offset")
    }
    call.headers["Range"] = "\(unit)=\(offset)-\(offset.plus(key.size ?? size).minus(1))"
  }

  func isEnd(_ status: Int, for key: PageKey) -> Bool { status == 416 }

  func facts(in answer: PageResponse) -> PageFacts {
    guard case .offset(let offset) = answer.key.place else {
      return PageFacts(next: .stopped(.foreignKey(answer.key, expected: "an offset")))
    }
    let text = answer.response.headers["Content-Range"]
    let range = text.flatMap(RangeHeader.init)
    guard let range, range.unit.lowercased() == unit.lowercased() else {
      return facts(behind: offset, in: answer, instead: text)
    }
    var facts = PageFacts(
      next: .end, previous: previous(offset, answer.key), total: range.total)
    guard let rows = range.rows else { return facts }
    let reached = rows.upperBound.plus(1)
    if range.total.map({ reached >= $0 }) ?? (rows.count < answer.key.size ?? size) { return facts }
    facts.next = next(reached, behind: offset, answer.key)
    return facts
  }

  /// Where the header doesn't say what was sent. A plain 200 is the whole list from a server that
  /// has no ranges.
  private func facts(behind offset: Int, in answer: PageResponse, instead text: String?)
    -> PageFacts
  {
    var facts = PageFacts(next: .end, previous: previous(offset, answer.key))
    if text == nil, answer.response.status != 206 {
      if offset > 0 { facts.next = .stopped(.noProgress(answer.key)) }
      return facts
    }
    facts.problems = [
      .wrongFact(
        "header Content-Range", expected: "\(unit) \(offset)-…/…", found: text ?? "nothing")
    ]
    if answer.count >= answer.key.size ?? size {
      facts.next = next(offset.plus(answer.count), behind: offset, answer.key)
    }
    return facts
  }

  private func next(_ reached: Int, behind offset: Int, _ key: PageKey) -> PageFacts.Link {
    reached > offset && reached < .max
      ? .page(PageKey(.offset(reached))) : .stopped(.noProgress(key))
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

/// What `Content-Range` says: `items 0-19/523`, `items 0-19/*` or `items */523`.
struct RangeHeader: Equatable {
  var unit: Substring
  /// The positions of the first and the last row sent; `nil` where none were.
  var rows: ClosedRange<Int>?
  /// How many rows there are in all; `nil` where that is not known.
  var total: Int?

  init?(_ text: String) {
    let parts = text.split(separator: " ", omittingEmptySubsequences: true)
    guard parts.count == 2 else { return nil }
    let range = parts[1].split(separator: "/", omittingEmptySubsequences: false)
    guard range.count == 2 else { return nil }
    unit = parts[0]
    if range[1] != "*" {
      guard let total = Self.number(range[1]) else { return nil }
      self.total = total
    }
    if range[0] == "*" { return }
    let ends = range[0].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]),
      first <= last, last < total ?? .max
    else { return nil }
    rows = first...last
  }

  private static func number(_ text: Substring) -> Int? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
  }
}

internal import ServerAPI

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

  func facts(in answer: PageAnswer) -> PageFacts {
    guard case .offset(let offset) = answer.key.place else {
      return PageFacts(next: .stopped(.foreignKey(answer.key, expected: "an offset")))
    }
    let text = answer.response.headers["Content-Range"]
    let range = text.flatMap(ContentRange.init)
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
  private func facts(behind offset: Int, in answer: PageAnswer, instead text: String?) -> PageFacts
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

  private func next(_ reached: Int, behind offset: Int, _ key: PageKey) -> PageLink {
    reached > offset && reached < .max
      ? .page(PageKey(.offset(reached))) : .stopped(.noProgress(key))
  }

  private func previous(_ offset: Int, _ key: PageKey) -> PageLink {
    OffsetPaging.key(before: offset, limit: size, full: nil).map(PageLink.page) ?? .end
  }

  var declaration: String {
    Declaration("range")
      .with("unit", unit, unless: "items")
      .with("size", size)
      .with("firstSize", pages.firstSize, unless: nil)
      .call
  }
}

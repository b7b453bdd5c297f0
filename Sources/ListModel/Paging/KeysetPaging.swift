public import ItemMapping
internal import ServerAPI

extension Paging {
  /// Pages that begin behind the last row of the page before, by values of that row.
  ///
  /// ```swift
  /// .keyset(["id"], into: ["starting_after"], limit: 20, endsBy: .hasNext("has_more"))   // Stripe
  /// .keyset(["createdAt", "id"], into: ["after_date", "after_id"], limit: 20)
  /// ```
  ///
  /// Values are taken from the JSON of the row, digit for digit. A last row without one of them, or
  /// with the very values the page was asked for, stops the list. It ends by the rules of ``EndRule``;
  /// without any, at a page without rows or with fewer than a page before it had.
  ///
  /// - Parameters:
  ///   - fields: Where in a row the values are, as the rows are sorted.
  ///   - into: Where each of them goes, in the same order.
  ///   - limit: How many rows a page is asked to have; without it, it is the server's choice.
  ///   - limitParameter: Where the limit goes; `nil` does not send it.
  ///   - firstSize: How many rows the first load asks for.
  ///   - endsBy: What tells the last page. Facts that are counted only inform here.
  public static func keyset(
    _ fields: [JSONPath], into places: [RequestLocation], limit: Int? = nil,
    limitParameter: RequestLocation? = "limit", firstSize: Int? = nil, endsBy rules: EndRule...
  ) -> Paging {
    precondition(
      !fields.isEmpty && fields.count == places.count,
      "each field needs one place to go, found \(fields.count) fields and \(places.count) places")
    return Paging(
      strategy: KeysetPaging(
        fields: fields, places: places,
        pages: CountedPages(
          size: limit, firstSize: firstSize, sizeParameter: limitParameter, ends: rules)))
  }
}

/// Pages that begin behind the last row of the page before, by values of that row.
package struct KeysetPaging: PageStrategy {
  /// Where in a row the values are.
  package var fields: [JSONPath]
  /// Where each of them goes.
  package var places: [RequestLocation]
  package var pages: CountedPages

  var goesBack: Bool { false }
  var way: Paging.Way { .keyset(self) }
  var first: PageKey { PageKey(.start, size: pages.firstSize) }

  func ask(for key: PageKey, in call: inout Call) throws(PagingError) {
    try pages.putSize(of: key, in: &call)
    switch key.place {
    case .start:
      for place in places { if case .path = place { try place.clear(in: &call) } }
    case .after(.array(let values)) where values.count == places.count:
      for (place, value) in zip(places, values) { try place.put(value, in: &call) }
    default: throw .foreignKey(key, expected: "\(places.count) values of the last row")
    }
  }

  func isEnd(_ status: Int, for key: PageKey) -> Bool { key.place != .start && pages.isEnd(status) }

  func facts(in answer: PageResponse) -> PageFacts {
    let full = pages.full(after: answer, isFirst: answer.key.place == .start)
    let verdict = PageVerdict(
      pages.ends, answer,
      at: PagePosition(asked: pages.asked(by: answer.key), full: answer.key.full))
    return PageFacts(
      next: verdict.endsHere ? .end : next(after: answer, full: full),
      total: verdict.total, pageCount: verdict.pageCount, problems: verdict.problems)
  }

  private func next(after answer: PageResponse, full: Int?) -> PageFacts.Link {
    guard let row = answer.rows?[-1] else {
      return .stopped(.wrongFact("the page", expected: "a row to go on from", found: "none"))
    }
    var values: [JSONAny] = []
    for field in fields {
      guard let value = row[field], !value.isNull else {
        return .stopped(
          .wrongFact(
            "\(field.plainText) of the last row", expected: "a value to go on from",
            found: row[field] == nil ? "nothing" : "null"))
      }
      values.append(JSONAny(value, keepingDigits: true))
    }
    var key = PageKey(.after(.array(values)))
    key.full = full
    return key.place == answer.key.place ? .stopped(.noProgress(key)) : .page(key)
  }

  var declaration: String {
    Declaration("keyset")
      .with(nil, fields)
      .with("into", places)
      .with("limit", pages.size, unless: nil)
      .with("limitParameter", pages.sizeParameter, unless: "limit")
      .with("firstSize", pages.firstSize, unless: nil)
      .with(pages.ends)
      .call
  }
}

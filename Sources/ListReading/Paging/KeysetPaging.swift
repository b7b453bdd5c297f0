public import ItemMapping
internal import ServerAPI

extension Paging {
  /// Pages that start after the last row of the page before, addressed by values of that row.
  ///
  /// ```swift
  /// .keyset(["id"], into: ["starting_after"], limit: 20, endsBy: .hasNext("has_more"))   // Stripe
  /// .keyset(["createdAt", "id"], into: ["after_date", "after_id"], limit: 20)
  /// ```
  ///
  /// Values are read from the JSON of the row and keep every digit. The list stops where the last row
  /// lacks one of them, or has exactly the values that the page was requested with. Otherwise the rules
  /// of ``EndRule`` decide; without any, it ends at a page without rows or with fewer rows than a page before.
  ///
  /// - Parameters:
  ///   - fields: Where in a row the values are, in the sort order of the rows.
  ///   - into: Where each of them goes, in the same order.
  ///   - isUnique: Whether no two rows have the same values. If some do, such as rows of one date, those after the end
  ///     of a page are skipped. The ids of rows are known to be unique.
  ///   - limit: The number of rows to request per page; without it, the server chooses.
  ///   - limitParameter: Where the limit goes; `nil` does not send it.
  ///   - firstSize: The number of rows that the first load requests.
  ///   - endsBy: The rules that decide which page is the last. Counted facts only inform here.
  public static func keyset(
    _ fields: [JSONPath], into places: [RequestLocation], isUnique: Bool = false,
    limit: Int? = nil,
    limitParameter: RequestLocation? = "limit", firstSize: Int? = nil, endsBy rules: EndRule...
  ) -> Paging {
    precondition(
      !fields.isEmpty && fields.count == places.count,
      "each field needs one location, found \(fields.count) fields and \(places.count) locations")
    return Paging(
      strategy: KeysetPaging(
        fields: fields, places: places, isUnique: isUnique,
        pages: CountedPages(
          size: limit, firstSize: firstSize, sizeParameter: limitParameter, ends: rules)))
  }
}

/// Pages that start after the last row of the page before, addressed by values of that row.
package struct KeysetPaging: PageStrategy {
  /// Where in a row the values are.
  package var fields: [JSONPath]
  /// Where each of them goes.
  package var places: [RequestLocation]
  /// Whether no two rows have the same values.
  package var isUnique = false
  package var pages: CountedPages

  var goesBack: Bool { false }
  var way: Paging.Way { .keyset(self) }
  var first: PageKey { PageKey(.start, size: pages.firstSize) }

  func apply(_ key: PageKey, to call: inout Call) throws(PagingError) {
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

  func facts(in page: PageResponse) -> PageFacts {
    let isFirst = page.key.place == .start
    let full = pages.full(after: page, isFirst: isFirst)
    let verdict = PageVerdict(
      pages.ends, page,
      at: PagePosition(
        asked: pages.least(in: page.key, isFirst: isFirst), full: page.key.full,
        most: pages.asked(by: page.key)))
    return verdict.facts(verdict.endsHere ? .end : next(after: page, full: full))
  }

  func next(after page: PageResponse, full: FullSize?) -> PageFacts.Link {
    guard let row = page.rows?[-1] else {
      return .stopped(
        .wrongFact("the page", expected: "a last row to continue after", found: "none"))
    }
    var values: [JSONAny] = []
    for field in fields {
      guard let value = row[field], !value.isNull else {
        return .stopped(
          .wrongFact(
            "\(field.plainText) of the last row", expected: "a value to continue after",
            found: row[field] == nil ? "nothing" : "null"))
      }
      values.append(JSONAny(value, keepingDigits: true))
    }
    var key = PageKey(.after(.array(values)))
    key.full = full
    if !isUnique { key.earlier = lastOtherValues(than: values, in: page) }
    return key.place == page.key.place ? .stopped(.noProgress(key)) : .page(key)
  }

  /// The values of the last row of a page that differ from those of its last row. Other rows with those of its last
  /// row may follow.
  private func lastOtherValues(than last: [JSONAny], in page: PageResponse) -> [PageKey.Earlier] {
    let rows = page.rows.map { Array($0.elements) } ?? []
    for (distance, row) in rows.reversed().enumerated() {
      let values = fields.compactMap { field in
        row[field].flatMap { $0.isNull ? nil : JSONAny($0, keepingDigits: true) }
      }
      guard values.count == fields.count else { return [] }
      if values != last {
        return [PageKey.Earlier(place: .after(.array(values)), rows: distance)]
      }
    }
    // All rows of the page have the same values, and the page starts after other ones.
    guard case .after = page.key.place else { return [] }
    return [PageKey.Earlier(place: page.key.place, rows: page.count)]
  }

  var declaration: String {
    Declaration("keyset")
      .with(nil, fields)
      .with("into", places)
      .with("isUnique", isUnique, unless: false)
      .with("limit", pages.size, unless: nil)
      .with("limitParameter", pages.sizeParameter, unless: "limit")
      .with("firstSize", pages.firstSize, unless: nil)
      .with(pages.ends)
      .call
  }
}

internal import ItemMapping
internal import ServerAPI

extension Paging {
  /// Pages that are reached by a cursor in the answer before: a text, a number or any JSON.
  ///
  /// ```swift
  /// .cursor(at: "response_metadata.next_cursor", size: 50)                           // Slack
  /// .cursor(at: "nextPageToken", into: "pageToken", size: 50, sizeParameter: "maxResults")
  /// .cursor(at: "LastEvaluatedKey", into: .body("ExclusiveStartKey"))                // DynamoDB
  /// ```
  ///
  /// The list ends where there is no cursor: it is missing, `null`, `false`, an empty array or object,
  /// or an empty text. A rule such as ``EndRule/hasNext(_:)`` may end it before. Where that says that
  /// more follows but there is no cursor, the list stops and says so. A page without rows ends
  /// nothing, and neither does a cursor that comes again: some servers use one and the same
  /// all along.
  ///
  /// - Parameters:
  ///   - at: Where the cursor of the next page is.
  ///   - into: Where it goes. What is neither text nor number becomes compact JSON in a query or
  ///     header, and stays what it is in a body.
  ///   - previous: Where the cursor of the page before is.
  ///   - previousInto: Where that one goes, if not to the same place.
  ///   - size: How many rows a page is asked to have; without it, it is the server's choice.
  ///   - sizeParameter: Where the size goes; `nil` does not send it.
  ///   - firstSize: How many rows the first load asks for.
  ///   - acceptsEmptyText: Whether an empty text is a cursor as any other.
  ///   - endsBy: What else tells the last page. Facts that are counted only inform here.
  public static func cursor(
    at next: ResponseLocation, into: RequestLocation = "cursor", previous: ResponseLocation? = nil,
    previousInto: RequestLocation? = nil, size: Int? = nil,
    sizeParameter: RequestLocation? = "limit",
    firstSize: Int? = nil, acceptsEmptyText: Bool = false, endsBy rules: EndRule...
  ) -> Paging {
    Paging(
      strategy: CursorPaging(
        next: next, into: into, previous: previous, previousInto: previousInto ?? into,
        pages: CountedPages(
          size: size, firstSize: firstSize, sizeParameter: sizeParameter, ends: rules),
        acceptsEmptyText: acceptsEmptyText))
  }
}

/// Pages that are reached by what the page before gives.
package struct CursorPaging: PageStrategy {
  /// Where the answer has the cursor of the next page, and where it goes.
  package var next: ResponseLocation
  package var into: RequestLocation
  /// The same for the page before.
  var previous: ResponseLocation?
  var previousInto: RequestLocation
  package var pages: CountedPages
  /// Whether an empty text is a cursor as any other.
  var acceptsEmptyText: Bool

  var way: Paging.Way { .cursor(self) }
  var first: PageKey { PageKey(.start, size: pages.firstSize) }
  var goesBack: Bool { previous != nil }

  func ask(for key: PageKey, in call: inout Call) throws(PagingError) {
    try pages.putSize(of: key, in: &call)
    switch key.place {
    case .start:
      // Elsewhere the call may have a cursor to begin with.
      if case .path = into { try into.clear(in: &call) }
    case .after(let cursor): try into.put(cursor, in: &call)
    case .before(let cursor): try previousInto.put(cursor, in: &call)
    default: throw .foreignKey(key, expected: "a cursor")
    }
  }

  func isEnd(_ status: Int, for key: PageKey) -> Bool { key.place != .start && pages.isEnd(status) }

  func facts(in answer: PageResponse) -> PageFacts {
    let verdict = PageVerdict(
      pages.ends, answer, at: PagePosition(asked: pages.asked(by: answer.key)))
    var facts = PageFacts(
      next: .end, total: verdict.total, pageCount: verdict.pageCount, problems: verdict.problems)
    if verdict.isLast != true {
      facts.next = link(at: next, in: answer, isDue: verdict.claimsMore, PageKey.Place.after)
    }
    if let previous {
      facts.previous = link(at: previous, in: answer, isDue: false, PageKey.Place.before)
    }
    return facts
  }

  private func link(
    at place: ResponseLocation, in answer: PageResponse, isDue: Bool,
    _ beyond: (JSONAny) -> PageKey.Place
  ) -> PageFacts.Link {
    let value = answer.value(at: place) ?? .null
    if case .bool(true) = value {
      return .stopped(.wrongFact("\(place)", expected: "a cursor", found: "true"))
    }
    if isCursor(value) { return .page(PageKey(beyond(value))) }
    guard isDue else { return .end }
    return .stopped(
      .wrongFact(
        "\(place)", expected: "a cursor, as there is said to be a next page", found: value.excerpt))
  }

  private func isCursor(_ value: JSONAny) -> Bool {
    switch value {
    case .null, .bool: false
    case .string(let text): !text.isEmpty || acceptsEmptyText
    case .array(let elements): !elements.isEmpty
    case .object(let object): !object.isEmpty
    default: true
    }
  }

  var declaration: String {
    Declaration("cursor")
      .with("at", next)
      .with("into", into, unless: "cursor")
      .with("previous", previous, unless: nil)
      .with("previousInto", previousInto, unless: into)
      .with("size", pages.size, unless: nil)
      .with("sizeParameter", pages.sizeParameter, unless: "limit")
      .with("firstSize", pages.firstSize, unless: nil)
      .with("acceptsEmptyText", acceptsEmptyText, unless: false)
      .with(pages.ends)
      .call
  }
}

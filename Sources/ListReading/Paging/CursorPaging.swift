internal import ItemMapping
internal import ServerAPI

extension Paging {
  /// Pages that are addressed by a cursor in the previous response: a text, a number or any JSON.
  ///
  /// ```swift
  /// .cursor(at: "response_metadata.next_cursor", size: 50)                           // Slack
  /// .cursor(at: "nextPageToken", into: "pageToken", size: 50, sizeParameter: "maxResults")
  /// .cursor(at: "LastEvaluatedKey", into: .body("ExclusiveStartKey"))                // DynamoDB
  /// ```
  ///
  /// The list ends where there is no cursor: it is missing, `null`, `false`, an empty array or object,
  /// or an empty text. If it is missing in a first page that shows that there is more, the path is likely wrong,
  /// and the list stops with an error. A rule such as ``EndRule/hasNext(_:)`` may end it earlier. Where the rule says
  /// that more follows but there is no cursor, the list stops with an error. A page without rows ends the list if its
  /// cursor is the one that it was requested with. Neither of the two alone does: some servers send the same cursor for
  /// every page. ``EndRule/emptyPage`` and ``EndRule/repeatedCursor`` end the list at one of them, and
  /// ``EndRule/cursor(_:)`` at a value that the service documents, such as `0`.
  ///
  /// - Parameters:
  ///   - at: Where the cursor of the next page is.
  ///   - into: Where it goes. A cursor that is neither text nor number becomes compact JSON in a query or
  ///     header, and keeps its type in a body.
  ///   - previous: Where the cursor of the previous page is.
  ///   - previousInto: Where the previous cursor goes, if not to the same place.
  ///   - size: The number of rows to request per page; without it, the server chooses.
  ///   - sizeParameter: Where the size goes; `nil` does not send it.
  ///   - firstSize: The number of rows that the first load requests.
  ///   - acceptsEmptyText: Whether an empty text is a valid cursor.
  ///   - endsBy: Further rules that decide which page is the last. Counted facts only inform here.
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

/// Pages that are addressed by a cursor in the previous response.
package struct CursorPaging: PageStrategy {
  /// Where the response has the cursor of the next page, and where it goes.
  package var next: ResponseLocation
  package var into: RequestLocation
  /// The same for the previous page.
  var previous: ResponseLocation?
  var previousInto: RequestLocation
  package var pages: CountedPages
  /// Whether an empty text is a valid cursor.
  var acceptsEmptyText: Bool

  var way: Paging.Way { .cursor(self) }
  var first: PageKey { PageKey(.start, size: pages.firstSize) }
  var goesBack: Bool { previous != nil }
  var placeOfNext: ResponseLocation? { next }
  var declaredSize: Int? { pages.size }

  func apply(_ key: PageKey, to call: inout Call) throws(PagingError) {
    try pages.putSize(of: key, in: &call)
    switch key.place {
    case .start:
      // In other places the call may have a cursor to start with.
      if case .path = into { try into.clear(in: &call) }
    case .after(let cursor): try into.put(cursor, in: &call)
    case .before(let cursor): try previousInto.put(cursor, in: &call)
    default: throw .foreignKey(key, expected: "a cursor")
    }
  }

  func isEnd(_ status: Int, for key: PageKey) -> Bool { key.place != .start && pages.isEnd(status) }

  func facts(in page: PageResponse) -> PageFacts {
    let verdict = PageVerdict(
      pages.ends, page, at: PagePosition(asked: pages.asked(by: page.key)))
    var facts = verdict.facts(.end)
    if verdict.isLast != true {
      facts.next = link(at: next, in: page, isDue: verdict.claimsMore, PageKey.Place.after)
      // A page without rows whose cursor is the one that was sent may be the end.
      let isRepeat = page.value(at: next).map { .after($0) == page.key.place } ?? false
      facts.endSign = isRepeat && !pages.ends.contains(.repeatedCursor) ? .silent : .said
    }
    if let previous {
      facts.previous = link(at: previous, in: page, isDue: false, PageKey.Place.before)
    }
    return facts
  }

  private func link(
    at place: ResponseLocation, in page: PageResponse, isDue: Bool,
    _ beyond: (JSONAny) -> PageKey.Place
  ) -> PageFacts.Link {
    let value = page.value(at: place) ?? .null
    if case .bool(true) = value {
      return .stopped(.wrongFact("\(place)", expected: "a cursor", found: "true"))
    }
    if isCursor(value) {
      let key = PageKey(beyond(value))
      let isEnd = page.count == 0 || pages.ends.contains(.repeatedCursor)
      return key.place == page.key.place && isEnd && !isDue ? .end : .page(key)
    }
    guard isDue else { return .end }
    return .stopped(
      .wrongFact(
        "\(place)", expected: "a cursor, as the response says that there is a next page",
        found: value.excerpt))
  }

  private func isCursor(_ value: JSONAny) -> Bool {
    let endsList = pages.ends.contains { rule in
      if case .cursor(let end) = rule { end.plainText == value.plainText } else { false }
    }
    if endsList { return false }
    return switch value {
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

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
  /// or an empty text. A rule such as ``PageEnd/hasNext(_:)`` may end it before. Where that says that
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
    at next: AnswerPlace, into: CallPlace = "cursor", previous: AnswerPlace? = nil,
    previousInto: CallPlace? = nil, size: Int? = nil, sizeParameter: CallPlace? = "limit",
    firstSize: Int? = nil, acceptsEmptyText: Bool = false, endsBy rules: PageEnd...
  ) -> Paging {
    Paging(
      strategy: CursorPaging(
        next: next, into: into, previous: previous, previousInto: previousInto ?? into,
        pages: CountedPages(
          size: size, firstSize: firstSize, sizeParameter: sizeParameter, ends: rules),
        acceptsEmptyText: acceptsEmptyText))
  }
}

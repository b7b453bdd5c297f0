internal import ItemMapping
internal import ServerAPI

/// Pages that are reached by what the page before gives.
package struct CursorPaging: PageStrategy {
  /// Where the answer has the cursor of the next page, and where it goes.
  package var next: AnswerPlace
  package var into: CallPlace
  /// The same for the page before.
  var previous: AnswerPlace?
  var previousInto: CallPlace
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

  func facts(in answer: PageAnswer) -> PageFacts {
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
    at place: AnswerPlace, in answer: PageAnswer, isDue: Bool,
    _ beyond: (JSONAny) -> PageKey.Place
  ) -> PageLink {
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

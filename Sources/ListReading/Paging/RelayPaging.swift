public import ItemMapping
internal import ServerAPI

extension Paging {
  /// Pages of a Relay connection, requested by the variables of a GraphQL query.
  ///
  /// ```swift
  /// // query($first: Int, $after: String) { repository { issues(first: $first, after: $after) {
  /// //   nodes { … } pageInfo { hasNextPage endCursor } } } }
  /// .relay(connection: "data.repository.issues", size: 20)
  /// ```
  ///
  /// The call has the query as JSON, `{"query": …, "variables": …}`. The variables of the page are
  /// added to the existing ones, and a `GET` becomes a `POST`.
  ///
  /// The list ends where `hasNextPage` is false, and going back where `hasPreviousPage` is false. Where the
  /// flag is missing, it ends without rows or without a cursor. A cursor that is missing from
  /// `pageInfo` is taken from the last edge.
  ///
  /// - Parameters:
  ///   - connection: The path of the connection in the response.
  ///   - size: The number of rows to request per page.
  ///   - after: The variable with the cursor, going forward.
  ///   - first: The variable with the size, going forward.
  ///   - before: The variable with the cursor, going back.
  ///   - last: The variable with the size, going back.
  ///   - startsAtEnd: Whether the list starts with its last rows and grows towards the first, as the
  ///     messages of a conversation do.
  public static func relay(
    connection: JSONPath, size: Int, after: String = "after", first: String = "first",
    before: String = "before", last: String = "last", startsAtEnd: Bool = false
  ) -> Paging {
    precondition(size > 0, "a page should have at least 1 row, found \(size)")
    return Paging(
      strategy: RelayPaging(
        connection: connection, size: size,
        forward: .init(cursor: after, size: first), backward: .init(cursor: before, size: last),
        startsAtEnd: startsAtEnd))
  }
}

/// Pages of a Relay connection, requested over GraphQL.
package struct RelayPaging: PageStrategy {
  /// The names of the variables of one direction.
  struct Variables: Hashable, Sendable {
    var cursor: String
    var size: String
  }

  /// The path of the connection in the response.
  package var connection: JSONPath
  package var size: Int
  var forward: Variables
  var backward: Variables
  /// Whether a list starts with the last rows and grows towards the first.
  var startsAtEnd: Bool

  var way: Paging.Way { .relay(self) }
  var first: PageKey { PageKey(.start) }
  var placeOfNext: ResponseLocation? {
    startsAtEnd ? nil : .body(connection.appending("pageInfo").appending("hasNextPage"))
  }
  var declaredSize: Int? { size }

  func apply(_ key: PageKey, to call: inout Call) throws(PagingError) {
    guard call.body != nil else {
      throw .wrongCall("the body of the call is not a GraphQL query as JSON")
    }
    if call.method == .get { call.method = .post }
    switch key.place {
    case .start: try put(nil, startsAtEnd ? backward : forward, key, in: &call)
    case .after(let cursor): try put(cursor, forward, key, in: &call)
    case .before(let cursor): try put(cursor, backward, key, in: &call)
    default: throw .foreignKey(key, expected: "a cursor")
    }
  }

  /// Sets the variables of one direction and removes those of the other: the result of a connection with
  /// both is undefined.
  private func put(
    _ cursor: JSONAny?, _ variables: Variables, _ key: PageKey, in call: inout Call
  ) throws(PagingError) {
    for name in [forward.cursor, forward.size, backward.cursor, backward.size] {
      try Self.place(of: name).clear(in: &call)
    }
    try Self.place(of: variables.size).put(.int(key.size ?? size), in: &call)
    if let cursor { try Self.place(of: variables.cursor).put(cursor, in: &call) }
  }

  private static func place(of variable: String) -> RequestLocation {
    .body([.name("variables"), .name(variable)])
  }

  func facts(in page: PageResponse) -> PageFacts {
    let info = connection.appending("pageInfo")
    guard page.envelope?[info]?.kind == .object else {
      let found = page.value(at: .body(info))?.excerpt ?? "nothing"
      let error = PagingError.wrongFact(
        info.plainText, expected: "an object with hasNextPage and endCursor", found: found)
      return PageFacts(next: .stopped(error), previous: .stopped(error))
    }
    var problems: [PagingError] = []
    let next = link("hasNextPage", "endCursor", at: info, edge: -1, in: page, problems: &problems) {
      var key = PageKey(.after($0))
      key.earlier = earlierCursors(in: page)
      return key
    }
    let previous = link("hasPreviousPage", "startCursor", at: info, edge: 0, in: page, problems: &problems) {
      PageKey(.before($0))
    }
    var facts = PageFacts(next: next, previous: previous, problems: problems)
    if case .found(let total) = page.total(at: .body(connection.appending("totalCount"))) {
      (facts.total, facts.isTotalAtLeast) = (total.rows, total.isAtLeast)
    }
    return facts
  }

  /// The cursors of edges before the last one, the last of them first.
  private func earlierCursors(in page: PageResponse) -> [PageKey.Earlier] {
    guard let edges = page.envelope?[connection.appending("edges")], page.count > 1 else {
      return []
    }
    let count = page.count
    return Set([1, 2, 4, 8, count - 1]).filter { $0 < count }.sorted().compactMap { rows in
      let path: JSONPath = [.index(count - 1 - rows), .name("cursor")]
      guard let cursor = edges[path], !cursor.isNull, cursor.string != "" else { return nil }
      return PageKey.Earlier(place: .after(JSONAny(cursor, keepingDigits: true)), rows: rows)
    }
  }

  private func link(
    _ flag: String, _ cursor: String, at info: JSONPath, edge: Int, in page: PageResponse,
    problems: inout [PagingError], _ beyond: (JSONAny) -> PageKey
  ) -> PageFacts.Link {
    let flagPath = info.appending(.name(flag))
    let flag = page.flag(at: .body(flagPath))
    if case .wrong(let found) = flag {
      problems.append(
        .wrongFact(flagPath.plainText, expected: "true or false", found: found))
    }
    if flag == .found(false) { return .end }
    let cursorPath = info.appending(.name(cursor))
    let edges: JSONPath = [.name("edges"), .index(edge), .name("cursor")]
    let found = [cursorPath, JSONPath(connection.segments + edges.segments)].lazy
      .compactMap { page.envelope?[$0] }.first { !$0.isNull && $0.string != "" }
    if let found {
      let key = beyond(JSONAny(found, keepingDigits: true))
      if key.place == page.key.place {
        return page.count == 0 && flag != .found(true) ? .end : .stopped(.noProgress(key))
      }
      // Without the flag, only a page with rows shows that there may be more.
      return flag == .found(true) || (page.count > 0 && goes(key, onFrom: page.key))
        ? .page(key) : .end
    }
    guard flag == .found(true) else { return .end }
    return .stopped(
      .wrongFact(cursorPath.plainText, expected: "a cursor", found: "nothing"))
  }

  /// Whether a page is in the direction in which the list was loading.
  private func goes(_ key: PageKey, onFrom asked: PageKey) -> Bool {
    let wasBackward =
      switch asked.place {
      case .before: true
      case .start: startsAtEnd
      default: false
      }
    if case .before = key.place { return wasBackward }
    return !wasBackward
  }

  var declaration: String {
    Declaration("relay")
      .with("connection", connection)
      .with("size", size)
      .with("after", forward.cursor, unless: "after")
      .with("first", forward.size, unless: "first")
      .with("before", backward.cursor, unless: "before")
      .with("last", backward.size, unless: "last")
      .with("startsAtEnd", startsAtEnd, unless: false)
      .call
  }
}

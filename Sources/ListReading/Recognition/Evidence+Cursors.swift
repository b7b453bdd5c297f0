internal import ItemMapping
internal import ServerAPI

/// Conventions in which the response has a token to send back unchanged.
extension Evidence {
  /// A Relay connection: `pageInfo` beside `edges` or `nodes`.
  var connection: Finding? {
    guard case .name(let name)? = page.itemsPath.segments.last,
      ["edges", "nodes"].contains(name)
    else { return nil }
    let path = JSONPath(Array(page.itemsPath.segments.dropLast()))
    guard let info = page.envelope?[path]?["pageInfo"], info.kind == .object,
      info["endCursor"] != nil || info["hasNextPage"] != nil
    else { return nil }
    let place = path.appending("pageInfo")
    let reason = "the body has “\(place.plainText)” of a Relay connection"
    var into = goes(into: "after")
    if let query = page.call.jsonBody?["query"]?.string {
      guard let after = query.variable(of: "after") else { return nil }
      if let first = query.variable(of: "first"), page.count > 0 {
        let size = page.call.jsonBody?["variables"]?[first]?.int ?? page.count
        return Finding(
          .relay(connection: path, size: max(size, 1), after: after, first: first), reason)
      }
      into = .body(["variables", .name(after)])
    }
    let paging = Paging.cursor(
      at: .body(place.appending("endCursor")), into: into,
      endsBy: .hasNext(.body(place.appending("hasNextPage"))))
    return Finding(paging, reason)
  }

  /// The object `continue` of MediaWiki, whose members are parameters.
  var continuation: Finding? {
    guard let next = page.envelope?["continue"], next.kind == .object, next.count > 0 else {
      return nil
    }
    return Finding(
      .cursor(at: "continue", into: .members), "the body has “continue”, an object of parameters")
  }

  /// A member or header that looks like the cursor of the next page.
  var token: Finding? {
    token(of: cursors.filter { $0.isKnown }) ?? endedToken
  }

  /// A member whose value may be a cursor although its name has other words.
  var strangeToken: Finding? { token(of: cursors.filter { !$0.isKnown }) }

  private func token(of cursors: [Cursor]) -> Finding? {
    var pagings: [Paging] = []
    var unlikely: [Paging] = []
    var reason: String?
    for cursor in cursors.prefix(3) {
      let names = CursorNames(evidence: self, words: cursor.words, name: cursor.name)
      reason = reason ?? "\(cursor.isHeader ? "the response" : "the body") has “\(cursor.text)”"
      // Some servers send a cursor on the last page too, so the flag decides, unless both name the next page.
      let isDisputed = isEndedByFlag && cursor.words.has("next")
      let ends = isDisputed ? [] : [flagRule].compactMap(\.self)
      func paging(_ into: RequestLocation) -> Paging {
        .cursor(at: cursor.place, into: into).ending(ends)
      }
      if let own = names.own {
        pagings.append(paging(own.place))
        continue
      }
      if let header = cursor.requestHeaders { pagings += header.map { paging(.header($0)) } }
      let candidates = names.candidates
      pagings += candidates.derived.map { paging(goes(into: $0)) }
      unlikely += candidates.usual.map { paging(goes(into: $0)) }
    }
    guard let reason else { return nil }
    var finding = Finding(pagings + unlikely, reason)
    finding.certain = pagings.count
    if case .body(let path)? = cursors.first?.place {
      finding.isEnough = isWellKnown(path, as: .next)
    }
    return finding
  }

  /// A value that may be the cursor of the next page.
  private struct Cursor {
    var words: NameWords
    var name: String
    var place: ResponseLocation
    var rank: Int
    var isHeader = false
    /// Whether all words of its name are those of cursors.
    var isKnown: Bool
    var text: String { isHeader ? "header \(name)" : "\(place)" }

    /// Headers of the request that it may go to: `Range` for `Next-Range`, and one of the same name.
    var requestHeaders: [String]? {
      guard isHeader else { return nil }
      let words = words.words
      if words.first == "next", words.count > 1 {
        return [name.split(separator: "-").dropFirst().joined(separator: "-")]
      }
      return words.contains("continuation") ? [name] : nil
    }
  }

  /// The values that look like cursors, the likeliest first.
  private var cursors: [Cursor] {
    var found: [Cursor] = []
    for member in members {
      guard let rank = rank(of: member.words), isCursor(member, rank) else { continue }
      found.append(
        Cursor(
          words: member.words, name: member.name, place: .body(member.path), rank: rank,
          isKnown: isKnown(member.words) || rank == 4 && member.words.has("last")))
    }
    for field in page.response.headers.fields where !field.value.isEmpty {
      // The parameter isn't named after the vendor: `X-Nomad-NextToken`.
      let all = NameWords(field.name).words
      let start = all.firstIndex { ["next", "continuation", "after"].contains($0) } ?? all.count
      let words = NameWords(words: Array(all[start...]))
      guard all.first != "retry", let rank = rank(of: words),
        Int(field.value) == nil || rank < 1 || words.has("after"),
        !isAddress(field.value, words), !words.has("page") || words.has("token")
      else { continue }
      found.append(
        Cursor(
          words: words, name: field.name, place: .header(field.name), rank: rank, isHeader: true,
          isKnown: isKnown(words)))
    }
    return found.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
      .map(\.element)
  }

  /// How likely a name is that of a cursor, 0 being the likeliest; `nil` if it isn't one.
  private func rank(of words: NameWords) -> Int? {
    guard let last = words.words.last, !words.hasAny(of: Self.otherTokens) else { return nil }
    let isToken = Self.tokenWords.contains(last) || words.has("continuation")
    if words.has("next") { return isToken || last == "key" ? 0 : 1 }
    if isToken {
      return words.words.count > 1 && last == "token" && !words.hasAny(of: Self.pageWords) ? 3 : 1
    }
    if words.words.starts(with: ["last", "evaluated"]) { return 0 }
    if words.has("after"), words.words.count <= 2 { return 1 }
    if words.words.first == "last", last != "page", hasMore?.value == true { return 4 }
    if ["end", "offset"].contains(last), words.words.count <= 2 { return 4 }
    return nil
  }

  /// Whether a member is named like the cursor of the next page.
  func isTokenName(_ member: Member) -> Bool {
    rank(of: member.words).map { $0 <= 1 } ?? false && !isBothEnds(member)
  }

  private static let tokenWords: Set<String> = [
    "token", "cursor", "marker", "continuation", "continue", "position", "mark",
  ]
  private static let pageWords: Set<String> = ["page", "pagination", "continuation", "start"]
  /// Words of tokens that lead elsewhere.
  private static let otherTokens: Set<String> = [
    "prev", "previous", "before", "backward", "first", "self", "access", "refresh", "session",
    "csrf", "auth", "sync",
  ]

  private func isCursor(_ member: Member, _ rank: Int) -> Bool {
    let words = member.words
    let value = member.value
    if isBothEnds(member) { return false }
    switch value.kind {
    case .string:
      guard let text = value.string, !text.isEmpty, !isAddress(text, words) else { return false }
      if rank == 4 { return words.has("last") ? isOfLastRow(value) : value.wholeNumber == nil }
      // The number of the next page isn't a token.
      return value.wholeNumber == nil || !FactNames.nextPage.contains(words.text)
    case .number:
      guard let number = value.wholeNumber else { return false }
      if words.words.last == "offset", rank == 4 { return isNextOffset(number) }
      if rank == 4 { return words.has("last") && isOfLastRow(value) }
      return !isPageNumber(number, words) && !isOffsetOfNextPage(number) && !words.has("count")
    case .object: return rank <= 1 && value.count > 0 && value.link == nil && isKey(value)
    case .array:
      return rank <= 1 && value.count > 0 && value.elements.allSatisfy { $0.kind != .object }
    default: return false
    }
  }

  /// Whether an object is the key of a row and not a place with facts of its own.
  private func isKey(_ value: JSONView) -> Bool {
    !value.members.contains { rank(of: NameWords($0.name)).map { $0 <= 1 } ?? false }
  }

  /// `paging.cursors` of Facebook: both ends of the page, also where there is no other page.
  private func isBothEnds(_ member: Member) -> Bool {
    member.path.segments.dropLast().suffix(2) == ["paging", "cursors"]
      && page.envelope?[JSONPath(Array(member.path.segments.dropLast()))]?["before"] != nil
  }

  /// Whether a number is the offset of the next page, and not of this one.
  private func isNextOffset(_ number: Int) -> Bool {
    number > 0 && number != offsetParameter?.number && hasMore?.value == true
  }

  /// Whether a value is also in the last row, so that a page may be requested that starts after it.
  private func isOfLastRow(_ value: JSONView) -> Bool {
    guard hasMore?.value != false, let row = page.rows?[-1] else { return false }
    let text = JSONAny(value, keepingDigits: true)
    return JSONAny(row, keepingDigits: true) == text
      || row.members.prefix(50).contains { JSONAny($0.value, keepingDigits: true) == text }
  }

  /// Signs that tokens are used, though this response has none.
  private var endedToken: Finding? {
    for member in members where isTokenName(member) && isKnown(member.words) {
      guard member.value.isNull || member.value.string == "",
        member.words.words != ["next"], !member.words.hasAny(of: Self.linkWords)
      else { continue }
      let state = member.value.isNull ? "null" : "empty"
      return ended(
        at: .body(member.path), isEnough: isWellKnown(member.path, as: .next),
        "the body has “\(member.path.plainText)”, which is \(state)")
    }
    if page.envelope?["kind"]?.string?.contains("#") == true {
      return ended(at: "nextPageToken", "the body has a “kind” of Google and no “nextPageToken”")
    }
    if page.response.headers.fields.contains(where: {
      $0.name.lowercased().hasPrefix("x-amzn-requestid")
    }), !isFull {
      return ended(at: "NextToken", "the response is from AWS and has no “NextToken”")
    }
    return nil
  }

  private func ended(
    at place: ResponseLocation, isEnough: Bool = true, _ reason: String
  ) -> Finding? {
    guard case .body(let path) = place, case .name(let name)? = path.segments.last else {
      return nil
    }
    let names = CursorNames(evidence: self, words: NameWords(name), name: name)
    let into = names.own?.place ?? goes(into: names.candidates.derived.first ?? "cursor")
    var finding = Finding(
      .cursor(at: place, into: into).ending([flagRule].compactMap(\.self)), reason)
    finding.isEnough = isEnough
    return finding
  }

  /// `has_more` beside rows whose last id goes to `starting_after`: Stripe.
  var lastRow: Finding? {
    guard let hasMore, let last = page.rows?[-1], last["id"]?.string != nil,
      page.envelope?["object"]?.string == "list"
    else { return nil }
    return Finding(
      .keyset(["id"], into: [goes(into: "starting_after")], endsBy: .hasNext(.body(hasMore.path))),
      "the body has “\(hasMore.path.plainText)” in an object “list”, and rows have ids", .inferred)
  }
}

extension String {
  /// The variable that a GraphQL query passes to an argument: `id` for `after: $id`.
  fileprivate func variable(of argument: String) -> String? {
    for part in split(separator: "\(argument):").dropFirst() {
      let value = part.drop { $0.isWhitespace }
      guard value.first == "$" else { continue }
      return String(value.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    }
    return nil
  }
}

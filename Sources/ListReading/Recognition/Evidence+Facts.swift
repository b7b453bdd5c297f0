internal import ItemMapping
internal import ServerAPI

extension Evidence {
  /// The total number of rows.
  var total: Fact<Int>? {
    countedRows.reduce(nil as (rank: Int, fact: Fact<Int>)?) { best, other in
      best.map { $0.rank <= other.rank } ?? false ? best : other
    }?.fact
  }

  /// All totals in the body whose names say so, by their paths.
  var bodyTotals: [String: ReportedTotal] {
    let best = total?.path
    var totals: [String: ReportedTotal] = [:]
    for (rank, fact) in countedRows where rank < 3 || fact.path == best {
      guard let view = page.envelope?[fact.path] else { continue }
      totals[fact.path.plainText] = page.reportedTotal(view, at: fact.path)
    }
    return totals
  }

  /// The members that may have the total number of rows, the likeliest with the lowest rank.
  private var countedRows: [(rank: Int, fact: Fact<Int>)] {
    let known = Set(FactNames.total)
    var found: [(rank: Int, fact: Fact<Int>)] = []
    for member in members {
      let words = member.words
      let text = words.text
      // `size` beside `pagelen`: Bitbucket
      let isKnown = known.contains(text) || text == "size" && hasPageLength
      let isFiltered = countsFilteredRows(words)
      let isCount = FactNames.count.contains(text)
      guard
        isKnown || isFiltered || isCount
          || (words.has("total") || words.words.last == "count") && countsRows(words),
        asides.isEmpty || !asides.contains(JSONPath(Array(member.path.segments.dropLast())))
      else { continue }
      var path = member.path
      // `{"value": 1000, "relation": "gte"}`
      if let value = member.value["value"], value.wholeNumber != nil {
        path = path.appending(.name("value"))
      }
      // A number smaller than the page counts something else, such as pages.
      guard let number = ReportedTotal(member.value)?.rows, number >= page.count else { continue }
      let rank =
        isCount ? 3 : words.words == ["total"] ? 0 : words.has("total") ? 1 : isKnown ? 2 : 3
      // `recordsTotal` beside `recordsFiltered` has other rows, too.
      if isFiltered { return [(0, Fact(path: path, value: number))] }
      // A `count` may be the number of rows in this page, unless it is larger.
      if rank == 3, number == page.count { continue }
      found.append((rank, Fact(path: path, value: number)))
    }
    return found
  }

  /// Numbers that may be those of all rows, where they are larger than the page and than the size that was requested.
  var looseCounts: [String: ReportedTotal] {
    var counts: [String: ReportedTotal] = [:]
    for member in members where FactNames.looseCounts.contains(member.words.text) {
      guard let count = member.value.wholeNumber, count > page.count,
        count != sizeParameter?.value,
        !asides.contains(JSONPath(Array(member.path.segments.dropLast())))
      else { continue }
      counts[member.path.plainText] = ReportedTotal(rows: count, isAtLeast: true)
    }
    return counts
  }

  private var hasPageLength: Bool { members.contains { $0.words.text == "pagelen" } }

  /// The number of rows after this page: Kubernetes.
  var remaining: Fact<Int>? {
    members.lazy.filter {
      $0.words.has("remaining") && FactNames.remaining.contains($0.words.text)
    }.compactMap { member in
      member.value.wholeNumber.map { Fact(path: member.path, value: $0) }
    }.first { _ in true }
  }

  /// The total number of rows of the body or of a header, and whether it is a lower bound.
  var reportedTotal: ReportedTotal? {
    if let total, let view = page.envelope?[total.path] {
      return page.reportedTotal(view, at: total.path)
    }
    guard let (place, total) = headerTotal else { return nil }
    return ReportedTotal(rows: total, isAtLeast: page.isVague(header: place))
  }

  /// Whether a number with such a name may be that of all rows: `total_count`, and `release-count` of `releases`.
  func countsRows(_ words: NameWords) -> Bool {
    guard !words.hasAny(of: FactNames.otherCounts) else { return false }
    if words.has("total"), words.has("count") { return true }
    var rows = ""
    if case .name(let name)? = page.itemsPath.segments.last { rows = name.lowercased() }
    let hasTotal = words.has("total")
    return words.words.allSatisfy { word in
      FactNames.counted.contains(word) || rows.hasPrefix(word)
        || hasTotal && FactNames.countedBesideTotal.contains(word)
    }
  }

  /// Whether there is more, where the response has a flag for it.
  var hasMore: Fact<Bool>? { bestKnown(flags(FactNames.hasMore)) }

  /// Whether a number with such a name is that of all rows which the request is about: `recordsFiltered`.
  private func countsFilteredRows(_ words: NameWords) -> Bool {
    words.has("filtered") && words.words.count > 1
      && words.words.allSatisfy { $0 == "filtered" || FactNames.counted.contains($0) }
  }

  /// Whether this is the last page, where the response has a flag for it.
  var isLast: Fact<Bool>? { bestKnown(flags(FactNames.isLast)) }

  /// The first flag with a well-known name, or else the first one.
  private func bestKnown(_ flags: [Fact<Bool>]) -> Fact<Bool>? {
    flags.count > 1
      ? flags.first { isWellKnown($0.path, as: .flag) } ?? flags.first : flags.first
  }

  /// The rule that reads the flag of the response. One that says on this page that it is the last one has to have a
  /// well-known name, as all that follows is left to it.
  var flagRule: EndRule? {
    func isUsable(_ flag: Fact<Bool>, saysEnd: Bool) -> Bool {
      !saysEnd || isWellKnown(flag.path, as: .flag)
    }
    if let hasMore, isUsable(hasMore, saysEnd: !hasMore.value) {
      return .hasNext(.body(hasMore.path))
    }
    if hasMore == nil, let isLast, isUsable(isLast, saysEnd: isLast.value) {
      return .isLast(.body(isLast.path))
    }
    return nil
  }

  /// Whether this is the start of the list, as far as the call and the response show.
  var isAtStart: Bool {
    if hasPageBefore { return false }
    if let place = pageParameter ?? offsetParameter {
      return place.value == "0" || place.value == "1"
    }
    return parameters.first(with: ParameterNames.cursorWords).map { $0.isBlank } ?? true
  }

  /// Whether the response refers to a previous page.
  private var hasPageBefore: Bool {
    if number(FactNames.offset)?.value ?? 0 > 1 || number(FactNames.page)?.value ?? 0 > 1 {
      return true
    }
    let headers = page.response.headers
    if page.response.link("prev") != nil || headers["X-Prev-Page"]?.wholeNumber != nil {
      return true
    }
    return members.contains { member in
      guard member.words.words.contains(where: FactNames.previous.contains) else { return false }
      return member.value.bool
        ?? !(member.value.isNull || member.value.string == ""
        || member.value.count == 0
          && member.value.kind != .string)
    }
  }

  /// The sign that there is more, in words; `nil` where there is none.
  var more: String? {
    if let hasMore, hasMore.value { return "“\(hasMore.path.plainText)” is true" }
    if let isLast, !isLast.value { return "“\(isLast.path.plainText)” is false" }
    guard isAtStart else { return nil }
    if let total, total.value > page.count {
      return "“\(total.path.plainText)” is \(total.value) and the response has \(rowCount)"
    }
    if let (place, total) = headerTotal, total > page.count {
      return "the \(place) is \(total) and the response has \(rowCount)"
    }
    return nil
  }

  /// The number of rows in the response, in words.
  var rowCount: String { page.count == 1 ? "1 row" : "\(page.count) rows" }

  /// Whether the page has as many rows as the call requests, so that it shows no end by itself.
  var isFull: Bool { sizeParameter.map { $0.value == page.count } ?? false }

  /// The members named like facts whose values can't be one.
  var problems: [PagingError] {
    func wrong(_ names: [String], _ expected: String, _ isRight: (JSONView) -> Bool)
      -> [PagingError]
    {
      members(names).filter { !$0.value.isNull && !isRight($0.value) }.map {
        .wrongFact($0.path.plainText, expected: expected, found: JSONAny($0.value).excerpt)
      }
    }
    return wrong(["total", "total count", "total results"], "the total number of rows") {
      $0.wholeNumber.map { $0 >= 0 } ?? ($0.kind == .object || $0.kind == .array)
    }
      + wrong(["has more"], "true or false") {
        $0.yesOrNo != nil || $0.kind == .number || $0.kind == .object
      }
      + wrong(["next", "next page url"], "an address or a token") {
        $0.string != nil || $0.wholeNumber != nil || $0.kind == .object || $0.kind == .array
      }
  }
}

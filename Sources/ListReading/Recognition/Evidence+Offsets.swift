internal import ItemMapping
internal import ServerAPI

/// Conventions in which rows are counted.
extension Evidence {
  /// The number of rows before this page, with a rule for the last one: Solr, Jira,
  /// Elasticsearch and many others.
  var offsets: Finding? {
    if let search = searchHits { return search }
    guard let offset = offsetFact, case .name(let name)? = offset.path.segments.last
    else { return nil }
    var ends: [EndRule] = []
    if let total { ends.append(.total(.body(total.path))) }
    if hasMore != nil, let flagRule { ends.append(flagRule) }
    guard let end = ends.first ?? number(FactNames.size).map({ .total(.body($0.path)) }) else {
      return nil
    }
    // Rows counted from 1, or the first row of a numbered page.
    if name == "from", number(FactNames.page) != nil { return nil }
    // The page size of a numbered page.
    if offsetParameter == nil, let size = sizeParameter?.name, TwinNames.isPageSize(size),
      !offsetNames(name).contains(name)
    {
      return nil
    }
    let seen = "the body has “\(offset.path.plainText)” and “\(end.place)”"
    return offsets(offsetNames(name), ends: ends, said: offset.value, seen)
  }

  /// The number of rows before this page: also `release-offset`, and `retstart`.
  private var offsetFact: Fact<Int>? {
    if let fact = number(FactNames.offset) { return fact }
    return members.lazy.compactMap { member in
      guard let last = member.words.words.last, member.words.words.count <= 2,
        last != "offset" || isKnown(member.words),
        !member.words.has("next"), !member.words.has("prev"),
        last == "offset" || last.hasSuffix("start"), let number = member.value.wholeNumber,
        number == 0
      else { return nil }
      return Fact(path: member.path, value: number)
    }.first
  }

  /// Whether a number is where the next page starts, as the response counts rows.
  func isOffsetOfNextPage(_ number: Int) -> Bool {
    offsetFact.map { number == $0.value.plus(page.count) } ?? false
  }

  /// Returns the names that an offset may go to: the one that the response has, then those that go with the size of the
  /// call.
  private func offsetNames(_ name: String) -> [String] {
    let words = NameWords(name)
    let name = words.words.count > 1 && words.words.last == "offset" ? "offset" : name
    guard let size = sizeParameter?.name else { return [name] }
    let twins = TwinNames.offsets(for: size)
    guard let twin = twins.first(where: { NameWords($0) == NameWords(name) }) else {
      return TwinNames.isPageSize(size) ? twins : ([name] + twins).unique
    }
    return ([twin] + twins).unique
  }

  /// `hits.hits` of Elasticsearch, whose responses don't repeat the offset.
  private var searchHits: Finding? {
    guard page.itemsPath == ["hits", "hits"], let total, page.envelope?["_shards"] != nil else {
      return nil
    }
    return offsets(
      ["from"], ends: [.total(.body(total.path))], said: nil,
      "the body has “hits.hits” and “_shards” of Elasticsearch")
  }

  /// `Content-Range` about rows: with a unit as in RFC 9110, or without as in PostgREST, which
  /// also takes offsets as parameters.
  var contentRange: Finding? {
    guard let text = page.response.headers["Content-Range"] else { return nil }
    let seen = "the response has the header Content-Range"
    if let unit = page.response.headers["Range-Unit"], !text.contains(" "),
      let rows = RangeHeader("\(unit) \(text)")?.rows
    {
      return offsets(["offset"], ends: [.status(416)], said: rows.lowerBound, seen)
    }
    guard let range = RangeHeader(text), range.unit.lowercased() != "bytes", let rows = range.rows
    else { return nil }
    return Finding(
      .range(unit: String(range.unit), size: rows.count), seen, at: .offset(rows.lowerBound))
  }

  private func offsets(
    _ names: [String], ends: [EndRule], said: Int?, _ reason: String
  ) -> Finding? {
    let own = offsetParameter
    let asked = own?.number
    // Without an offset in the call, the response is at the start and shows how the start is counted.
    let first: Int
    if own == nil {
      first = said == 1 ? 1 : 0
    } else {
      let countsFromOne = names.contains { NameWords($0).words == ["start", "index"] }
      first = countsFromOne || asked == 1 && said == 1 ? 1 : 0
    }
    let limit = sizeParameter?.value ?? number(FactNames.size)?.value ?? page.count
    guard limit > 0 else { return nil }
    return Finding(
      own.map { [counted(by: $0.name, into: $0.place, from: first, limit: limit, ends)] }
        ?? names.map { counted(by: $0, from: first, limit: limit, ends) }, reason,
      at: .offset((asked ?? said ?? first).minus(first)), .inferred)
  }

  /// Returns the paging with counted rows in a parameter, and with a limit where the call has one.
  func counted(
    by name: String, into place: RequestLocation? = nil, from first: Int, limit: Int,
    _ ends: [EndRule]
  ) -> Paging {
    .offset(
      limit: limit, first: first, parameter: place ?? goes(into: name),
      limitParameter: sizeParameter.map(\.place)
    ).ending(ends)
  }
}

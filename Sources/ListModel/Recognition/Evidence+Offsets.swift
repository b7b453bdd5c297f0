internal import ItemMapping
internal import ServerAPI

/// Conventions in which rows are counted.
extension Evidence {
  /// How many rows come before those of this page, with what tells the last one: Solr, Jira,
  /// Elasticsearch and many others.
  var offsets: Finding? {
    if let search = searchHits { return search }
    guard let offset = number(FactNames.offset), case .name(let name)? = offset.path.segments.last
    else { return nil }
    var ends: [EndRule] = []
    if let total { ends.append(.total(.body(total.path))) }
    if let hasMore { ends.append(.hasNext(.body(hasMore.path))) }
    guard let end = ends.first ?? number(FactNames.size).map({ .total(.body($0.path)) }) else {
      return nil
    }
    // Rows that are counted from 1, or the first row of a page that has a number.
    if name == "from", number(FactNames.page) != nil { return nil }
    let seen = "the body has “\(offset.path.plainText)” and “\(end.place)”"
    return offsets(name, ends: ends, said: offset.value, seen)
  }

  /// `hits.hits` of Elasticsearch, whose answers don't repeat where they begin.
  private var searchHits: Finding? {
    guard answer.itemsPath == ["hits", "hits"], let total, answer.envelope?["_shards"] != nil else {
      return nil
    }
    return offsets(
      "from", ends: [.total(.body(total.path))], said: nil,
      "the body has “hits.hits” and “_shards” of Elasticsearch")
  }

  /// `Content-Range` about rows: with a unit as RFC 9110 has it, or without as PostgREST does, which
  /// takes offsets as parameters too.
  var contentRange: Finding? {
    guard let text = answer.response.headers["Content-Range"] else { return nil }
    let seen = "the answer has the header Content-Range"
    if let unit = answer.response.headers["Range-Unit"], !text.contains(" "),
      let rows = RangeHeader("\(unit) \(text)")?.rows
    {
      return offsets("offset", ends: [.status(416)], said: rows.lowerBound, seen)
    }
    guard let range = RangeHeader(text), range.unit.lowercased() != "bytes", let rows = range.rows
    else { return nil }
    return Finding(
      .range(unit: String(range.unit), size: rows.count), seen, at: .offset(rows.lowerBound))
  }

  private func offsets(
    _ name: String, ends: [EndRule], said: Int?, _ reason: String
  ) -> Finding? {
    let own = parameter(ParameterNames.offsets)
    let asked = own.flatMap { Int($0.value) }
    // Without a place in the call the answer is at the start, and says how that is counted.
    let first =
      own == nil ? (said == 1 ? 1 : 0) : ["startIndex", "start_index"].contains(name) ? 1 : 0
    let limit = sizeParameter?.value ?? number(FactNames.size)?.value ?? answer.count
    guard limit > 0 else { return nil }
    return Finding(
      counted(by: own?.name ?? name, from: first, limit: limit, ends), reason,
      at: .offset((asked ?? said ?? first).minus(first)), .concluded)
  }

  /// The paging that counts rows in a parameter, with a limit where the call has one.
  func counted(by name: String, from first: Int, limit: Int, _ ends: [EndRule]) -> Paging {
    .offset(
      limit: limit, first: first, parameter: goes(into: name),
      limitParameter: sizeParameter.map { goes(into: $0.name) }
    ).ending(ends)
  }
}

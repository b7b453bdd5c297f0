internal import ItemMapping
internal import ServerAPI

/// Conventions in which rows are counted.
extension Evidence {
  /// The number of rows before this page, with a rule for the last one: Solr, Jira,
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
    // Rows counted from 1, or the first row of a numbered page.
    if name == "from", number(FactNames.page) != nil { return nil }
    let seen = "the body has “\(offset.path.plainText)” and “\(end.place)”"
    return offsets(name, ends: ends, said: offset.value, seen)
  }

  /// `hits.hits` of Elasticsearch, whose responses don't repeat the offset.
  private var searchHits: Finding? {
    guard page.itemsPath == ["hits", "hits"], let total, page.envelope?["_shards"] != nil else {
      return nil
    }
    return offsets(
      "from", ends: [.total(.body(total.path))], said: nil,
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
    // Without an offset in the call, the response is at the start and shows how the start is counted.
    let first =
      own == nil ? (said == 1 ? 1 : 0) : ["startIndex", "start_index"].contains(name) ? 1 : 0
    let limit = sizeParameter?.value ?? number(FactNames.size)?.value ?? page.count
    guard limit > 0 else { return nil }
    return Finding(
      counted(by: own?.name ?? name, from: first, limit: limit, ends), reason,
      at: .offset((asked ?? said ?? first).minus(first)), .inferred)
  }

  /// Returns the paging with counted rows in a parameter, and with a limit where the call has one.
  func counted(by name: String, from first: Int, limit: Int, _ ends: [EndRule]) -> Paging {
    .offset(
      limit: limit, first: first, parameter: goes(into: name),
      limitParameter: sizeParameter.map { goes(into: $0.name) }
    ).ending(ends)
  }
}

internal import ItemMapping
internal import ServerAPI

/// The parameters that servers usually accept, as candidates of a trial. Those that the call has, or that
/// go with one that it has, are first.
struct UsualParameters {
  private let evidence: Evidence

  init(_ evidence: Evidence) { self.evidence = evidence }

  /// The candidates, best first. Empty for calls that may change something on the server.
  var candidates: [PageKey.Trial.Candidate] {
    let pageResponse = evidence.page
    guard pageResponse.count > 0,
      pageResponse.call.method == .get || pageResponse.call.jsonBody != nil
    else {
      return []
    }
    if let own = evidence.parameter(ParameterNames.pages), let number = Int(own.value) {
      return [page(own.name, after: number, first: min(max(number, 0), 1))]
    }
    if let own = evidence.parameter(ParameterNames.offsets), let offset = Int(own.value),
      offset >= 0
    {
      return offsets(own.name, after: offset)
    }
    let size = evidence.sizeParameter?.name
    let known = Self.companions.first { $0.size == size }
    let pages = Self.unique((known?.pages ?? []) + ["page"]).flatMap { name in
      [page(name, after: 0, first: 0), page(name, after: 1, first: 1)]
    }
    // A page with an unusual number of rows is most likely the whole list: only the most common
    // parameter is tried.
    if evidence.more == nil, size == nil, !Self.usualSizes.contains(pageResponse.count) {
      return pages
    }
    let counted = Self.unique((known?.offsets ?? []) + ["offset", "skip", "start", "from"])
      .flatMap { offsets($0, after: 0) }
    let rows = known?.pages.isEmpty == true ? counted + pages : pages + counted
    return rows + lastRows
  }

  private func page(_ name: String, after number: Int, first: Int) -> PageKey.Trial.Candidate {
    PageKey.Trial.Candidate(
      paging: evidence.numbered(by: name, from: first, ends),
      key: PageKey(.number(number.plus(1))))
  }

  /// Requests one extra row at the front, so that the repeated last row shows that the server counts rows.
  /// After a single row it doesn't, since that would request the start again.
  private func offsets(_ name: String, after offset: Int) -> [PageKey.Trial.Candidate] {
    let count = evidence.page.count
    let limit = evidence.sizeParameter?.value ?? count
    let firsts = evidence.parameter([name]) == nil && count > 1 ? [0, 1] : [0]
    return firsts.map { first in
      PageKey.Trial.Candidate(
        paging: evidence.counted(by: name, from: first, limit: limit, ends),
        key: PageKey(.offset(offset.plus(count > 1 ? count - 1 : count))),
        expected: count > 1 ? .nextPageBehindLastRow : .nextPage)
    }
  }

  /// Candidates with the id of the last row, where the response says whether there is more.
  private var lastRows: [PageKey.Trial.Candidate] {
    guard let hasMore = evidence.hasMore, let last = evidence.page.rows?[-1],
      let id = ["id", "_id"].first(where: { last[$0] != nil })
    else { return [] }
    return ["starting_after", "after", "since_id"].compactMap { name in
      let paging = Paging.keyset(
        [JSONPath([.name(id)])], into: [evidence.goes(into: name)],
        endsBy: .hasNext(.body(hasMore.path)))
      guard case .page(let key) = paging.facts(in: evidence.page, at: .start).next else {
        return nil
      }
      return PageKey.Trial.Candidate(paging: paging, key: key)
    }
  }

  /// The rules for the end once a candidate is accepted.
  private var ends: [EndRule] {
    var ends: [EndRule] = []
    if let hasMore = evidence.hasMore { ends.append(.hasNext(.body(hasMore.path))) }
    if let total = evidence.total {
      ends.append(.total(.body(total.path)))
    } else if let total = evidence.headerTotal {
      ends.append(.total(.header(total.name)))
    }
    return ends
  }

  private static func unique(_ names: [String]) -> [String] {
    names.enumerated().filter { names.firstIndex(of: $0.element) == $0.offset }.map(\.element)
  }

  /// Usual page sizes.
  private static let usualSizes: Set<Int> = [
    5, 8, 10, 12, 15, 16, 20, 24, 25, 30, 32, 40, 48, 50, 60, 64, 100, 128, 150, 200, 250, 256, 300,
    400, 500, 512, 1000, 1024, 2000, 5000, 10_000,
  ]

  /// The parameters that usually go with a parameter for the page size.
  private static let companions: [(size: String, pages: [String], offsets: [String])] = [
    ("page[size]", ["page[number]"], []), ("pagination[pageSize]", ["pagination[page]"], []),
    ("hitsPerPage", ["page"], []), ("per_page", ["page"], []), ("perPage", ["page"], []),
    ("page_size", ["page"], []), ("pageSize", ["page", "pageNumber"], []),
    ("page[limit]", [], ["page[offset]"]), ("$top", [], ["$skip"]), ("take", [], ["skip"]),
    ("rows", [], ["start"]), ("maxResults", [], ["startAt"]), ("max_results", [], ["start"]),
    ("count", [], ["startIndex", "start"]), ("limit", [], ["offset", "skip"]),
  ]
}

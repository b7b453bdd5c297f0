internal import ItemMapping
internal import ServerAPI

/// The parameters that servers usually accept, as candidates of a trial. Those that the call has, or that
/// go with one that it has, are first.
struct UsualParameters {
  private let evidence: Evidence

  init(_ evidence: Evidence) { self.evidence = evidence }

  /// The candidates, best first. Empty for calls that may change something on the server.
  var candidates: [PageKey.Trial.Candidate] {
    let response = evidence.page
    guard response.count > 0, response.call.method == .get || evidence.parameters.isJSON else {
      return []
    }
    if let own = evidence.pageParameter, let number = own.number {
      return [page(own.name, own.place, after: number, first: min(max(number, 0), 1))]
    }
    if let own = evidence.offsetParameter, let offset = own.number, offset >= 0 {
      return offsets(own.name, own.place, after: offset) + lastRows
    }
    let size = evidence.sizeParameter?.name
    let pages = Array(((size.map { TwinNames.pages(for: $0) } ?? []) + ["page"]).unique.prefix(2))
    let numbered = pages.flatMap { name in
      [page(name, after: 0, first: 0), page(name, after: 1, first: 1)]
    }
    // A page with an unusual number of rows is most likely the whole list: only the most common
    // parameter is tried.
    if evidence.more == nil, size == nil, !Self.usualSizes.contains(response.count) {
      return numbered
    }
    // ArcGIS: its flag is in no other service.
    let isArcGIS = evidence.members.contains { $0.words.text == "exceeded transfer limit" }
    let twins =
      (isArcGIS ? ["resultOffset"] : []) + (size.map { TwinNames.offsets(for: $0) } ?? [])
    let counted = (twins + ["offset", "skip", "start", "from"]).unique.flatMap {
      offsets($0, after: 0)
    }
    let isPageSize = size.map(TwinNames.isPageSize)
    // Most requests for numbers, and two for the ids of rows.
    let likely = Array(counted.prefix(4))
    let first = isPageSize == false ? likely + numbered : numbered + likely
    return Array(first.prefix(6)) + Array(lastRows.prefix(2)) + Array(first.dropFirst(6))
      + Array(counted.dropFirst(4))
  }

  /// The candidates that request something else than these.
  func candidates(without others: [PageKey.Trial.Candidate]) -> [PageKey.Trial.Candidate] {
    let texts = Set(others.map(\.text))
    return candidates.filter { !texts.contains($0.text) }
  }

  private func page(
    _ name: String, _ place: RequestLocation? = nil, after number: Int, first: Int
  ) -> PageKey.Trial.Candidate {
    PageKey.Trial.Candidate(
      paging: evidence.numbered(by: name, into: place, from: first, ends),
      key: PageKey(.number(number.plus(1))))
  }

  /// Requests one extra row at the front, so that the repeated last row shows that the server counts rows.
  /// After a single row it doesn't, since that would request the start again.
  private func offsets(
    _ name: String, _ place: RequestLocation? = nil, after offset: Int
  ) -> [PageKey.Trial.Candidate] {
    let count = evidence.page.count
    let limit = evidence.sizeParameter?.value ?? count
    let first = place != nil && offset == 1 ? 1 : 0
    func candidate(from first: Int, _ offset: Int) -> PageKey.Trial.Candidate {
      PageKey.Trial.Candidate(
        paging: evidence.counted(by: name, into: place, from: first, limit: limit, ends),
        key: PageKey(.offset(offset)))
    }
    guard count > 1 else { return [candidate(from: first, offset.minus(first).plus(count))] }
    var likely = candidate(from: first, offset.minus(first).plus(count - 1))
    likely.expected = .nextPageBehindLastRow
    // A server that counts from 1 sends two rows again.
    if first == 0, count > 2 {
      var other = candidate(from: 1, offset.plus(count - 2))
      other.expected = .nextPageBehindLastRow
      likely.alternative = PageKey.Trial.Alternative(paging: other.paging, key: other.key)
    }
    return [likely]
  }

  /// Candidates with the id of the last row, where the response says whether there is more, or may not be the whole
  /// list.
  private var lastRows: [PageKey.Trial.Candidate] {
    guard let last = evidence.page.rows?[-1], evidence.hasMore != nil || evidence.isFull,
      let id = idPath(in: last)
    else { return [] }
    let ends = [evidence.flagRule].compactMap(\.self)
    return ["starting_after", "after", "since_id", "before"].reordered(evidence.hasMore == nil)
      .compactMap { name in
        let paging = Paging.keyset(
          [id], into: [evidence.goes(into: name)], limit: evidence.sizeParameter?.value,
          limitParameter: evidence.sizeParameter?.place
        ).ending(ends)
        guard case .page(let key) = paging.facts(in: evidence.page, at: .start).next else {
          return nil
        }
        return PageKey.Trial.Candidate(paging: paging, key: key)
      }
  }

  /// The member that tells the rows apart.
  private func idPath(in last: JSONView) -> JSONPath? {
    if let name = ["id", "_id"].first(where: { last[$0] != nil }) {
      return JSONPath([.name(name)])
    }
    guard let rows = evidence.page.rows else { return nil }
    return RowFingerprints(of: rows).columns.first
  }

  /// The rules for the end once a candidate is accepted.
  private var ends: [EndRule] {
    var ends: [EndRule] = []
    if let rule = evidence.flagRule { ends.append(rule) }
    if let total = evidence.total {
      ends.append(.total(.body(total.path)))
    } else if let total = evidence.headerTotal {
      ends.append(.total(total.place))
    }
    return ends
  }

  /// Usual page sizes.
  private static let usualSizes: Set<Int> = [
    5, 8, 10, 12, 15, 16, 20, 24, 25, 30, 32, 40, 48, 50, 60, 64, 100, 128, 150, 200, 250, 256, 300,
    400, 500, 512, 1000, 1024, 2000, 5000, 10_000,
  ]
}

extension [String] {
  /// The names with the shortest first, where a list doesn't say whether it has more.
  fileprivate func reordered(_ isPlain: Bool) -> [String] {
    isPlain ? ["after", "before"] + filter { !["after", "before"].contains($0) } : self
  }
}

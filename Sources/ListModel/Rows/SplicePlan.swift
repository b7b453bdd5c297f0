/// Decides how a page is laid over rows of the list: the first one, requested again, over those at the start, or one of a
/// gap over those below it.
///
/// Rows keep their order, so rows of the list that the page lacks are gone if they are before one that it has. A row that
/// has moved up looks the same as many that are gone. So rows are removed only if more rows after them show it, or if the
/// server's total number of rows has changed by as many. Where rows don't keep their order, only the total shows it.
struct SplicePlan: Hashable {
  /// The number of rows at the start of the list that the page replaces.
  let end: Int
  /// The indices of rows of the page that stay at their place in the list, behind rows that may be gone.
  var left: Set<Int>
  /// Whether the page has rows in another order than the list.
  let hasMoves: Bool
  /// The most rows of the list that are gone, removed or not.
  let mostGone: Int
  /// Whether those that the page lacks are gone, as far as rows keep their order.
  let removesRows: Bool

  /// Replaces rows by the same ones.
  init(replacing count: Int) { (end, left, hasMoves, mostGone, removesRows) = (count, [], false, 0, true) }

  /// Keeps all rows, those of the page at their places.
  init(keeping left: Set<Int>) { (end, self.left, hasMoves, mostGone, removesRows) = (0, left, false, 0, false) }

  /// Compares a page with the list.
  ///
  /// - Parameters:
  ///   - places: The positions of its rows in the list; `nil` for new rows.
  ///   - count: The number of rows of the list.
  ///   - evidence: What else is known.
  ///   - isBeforeGap: Whether a gap is after the rows, so that the page may have rows that come after all of these.
  ///   - keepsMissingRows: Whether rows whose fate is open can stay.
  /// - Returns: `nil` where the page doesn't meet the list, has its last row, or leaves open what became of other rows, so
  ///   that it replaces all rows.
  init?(
    places: [Int?], count: Int, _ evidence: SpliceEvidence = SpliceEvidence(), isBeforeGap: Bool = false,
    keepsMissingRows: Bool = false
  ) {
    let known = places.indices.filter { places[$0] != nil }
    let gone = evidence.growth.map { places.count - known.count - $0 }
    var candidates = known
    while true {
      guard !candidates.isEmpty else { return nil }
      let anchors = Anchors(candidates.compactMap { index in places[index].map { (index, $0) } }, gone: gone)
      if anchors.proven > 0 {
        let last = anchors.rows[anchors.proven - 1].place
        let hasMoves = anchors.rows.count < known.count
        removesRows = evidence.keepsOrder && !hasMoves || anchors.gone == 0 || anchors.meetsTotal
        guard last + 1 < count || isBeforeGap, removesRows || keepsMissingRows else { return nil }
        (end, self.hasMoves) = (last + 1, hasMoves)
        let doubtful = anchors.rows.dropFirst(anchors.proven)
        left = Set(doubtful.map(\.index))
        // Rows of the page that are elsewhere in the list have moved from there.
        let farthest = doubtful.last?.place ?? last
        let present = known.count { places[$0].map { $0 <= farthest } ?? false }
        mostGone = farthest + 1 - present
        return
      }
      // The first anchor is so far down that it has more likely moved up.
      let first = anchors.rows[0].place
      candidates.removeAll { places[$0].map { $0 >= first } ?? true }
    }
  }
}

/// The rows of a page that are in the order of the list.
private struct Anchors {
  let rows: [(index: Int, place: Int)]
  /// The number of anchors up to the first whose distance is not explained by those after it.
  let proven: Int
  /// The number of rows before the last of these that the page lacks.
  let gone: Int
  /// Whether the server's numbers say the same.
  let meetsTotal: Bool

  /// - Parameter gone: The number of rows that are gone by the server's numbers; `nil` if that is not known.
  init(_ known: [(index: Int, place: Int)], gone: Int?) {
    let rows = known.map(\.place).longestIncrease().map { known[$0] }
    self.rows = rows
    let places = known.map(\.place).sorted()
    /// The number of rows before a position that the page lacks.
    func missing(before place: Int) -> Int { place - places.partitioningIndex { $0 >= place } }
    meetsTotal = gone != nil && gone == rows.last.map { missing(before: $0.place) }
    let doubtful = rows.indices.first { at in
      let before = at > 0 ? missing(before: rows[at - 1].place) : 0
      let gone = missing(before: rows[at].place) - before
      return gone > 0 && gone >= rows.count - at
    }
    let proven = meetsTotal ? rows.count : doubtful ?? rows.count
    self.proven = proven
    self.gone = proven > 0 ? missing(before: rows[proven - 1].place) : 0
  }
}

extension [Int] {
  /// Returns the first index whose element and all after it satisfy a condition.
  fileprivate func partitioningIndex(_ isAfter: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

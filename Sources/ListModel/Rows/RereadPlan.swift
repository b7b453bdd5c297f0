internal import ListReading

/// A row of pages that were read again.
struct RereadRow: Hashable {
  /// The number of its page.
  let page: Int
  let id: RowID
  /// Its place among the rows that are read again; `nil` for a new row.
  let place: Int?
}

/// Decides what pages that were read again replace, and what becomes of rows that they lack.
///
/// A ``SplicePlan`` decides how far the pages reach. Rows that they lack are gone only if the pages around them follow each
/// other: where pages are counted, rows that have moved up may be on neither of two.
struct RereadPlan {
  /// What follows the pages.
  enum Reach {
    /// Pages that may have rows that these lack.
    case open
    /// Pages that have none of these rows, as those read last: they would have come soon after a row that moved up.
    case far
    /// Pages of which none of the last ones has any of the rows that are left. These are no longer loaded.
    case beyond
    /// No rows.
    case end
  }

  /// The rows that the pages lack and that stay: their places, and the row of the pages that each comes before. `nil` for
  /// those after the last page.
  var kept: [(place: Int, next: RowID?)] = []
  /// The last row of each page that is in the list, in its order.
  var lastAnchors: [RowID?]
  /// Whether all rows after these are gone.
  var replacesRest = false
  /// Whether rows stay only because a page may not follow the one before.
  var skipsRows = false
  /// The number of new rows before the last of these.
  var addedBefore = 0
  /// The most rows that are gone, removed or not.
  var mostGone = 0
  /// Whether rows came in another order than that of the list.
  var hasMoves = false

  /// - Parameters:
  ///   - rows: The rows of the pages, in order, each once, without those that were read again before.
  ///   - joins: Whether each page follows the one before.
  ///   - count: The number of rows of the list that are not read again yet.
  ///   - reach: What follows the pages.
  /// - Returns: `nil` if only further pages show what became of rows.
  init?(_ rows: [RereadRow], of joins: [Bool], over count: Int, _ evidence: SpliceEvidence, _ reach: Reach) {
    lastAnchors = joins.map { _ in nil }
    let known = rows.indices.filter { rows[$0].place != nil }
    let splice = SplicePlan(
      places: rows.map(\.place), count: count, evidence, isBeforeGap: true, keepsMissingRows: true)
    let end: Int
    switch reach {
    case .open where known.isEmpty && count == 0: end = 0
    case .open:
      guard let splice, splice.left.isEmpty else { return nil }
      end = splice.end
    case .far:
      guard !known.isEmpty else { return nil }
      end = count
    case .beyond:
      guard known.isEmpty else { return nil }
      end = count
    case .end: end = count
    }
    let within = known.filter { rows[$0].place.map { $0 < end } ?? false }
    let anchors = within.compactMap { rows[$0].place }.longestIncrease().map { within[$0] }
    hasMoves = anchors.count < known.count
    let removes = reach == .open || reach == .beyond ? splice?.removesRows ?? true : evidence.keepsOrder && !hasMoves
    for anchor in anchors { lastAnchors[rows[anchor].page] = rows[anchor].id }
    addedBefore = anchors.last.map { last in rows[..<last].count { $0.place == nil } } ?? 0
    let present = Set(known.compactMap { rows[$0].place })
    var (place, page) = (0, -1)
    // Rows after the last one of the pages are gone only if the list ends there.
    for anchor in anchors.map(Optional.some) + (reach == .open || reach == .far ? [] : [nil]) {
      let (next, nextPage) = anchor.map { (rows[$0].place ?? 0, rows[$0].page) } ?? (end, joins.count - 1)
      let missing = (place..<max(place, next)).filter { !present.contains($0) }
      let isJoined = page >= nextPage || joins[(page + 1)...nextPage].allSatisfy(\.self)
      mostGone += missing.count
      if removes, !isJoined, !missing.isEmpty { skipsRows = true }
      var following = anchor
      if !isJoined, let seam = (page + 1...nextPage).first(where: { !joins[$0] }) {
        // Between rows of one page there are no others, so they come before its first row.
        following = rows[..<(anchor.map { $0 + 1 } ?? rows.count)].firstIndex { $0.page >= seam } ?? anchor
      }
      if anchor == nil { replacesRest = removes && isJoined || following != nil }
      if !(removes && isJoined) { kept += missing.map { ($0, following.map { rows[$0].id }) } }
      (place, page) = (next + 1, nextPage)
    }
  }
}

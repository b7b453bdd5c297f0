/// What the owner of a reading says of rows and pages that it knows of itself.
extension Reading {
  /// Requests the page without an overlap and without a search, since its rows are already shown.
  package mutating func skipLook() { (turn, shift) = (nil, .rows(0)) }

  /// Requests this page after the one that is requested now, since rows have moved.
  package mutating func redirect(to key: PageKey) { shift = .page(key) }

  /// Doesn't ask the server for overlaps again if it knew none in an earlier reading.
  package mutating func keepGivenUpOverlaps(of earlier: Reading?) {
    if let overlaps = earlier?.overlaps, overlaps.policy.isGivenUp { self.overlaps = overlaps }
  }

  /// Whether no page has joined yet.
  package var isEmpty: Bool { record.pages == 0 }

  /// Records rows whose place among the others is not known: kept ones, or stored ones that the server has not
  /// confirmed.
  package mutating func joinUnplaced(at moment: Double) {
    if isEmpty { record.add(.start, nil, rows: 0, endSign: .counted, at: moment) }
    record.add(.position, nil, rows: 0, endSign: .counted, at: moment)
  }

  /// Whether overlaps have shown the seams between all pages, so that edits have hidden no row.
  package var showsSeams: Bool { level >= .seams && record.isJoined && overlaps.wasUsed }

  /// Records that rows came in another order than before.
  package mutating func noteMoves() { record.doubt(.order) }

  /// Records that the server's cursors count rows or pages.
  package mutating func noteCounting() { record.noteCounting() }

  /// Whether pages are requested with rows of those before them, where the paging can.
  package var looksAtSeams: Bool { level >= .seams || overlaps.hasSign }

  /// Records that rows may have moved between two pages, so that the next ones are requested with rows of those before them.
  package mutating func lookAtSeams() { if level == .signs { overlaps.noteMovedRows() } }

  /// The most rows that a page had.
  package var pageSize: Int? { overlaps.pageSize }

  /// Whether the list has ended, and its rows are as many as the server reports.
  package var hasAllRows: Bool {
    end() == .complete && account.meetsTotal && !account.losses.mayLackRows && !record.lacksIDs
  }

  /// Whether the server reports the total number of rows.
  package var hasTotal: Bool { account.numbers.total != nil }
}

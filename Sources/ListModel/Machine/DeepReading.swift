internal import ListReading

/// How far a deep refresh has read the loaded pages again, from the start of the list down.
///
/// Its reading is separate from that of the list, which goes on meanwhile as after a spliced refresh. When it has passed the
/// last row, it becomes the reading of the list.
struct DeepReading: Hashable {
  /// The reading of the rows that were read again.
  private(set) var above: Reading
  /// The last page that has them; `nil` before the first one.
  private(set) var page: PageID?
  /// The reading of these and of the pages that came since, which don't show yet what became of other rows.
  var ahead: Reading
  /// Whether each of these pages follows the one before, so that no row between the two was skipped.
  private(set) var joins: [Bool] = []
  /// The number of pages in a row that have no row of the list.
  private(set) var newPages = 0
  /// The rows that stayed in the list although the pages lack them.
  private(set) var doubtful: Set<RowID> = []
  /// The visible pages that are requested before all others, each where it was before.
  var looks: [Look] = []

  /// A page that is requested out of order.
  struct Look: Hashable {
    let page: PageID
    let key: PageKey
  }

  init(_ reading: Reading) { (above, ahead) = (reading, reading) }

  /// Whether all rows that were read again are in the list, and no others are.
  var isCertain: Bool { doubtful.isEmpty && !above.account.losses.mayLackRows }

  /// Goes back to the last page that is in the list. Returns the page to request, which may be an overlap; `nil` if the
  /// list has ended.
  mutating func rewind() -> PageKey? {
    (ahead, joins, newPages, looks) = (above, [], 0, [])
    return goOn()
  }

  /// Whether the pages since the last one in the list can be requested so that they show whether they follow each other.
  var canLook: Bool {
    guard !above.looksAtSeams, let key = above.link.key else { return false }
    var looking = above
    looking.lookAtSeams()
    return looking.looksAtSeams && (joins.count > 1 || looking.start(key) != key)
  }

  /// Goes back to the last page that is in the list, to look at the seams of those after it.
  mutating func look() { above.lookAtSeams() }

  /// Goes on after a visible page.
  mutating func endLook() -> PageKey? {
    looks.removeFirst()
    return looks.first?.key ?? goOn()
  }

  /// Starts the turn of the next page.
  mutating func goOn() -> PageKey? { ahead.link.key.map { ahead.start($0) } }

  /// Adds a page.
  mutating func add(_ joining: Reading.Joining, _ added: Reading.Added, isKnown: Bool) {
    let isFirst = ahead.isEmpty
    let seam = ahead.join(joining, added).seam
    // Only a row of those before shows that a place that counts rows is where they end.
    let isSeen = (seam == .seen || seam == .mended) && added.shared.map { $0.known > 0 } ?? false
    joins.append(isFirst || seam == .chained || isSeen)
    newPages = isKnown ? 0 : newPages + 1
  }

  /// Goes on after pages that are in the list now.
  ///
  /// - Parameters:
  ///   - ids: The ids of their rows.
  ///   - kept: The rows that they lack and that stay.
  mutating func commit(upTo page: PageID?, _ ids: Set<RowID>, kept: Set<RowID>, hasMoves: Bool) {
    doubtful.subtract(ids)
    doubtful.formUnion(kept)
    if hasMoves { ahead.noteMoves() }
    (above, self.page, joins, newPages) = (ahead, page, [], 0)
  }
}

internal import ListReading

/// Gaps: where rows of the server are missing between others.
extension ListStore {
  /// The effect of a page of a gap.
  struct Fill {
    var merge: Merge
    /// The number of rows of the list before it came.
    let countBefore: Int
    /// The most rows below the gap that are gone.
    var gone = 0
    /// Whether the page has rows of both sides, so that the gap has closed.
    var closes = false
    /// Whether the page has rows of the other side, although the gap can't close while edits are pending.
    var isHeldOpen = false
    /// Whether the page has rows in another order than the list.
    var hasMoves = false
    /// Whether its last row is above the gap now.
    var endsAbove = true
  }

  /// The gap with this id.
  func gap(_ id: PageID) -> ListGap? { tree.place(of: id)?.page.gap }

  /// Inserts a page without a known row before all others, and a gap after it.
  mutating func openGap(below rows: PageRows<Item>, size: Int?) -> (merge: Merge, gap: PageID)? {
    guard let first = tree.first?.id.order else { return nil }
    let gap = ListGap(id: PageID(order: first - PageID.roomOfGap), size: size)
    tree.insert(StoredPage(gap))
    gaps.insert(gap.id, at: 0)
    var merge = join(rows, as: PageID(order: first - 2 * PageID.roomOfGap))
    merge.change = .inserting(0..<rowsOf(gap.id).upperBound)
    return (merge, gap.id)
  }

  /// Inserts a page into a gap, next to the rows on one side of it. New rows between known ones go to their place.
  ///
  /// - Parameters:
  ///   - gap: The gap.
  ///   - side: The side of the rows.
  ///   - rows: The page.
  ///   - next: The page after it.
  ///   - removesRows: Whether rows below the gap that it lacks may be removed. The page must be the newest one.
  ///   - isChained: Whether it begins after the last row above the gap, whatever came or went before that.
  ///   - keepsOrder: Whether rows have kept their order so far.
  /// - Returns: `nil` if the gap no longer exists, or has no room for further pages.
  mutating func fill(
    _ gap: PageID, _ side: ListGap.Side, with rows: PageRows<Item>, next: PageKey? = nil,
    removesRows: Bool = true, isChained: Bool = false, keepsOrder: Bool = true
  ) -> Fill? {
    guard let ids = rows.ids, let page = freeID(at: side, of: gap) else { return nil }
    let countBefore = tree.span.rows
    var arrival = Arrival(rows, ids: ids)
    let row = rowsOf(gap).lowerBound
    let places = knownPlaces(of: &arrival)
    let meeting = meeting(places, of: gap, side)
    guard edits.isEmpty else {
      // An edit knows its row by its page, so only new rows join, and of a page that meets the other side only those
      // between.
      let isMeeting = meeting.plan != nil
      let start = isMeeting ? meeting.lastAbove.map { $0 + 1 } ?? 0 : 0
      let end = isMeeting ? meeting.firstBelow ?? ids.count : ids.count
      let merge = join(rows.between(start, end), as: page)
      return Fill(
        merge: merge, countBefore: countBefore, isHeldOpen: isMeeting,
        hasMoves: meeting.hasMoves || !isMeeting && !meeting.known(side.opposite).isEmpty,
        endsAbove: meeting.below.last != ids.indices.last
      ).resizing(gap, in: &self)
    }
    let closes = meeting.plan != nil
    var plan = SplicePlan(keeping: closes ? Set(meeting.above + meeting.below) : Set(meeting.known(side)))
    // Rows before a page that begins elsewhere are not gone.
    if let found = meeting.plan, removesRows, keepsOrder, side == .above, isChained || meeting.lastAbove != nil {
      plan = found
      plan.left.formUnion(meeting.above)
    }
    if !closes {
      // A row of the other side that comes alone has moved.
      arrival.dropped.formUnion(meeting.known(side.opposite))
      arrival.duplicatesAcross += meeting.known(side.opposite).count
    }
    arrange(&arrival, at: places, by: plan, from: row + 1, until: meeting.lastAbove)
    arrival.dropNewRowsOfEvictedPages { tree.place(of: $0)?.page.isLoaded == true }
    guard
      let merge = lay(
        rows, &arrival, from: row + 1, by: plan, as: page, next: next, closing: closes ? gap : nil)
    else { return nil }
    let fill = Fill(
      merge: merge, countBefore: countBefore, gone: plan.mostGone, closes: closes,
      hasMoves: plan.hasMoves || meeting.hasMoves || !closes && !meeting.known(side.opposite).isEmpty,
      endsAbove: meeting.below.last != ids.indices.last)
    return closes ? fill : fill.resizing(gap, in: &self)
  }

  /// Compares a page of a gap with the rows around it.
  private func meeting(
    _ places: [RowPlace<Item>?], of gap: PageID, _ side: ListGap.Side
  ) -> Meeting {
    let row = rowsOf(gap).lowerBound
    var meeting = Meeting()
    meeting.above = places.indices.filter { places[$0].map { $0.position < row } ?? false }
    meeting.below = places.indices.filter { places[$0].map { $0.position > row } ?? false }
    let (start, end) = (gaps.last { $0 < gap }, gaps.first { $0 > gap })
    switch side {
    case .above:
      let count = (end.map { rowsOf($0).lowerBound } ?? tree.span.rows) - row - 1
      let distances = places.map { place in
        place.flatMap { $0.position > row && $0.position <= row + count ? $0.position - row - 1 : nil }
      }
      meeting.plan = SplicePlan(places: distances, count: count, isBeforeGap: true)
    case .below:
      // Seen from below, everything is the other way round.
      let count = row - (start.map { rowsOf($0).upperBound } ?? 0)
      let distances = places.reversed().map { place in
        place.flatMap { $0.position < row && $0.position >= row - count ? row - 1 - $0.position : nil }
      }
      meeting.plan = SplicePlan(places: distances, count: count, isBeforeGap: true)
    }
    return meeting
  }

  /// Changes what is known of a gap.
  mutating func change(_ gap: PageID, _ body: (inout ListGap) -> Void) -> ListChange {
    guard let old = self.gap(gap) else { return ListChange() }
    var new = old
    body(&new)
    guard new != old else { return ListChange() }
    tree.replace(StoredPage(new))
    return ListChange(updated: [rowsOf(gap)])
  }

  /// Removes the rows below a gap, and the gap.
  mutating func removeRows(below gap: PageID) -> ListChange {
    let region = rowsOf(gap).lowerBound..<tree.span.rows
    for place in pages(in: region) {
      for id in tree.place(of: place.id)?.page.ids ?? [] { index.remove(id.indexHash, order: place.id.order) }
      tree.remove(place.id)
    }
    gaps.removeAll { $0 >= gap }
    return ListChange(removed: [region])
  }

  mutating func removeGap(_ gap: PageID) {
    tree.remove(gap)
    gaps.removeAll { $0 == gap }
  }

  /// An id for a page next to the rows on one side of a gap; `nil` if there is none left.
  private func freeID(at side: ListGap.Side, of gap: PageID) -> PageID? {
    guard let number = tree.place(of: gap)?.before.pages,
      let neighbor = tree.place(at: side == .above ? number - 1 : number + 1, by: .pages)?.page.id
    else { return nil }
    let distance = gap.order - neighbor.order
    let step = abs(distance) > 2 * PageID.step ? PageID.step * distance.signum() : distance / 2
    return step == 0 ? nil : PageID(order: neighbor.order + step)
  }
}

/// How a page meets the rows around a gap.
private struct Meeting {
  /// The indices of its rows that are above the gap, and of those that are below.
  var above: [Int] = []
  var below: [Int] = []
  /// How it is laid over the rows on the other side; `nil` where it doesn't show that it has reached these.
  var plan: SplicePlan?

  var firstBelow: Int? { below.first }
  /// The last row from above the gap that comes before those from below.
  var lastAbove: Int? { above.last { $0 < below.first ?? .max } }
  var hasMoves: Bool { above.last != lastAbove }

  func known(_ side: ListGap.Side) -> [Int] { side == .above ? above : below }
}

extension ListStore.Fill {
  /// Counts the rows that a page has added to a gap.
  fileprivate func resizing(_ gap: PageID, in store: inout ListStore<Item>) -> Self {
    let change = store.change(gap) { [added = merge.added] gap in
      // The total is from another moment than the rows.
      gap.size = gap.size.flatMap { $0 > added ? $0 - added : nil }
    }
    var fill = self
    fill.merge.change.updated = [Range<Int>]((merge.change.updated + change.updated).joined())
    return fill
  }
}

extension PageID {
  /// The distance of a gap from the pages at its sides, so that there is room for pages between them.
  fileprivate static let roomOfGap = step << 12
}

extension PageRows {
  /// The rows at these indices.
  fileprivate func between(_ start: Int, _ end: Int) -> PageRows {
    guard start > 0 || end < items.count else { return self }
    var rows = self
    rows.items = Array(items[start..<max(start, end)])
    rows.ids = ids.map { Array($0[start..<max(start, end)]) }
    rows.isWhole = false
    return rows
  }
}

extension Arrival {
  /// Leaves out the new rows next to rows of pages whose items are not in memory. They come when these are reloaded.
  mutating func dropNewRowsOfEvictedPages(_ isLoaded: (PageID) -> Bool) {
    for (id, patch) in patches where !patch.inserted.isEmpty && !isLoaded(id) {
      patches[id]?.inserted = [:]
    }
  }
}

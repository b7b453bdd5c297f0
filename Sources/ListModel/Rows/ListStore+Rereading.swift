internal import ListReading

/// Pages that were read again, laid over the rows that are in the list.
extension ListStore {
  /// A page that was read again.
  struct PageAgain {
    var rows: PageRows<Item>
    /// Whether it follows the rows before it, so that no row between the two was skipped.
    var isJoined: Bool
    /// The page after it.
    var next: PageKey?
  }

  /// The effect of pages that were read again.
  struct Reread {
    var change = ListChange()
    /// The last page; `nil` if no page was there and none came.
    var page: PageID?
    /// The number of new rows before the last one that the list had.
    var addedBefore = 0
    /// The most rows that are gone.
    var gone = 0
    /// The rows that stay although the pages lack them, since these don't show that they are gone.
    var doubtful: Set<RowID> = []
    var hasMoves = false
    var duplicatesInPage = 0
  }

  enum Rereading {
    case laid(Reread)
    /// The pages don't show yet what became of the rows that they lack.
    case undecided
    /// A page may not follow the one before, so that rows that they lack may be between them.
    case skipsRows
    /// A page has rows from below a gap.
    case passesGap
  }

  /// Lays pages over the rows after a page, or over the first ones. Rows that they lack are removed if they are gone, and
  /// stay otherwise.
  ///
  /// - Parameters:
  ///   - pages: The pages, in order.
  ///   - page: The last page that was read again before; `nil` for the start of the list.
  ///   - doubtful: The rows before that stayed in the list in doubt. They move if a page has them.
  ///   - evidence: What else is known of the rows.
  ///   - reach: What follows the last page.
  ///   - canLook: Whether the pages can be requested in another way, which shows whether they follow each other.
  mutating func lay(
    _ pages: [PageAgain], after page: PageID?, doubtful: Set<RowID>, _ evidence: SpliceEvidence,
    _ reach: RereadPlan.Reach, canLook: Bool = false
  ) -> Rereading {
    let start = end(of: page)
    let end = endOfRereading
    var rows: [RereadRow] = []
    var seen: Set<RowID> = []
    for (number, page) in pages.enumerated() {
      for id in page.rows.ids ?? [] where seen.insert(id).inserted {
        let position = position(of: id)
        if let position, position >= end { return .passesGap }
        // A row that was read again before shows nothing of those below.
        if let position, position < start { continue }
        rows.append(RereadRow(page: number, id: id, place: position.map { $0 - start }))
      }
    }
    guard let plan = RereadPlan(rows, of: pages.map(\.isJoined), over: end - start, evidence, reach)
    else { return .undecided }
    if plan.skipsRows, canLook { return .skipsRows }
    var stays: [RowID: [(id: RowID, item: Item)]] = [:]
    var reread = Reread(page: page)
    for (place, next) in plan.kept {
      guard let row = row(at: start + place) else { return .undecided }
      reread.doubtful.insert(row.id)
      if let next { stays[next, default: []].append(row) }
    }
    (reread.addedBefore, reread.gone, reread.hasMoves) = (plan.addedBefore, plan.mostGone, plan.hasMoves)
    let count = tree.span.rows
    var changes: [ListChange] = []
    for (number, page) in pages.enumerated() {
      let isLast = number == pages.count - 1
      let last = plan.lastAnchors[number].flatMap { position(of: $0) }
      let lastRow = isLast && plan.replacesRest ? endOfRereading : last.map { $0 + 1 }
      var rows = page.rows
      rows.insert(stays)
      guard let merge = lay(rows, after: &reread.page, until: lastRow, doubtful: doubtful, next: page.next) else {
        return .undecided
      }
      changes.append(merge.change)
      reread.duplicatesInPage += merge.duplicatesInPage
    }
    reread.change = .merging(changes.filter { !$0.isEmpty }, of: count)
    return .laid(reread)
  }

  /// The position after the last row that can be read again: a gap ends them.
  var endOfRereading: Int { gaps.first.map { rowsOf($0).lowerBound } ?? tree.span.rows }

  /// The position after the last row of a page, or before all rows.
  func end(of page: PageID?) -> Int { page.map { rowsOf($0).upperBound } ?? 0 }

  /// Lays one page over the rows after another one, which it then takes the place of.
  private mutating func lay(
    _ rows: PageRows<Item>, after page: inout PageID?, until end: Int?, doubtful: Set<RowID>, next: PageKey?
  ) -> Merge? {
    guard let ids = rows.ids else { return nil }
    let start = self.end(of: page)
    let count = end.map { $0 - start } ?? 0
    let (following, free) = pages(after: page, rows: count)
    if let parsed = rows.parsed, let following, following.parsed === parsed, following.isWhole, rows.isWhole,
      following.count == count
    {
      page = following.id
      return Merge(page: following.id)
    }
    guard let free else { return nil }
    var arrival = Arrival(rows, ids: ids)
    let places = knownPlaces(of: &arrival)
    var plan = SplicePlan(replacing: count)
    let isAbove = places.map { place in place.map { $0.position < start } ?? false }
    // The rows of an overlap come first. New rows between them belong there.
    let others = places.indices.first { places[$0] != nil && !isAbove[$0] } ?? places.endIndex
    let overlap = isAbove[..<others].lastIndex(of: true)
    for (at, place) in places.enumerated() {
      guard isAbove[at], let place else { continue }
      if doubtful.contains(ids[at]) {
        arrival.patches[place.page.page.id, default: .init()].removed.insert(place.index)
      } else if at < others {
        plan.left.insert(at)
      } else {
        arrival.dropped.insert(at)
        arrival.patches[place.page.page.id, default: .init()].replaced[place.index] = arrival.items[at]
      }
    }
    if let overlap { insertBeforeFirst(&arrival, at: places, upTo: overlap) }
    arrange(&arrival, at: places, by: plan, from: start, until: overlap)
    arrival.dropNewRowsOfEvictedPages { tree.place(of: $0)?.page.isLoaded == true }
    page = free
    return lay(rows, &arrival, from: start, by: plan, as: free, next: next)
  }

  /// Inserts new rows that come before those of an overlap where these are. At the start of the list they are left out.
  private func insertBeforeFirst(
    _ arrival: inout Arrival<Item>, at places: [RowPlace<Item>?], upTo overlap: Int
  ) {
    guard let first = places[...overlap].firstIndex(where: { $0 != nil }), let place = places[first] else { return }
    let before = place.position > 0 ? tree.place(at: place.position - 1, by: .rows) : nil
    for at in 0..<first where arrival.dropped.insert(at).inserted {
      guard let before else { continue }
      let index = place.position - 1 - before.before.rows
      arrival.patches[before.page.id, default: .init()].inserted[index, default: []].append(at)
    }
  }

  /// Returns the page after another one, and a free id for a page that replaces this many rows after it; `nil` if there
  /// is none left.
  private func pages(after page: PageID?, rows count: Int) -> (following: StoredPage<Item>?, free: PageID?) {
    var number = page.flatMap { tree.place(of: $0) }.map { $0.before.pages + 1 } ?? 0
    let following = tree.place(at: number, by: .pages)?.page
    var (left, taken) = (count, Set<PageID>())
    while let next = tree.place(at: number, by: .pages)?.page, left >= next.count, left > 0 {
      left -= next.count
      number += 1
      taken.insert(next.id)
    }
    let last = tree.place(at: number, by: .pages)?.page.id
    guard let before = page?.order ?? tree.first.map({ $0.id.order - 2 * PageID.step }) else {
      return (following, .first(of: generation))
    }
    let distance = last.map { $0.order - before } ?? .max
    let order = before + (distance > 2 * PageID.step ? PageID.step : distance / 2)
    let free = (order..<order + taken.count + 1).first { !taken.contains(PageID(order: $0)) } ?? order
    return (following, free > before && free < last?.order ?? .max ? PageID(order: free) : nil)
  }

  /// The row at a position; `nil` if it is not in memory.
  private func row(at position: Int) -> (id: RowID, item: Item)? {
    guard let place = tree.place(at: position, by: .rows), let ids = place.page.ids, let items = place.page.items
    else { return nil }
    let index = position - place.before.rows
    return (ids[index], items[index])
  }
}

extension PageRows {
  /// Inserts rows before others.
  fileprivate mutating func insert(_ rows: [RowID: [(id: RowID, item: Item)]]) {
    guard !rows.isEmpty, let old = ids, old.contains(where: { rows[$0] != nil }) else { return }
    var (newItems, newIDs, rest) = ([Item](), [RowID](), rows)
    for (id, item) in zip(old, items) {
      for row in rest.removeValue(forKey: id) ?? [] {
        newItems.append(row.item)
        newIDs.append(row.id)
      }
      newItems.append(item)
      newIDs.append(id)
    }
    (items, ids, isWhole) = (newItems, newIDs, false)
  }
}

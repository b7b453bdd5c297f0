internal import ItemMapping
internal import ListReading
internal import ServerAPI

/// Gaps: where a refresh finds no known row, and what is loaded into them.
extension ListBrain {
  /// Loads a page of a gap, for a call of the program.
  mutating func loadGap(_ gap: PageID, from side: ListGap.Side?, load: Int) -> [ListEffect] {
    if let reason = store.gap(gap)?.unavailable { return reject(.gap(gap), reason, load: load) }
    return fillGap(gap, from: side, [load])
  }

  /// - Parameter side: The rows that stay in sight; `nil` for those that the user comes from.
  private mutating func fillGap(_ gap: PageID, from side: ListGap.Side?, _ loads: [Int]) -> [ListEffect] {
    machine.extent?.gaps[gap]?.count(store.gap(gap)?.size)
    return machine.fill(gap, from: side ?? (readsUpward ? .below : .above), loads)
  }

  /// Inserts the page of a refresh before all rows, with a gap after it; `nil` if it has a known row.
  mutating func openGap(
    _ page: LoadedPage<Item>, _ read: ReadPage, for number: Int, _ kind: LoadKind, _ evidence: SpliceEvidence
  ) -> JoinedPages<Item>? {
    // Pages that were evicted would be requested at places that don't count the rows of the gap.
    if window != nil, page.page.facts.next.key.map(\.mayCount) ?? true { return nil }
    let count = page.rows.items.count
    // Where the list has not grown, rows that are gone can't be told from those that stay.
    guard evidence.keepsOrder, evidence.growth.map({ $0 > 0 }) ?? true, count > 0, !store.snapshot.isEmpty,
      let ids = page.rows.ids, !ids.contains(where: store.contains),
      let (merge, gap) = store.openGap(
        below: page.rows, size: evidence.growth.flatMap { $0 > count ? $0 - count : nil })
    else { return nil }
    let wasFresh = freshness
    record.begin(with: page.rows.source, asOf: page.rows.asOf)
    moveNextPage(by: min(merge.added, evidence.growth ?? .max))
    machine.extent?.moveGaps(by: merge.added)
    move(merge.change)
    var joined = JoinedPages<Item>(page: page, id: merge.page, opened: gap)
    var report = page.report(of: kind)
    report.repeats = merge.duplicatesInPage
    joined.effects += notice(of: merge.change)
    if !report.isClean { joined.effects.append(.notify(.didReport(report))) }
    joined.effects += notice(ofFreshnessAfter: wasFresh)
    joined.effects += machine.opened(
      gap, number, read, rows: merge.added, merge.change, all: receivedRows)
    if !visible.isEmpty { joined.effects += loadMissing(around: visible) }
    return joined
  }

  /// Handles a page of a gap.
  mutating func fill(
    _ gap: PageID, _ side: ListGap.Side, with page: LoadedPage<Item>, _ read: ReadPage, for number: Int,
    _ kind: LoadKind
  ) -> JoinedPages<Item> {
    guard page.rows.ids != nil else {
      return JoinedPages(effects: failed(number, .paging(.missingRows("the rows of a page of a gap have no ids"))))
    }
    if side == .below, case .counted? = machine.extent?.gaps[gap]?.below, !leadsOn(page, below: gap) {
      // The total was wrong, or has changed.
      let change = store.change(gap) { $0.size = nil }
      if let key = machine.turnAround(number, in: gap) {
        return JoinedPages(effects: notice(of: change) + request(key, for: number))
      }
    }
    var joining = Reading.Joining(page: read)
    var compared: ComparedRows?
    if side == .above {
      reading: while let step = machine.extent?.gaps[gap]?.above.receive(read, compared) {
        switch step {
        case .compare: compared = self.compared(page, before: store.rowsOf(gap).lowerBound)
        case .request(let key): return JoinedPages(effects: request(key, for: number))
        case .join(let next):
          joining = next
          break reading
        }
      }
    }
    let known = compared ?? self.compared(page, before: store.rowsOf(gap).lowerBound)
    let pending = beginArrival(of: number)
    confirmedMeanwhile[number] = nil
    omitted.add(page, acceptsUnreadable: acceptsUnreadableRows, overlap: joining.overlap?.rows ?? 0)
    let reading = machine.extent?.gaps[gap]
    let keepsOrder =
      reading?.above.keepsOrder == true
      && machine.extent.map { $0.reading.keepsOrder && !$0.distrusts.contains(.order) } ?? false
    let filled = store.fill(
      gap, side, with: page.rows, next: page.page.facts.next.key, removesRows: isNewer(page),
      isChained: read.key.place.isChained && !read.key.place.isCounted && reading?.isAdjacent == true
        && reading?.above.isCounting == false && machine.extent?.reading.isCounting == false,
      keepsOrder: keepsOrder)
    settle(endArrival(pending), .gap(gap, side))
    guard let fill = filled else {
      return JoinedPages(effects: failed(number, .paging(.missingRows("the gap has no room for further pages"))))
    }
    var joined = JoinedPages<Item>(page: page, id: fill.merge.page, placement: .gap(gap, side))
    let wasFresh = freshness
    record.didReceive(page.rows.source)
    machine.extent?.ownRows.subtract(page.rows.ids ?? [])
    moveNextPage(by: fill.merge.added - fill.gone)
    machine.extent?.moveGaps(by: fill.merge.added - fill.gone, below: gap)
    machine.update(gap) { $0.isHeldOpen = fill.isHeldOpen }
    var change = fill.merge.change
    if side == .above {
      joinAbove(gap, joining, fill, known)
    } else {
      joinBelow(gap, joining, fill, page.rows.ids ?? [])
    }
    var isClosed = fill.closes
    if isClosed {
      let (rows, joined) = (receivedRows, rowsAbove(nextGap(after: gap)))
      machine.extent?.close(gap, at: read, hasMoves: fill.hasMoves, joined: joined, rows)
      reopenEnd(after: page.page.facts)
    } else if let ended = endGap(gap, isNewer: isNewer(page)) {
      isClosed = store.gap(gap) == nil
      joined.effects += ended.effects
      change = .merging([change, ended.change], of: fill.countBefore)
    }
    move(change)
    var report = page.report(of: kind)
    report.repeats = fill.merge.duplicatesInPage
    joined.effects += notice(of: change)
    if !report.isClean { joined.effects.append(.notify(.didReport(report))) }
    joined.effects += notice(ofFreshnessAfter: wasFresh)
    joined.effects += machine.filled(number, change, isClosed: isClosed)
    if !visible.isEmpty { joined.effects += loadMissing(around: visible) }
    return joined
  }

  /// Records a page that joins the rows above a gap.
  private mutating func joinAbove(
    _ gap: PageID, _ joining: Reading.Joining, _ fill: ListStore<Item>.Fill, _ known: ComparedRows
  ) {
    guard var above = machine.extent?.gaps[gap]?.above else { return }
    let link = above.link
    var rows = above.account.rows
    rows.count += fill.merge.added
    let added = Reading.Added(
      shared: known.shared, rows: rows, isNew: fill.merge.isNew, isNewToProgram: fill.merge.isNew || fill.closes)
    _ = above.join(joining, added)
    if fill.hasMoves { above.noteMoves() }
    // The page comes again once it can close the gap.
    if fill.isHeldOpen { above.link = link }
    machine.update(gap) { reading in
      reading.above = above
      reading.isAdjacent = fill.endsAbove
    }
  }

  /// Records a page that joins the rows below a gap.
  private mutating func joinBelow(
    _ gap: PageID, _ joining: Reading.Joining, _ fill: ListStore<Item>.Fill, _ ids: [RowID]
  ) {
    guard let extent = machine.extent, !fill.isHeldOpen else { return }
    var below = extent[below: gap]
    var rows = below.account.rows
    rows.count += fill.merge.added
    let shared = shared(of: ids, fill.merge, below: gap)
    let added = Reading.Added(
      shared: shared, rows: rows, isNew: fill.merge.isNew, isNewToProgram: fill.merge.isNew)
    let isLoop = below.joinBefore(joining, added).isLoop
    if fill.hasMoves { below.noteMoves() }
    machine.set(below, below: gap)
    guard case .page = extent.gaps[gap]?.below else { return }
    let key = isLoop ? nil : joining.page.facts.previous.key
    machine.update(gap) { $0.below = key.map { .page($0) } ?? .unknown }
  }

  /// Whether a page has a row below a gap, and before that a new one or one from above.
  private func leadsOn(_ page: LoadedPage<Item>, below gap: PageID) -> Bool {
    let row = store.rowsOf(gap).lowerBound
    let isBelow = (page.rows.ids ?? []).map { id in store.position(of: id).map { $0 > row } ?? false }
    return isBelow.first == false && isBelow.contains(true)
  }

  /// Decides what becomes of a gap that can't be read on from above: the rows below are gone where the server has no
  /// others than those above, and else it can't be loaded.
  private mutating func endGap(_ gap: PageID, isNewer: Bool) -> (change: ListChange, effects: [ListEffect])? {
    guard let extent = machine.extent, let reading = extent.gaps[gap], reading.above.link.key == nil else {
      return nil
    }
    if isNewer, gap == store.gaps.first, extent.startsList, store.edits.isEmpty, reading.above.hasAllRows {
      let effects = machine.endList(above: gap)
      return (store.removeRows(below: gap), effects)
    }
    guard reading.key(.below) == nil else { return nil }
    return (store.change(gap) { $0.unavailable = .paging(reading.reason) }, [])
  }

  /// Marks a gap whose next page the server refuses, such as for a cursor that has expired. Returns the change.
  mutating func refusedGap(_ number: Int, _ error: LoadError) -> ListChange {
    guard case .gap(let gap, let side)? = machine.placement(of: number), error.isRefusal else { return ListChange() }
    machine.extent?.gaps[gap]?.end(side, because: error)
    guard machine.extent?.gaps[gap]?.side(preferring: side) == nil else { return ListChange() }
    return store.change(gap) { $0.unavailable = error }
  }

  /// Loads the gaps among these pages by itself, as far as the program allows.
  mutating func loadGap(_ page: PageRange) -> [ListEffect] {
    store.gap(page.id)?.unavailable == nil ? fillGap(page.id, from: nil, []) : []
  }

  private func nextGap(after gap: PageID) -> PageID? { store.gaps.first { $0 > gap } }

  /// The rows that the server has sent above a gap; all without one.
  private func rowsAbove(_ gap: PageID?) -> ReceivedRows {
    guard let gap else { return receivedRows }
    return ReceivedRows(count: store.rowsOf(gap).lowerBound - store.gaps.count { $0 < gap })
  }

  /// Moves what is known of rows by their positions.
  mutating func move(_ change: ListChange) {
    visible = change.moving(visible)
    restoredAnchor = restoredAnchor.map { change.moving($0..<$0 + 1).lowerBound }
  }
}

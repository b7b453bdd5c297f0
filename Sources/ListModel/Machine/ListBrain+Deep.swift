internal import ItemMapping
internal import ListReading
internal import ServerAPI

/// Pages of a deep refresh, which are laid over the rows one after the other.
extension ListBrain {
  /// Handles a page of a deep refresh.
  mutating func readAgain(
    _ page: LoadedPage<Item>, _ read: ReadPage, for number: Int, _ kind: LoadKind
  ) -> JoinedPages<Item> {
    guard let before = machine.extent?.deep else { return JoinedPages() }
    let isLost = before.page.map { store.page($0) == nil } ?? false
    // A page that is as old as an edit may lack its row, and an edit knows its row by the page.
    guard store.edits.isEmpty, confirmedMeanwhile.removeValue(forKey: number) == nil, !isLost else {
      return JoinedPages(
        effects: machine.repeatDeep(number, isPaused: !store.edits.isEmpty, isLost: isLost))
    }
    if let look = before.looks.first { return show(page, read, at: look, for: number, kind) }
    if before.joins.isEmpty { reread = [] }
    guard canReadAgain(page, after: before) else {
      if before.page == nil { return JoinedPages(effects: machine.replaceDeep(number)) }
      let error = PagingError.missingRows("a page that was read again has rows that can't be compared")
      return JoinedPages(effects: failed(number, .paging(error)))
    }
    let start = store.end(of: before.page)
    let ids = reread.flatMap { $0.rows.ids ?? [] }
    let compared = compared(page, before: start, then: ids)
    var joining = before.ahead.joining(read)
    if before.ahead.isLooking {
      switch machine.extent?.deep?.ahead.receive(read, compared) {
      case .request(let key): return JoinedPages(effects: request(key, for: number))
      case .join(let next): joining = next
      case .compare, nil: break
      }
    }
    let (count, isKnown) = newRows(of: page, from: start, after: ids)
    var rows = before.ahead.account.rows
    rows.count += count
    machine.extent?.deep?.add(
      joining,
      Reading.Added(
        shared: compared.shared, rows: rows, isNew: count > 0, isNewToProgram: count > 0,
        knownRows: compared.shared.known, lastID: page.rows.ids?.last),
      isKnown: isKnown)
    reread.append(page)
    return layAgain(read, for: number, kind)
  }

  /// Lays the pages that were read again over the rows, or requests a further one if they don't show what became of the
  /// rows that they lack.
  private mutating func layAgain(
    _ read: ReadPage, for number: Int, _ kind: LoadKind
  ) -> JoinedPages<Item> {
    guard let deep = machine.extent?.deep, let page = reread.last else { return JoinedPages() }
    let canGoOn = deep.ahead.link.key != nil && deep.newPages <= max(1, machine.search.gapPages)
    let hasEnded = deep.ahead.end() == .complete
    let pages = zip(reread, deep.joins).map { page, isJoined in
      ListStore<Item>.PageAgain(rows: page.rows, isJoined: isJoined, next: page.page.facts.next.key)
    }
    let isBeyond = deep.newPages == deep.joins.count && deep.page != nil && canUnload(after: deep)
    let reach: RereadPlan.Reach = hasEnded ? .end : canGoOn ? .open : isBeyond ? .beyond : .far
    switch store.lay(
      pages, after: deep.page, doubtful: deep.doubtful, evidence(for: page, of: deep), reach,
      canLook: deep.canLook)
    {
    case .laid(let laid): return joinAgain(laid, read, for: number, kind)
    case .skipsRows:
      machine.extent?.deep?.look()
      return JoinedPages(effects: machine.repeatDeep(number, isPaused: false))
    case .undecided where canGoOn: return JoinedPages(effects: machine.proceedDeep(number))
    case .undecided where deep.page == nil: return JoinedPages(effects: machine.replaceDeep(number))
    case .undecided, .passesGap:
      reread = []
      return JoinedPages(effects: machine.endDeep(number, ListChange(), at: read, nil))
    }
  }

  /// Whether the rows that were not read again can leave the list: nobody sees them, and they come again with the next
  /// pages if they are still there.
  private func canUnload(after deep: DeepReading) -> Bool {
    let areBeyond = reread.allSatisfy { page in page.rows.ids?.last.map { !store.contains($0) } ?? false }
    return areBeyond && store.gaps.isEmpty && deep.ahead.link.key != nil
      && !visible.overlaps(store.end(of: deep.page)..<store.endOfRereading)
  }

  /// Records pages that were laid over the rows, and requests the next one if rows are left.
  private mutating func joinAgain(
    _ laid: ListStore<Item>.Reread, _ read: ReadPage, for number: Int, _ kind: LoadKind
  ) -> JoinedPages<Item> {
    guard let deep = machine.extent?.deep, let page = reread.last else { return JoinedPages() }
    let growth = deep.page == nil ? evidence(for: page, of: deep).growth : nil
    var joined = take(laid, of: reread, at: read, kind, growth: growth, isStart: deep.page == nil)
    let ids = Set(reread.flatMap { $0.rows.ids ?? [] })
    machine.extent?.deep?.commit(upTo: laid.page, ids, kept: laid.doubtful, hasMoves: laid.hasMoves)
    reread = []
    let hasRowsLeft = store.end(of: laid.page) < store.endOfRereading
    if hasRowsLeft, machine.extent?.deep?.above.link.key != nil {
      joined.effects += machine.proceedDeep(number)
    } else {
      joined.effects += endDeep(number, laid.change, at: read, hasRowsLeft: hasRowsLeft)
    }
    if !visible.isEmpty { joined.effects += loadMissing(around: visible) }
    return joined
  }

  /// Records pages that were laid over the rows, and what that changes.
  ///
  /// - Parameters:
  ///   - laid: How they were laid over the rows.
  ///   - pages: The pages.
  ///   - read: The last of them, as it was read.
  ///   - kind: The kind of the load.
  ///   - growth: By how many rows the list has grown, if its total says that.
  ///   - isStart: Whether the pages are those at the start of the list.
  mutating func take(
    _ laid: ListStore<Item>.Reread, of pages: [LoadedPage<Item>], at read: ReadPage, _ kind: LoadKind,
    growth: Int? = nil, isStart: Bool = false
  ) -> JoinedPages<Item> {
    guard let last = pages.last else { return JoinedPages() }
    let wasFresh = freshness
    for page in pages {
      omitted.add(page, acceptsUnreadable: acceptsUnreadableRows)
      record.didReceive(page.rows.source)
      machine.extent?.ownRows.subtract(page.rows.ids ?? [])
    }
    if isStart, let first = pages.first { record.begin(with: first.rows.source, asOf: first.rows.asOf) }
    let shift = min(laid.addedBefore - laid.gone, growth ?? .max)
    moveNextPage(by: shift)
    machine.extent?.moveGaps(by: shift)
    let rows = receivedRows
    machine.extent?.reading.rejoinStart(read, hasMoves: laid.hasMoves, rows)
    move(laid.change)
    var report = last.report(of: kind)
    report.repeats = laid.duplicatesInPage
    var joined = JoinedPages<Item>(page: last, id: laid.page, placement: .deep)
    joined.effects += notice(of: laid.change)
    if !report.isClean { joined.effects.append(.notify(.didReport(report))) }
    joined.effects += notice(ofFreshnessAfter: wasFresh)
    return joined
  }

  private mutating func endDeep(
    _ number: Int, _ change: ListChange, at read: ReadPage, hasRowsLeft: Bool
  ) -> [ListEffect] {
    guard !hasRowsLeft else { return machine.endDeep(number, change, at: read, nil) }
    (turn, movedUp) = ([], [:])
    return machine.endDeep(number, change, at: read, receivedRows)
  }

  /// Whether a page can be laid over the rows.
  private func canReadAgain(_ page: LoadedPage<Item>, after deep: DeepReading) -> Bool {
    guard page.rows.ids != nil, page.page.report.droppedItems == 0, isNewer(page) else { return false }
    guard deep.page == nil, deep.joins.isEmpty else { return true }
    guard let extent = machine.extent, !isHidden, page.rows.key == machine.first,
      extent.startsList || store.tree.first?.key == machine.first
    else { return false }
    return omitted.isEmpty && page.filtered == 0 && page.page.facts.next.key != nil
      && store.tree.first.map { $0.ids != nil || $0.count == 0 } ?? true
  }

  /// What is known of the rows beside those of a page. Only the first one is compared with the total of before.
  private func evidence(for page: LoadedPage<Item>, of deep: DeepReading) -> SpliceEvidence {
    guard let extent = machine.extent else { return SpliceEvidence() }
    return SpliceEvidence(
      growth: deep.page == nil && deep.joins.count == 1 && extent.gaps.isEmpty
        ? extent.reading.account.growth(to: page.page.facts) : nil,
      keepsOrder: extent.reading.keepsOrder && deep.ahead.keepsOrder && !extent.distrusts.contains(.order))
  }

  /// Returns how many rows of a page no page before it had, and whether one of them is among the rows of the list from a
  /// position on.
  private func newRows(
    of page: LoadedPage<Item>, from start: Int, after ids: [RowID]
  ) -> (count: Int, isKnown: Bool) {
    var seen = Set(ids)
    var (count, isKnown) = (0, false)
    for id in page.rows.ids ?? [] where seen.insert(id).inserted {
      let position = store.position(of: id)
      if let position, position < start { continue }
      count += 1
      if position != nil { isKnown = true }
    }
    return (count, isKnown)
  }
}

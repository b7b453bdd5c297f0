internal import ItemMapping
internal import ListReading
internal import ServerAPI

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A refresh that keeps the pages after the first one.
extension ListBrain {
  /// Lays the page of a refresh over the rows; `nil` if it replaces all of them.
  mutating func splice(
    _ page: LoadedPage<Item>, _ read: ReadPage, for number: Int, _ kind: LoadKind
  ) -> JoinedPages<Item>? {
    guard canSplice(page, for: number), let evidence = evidence(for: page) else { return nil }
    if let joined = openGap(page, read, for: number, kind, evidence) { return joined }
    let rowsAboveGap = store.gaps.first.map { store.rowsOf($0).lowerBound }
    guard let (spliced, plan) = store.spliceStart(page.rows, next: page.page.facts.next.key, evidence)
    else { return nil }
    var merge = spliced
    if plan.end == rowsAboveGap, let gap = store.gaps.first {
      // The page leads on into the gap.
      let change = store.change(gap) { ($0.size, $0.unavailable) = (nil, nil) }
      merge.change.updated = [Range<Int>]((merge.change.updated + change.updated).joined())
    }
    let wasFresh = freshness
    record.begin(with: page.rows.source, asOf: page.rows.asOf)
    machine.extent?.ownRows.subtract(page.rows.ids ?? [])
    // A total that has grown less shows that rows further down are gone, too.
    moveNextPage(by: min(merge.added - plan.mostGone, evidence.growth ?? .max))
    reopenEnd(after: page.page.facts)
    machine.extent?.moveGaps(by: merge.added - plan.mostGone)
    if plan.end == rowsAboveGap { machine.restartTop(at: read, rows: page.rows.items.count) }
    move(merge.change)
    var report = page.report(of: kind)
    report.repeats = merge.duplicatesInPage
    var joined = JoinedPages<Item>(page: page, id: merge.page, splice: evidence)
    joined.effects += notice(of: merge.change)
    if !report.isClean { joined.effects.append(.notify(.didReport(report))) }
    joined.effects += notice(ofFreshnessAfter: wasFresh)
    joined.effects += machine.spliced(
      number, read, merge.change, hasMoves: plan.hasMoves, rows: receivedRows,
      rowsAboveGap: store.gaps.first.map { store.rowsOf($0).lowerBound })
    // The refresh has ended the loads of evicted pages.
    if !visible.isEmpty { joined.effects += loadMissing(around: visible) }
    return joined
  }

  /// Returns what is known of the rows beside those of a page.
  private func evidence(for page: LoadedPage<Item>) -> SpliceEvidence? {
    guard let extent = machine.extent else { return nil }
    return SpliceEvidence(
      // The rows above a gap are from other moments than the total.
      growth: extent.gaps.isEmpty ? extent.reading.account.growth(to: page.page.facts) : nil,
      keepsOrder: extent.reading.keepsOrder && !extent.distrusts.contains(.order))
  }

  /// Whether the page of a refresh may be laid over the rows.
  private func canSplice(_ page: LoadedPage<Item>, for number: Int) -> Bool {
    guard machine.splices(number), let extent = machine.extent, !isHidden,
      page.rows.key == machine.first, extent.startsList || store.tree.first?.key == machine.first
    else { return false }
    // Only a new reading finds rows that are missing between pages.
    guard !extent.reading.account.losses.mayLackRows else { return false }
    // A page that says that it is the last one has all rows.
    guard isNewer(page), page.page.facts.next.key != nil else { return false }
    // How many of the rows that did not join are gone can't be told, and an edit knows its row by its page.
    return omitted.isEmpty && page.filtered == 0 && page.page.report.droppedItems == 0
      && store.edits.isEmpty && confirmedMeanwhile[number] == nil
  }

  /// Whether a page is from the server, and not older than the first one. A page that is older lacks new rows.
  func isNewer(_ page: LoadedPage<Item>) -> Bool {
    !page.rows.source.isCache && freshness.asOf.map { page.rows.asOf >= $0.timeIntervalSince1970 } ?? true
  }

  /// Moves the next page with the rows, where pages are counted.
  mutating func moveNextPage(by rows: Int) {
    guard let next = machine.frontier, let reading = machine.extent?.reading,
      let key = self.next(next, movedBy: rows, isCounting: reading.isCounting, pageSize: reading.pageSize)
    else { return }
    machine.extent?[.next] = .page(key)
  }

  /// Returns the page to go on with after the rows before it have moved; `nil` if it is the same. Pages that don't begin at
  /// a row go back by a whole page, and forward by as many as the rows fill.
  func next(_ key: PageKey, movedBy rows: Int, isCounting: Bool = false, pageSize: Int? = nil) -> PageKey? {
    guard rows != 0, key.place.isCounted || isCounting else { return nil }
    if let key = key.moved(by: rows) { return key }
    return rows < 0
      ? store.key(before: key, rows: -rows) : pageSize.flatMap { key.moved(byPages: rows / max(1, $0)) }
  }

  /// Continues a list that had ended at its last page, if the server reports more rows now.
  mutating func reopenEnd(after facts: PageFacts) {
    guard let extent = machine.extent, extent[.next] == .end, extent.gaps.isEmpty, let total = facts.total,
      !facts.isTotalAtLeast, total > receivedRows.count, let last = extent.lastKeys[.next]
    else { return }
    machine.extent?[.next] = .page(last)
  }
}

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
    guard canSplice(page, for: number), let extent = machine.extent else { return nil }
    let evidence = SpliceEvidence(
      growth: extent.reading.account.growth(to: page.page.facts),
      keepsOrder: extent.reading.keepsOrder && !extent.distrusts.contains(.order))
    guard
      let (merge, plan) = store.spliceStart(
        page.rows, next: page.page.facts.next.key, evidence)
    else { return nil }
    let wasFresh = freshness
    record.begin(with: page.rows.source, asOf: page.rows.asOf)
    machine.extent?.ownRows.subtract(page.rows.ids ?? [])
    // A total that has grown less shows that rows further down are gone, too.
    moveNextPage(by: min(merge.added - plan.mostGone, evidence.growth ?? .max))
    reopenEnd(after: page.page.facts)
    visible = merge.change.moving(visible)
    restoredAnchor = restoredAnchor.map { merge.change.moving($0..<$0 + 1).lowerBound }
    var report = page.report(of: kind)
    report.repeats = merge.duplicatesInPage
    var joined = JoinedPages<Item>(page: page, id: merge.page, splice: evidence)
    joined.effects += notice(of: merge.change)
    if !report.isClean { joined.effects.append(.notify(.didReport(report))) }
    joined.effects += notice(ofFreshnessAfter: wasFresh)
    joined.effects += machine.spliced(
      number, read, merge.change, hasMoves: plan.hasMoves, rows: receivedRows)
    // The refresh has ended the loads of evicted pages.
    if !visible.isEmpty { joined.effects += loadMissing(around: visible) }
    return joined
  }

  /// Whether the page of a refresh may be laid over the rows.
  private func canSplice(_ page: LoadedPage<Item>, for number: Int) -> Bool {
    guard machine.splices(number), let extent = machine.extent, !isHidden,
      page.rows.key == machine.first, extent.startsList || store.tree.first?.key == machine.first
    else { return false }
    // Only a new reading finds rows that are missing between pages.
    guard !extent.reading.account.losses.mayLackRows else { return false }
    // A page that is older than the rows lacks new ones. A page that says that it is the last one has all rows.
    let isOlder = freshness.asOf.map { page.rows.asOf < $0.timeIntervalSince1970 } ?? false
    guard !page.rows.source.isCache, !isOlder, page.page.facts.next.key != nil else { return false }
    // How many of the rows that did not join are gone can't be told, and an edit knows its row by its page.
    return omitted.isEmpty && page.filtered == 0 && page.page.report.droppedItems == 0
      && store.edits.isEmpty && confirmedMeanwhile[number] == nil
  }

  /// Moves the next page with the rows, where pages are counted.
  private mutating func moveNextPage(by rows: Int) {
    guard let next = machine.frontier, let reading = machine.extent?.reading,
      let key = self.next(next, movedBy: rows, isCounting: reading.isCounting)
    else { return }
    machine.extent?[.next] = .page(key)
  }

  /// Returns the page to go on with after the rows before it have moved; `nil` if it is the same. Pages that don't begin at
  /// a row go back by a whole page, and not forward.
  func next(_ key: PageKey, movedBy rows: Int, isCounting: Bool = false) -> PageKey? {
    guard rows != 0, key.place.isCounted || isCounting else { return nil }
    return key.moved(by: rows) ?? (rows < 0 ? store.key(before: key, rows: -rows) : nil)
  }

  /// Continues a list that had ended at its last page, if the server reports more rows now.
  private mutating func reopenEnd(after facts: PageFacts) {
    guard let extent = machine.extent, extent[.next] == .end, let total = facts.total,
      !facts.isTotalAtLeast, total > receivedRows.count, let last = extent.lastKeys[.next]
    else { return }
    machine.extent?[.next] = .page(last)
  }
}

internal import ListReading
internal import ServerAPI

/// The handling of kept pages.
extension ListBrain {
  /// Handles kept pages: the first ones, or those around the visible ones.
  ///
  /// - Parameters:
  ///   - number: The number of the restore.
  ///   - kept: The pages.
  mutating func restored(_ number: Int, _ kept: Restoration<Item>) -> [ListEffect] {
    guard machine.runningLoad(number) != nil else { return [] }
    let wasFresh = freshness
    if let first = kept.before.first ?? kept.after.first, freshness == .nothing {
      record.begin(with: first.rows.source, asOf: first.rows.asOf)
    }
    var report = PageReport(kind: .restore)
    // Edits refer to the rows that are visible meanwhile, so these stay and the other pages join them. A row
    // that was inserted and confirmed is in none of the kept pages.
    let (change, growth) = store.isEdited ? (join(kept), 0) : surround(with: kept, &report)
    let notices =
      notice(of: change)
      + (kept.isLast && !report.isClean ? [.notify(.didReport(report))] : [])
      + notice(ofFreshnessAfter: wasFresh)
    for page in kept.before + kept.after {
      omitted.add(page, acceptsUnreadable: acceptsUnreadableRows)
    }
    var account = kept.account
    account.rows = receivedRows
    var facts = kept.facts
    if let key = facts.next.key, let next = next(key, movedBy: min(growth, kept.growth ?? .max)) {
      facts.next = .page(next)
    }
    let effects = machine.restored(
      number, facts, account: account, change: change, isLast: kept.isLast)
    for page in PageSequence(store.tree).suffix(MovedRows.mostPages) {
      if let key = page.key { machine.extent?.reading.remember(key) }
    }
    if kept.isLast {
      for page in PageSequence(store.tree) where page.ids == nil && page.count > 0 {
        guard let key = page.key else { continue }
        _ = machine.extent?.reading.isRepeat(at: key, fingerprint: page.fingerprint, isEmpty: false)
      }
    }
    recordUnconfirmedRows()
    return notices + effects
  }

  mutating func nothingKept(_ number: Int) -> [ListEffect] { machine.nothingKept(number) }

  /// Joins all pages again in the order in which they first arrived. Returns the change, and the number of rows by which
  /// those after the last page have moved since it came.
  private mutating func surround(
    with kept: Restoration<Item>, _ report: inout PageReport
  ) -> (ListChange, growth: Int) {
    let (merge, growth) = store.surround(
      with: kept.before.map(\.rows), kept.after.map(\.rows), arrivals: kept.arrivals)
    (report.duplicates, report.repeats) = (merge.duplicatesAcross, merge.duplicatesInPage)
    visible = merge.change.moving(visible)
    if let anchor = restoredAnchor {
      restoredAnchor = merge.change.moving(anchor..<anchor + 1).lowerBound
    } else if let anchor = kept.anchor, store.snapshot.pages.indices.contains(anchor.page) {
      let rows = store.snapshot.pages[anchor.page].range
      let row = max(0, min(rows.lowerBound + anchor.row, rows.upperBound - 1))
      (restoredAnchor, visible) = (row, row..<min(row + 1, store.snapshot.count))
    }
    return (merge.change, growth)
  }

  /// Joins kept pages one by one around those that are visible.
  private mutating func join(_ kept: Restoration<Item>) -> ListChange {
    let count = store.snapshot.count
    let changes =
      kept.before.reversed().map { store.join($0.rows, at: .previous).change }
      + kept.after.map { store.join($0.rows, at: .next).change }
    for change in changes {
      visible = change.moving(visible)
      restoredAnchor = restoredAnchor.map { change.moving($0..<$0 + 1).lowerBound }
    }
    return .merging(changes, of: count)
  }
}

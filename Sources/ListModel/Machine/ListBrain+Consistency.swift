internal import ItemMapping
internal import ServerAPI

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// What can be claimed of the rows of a list, page by page, by the same rule as for a walk.
extension ListBrain {
  /// Returns the record with a page that has been inserted.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - merge: Its effect on the rows; `nil` if it is a repeat and was left out.
  ///   - placement: Where it joins the list.
  ///   - finding: What was found out about the seam before it.
  ///   - paging: How it was requested.
  mutating func recordPage(
    _ page: LoadedPage<Item>, _ merge: Merge?, _ placement: PagePlacement,
    _ finding: SeamFinding<Item>, by paging: (any PageStrategy)?
  ) -> ConsistencyRecord? {
    if placement != .all, machine.extent?.record.windows == 0 { recordUnconfirmedRows() }
    guard var record = placement == .all ? ConsistencyRecord() : machine.extent?.record else {
      return nil
    }
    let key = page.rows.key
    let side: ListSide
    switch placement {
    case .all: side = .next
    case .over(let preview, _) where preview.isServers:
      replace(page, merge, in: &record)
      return record
    case .at(let place), .over(_, let place):
      side = place
      if place == .previous, page.page.facts.previous == .end {
        machine.extent?.noteStart()
      }
    case .gap:
      replace(page, merge, in: &record)
      return record
    }
    record.note(page.version, total: page.page.facts.total)
    if placement == .at(.next) {
      record.checks += machine.extent?.windows.overlap.takeChecks() ?? 0
    }
    var approach =
      paging.map { record.approach(to: key, by: $0) }
      ?? (record.windows == 0 ? .start : .position)
    if finding.window?.isChained == true, !record.isCounting { approach = .chain }
    let isRepeat = merge?.isNew != true && page.sentRows > 0 && placement != .all
    let endSign = page.page.facts.endSign.of(
      finding.window, isRepeat: isRepeat,
      isThinned: machine.extent?.windows.isThinned ?? false)
    page.page.seam = record.add(
      approach,
      page.rows.lacksIDs
        ? nil : finding.meeting ?? merge.flatMap { meeting(of: page.rows, $0, side) },
      rows: page.sentRows, endSign: side == .next ? endSign : nil,
      isKeyset: paging?.isKeyset ?? false, next: side == .next ? page.page.facts.next : .end,
      lastID: side == .next ? page.rows.ids?.last : nil, at: page.rows.asOf,
      outcome: finding.outcome, isSeen: finding.window != nil,
      endsByName: side == .next && page.page.facts.endsByName)
    for page in finding.found { page.page.seam = finding.outcome }
    if finding.meeting != nil { machine.extent?.ownRows.subtract(page.rows.ids ?? []) }
    return record
  }

  /// Records a page that came again.
  private func replace(
    _ page: LoadedPage<Item>, _ merge: Merge?, in record: inout ConsistencyRecord
  ) {
    guard let merge else { return }
    // A chained page that comes again has other rows at its end if rows were inserted in it, and those that
    // were there are on no page then.
    let key = page.rows.key
    let isCounted = key.place.isCounted || key.place.seam == .assumed
    record.replace(
      at: page.rows.asOf,
      version: page.version,
      dropsRows: isCounted ? !merge.change.isEmpty : !merge.change.removed.isEmpty)
  }

  /// Records rows whose place among the others is not known: kept ones, or stored ones that the server has not
  /// confirmed.
  mutating func recordUnconfirmedRows() {
    let moment = freshness.asOf?.timeIntervalSince1970 ?? 0
    if machine.extent?.record.windows == 0 {
      machine.extent?.record.add(.start, nil, rows: 0, endSign: .counted, at: moment)
    }
    machine.extent?.record.add(.position, nil, rows: 0, endSign: .counted, at: moment)
  }

  /// The number of rows of a page that the program inserted.
  func ownRows(in page: PageRows<Item>) -> Int {
    guard let own = machine.extent?.ownRows, !own.isEmpty else { return 0 }
    return page.ids?.count(where: own.contains) ?? 0
  }

  /// Returns what the rows of a page share with those that were in the list; `nil` if rows have no ids.
  private mutating func meeting(
    of page: PageRows<Item>, _ merge: Merge, _ side: ListSide
  ) -> ConsistencyRecord.Meeting? {
    guard let ids = page.ids else { return nil }
    var meeting = ConsistencyRecord.Meeting()
    meeting.repeatsID = merge.duplicatesInPage > 0
    meeting.known = merge.duplicatesAcross
    // Rows that are moved to their later place no longer say where they were.
    guard meeting.known > 0, store.duplicates != .moveToNew else { return meeting }
    let rows = store.rowsOf(merge.page)
    let count = store.snapshot.count
    // Towards the start of the list, everything is the other way round.
    let isNext = side == .next
    var comparison = MeetingRecord(rowsBefore: isNext ? rows.lowerBound : count - rows.upperBound)
    for id in isNext ? ids : ids.reversed() {
      guard let position = store.position(of: id) else { continue }
      // A row that the program inserted shows nothing of where the server's pages were.
      if machine.extent?.ownRows.remove(id) != nil || store.edits.isInserting(id) { continue }
      if rows.contains(position) {
        comparison.addNew()
      } else {
        comparison.add(isNext ? readingOrder(of: id, at: position) : count - 1 - position)
      }
    }
    meeting = comparison.meeting ?? meeting
    meeting.repeatsID = merge.duplicatesInPage > 0
    return meeting
  }
}

internal import ItemMapping
internal import ListReading
internal import ServerAPI

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// What a page adds to the ``Reading`` of a list.
extension ListBrain {
  /// Returns what a page that was inserted added to the rows.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - merge: Its effect on the rows; `nil` if it is a repeat and was left out.
  ///   - placement: Where it joined the list.
  ///   - shared: What its rows share with those before, if that is known.
  ///   - hidesNewRows: Whether a filter left out rows of it that had not come before.
  mutating func added(
    by page: LoadedPage<Item>, _ merge: Merge?, _ placement: PagePlacement,
    _ shared: SharedRows?, hidesNewRows: Bool
  ) -> Reading.Added {
    let side = placement.side
    let isNew =
      if placement == .all { !page.rows.isEmpty } else {
        merge.map { $0.isNew || hidesNewRows } ?? false
      }
    var added = Reading.Added(
      rows: receivedRows, isNew: isNew, isNewToProgram: isNew, isRepeat: merge == nil,
      lastID: side == .next ? page.rows.ids?.last : nil)
    if placement == .at(.next) {
      added.knownRows = max(0, (merge?.duplicatesAcross ?? 0) - ownRows(in: page.rows))
    }
    if let side, !page.rows.lacksIDs {
      added.shared = shared ?? merge.flatMap { self.shared(of: page.rows, $0, side) }
    }
    if shared != nil { machine.extent?.ownRows.subtract(page.rows.ids ?? []) }
    return added
  }

  /// Records a page that came again.
  mutating func replace(with page: ReadPage, _ merge: Merge, _ placement: PagePlacement) {
    if case .evicted = placement {
      machine.extent?.reading.replace(with: page, dropsRows: merge.losesRows)
      return
    }
    // If rows were inserted into a chained page, its last rows no longer fit when it is requested again, and no other
    // page has them.
    let isCounted = page.key.place.isCounted || !page.key.place.isChained
    machine.extent?.reading.replace(
      with: page, dropsRows: isCounted ? !merge.change.isEmpty : !merge.change.removed.isEmpty)
  }

  /// Records rows whose place among the others is not known: kept ones, or stored ones that the server has not
  /// confirmed.
  mutating func recordUnconfirmedRows() {
    let moment = freshness.asOf?.timeIntervalSince1970 ?? 0
    machine.extent?.reading.joinUnplaced(at: moment)
  }

  /// The number of rows of a page that the program inserted.
  private func ownRows(in page: PageRows<Item>) -> Int {
    guard let own = machine.extent?.ownRows, !own.isEmpty else { return 0 }
    return page.ids?.count(where: own.contains) ?? 0
  }
}

extension PagePlacement {
  /// The side of the list where a new page joins; `nil` if it takes the place of one that the server sent before.
  fileprivate var side: ListSide? {
    switch self {
    case .all: .next
    case .at(let side): side
    case .over(let preview, let side): preview.isServers ? nil : side
    case .evicted, .gap, .deep: nil
    }
  }
}

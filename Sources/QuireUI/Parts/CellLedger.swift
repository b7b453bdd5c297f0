#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
  internal import Quire

  /// The cells that a view was given, with the positions and kinds of their rows. The positions follow each
  /// change, because a view reports the end of a cell, or the tap on a swipe action, after rows have moved.
  struct CellLedger {
    private struct Entry {
      var position: RowPosition
      var kind: CellKind
      var isShown = false
    }

    private var entries: [ObjectIdentifier: Entry] = [:]
    private var swiped: [RowAction.Swipe.Edge: RowPosition] = [:]

    /// Notes that a cell was made for a row.
    mutating func gave(_ cell: AnyObject, for position: RowPosition, _ kind: CellKind) {
      let isShown = entries[ObjectIdentifier(cell)]?.isShown ?? false
      entries[ObjectIdentifier(cell)] = Entry(position: position, kind: kind, isShown: isShown)
    }

    /// Notes that a cell becomes visible; returns whether it was not yet.
    mutating func show(_ cell: AnyObject, at position: RowPosition) -> Bool {
      guard entries[ObjectIdentifier(cell)]?.isShown == false else { return false }
      entries[ObjectIdentifier(cell)]?.isShown = true
      entries[ObjectIdentifier(cell)]?.position = position
      return true
    }

    /// Forgets a cell that is no longer visible; returns where its row is now, if it still exists.
    mutating func end(_ cell: AnyObject) -> RowPosition? {
      guard let entry = entries.removeValue(forKey: ObjectIdentifier(cell)), entry.isShown else {
        return nil
      }
      return entry.position
    }

    /// The rows that are visible, from first to last.
    var shownRows: [RowPosition] { entries.values.filter(\.isShown).map(\.position).sorted() }

    /// Notes the row whose swipe actions are shown.
    mutating func swipe(_ position: RowPosition, on edge: RowAction.Swipe.Edge) {
      swiped[edge] = position
    }

    /// The row whose swipe actions are shown, if it still exists.
    func swipedRow(on edge: RowAction.Swipe.Edge) -> RowPosition? { swiped[edge] }

    /// Returns whether a cell of another kind shows a row, so that the cell can't be kept.
    func hasOtherKind(than kind: CellKind, at position: RowPosition) -> Bool {
      entries.values.contains { $0.position == position && $0.kind != kind }
    }

    /// Follows a change; rows that it removes are forgotten.
    ///
    /// - Parameter moved: A row that the user moved, perhaps to another section.
    mutating func follow(
      _ change: SectionsChange, _ moved: (from: RowPosition, to: RowPosition)? = nil
    ) {
      func place(of position: RowPosition) -> RowPosition? {
        position == moved?.from ? moved?.to : change.place(of: position)
      }
      entries = entries.compactMapValues { entry in
        place(of: entry.position).map {
          Entry(position: $0, kind: entry.kind, isShown: entry.isShown)
        }
      }
      swiped = swiped.compactMapValues(place)
    }

    /// Forgets everything, because all rows are replaced.
    mutating func removeAll() { self = CellLedger() }
  }

  extension SectionsChange {
    /// Returns the position of a row after the change; `nil` if it was removed or went to another section.
    func place(of position: RowPosition) -> RowPosition? {
      guard let section = sections.place(of: position.section) else { return nil }
      guard let change = rows.first(where: { $0.before == position.section })?.change else {
        return RowPosition(section: section, row: position.row)
      }
      return change.place(of: position.row).map { RowPosition(section: section, row: $0) }
    }
  }

  extension ListChange {
    /// Returns the position of a row after the change. Rows that were neither inserted nor moved keep their
    /// order and fill the remaining places.
    fileprivate func place(of row: Int) -> Int? {
      if let move = moved.first(where: { $0.from == row }) { return move.to }
      if removed.contains(where: { $0.contains(row) }) { return nil }
      let gone = removed.reduce(0) { $0 + $1.clamped(to: 0..<row).count }
      var place = row - gone - moved.count { $0.from < row }
      let taken = (inserted + moved.map { $0.to..<$0.to + 1 }).sorted {
        $0.lowerBound < $1.lowerBound
      }
      for rows in taken where rows.lowerBound <= place { place += rows.count }
      return place
    }
  }
#endif

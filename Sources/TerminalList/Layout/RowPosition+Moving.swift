internal import ListModel
internal import ListPresentation

extension RowPosition {
  /// Where a row is after a change; for one that is gone, the place that the next one has.
  func moved(by change: SectionsChange) -> RowPosition {
    var place = self
    place.section = change.sections.place(of: section)
    if let rows = change.rows.first(where: { $0.before == section }) {
      place.section = rows.after
      place.row = rows.change.place(of: row)
    }
    return place
  }
}

extension ListChange {
  /// Where a row is after the change. Rows that neither came nor moved keep their order and fill the
  /// places that are left.
  func place(of row: Int) -> Int {
    if let move = moved.first(where: { $0.from == row }) { return move.to }
    let gone = removed.reduce(0) { $0 + $1.clamped(to: 0..<row).count }
    var place = row - gone - moved.count { $0.from < row }
    let taken = (inserted + moved.map { $0.to..<$0.to + 1 }).sorted {
      $0.lowerBound < $1.lowerBound
    }
    for rows in taken where rows.lowerBound <= place { place += rows.count }
    return place
  }
}

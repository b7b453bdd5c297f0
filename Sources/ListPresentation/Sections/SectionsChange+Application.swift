internal import ListModel

extension SectionsChange {
  /// The rows after the change, made from the rows before it. For views that keep rows of their own.
  ///
  /// - Parameters:
  ///   - old: The rows of each section before.
  ///   - newRow: Gives the row at a position after the change; asked for rows that are inserted or
  ///     updated in sections that stay.
  ///   - newSection: Gives the rows of a section by its number after the change; asked for sections that
  ///     are inserted.
  /// - Returns: `nil` when the change is not one of these rows.
  public func applied<Row>(
    to old: [[Row]], newRow: (RowPosition) -> Row, newSection: (Int) -> [Row]
  ) -> [[Row]]? {
    var sections = sections
    // Titles are not among the rows.
    let retitled = sections.updated
    sections.updated = []
    guard let origins = sections.applied(to: Array(old.indices), new: { _ in -1 }),
      retitled.allSatisfy({ $0.lowerBound >= 0 && $0.upperBound <= origins.count })
    else { return nil }
    var changed = old
    for rows in rows {
      guard origins.indices.contains(rows.after), origins[rows.after] == rows.before,
        let after = rows.change.applied(
          to: old[rows.before], new: { newRow(RowPosition(section: rows.after, row: $0)) })
      else { return nil }
      changed[rows.before] = after
    }
    return sections.applied(to: changed, new: newSection)
  }
}

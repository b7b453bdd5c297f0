internal import ListModel

/// Collects all rows with one label in one section, in the place of its first row. A plain value.
struct SectionGroups<Row> {
  private struct Group {
    var label: SectionLabel?
    /// The rows, numbered among those without header and footer.
    var rows: [Int]
  }

  private var groups: [Group] = []
  private var places: [RowID: Int] = [:]

  /// Adds rows after all others. Without a label they belong to the first section, whose label is unknown so
  /// far.
  mutating func add(_ rows: Range<Int>, _ label: SectionLabel?) {
    if let label, places.isEmpty, !groups.isEmpty {
      groups[0].label = label
      places[label.id] = 0
    }
    if let place = label.map({ places[$0.id] }) ?? groups.indices.first {
      groups[place].rows += rows
    } else {
      if let label { places[label.id] = groups.count }
      groups.append(Group(label: label, rows: Array(rows)))
    }
  }

  /// Returns the sections of all rows; `nil` if there are none.
  ///
  /// - Parameters:
  ///   - all: The rows, with header and footer.
  ///   - offset: The number of rows above those that were added.
  ///   - count: The number of rows that were added.
  func sections(
    of all: SectionRows<Row>.Source, offset: Int, count: Int
  ) -> ListSections<Row>? {
    guard !groups.isEmpty else { return nil }
    let last = groups.count - 1
    return ListSections(
      groups.enumerated().map { number, group in
        var rows = offset == 0 ? group.rows : group.rows.map { $0 + offset }
        if number == 0, offset > 0 { rows.insert(contentsOf: 0..<offset, at: 0) }
        if number == last, offset + count < all.count { rows += offset + count..<all.count }
        return ListSection(
          group.label?.id ?? 0, label: group.label, rows: SectionRows(all, at: rows))
      })
  }
}

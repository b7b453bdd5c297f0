public import ListModel

/// The change of one step to rows in sections: applied to the sections before, it gives the sections after.
///
/// An inserted section includes all its rows, and so does a removed one. A row that went from one section to
/// another is removed in one and inserted in the other.
public struct SectionsChange: Hashable, Sendable {
  /// The change of the rows of a section that stayed or moved.
  public struct Rows: Hashable, Sendable {
    /// The number of the section before the change.
    public var before: Int
    /// The number of the section after the change.
    public var after: Int
    /// The change of its rows.
    public var change: ListChange

    /// Creates a change of a section's rows.
    package init(before: Int, after: Int, change: ListChange) {
      self.before = before
      self.after = after
      self.change = change
    }
  }

  /// The change of whole sections; those with changed titles are updated.
  public var sections: ListChange
  /// The changes of rows, in the order of the sections after. Sections without a change are left out.
  public var rows: [Rows]

  /// Creates a change.
  package init(sections: ListChange = ListChange(), rows: [Rows] = []) {
    self.sections = sections
    self.rows = rows
  }

  /// Creates a change that replaces all sections.
  init<Item>(replacing old: ListSections<Item>, with new: ListSections<Item>) {
    self.init(
      sections: ListChange(
        removed: old.sectionCount == 0 ? [] : [0..<old.sectionCount],
        inserted: new.sectionCount == 0 ? [] : [0..<new.sectionCount]))
  }

  /// Whether nothing changed.
  public var isEmpty: Bool { sections.isEmpty && rows.isEmpty }
}

extension SectionsChange: CustomStringConvertible {
  /// The change in one line, such as `sections: inserted 1; section 0: inserted 20…39`.
  public var description: String {
    guard !isEmpty else { return "no change" }
    return
      ((sections.isEmpty ? [] : ["sections: \(sections)"])
      + rows.map { "section \($0.after): \($0.change)" }).joined(separator: "; ")
  }
}

/// Single rows, as table and collection views need them.
extension SectionsChange {
  /// The rows removed from sections that stay, at their positions before.
  public var removedRows: [RowPosition] { positions(\.before) { $0.removed.joined() } }

  /// The rows inserted into sections that stay, at their positions after.
  public var insertedRows: [RowPosition] { positions(\.after) { $0.inserted.joined() } }

  /// The rows with changed content, at their positions after.
  public var updatedRows: [RowPosition] { positions(\.after) { $0.updated.joined() } }

  /// The rows that moved within their section: their positions before and after.
  public var movedRows: [(from: RowPosition, to: RowPosition)] {
    rows.flatMap { part in
      part.change.moved.map { move in
        (
          RowPosition(section: part.before, row: move.from),
          RowPosition(section: part.after, row: move.to)
        )
      }
    }
  }

  private func positions(
    _ section: (Rows) -> Int, _ numbers: (ListChange) -> some Sequence<Int>
  ) -> [RowPosition] {
    rows.flatMap { part in
      numbers(part.change).map { RowPosition(section: section(part), row: $0) }
    }
  }
}

extension SectionsChange {
  /// Returns the rows after the change, made from the rows before it. For views that keep their own rows.
  ///
  /// - Parameters:
  ///   - old: The rows of each section before.
  ///   - newRow: Returns the row at a position after the change; called for rows that are inserted or
  ///     updated in sections that stay.
  ///   - newSection: Returns the rows of a section by its number after the change; called for inserted
  ///     sections.
  /// - Returns: `nil` if the change doesn't fit these rows.
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

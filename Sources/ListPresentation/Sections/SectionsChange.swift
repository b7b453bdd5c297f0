public import ListModel

/// What one step did to rows in sections: applied to those before it, it gives those after it.
///
/// Sections that came have all their rows with them, and sections that went took theirs along. A row that
/// went from one section to another is removed in one and inserted in the other.
public struct SectionsChange: Hashable, Sendable {
  /// What happened to the rows of a section that stayed or moved.
  public struct Rows: Hashable, Sendable {
    /// The number of the section before.
    public var before: Int
    /// The number of the section after.
    public var after: Int
    /// What became of its rows.
    public var change: ListChange

    /// Makes a change of a section's rows.
    public init(before: Int, after: Int, change: ListChange) {
      self.before = before
      self.after = after
      self.change = change
    }

    /// A change of the rows of a section that is where it was.
    init(_ section: Int, _ change: ListChange) {
      self.init(before: section, after: section, change: change)
    }
  }

  /// What became of the sections as wholes; updated are those with other titles.
  public var sections: ListChange
  /// What became of rows, in the order of the sections after. Sections without a change are left out.
  public var rows: [Rows]

  /// Makes a change.
  public init(sections: ListChange = ListChange(), rows: [Rows] = []) {
    self.sections = sections
    self.rows = rows
  }

  /// A change of the rows of one section.
  init(_ section: Int, _ change: ListChange) { self.init(rows: [Rows(section, change)]) }

  /// All sections give way to others.
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
  /// What changed in one line, such as `sections: inserted 1; section 0: inserted 20…39`.
  public var description: String {
    guard !isEmpty else { return "no change" }
    return
      ((sections.isEmpty ? [] : ["sections: \(sections)"])
      + rows.map { "section \($0.after): \($0.change)" }).joined(separator: "; ")
  }
}

/// The rows one by one, as table and collection views are told of them.
extension SectionsChange {
  /// Rows that are gone from sections that stay, at their positions before.
  public var removedRows: [RowPosition] { positions(\.before) { $0.removed.joined() } }

  /// Rows that are new in sections that stay, at their positions after.
  public var insertedRows: [RowPosition] { positions(\.after) { $0.inserted.joined() } }

  /// Rows with other content, at their positions after.
  public var updatedRows: [RowPosition] { positions(\.after) { $0.updated.joined() } }

  /// Rows that are elsewhere in their section: where they were before, and where they are after.
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

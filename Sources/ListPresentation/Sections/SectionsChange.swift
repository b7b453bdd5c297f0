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

#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
  internal import Quire
  internal import UIKit

  /// A change in the terms of table and collection views. The first step changes which rows there are; the
  /// second one their content, because its positions are those after the first.
  struct ViewUpdate {
    let deletedSections: IndexSet
    let insertedSections: IndexSet
    let movedSections: [ListChange.Move]
    let deletedRows: [IndexPath]
    let insertedRows: [IndexPath]
    let movedRows: [(from: IndexPath, to: IndexPath)]
    /// The second step: rows with other content, and sections with other titles.
    let updatedRows: [RowPosition]
    let reloadedSections: IndexSet

    /// Creates the update; `nil` if a view can't animate the change.
    init?(_ change: SectionsChange) {
      let sections = change.sections
      // UIKit doesn't accept changes of rows in a section that moves.
      let moved = Set(sections.moved.map(\.to))
      guard !change.rows.contains(where: { moved.contains($0.after) }) else { return nil }
      deletedSections = IndexSet(sections.removed.joined())
      insertedSections = IndexSet(sections.inserted.joined())
      movedSections = sections.moved
      deletedRows = change.removedRows.map(IndexPath.init)
      insertedRows = change.insertedRows.map(IndexPath.init)
      movedRows = change.movedRows.map { (IndexPath($0.from), IndexPath($0.to)) }
      let reloaded = IndexSet(sections.updated.joined())
      reloadedSections = reloaded
      // A section that is reloaded makes all its cells again.
      updatedRows = change.updatedRows.filter { !reloaded.contains($0.section) }
    }

    /// Divides the updated rows into those that keep their cells and those that need another one.
    func cells(
      needsOther: (RowPosition) -> Bool
    ) -> (kept: [IndexPath], other: [IndexPath]) {
      var (kept, other): ([IndexPath], [IndexPath]) = ([], [])
      for row in updatedRows {
        if needsOther(row) { other.append(IndexPath(row)) } else { kept.append(IndexPath(row)) }
      }
      return (kept, other)
    }

    /// Whether rows or sections are inserted, removed or moved.
    var changesRows: Bool {
      !(deletedSections.isEmpty && insertedSections.isEmpty && movedSections.isEmpty
        && deletedRows.isEmpty && insertedRows.isEmpty && movedRows.isEmpty)
    }
  }

  extension IndexPath {
    init(_ position: RowPosition) { self.init(item: position.row, section: position.section) }
  }

  extension RowPosition {
    init(_ path: IndexPath) { self.init(section: path.section, row: path.item) }
  }
#endif

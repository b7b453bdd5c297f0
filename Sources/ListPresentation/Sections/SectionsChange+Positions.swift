internal import ListModel

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

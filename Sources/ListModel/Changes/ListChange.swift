/// The change of a list's rows by one event.
///
/// Applied to the rows before, it gives the rows after (``applied(to:new:)``). Positions of removed rows refer
/// to the rows before, positions of inserted and updated rows to the rows after, as in the batch updates of
/// table views. Ranges are in order, not adjacent and not empty.
public struct ListChange: Hashable, Sendable {
  /// A row that changed its position.
  public struct Move: Hashable, Sendable {
    /// The position among the rows before.
    public var from: Int
    /// The position among the rows after.
    public var to: Int

    /// Creates a move.
    package init(from: Int, to: Int) {
      self.from = from
      self.to = to
    }
  }

  /// Removed rows, by their positions before.
  public var removed: [Range<Int>]
  /// Inserted rows, by their positions after.
  public var inserted: [Range<Int>]
  /// Moved rows, which are neither removed nor inserted.
  public var moved: [Move]
  /// Rows with changed content that stayed or moved, by their positions after.
  public var updated: [Range<Int>]

  /// Creates a change.
  package init(
    removed: [Range<Int>] = [], inserted: [Range<Int>] = [], moved: [Move] = [],
    updated: [Range<Int>] = []
  ) {
    self.removed = removed
    self.inserted = inserted
    self.moved = moved
    self.updated = updated
  }

  static func inserting(_ rows: Range<Int>) -> ListChange {
    ListChange(inserted: rows.isEmpty ? [] : [rows])
  }

  static func removing(_ rows: Range<Int>) -> ListChange {
    ListChange(removed: rows.isEmpty ? [] : [rows])
  }

  /// The range of adjacent rows after the change, ignoring moves.
  func moving(_ rows: Range<Int>) -> Range<Int> {
    var lower = rows.lowerBound
    var count = rows.count
    for gone in removed {
      lower -= gone.clamped(to: 0..<rows.lowerBound).count
      count -= gone.clamped(to: rows).count
    }
    for new in inserted where new.lowerBound <= lower { lower += new.count }
    return lower..<lower + count
  }

  /// Whether nothing changed.
  public var isEmpty: Bool {
    removed.isEmpty && inserted.isEmpty && moved.isEmpty && updated.isEmpty
  }
}

extension ListChange: CustomStringConvertible {
  /// The change in one line, such as `removed 3…4, inserted 40…79, moved 7 to 2`.
  public var description: String {
    var parts: [String] = []
    for (verb, ranges) in [("removed", removed), ("inserted", inserted), ("updated", updated)]
    where !ranges.isEmpty {
      parts.append("\(verb) \(ranges.map(\.rowText).joined(separator: " "))")
    }
    if !moved.isEmpty {
      let moves = moved.map { "\($0.from) to \($0.to)" }
      parts.append("moved \(moves.joined(separator: " "))")
    }
    return parts.isEmpty ? "no change" : parts.joined(separator: ", ")
  }
}

extension Range<Int> {
  /// The range with its last position included.
  fileprivate var rowText: String {
    upperBound == lowerBound + 1 ? "\(lowerBound)" : "\(lowerBound)…\(upperBound - 1)"
  }
}

/// What one step did to the rows of a list: applied to the rows before it, it gives the rows after it.
///
/// Positions of what went are those of the rows before, positions of what came those of the rows
/// after, as table views have it in a batch of updates. Ranges are in order, don't touch and are not
/// empty.
public struct ListChange: Hashable, Sendable {
  /// A row that went from one position to another.
  public struct Move: Hashable, Sendable {
    /// Where it was, among the rows before.
    public var from: Int
    /// Where it is, among the rows after.
    public var to: Int

    /// Makes a move.
    public init(from: Int, to: Int) {
      self.from = from
      self.to = to
    }
  }

  /// Rows that are gone, among the rows before.
  public var removed: [Range<Int>]
  /// Rows that are new, among the rows after.
  public var inserted: [Range<Int>]
  /// Rows that are elsewhere; they are neither removed nor inserted.
  public var moved: [Move]
  /// Rows that stayed or moved but have other content, among the rows after.
  public var updated: [Range<Int>]

  /// Makes a change.
  public init(
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

  /// Where rows that were next to each other are after the change, moves left aside.
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
  /// What changed in one line, such as `removed 3…4, inserted 40…79, moved 7 to 2`.
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
  /// The first and the last position, as people count.
  fileprivate var rowText: String {
    upperBound == lowerBound + 1 ? "\(lowerBound)" : "\(lowerBound)…\(upperBound - 1)"
  }
}

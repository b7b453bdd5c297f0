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
    public init(from: Int, to: Int) {
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

extension ListChange {
  /// Applies the change to an array of rows.
  ///
  /// ```swift
  /// let after = change.applied(to: before) { snapshot.row(at: $0) }
  /// ```
  ///
  /// `new` returns the row at a position after the change. It is called only for inserted and updated rows.
  /// Returns `nil` if the change does not fit the rows: a position out of bounds, ranges out of order, a row
  /// in two places, or more than two billion rows.
  public func applied<Row>(to old: [Row], new: (Int) -> Row) -> [Row]? {
    let count = old.count - removed.rowCount + inserted.rowCount
    guard (0...Int(Int32.max)).contains(count), removed.areOrdered(within: old.count),
      inserted.areOrdered(within: count),
      updated.areOrdered(within: count)
    else { return nil }

    var leaves = [Bool](repeating: false, count: old.count)
    var comesFrom = [Source](repeating: .stays, count: count)
    for position in removed.joined() { leaves[position] = true }
    for position in inserted.joined() { comesFrom[position] = .new }
    for move in moved {
      guard old.indices.contains(move.from), comesFrom.indices.contains(move.to),
        !leaves[move.from], case .stays = comesFrom[move.to]
      else { return nil }
      leaves[move.from] = true
      comesFrom[move.to] = .old(move.from)
    }
    for position in updated.joined() {
      if case .new = comesFrom[position] { return nil }
    }

    // Rows that are neither removed, inserted nor moved keep their order in the remaining positions.
    var staying = old.indices.lazy.filter { !leaves[$0] }.makeIterator()
    var rows: [Row] = []
    rows.reserveCapacity(count)
    for source in comesFrom {
      switch source {
      case .new: rows.append(new(rows.count))
      case .old(let position): rows.append(old[position])
      case .stays:
        guard let position = staying.next() else { return nil }
        rows.append(old[position])
      }
    }
    for position in updated.joined() { rows[position] = new(position) }
    return rows
  }

  /// The origin of a row after the change.
  private enum Source {
    case stays
    case old(Int)
    case new
  }
}

extension [Range<Int>] {
  /// The number of positions in all ranges. An overflow results in a number too large to be valid.
  fileprivate var rowCount: Int {
    reduce(0) { sum, range in
      let (length, tooLong) = range.upperBound.subtractingReportingOverflow(range.lowerBound)
      let (total, tooMany) = sum.addingReportingOverflow(length)
      return tooLong || tooMany ? Int.max / 4 : Swift.min(total, Int.max / 4)
    }
  }

  /// Whether the ranges are not empty, in order, not adjacent, and below a limit.
  fileprivate func areOrdered(within limit: Int) -> Bool {
    var end = -1
    for range in self {
      guard !range.isEmpty, range.lowerBound >= 0, range.lowerBound > end,
        range.upperBound <= limit
      else { return false }
      end = range.upperBound
    }
    return true
  }
}

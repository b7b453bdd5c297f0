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

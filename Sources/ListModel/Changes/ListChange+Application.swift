extension ListChange {
  /// The rows after the change, made from the rows before it.
  ///
  /// ```swift
  /// let after = change.applied(to: before) { snapshot.row(at: $0) }
  /// ```
  ///
  /// `new` gives the row at a position after the change; it is asked for the rows that are inserted or
  /// updated, and for no others. The result is `nil` when the change is not one of these rows: a
  /// position outside of them, ranges out of order, a row that is to be in two places, or more than two
  /// billion rows.
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

    // What neither goes nor comes keeps its order and fills the places that are left.
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

  /// Where a row after the change comes from.
  private enum Source {
    case stays
    case old(Int)
    case new
  }
}

extension [Range<Int>] {
  /// How many positions all ranges have; those that could not be counted make it too large to be true.
  fileprivate var rowCount: Int {
    reduce(0) { sum, range in
      let (length, tooLong) = range.upperBound.subtractingReportingOverflow(range.lowerBound)
      let (total, tooMany) = sum.addingReportingOverflow(length)
      return tooLong || tooMany ? Int.max / 4 : Swift.min(total, Int.max / 4)
    }
  }

  /// Whether the ranges are not empty, in order, apart from each other and below a limit.
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

extension ListChange {
  /// Returns the change that replaces the rows of `region` with other rows, from position `start` on.
  ///
  /// `origins` has the previous position of each new row, `nil` for an inserted one. As many rows as possible
  /// stay (a longest increasing subsequence); the others are moves.
  package static func arranging(
    _ region: Range<Int>, origins: [Int?], from start: Int
  ) -> ListChange {
    var change = ListChange()
    var survivors: [(from: Int, to: Int)] = []
    for (offset, origin) in origins.enumerated() {
      switch origin {
      case nil: change.inserted.extend(with: start + offset)
      case let origin? where region.contains(origin): survivors.append((origin, start + offset))
      case let origin?: change.moved.append(Move(from: origin, to: start + offset))
      }
    }
    change.removed = region.gaps(between: survivors.map(\.from).sorted())
    let stays = survivors.map(\.from).longestIncrease()
    var next = 0
    for (at, row) in survivors.enumerated() {
      if next < stays.count, stays[next] == at {
        next += 1
      } else {
        change.moved.append(Move(from: row.from, to: row.to))
      }
    }
    change.moved.sort { $0.to < $1.to }
    return change
  }
}

extension ListChange {
  /// Combines changes that follow each other, applied to `count` rows.
  static func merging(_ changes: [ListChange], of count: Int) -> ListChange {
    if changes.count < 2 { return changes.first ?? ListChange() }
    if changes.allSatisfy({ $0.removed.isEmpty && $0.moved.isEmpty }) {
      return changes.dropFirst().reduce(changes[0]) { $0.followed(byAdditions: $1) }
    }
    var rows = (0..<count).map { (origin: Int?.some($0), isUpdated: false) }
    for change in changes {
      var moves = change
      moves.updated = []
      rows = moves.applied(to: rows) { _ in (nil, false) } ?? rows
      for row in change.updated.joined() { rows[row].isUpdated = true }
    }
    var merged = arranging(0..<count, origins: rows.map(\.origin), from: 0)
    merged.updated = [Range<Int>](
      rows.indices.filter { rows[$0].isUpdated && rows[$0].origin != nil })
    return merged
  }

  /// Returns this change and another one after it as one. Neither removes or moves rows. Its cost depends on the changes
  /// and not on the list.
  private func followed(byAdditions next: ListChange) -> ListChange {
    if isEmpty { return next }
    func shifted(_ ranges: [Range<Int>]) -> [Int] {
      ranges.joined().map { row in next.moving(row..<row + 1).lowerBound }
    }
    let inserted = Set(shifted(self.inserted) + next.inserted.joined())
    let updated = Set(shifted(self.updated) + next.updated.joined()).subtracting(inserted)
    return ListChange(inserted: [Range<Int>](inserted), updated: [Range<Int>](updated))
  }
}

extension [Range<Int>] {
  /// Adds a position that is not before the last one.
  mutating func extend(with position: Int) {
    if let last, last.upperBound >= position {
      self[count - 1] = last.lowerBound..<Swift.max(last.upperBound, position + 1)
    } else {
      append(position..<position + 1)
    }
  }

  /// Creates the ranges that cover these positions.
  init(_ positions: some Sequence<Int>) {
    self = []
    for position in positions.sorted() { extend(with: position) }
  }
}

extension Range<Int> {
  /// The parts of the range between these positions, which are in order.
  fileprivate func gaps(between positions: [Int]) -> [Range<Int>] {
    var gaps: [Range<Int>] = []
    var next = lowerBound
    for position in positions {
      if next < position { gaps.append(next..<position) }
      next = position + 1
    }
    if next < upperBound { gaps.append(next..<upperBound) }
    return gaps
  }
}

extension [Int] {
  /// The indices of a longest increasing subsequence, in O(count · log count). The elements differ.
  func longestIncrease() -> [Int] {
    /// The index of the lowest last element of the subsequences of each length.
    var ends: [Int] = []
    var before = [Int](repeating: -1, count: count)
    for (place, element) in enumerated() {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if self[ends[middle]] < element { low = middle + 1 } else { high = middle }
      }
      if low > 0 { before[place] = ends[low - 1] }
      if low == ends.count { ends.append(place) } else { ends[low] = place }
    }
    var places: [Int] = []
    var place = ends.last ?? -1
    while place >= 0 {
      places.append(place)
      place = before[place]
    }
    return places.reversed()
  }
}

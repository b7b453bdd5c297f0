/// Where the rows after a change come from, noted one after the other.
struct RowTrace {
  private struct Mark {
    /// Where the row was; `nil` for a new one.
    var origin: Int?
    var hasMoved: Bool
  }

  private var marks: [Mark] = []
  private var updated: [Range<Int>] = []

  /// Notes the next row.
  mutating func add(from origin: Int?, moved hasMoved: Bool, updated isUpdated: Bool) {
    if isUpdated, origin != nil { updated.extend(with: marks.count) }
    marks.append(Mark(origin: origin, hasMoved: hasMoved))
  }

  /// The change of so many rows that leads to those that were noted.
  ///
  /// A row of a moved item counts as moved where it has to. Where all it passed is not shown, it stays.
  func change(from count: Int) -> ListChange {
    var change = ListChange(updated: updated)
    var isKept = [Bool](repeating: false, count: count)
    let nextStay = nextStays(of: count)
    var lastStay = -1
    for (position, mark) in marks.enumerated() {
      guard let origin = mark.origin else {
        change.inserted.extend(with: position)
        continue
      }
      isKept[origin] = true
      if mark.hasMoved, origin < lastStay || origin > nextStay[position] {
        change.moved.append(ListChange.Move(from: origin, to: position))
      } else {
        lastStay = origin
      }
    }
    for position in 0..<count where !isKept[position] { change.removed.extend(with: position) }
    return change
  }

  /// For each row where the next one was that does not move.
  private func nextStays(of count: Int) -> [Int] {
    var nextStay = count
    var stays = [Int](repeating: count, count: marks.count)
    for (position, mark) in marks.enumerated().reversed() {
      stays[position] = nextStay
      if let origin = mark.origin, !mark.hasMoved { nextStay = origin }
    }
    return stays
  }
}

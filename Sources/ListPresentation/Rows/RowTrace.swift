internal import ListModel

/// Where each row of a list comes from in one step.
struct RowSources {
  /// Where one row comes from.
  struct Source {
    /// Where the row was; `nil` for a new one.
    var origin: Int?
    var hasMoved = false
    /// Whether what was made of it before is of no use.
    var isRemade = true
  }

  /// When a row that is made again counts as updated.
  enum Update {
    /// Always: the list itself says that rows have other content now.
    case always
    /// Where the row differs: another plan makes it.
    case ifDifferent
    /// Never: it is the item, which is the same.
    case never
  }

  private(set) var sources: [Source]
  let update: Update
}

extension RowSources {
  /// What a change does; `nil` when it is not one of so many rows.
  init?(_ change: ListChange, from before: Int, to after: Int) {
    var order = change
    order.updated = []
    guard
      let origins = order.applied(to: (0..<before).map(Optional.some), new: { _ in nil }),
      origins.count == after
    else { return nil }
    self.init(
      sources: origins.map { Source(origin: $0, isRemade: $0 == nil) }, update: .always)
    for move in change.moved { sources[move.to].hasMoved = true }
    for position in change.updated.joined() {
      guard origins.indices.contains(position), origins[position] != nil else { return nil }
      sources[position].isRemade = true
    }
  }

  /// All rows give way to others.
  init(replacing count: Int) {
    self.init(sources: [Source](repeating: Source(), count: count), update: .always)
  }

  /// All rows are what and where they were, and what is made of them is made again.
  init(remaking count: Int, update: Update) {
    self.init(sources: (0..<count).map { Source(origin: $0) }, update: update)
  }
}

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
    if isUpdated, origin != nil { updated.append(position: marks.count) }
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
        change.inserted.append(position: position)
        continue
      }
      isKept[origin] = true
      if mark.hasMoved, origin < lastStay || origin > nextStay[position] {
        change.moved.append(ListChange.Move(from: origin, to: position))
      } else {
        lastStay = origin
      }
    }
    for position in 0..<count where !isKept[position] { change.removed.append(position: position) }
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

internal import ListModel

/// The origin of each row of a list in one step.
struct RowSources {
  /// The origin of one row.
  struct Source {
    /// The previous position of the row; `nil` for a new one.
    var origin: Int?
    var hasMoved = false
    /// Whether its rows have to be made again.
    var isRemade = true
  }

  /// When a row that is made again counts as updated.
  enum Update {
    /// Always: the list reports that the rows have changed content.
    case always
    /// If the row differs: another plan makes it.
    case ifDifferent
    /// Never: the row is the item, which is the same.
    case never
  }

  private(set) var sources: [Source]
  let update: Update
}

extension RowSources {
  /// Creates the sources of a change; `nil` if it doesn't fit the given number of rows.
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

  /// Replaces all rows.
  init(replacing count: Int) {
    self.init(sources: [Source](repeating: Source(), count: count), update: .always)
  }

  /// Keeps all rows in place, but makes their rows again.
  init(remaking count: Int, update: Update) {
    self.init(sources: (0..<count).map { Source(origin: $0) }, update: update)
  }
}

/// The origins of the rows after a change, recorded one by one.
struct RowTrace {
  private struct Entry {
    /// The previous position of the row; `nil` for a new one.
    var origin: Int?
    var hasMoved: Bool
  }

  private var entries: [Entry] = []
  private var updated: [Range<Int>] = []

  /// Records the next row.
  mutating func add(from origin: Int?, moved hasMoved: Bool, updated isUpdated: Bool) {
    if isUpdated, origin != nil { updated.append(position: entries.count) }
    entries.append(Entry(origin: origin, hasMoved: hasMoved))
  }

  /// Returns the change from the given number of rows to the recorded ones.
  ///
  /// A row of a moved item counts as moved only if it has to: if it only passed rows that aren't shown, it
  /// stays.
  func change(from count: Int) -> ListChange {
    var change = ListChange(updated: updated)
    var isKept = [Bool](repeating: false, count: count)
    let nextStay = nextStays(of: count)
    var lastStay = -1
    for (position, entry) in entries.enumerated() {
      guard let origin = entry.origin else {
        change.inserted.append(position: position)
        continue
      }
      isKept[origin] = true
      if entry.hasMoved, origin < lastStay || origin > nextStay[position] {
        change.moved.append(ListChange.Move(from: origin, to: position))
      } else {
        lastStay = origin
      }
    }
    for position in 0..<count where !isKept[position] { change.removed.append(position: position) }
    return change
  }

  /// Returns, for each row, the previous position of the next row that doesn't move.
  private func nextStays(of count: Int) -> [Int] {
    var nextStay = count
    var stays = [Int](repeating: count, count: entries.count)
    for (position, entry) in entries.enumerated().reversed() {
      stays[position] = nextStay
      if let origin = entry.origin, !entry.hasMoved { nextStay = origin }
    }
    return stays
  }
}

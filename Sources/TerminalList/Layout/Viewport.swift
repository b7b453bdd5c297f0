internal import ListModel
internal import ListPresentation

/// Which lines are in sight, and which row has the mark.
struct Viewport: Hashable {
  /// The first line in sight.
  private(set) var top = 0
  /// How many lines fit.
  private(set) var height = 0
  /// The row with the mark.
  private(set) var selected: RowPosition?

  /// The lines in sight.
  func visible(of map: LineMap) -> Range<Int> { top..<max(top, min(map.count, top + height)) }

  /// How far from the top the marked row is.
  func distance(in map: LineMap) -> Int? {
    selected.flatMap { map.line(of: $0) }.map { $0 - top }
  }

  /// Lines came or went, or another number of them fits.
  ///
  /// - Parameters:
  ///   - row: Where the marked row is now.
  ///   - distance: How far from the top it is to be; `nil` leaves the first line in sight as it is.
  mutating func fit(
    _ map: LineMap, height: Int, selecting row: RowPosition?, distance: Int? = nil
  ) {
    self.height = max(0, height)
    selected = row.flatMap { nearest(to: $0, in: map) } ?? map.position(ofRow: 0)
    if let distance, let line = selected.flatMap({ map.line(of: $0) }) { top = line - distance }
    showMark(map)
  }

  /// Moves the mark; whether it could.
  @discardableResult mutating func move(by rows: Int, _ map: LineMap) -> Bool {
    let number = selected.flatMap { map.number(of: $0) } ?? 0
    return select(number: number + rows, map)
  }

  /// Moves the mark by as many rows as fit, less one to see where one was.
  mutating func page(_ pages: Int, _ map: LineMap) { move(by: pages * max(1, height - 1), map) }

  mutating func select(_ position: RowPosition, _ map: LineMap) {
    guard let number = map.number(of: position) else { return }
    select(number: number, map)
  }

  @discardableResult
  private mutating func select(number: Int, _ map: LineMap) -> Bool {
    let before = selected
    selected = map.position(ofRow: max(0, min(number, map.rowCount - 1)))
    showMark(map)
    return selected != before
  }

  /// The row at a position, or the one that took its place.
  private func nearest(to position: RowPosition, in map: LineMap) -> RowPosition? {
    let rows = map.rowCount(inSection: position.section)
    guard rows > 0 else { return map.position(ofRow: map.rowCount - 1) }
    return RowPosition(section: position.section, row: max(0, min(position.row, rows - 1)))
  }

  /// Scrolls no further than it takes to have the marked row in sight, with what belongs to it: the
  /// title above a first row, all that is above the very first one, the footer below the last one.
  private mutating func showMark(_ map: LineMap) {
    if let line = selected.flatMap({ map.line(of: $0) }) {
      var first = line
      if line > 0, case .header = map[line - 1] { first -= 1 }
      // Nothing but the first row brings back what is above it.
      if selected == map.position(ofRow: 0) { first = 0 }
      var last = line
      while let below = map[last + 1] {
        if case .row = below { break }
        if case .header = below { break }
        last += 1
      }
      if last >= top + height { top = last - height + 1 }
      if first < top { top = first }
      if line >= top + height { top = line - height + 1 }
    }
    top = max(0, min(top, map.count - height))
  }
}

extension RowPosition {
  /// Where a row is after a change; for one that is gone, the place that the next one has.
  func moved(by change: SectionsChange) -> RowPosition {
    var place = self
    place.section = change.sections.place(of: section)
    if let rows = change.rows.first(where: { $0.before == section }) {
      place.section = rows.after
      place.row = rows.change.place(of: row)
    }
    return place
  }
}

extension ListChange {
  /// Where a row is after the change. Rows that neither came nor moved keep their order and fill the
  /// places that are left.
  func place(of row: Int) -> Int {
    if let move = moved.first(where: { $0.from == row }) { return move.to }
    let gone = removed.reduce(0) { $0 + $1.clamped(to: 0..<row).count }
    var place = row - gone - moved.count { $0.from < row }
    let taken = (inserted + moved.map { $0.to..<$0.to + 1 }).sorted {
      $0.lowerBound < $1.lowerBound
    }
    for rows in taken where rows.lowerBound <= place { place += rows.count }
    return place
  }
}

/// Pulling without a finger: pressing on at the top edge pulls a bit further each time, and once more
/// when it is far enough lets go. Any other key takes it back.
struct Pull: Hashable {
  enum Step: Hashable {
    case pull(to: Double)
    case release
  }

  /// How many times it takes.
  static let presses = 3

  private var count = 0
  var isPulling: Bool { count > 0 }

  mutating func press(threshold: Double) -> Step {
    guard count < Self.presses else {
      count = 0
      return .release
    }
    count += 1
    return .pull(to: max(1, threshold) * Double(count) / Double(Self.presses))
  }

  /// Whether there was anything to take back.
  mutating func takeBack() -> Bool {
    defer { count = 0 }
    return isPulling
  }
}

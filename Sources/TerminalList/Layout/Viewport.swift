internal import ListModel
internal import ListPresentation

/// The visible lines and the selected row.
struct Viewport: Hashable {
  /// The first visible line.
  private(set) var top = 0
  /// The number of lines that fit.
  private(set) var height = 0
  /// The selected row.
  private(set) var selected: RowPosition?

  /// Returns the visible lines.
  func visible(of map: LineMap) -> Range<Int> { top..<max(top, min(map.count, top + height)) }

  /// Returns the distance of the selected row from the top.
  func distance(in map: LineMap) -> Int? {
    selected.flatMap { map.line(of: $0) }.map { $0 - top }
  }

  /// Adapts to changed lines or another height.
  ///
  /// - Parameters:
  ///   - row: The new position of the selected row.
  ///   - distance: Its distance from the top; `nil` keeps the first visible line.
  mutating func fit(
    _ map: LineMap, height: Int, selecting row: RowPosition?, distance: Int? = nil
  ) {
    self.height = max(0, height)
    selected = row.flatMap { nearest(to: $0, in: map) } ?? map.position(ofRow: 0)
    if let distance, let line = selected.flatMap({ map.line(of: $0) }) { top = line - distance }
    showSelection(map)
  }

  /// Moves the selection, and returns whether it moved.
  @discardableResult mutating func move(by rows: Int, _ map: LineMap) -> Bool {
    let number = selected.flatMap { map.number(of: $0) } ?? 0
    return select(number: number + rows, map)
  }

  /// Moves the selection by a page, less one line for orientation.
  mutating func page(_ pages: Int, _ map: LineMap) { move(by: pages * max(1, height - 1), map) }

  mutating func select(_ position: RowPosition, _ map: LineMap) {
    guard let number = map.number(of: position) else { return }
    select(number: number, map)
  }

  @discardableResult
  private mutating func select(number: Int, _ map: LineMap) -> Bool {
    let before = selected
    selected = map.position(ofRow: max(0, min(number, map.rowCount - 1)))
    showSelection(map)
    return selected != before
  }

  /// Returns the row at a position, or the one that replaced it.
  private func nearest(to position: RowPosition, in map: LineMap) -> RowPosition? {
    let rows = map.rowCount(inSection: position.section)
    guard rows > 0 else { return map.position(ofRow: map.rowCount - 1) }
    return RowPosition(section: position.section, row: max(0, min(position.row, rows - 1)))
  }

  /// Scrolls just far enough to show the selected row with its surroundings: the title above a first row,
  /// everything above the very first one, the footer below the last one.
  private mutating func showSelection(_ map: LineMap) {
    if let line = selected.flatMap({ map.line(of: $0) }) {
      var first = line
      if line > 0, case .header = map[line - 1] { first -= 1 }
      // Only the first row can reveal the lines above it.
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
  /// Returns the position of a row after a change; for a removed row, that of its successor.
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
  /// Returns the position of a row after the change. Rows that were neither inserted nor moved keep their order
  /// and fill the remaining places.
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

/// A pull by keys: pressing up at the top pulls a bit further each time; another press when it is far enough
/// releases it. Any other key cancels it.
struct Pull: Hashable {
  enum Step: Hashable {
    case pull(to: Double)
    case release
  }

  /// The number of presses for a full pull.
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

  /// Cancels the pull, and returns whether there was one.
  mutating func cancel() -> Bool {
    defer { count = 0 }
    return isPulling
  }
}

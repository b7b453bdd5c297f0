extension Screen {
  /// Returns the bytes that turn a terminal's current screen into this one. Without the current one, or if its
  /// size differs, everything is written.
  func bytes(after before: Screen?, withColor: Bool = true) -> [UInt8] {
    var pen = Pen(withColor: withColor)
    let before = before?.size == size ? before : nil
    if before == nil { pen.clear() }
    for row in 0..<size.rows { write(row, after: before, with: &pen) }
    return pen.finished()
  }

  private func write(_ row: Int, after before: Screen?, with pen: inout Pen) {
    let columns = 0..<size.columns
    let blank = columns.map { _ in Cell.blank }
    var old = before.map { before in columns.map { before[row, $0] } } ?? blank
    guard columns.contains(where: { self[row, $0] != old[$0] }) else { return }
    // Terminals differ in the width of such characters, and remnants of a cell that one leaves or covers would
    // stay. Written from the start, a row looks as it did the first time.
    if before != nil, columns.contains(where: { self[row, $0].isRare || old[$0].isRare }) {
      pen.clearRow(row, from: 0)
      old = blank
    }
    // If the rest is blank and was not, one command clears it.
    var end = columns.upperBound
    while end > 0, self[row, end - 1] == .blank { end -= 1 }
    // Rewriting a few cells takes fewer bytes than moving past them.
    var passed: [Cell] = []
    for column in 0..<end {
      let cell = self[row, column]
      guard !cell.text.isEmpty else { continue }
      if cell != old[column] {
        for (place, cell) in passed.enumerated() {
          pen.write(cell, at: row, column - passed.count + place)
        }
        passed = []
        pen.write(cell, at: row, column)
      } else if passed.count < 6, pen.writes(cell, at: row, column - passed.count) {
        passed.append(cell)
      } else {
        passed = []
      }
    }
    if (end..<columns.upperBound).contains(where: { old[$0] != .blank }) {
      pen.clearRow(row, from: end)
    }
  }
}

extension Screen.Cell {
  /// Whether terminals may disagree on its width: all but the letters of the first alphabets.
  fileprivate var isRare: Bool { text.utf8.count > 2 }
}

/// Writes terminal sequences, and tracks the cursor and the style.
private struct Pen {
  let withColor: Bool
  private var text = ""
  /// `nil` if it is unknown.
  private var cursor: (row: Int, column: Int)?
  private var style: Style?

  init(withColor: Bool) { self.withColor = withColor }

  mutating func clear() {
    use(.plain)
    text += "\u{1B}[2J"
  }

  mutating func write(_ cell: Screen.Cell, at row: Int, _ column: Int) {
    move(row, column)
    use(cell.style)
    text += cell.text
    // If a terminal gives a rare character another width, nothing else moves.
    cursor = cell.text.utf8.count == 1 ? (row, column + 1) : nil
  }

  /// Whether a cell takes one byte once the cells between the cursor and it are written.
  func writes(_ cell: Screen.Cell, at row: Int, _ column: Int) -> Bool {
    guard let cursor, cursor == (row, column) else { return false }
    return cell.style == style && cell.text.utf8.count == 1
  }

  mutating func clearRow(_ row: Int, from column: Int) {
    move(row, column)
    use(.plain)
    text += "\u{1B}[K"
  }

  func finished() -> [UInt8] {
    let isPlain = style == nil || style == .plain
    return Array((isPlain ? text : text + Style.plain.sequence(withColor: false)).utf8)
  }

  private mutating func move(_ row: Int, _ column: Int) {
    if let cursor, cursor == (row, column) { return }
    text += "\u{1B}[\(row + 1);\(column + 1)H"
    cursor = (row, column)
  }

  private mutating func use(_ style: Style) {
    guard style != self.style else { return }
    text += style.sequence(withColor: withColor)
    self.style = style
  }
}

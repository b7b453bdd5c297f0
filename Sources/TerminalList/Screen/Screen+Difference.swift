extension Screen {
  /// What a terminal that shows another screen has to be sent to show this one. Without the other one,
  /// or where its size differs, all of it is written.
  func bytes(after before: Screen?, withColor: Bool = true) -> [UInt8] {
    var pen = Pen(withColor: withColor)
    let before = before?.size == size ? before : nil
    if before == nil { pen.clear() }
    for row in 0..<size.rows { write(row, after: before, with: &pen) }
    return pen.finished()
  }

  private func write(_ row: Int, after before: Screen?, with pen: inout Pen) {
    let columns = size.columns
    func old(_ column: Int) -> Cell { before.map { $0[row, column] } ?? .blank }
    // Where the rest is blank and was not, one command clears it.
    var end = columns
    while end > 0, self[row, end - 1] == .blank { end -= 1 }
    let clears = (end..<columns).contains { old($0) != .blank }
    // What stands across the border of what is cleared is written again.
    var isDirty = false
    // To write a few cells again takes less than to go past them.
    var passed: [Cell] = []
    for column in 0..<end {
      let cell = self[row, column]
      guard !cell.text.isEmpty else { continue }
      let isWide = column + 1 < columns && self[row, column + 1].text.isEmpty
      let hasChanged = cell != old(column) || isWide && self[row, column + 1] != old(column + 1)
      if hasChanged || isDirty {
        for (place, cell) in passed.enumerated() {
          pen.write(cell, isWide: false, at: row, column - passed.count + place)
        }
        passed = []
        pen.write(cell, isWide: isWide, at: row, column)
      } else if passed.count < 6, pen.writes(cell, at: row, column - passed.count) {
        passed.append(cell)
      } else {
        passed = []
      }
      // A terminal that writes over one half of a wide character takes the other half away.
      let last = column + (isWide ? 1 : 0)
      isDirty = (hasChanged || isDirty) && last + 1 < columns && old(last + 1).text.isEmpty
    }
    if clears { pen.clearRow(row, from: end) }
  }
}

/// Writes for a terminal, and knows where its cursor is and how it writes.
private struct Pen {
  let withColor: Bool
  private var text = ""
  /// `nil` where it can't be told.
  private var cursor: (row: Int, column: Int)?
  private var style: Style?

  init(withColor: Bool) { self.withColor = withColor }

  mutating func clear() {
    use(.plain)
    text += "\u{1B}[2J"
  }

  mutating func write(_ cell: Screen.Cell, isWide: Bool, at row: Int, _ column: Int) {
    move(row, column)
    use(cell.style)
    text += cell.text
    // Where a terminal takes a rare character for a wider or a narrower one, nothing else moves.
    let isSure = !isWide && cell.text.utf8.count == 1
    cursor = isSure ? (row, column + 1) : nil
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

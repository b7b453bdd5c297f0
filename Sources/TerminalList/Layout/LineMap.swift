internal import ListPresentation

/// The meaning of each line of a list: titles of sections, rows, and the footer at the end.
///
/// It is made once for each change, in time linear to the number of sections. Lookups are logarithmic in that,
/// independent of the number of rows.
struct LineMap: Hashable {
  enum Line: Hashable {
    case header(Int)
    case row(RowPosition)
    case footer(Int)
    /// The footer below the last row.
    case end
  }

  struct Section: Hashable {
    var rows: Int
    var hasHeader = false
    var hasFooter = false

    fileprivate var lines: Int { rows + (hasHeader ? 1 : 0) + (hasFooter ? 1 : 0) }
  }

  private let sections: [Section]
  /// The start of each section, and the end of the last one.
  private let lineStarts: [Int]
  private let rowStarts: [Int]
  var hasEnd = false

  init(_ sections: [Section] = []) {
    self.sections = sections
    var (lines, rows) = ([0], [0])
    for section in sections {
      lines.append((lines.last ?? 0) + section.lines)
      rows.append((rows.last ?? 0) + section.rows)
    }
    (lineStarts, rowStarts) = (lines, rows)
  }

  var rowCount: Int { rowStarts.last ?? 0 }
  var count: Int { (lineStarts.last ?? 0) + (hasEnd ? 1 : 0) }

  subscript(line: Int) -> Line? {
    guard line >= 0, line < count else { return nil }
    guard let section = Self.section(holding: line, starts: lineStarts) else { return .end }
    let place = line - lineStarts[section]
    if sections[section].hasHeader, place == 0 { return .header(section) }
    let row = place - (sections[section].hasHeader ? 1 : 0)
    return row < sections[section].rows
      ? .row(RowPosition(section: section, row: row)) : .footer(section)
  }

  /// Returns the position of a row by its number among all rows.
  func position(ofRow number: Int) -> RowPosition? {
    guard number >= 0, let section = Self.section(holding: number, starts: rowStarts) else {
      return nil
    }
    return RowPosition(section: section, row: number - rowStarts[section])
  }

  func number(of position: RowPosition) -> Int? {
    has(position) ? rowStarts[position.section] + position.row : nil
  }

  func line(of position: RowPosition) -> Int? {
    guard has(position) else { return nil }
    return lineStarts[position.section] + (sections[position.section].hasHeader ? 1 : 0)
      + position.row
  }

  var sectionCount: Int { sections.count }

  func rowCount(inSection section: Int) -> Int {
    sections.indices.contains(section) ? sections[section].rows : 0
  }

  /// Returns the first and the last row among some lines.
  func rows(in lines: Range<Int>) -> ClosedRange<RowPosition>? {
    let lines = lines.clamped(to: 0..<max(0, count))
    func row(_ line: Int) -> RowPosition? {
      if case .row(let position) = self[line] { position } else { nil }
    }
    guard let first = lines.lazy.compactMap(row).first(where: { _ in true }),
      let last = lines.reversed().lazy.compactMap(row).first(where: { _ in true })
    else { return nil }
    return first...last
  }

  private func has(_ position: RowPosition) -> Bool {
    sections.indices.contains(position.section) && position.row >= 0
      && position.row < sections[position.section].rows
  }

  /// Returns the last section that starts at or before a place and doesn't end there.
  private static func section(holding place: Int, starts: [Int]) -> Int? {
    guard let end = starts.last, place < end else { return nil }
    var (low, high) = (0, starts.count - 1)
    while low < high {
      let middle = (low + high + 1) / 2
      if starts[middle] <= place { low = middle } else { high = middle - 1 }
    }
    return low
  }
}

/// A column of rows that are shown as a table.
package struct TableColumn: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case text
    /// A number or a date, which is misleading if it is cut.
    case number, date
  }

  package var name: String
  package var kind: Kind

  package init(_ name: String, _ kind: Kind) {
    self.name = name
    self.kind = kind
  }
}

/// The columns of rows, the title first.
package struct RowTable<Item> {
  let columns: [TableColumn]
  /// Returns the text of each column.
  let cells: (Item) -> [String]

  package init(_ columns: [TableColumn], cells: @escaping (Item) -> [String]) {
    self.columns = columns
    self.cells = cells
  }
}

/// The widths of columns.
///
/// A column only becomes wider, so that rows don't move back and forth while pages load. A number or a date grows to
/// its full length, and a text in steps, up to a limit.
struct ColumnPlan: Hashable, Sendable {
  /// The place of a column on the screen.
  struct Slot: Hashable, Sendable {
    var column: Int
    var start: Int
    var width: Int
    var isRight: Bool
  }

  static let gap = 2
  /// By which a text column grows, so that it does so rarely.
  private static let step = 8
  private static let longestTitle = 64
  private static let longestText = 40
  private static let longestNumber = 24

  let columns: [TableColumn]
  /// The width that each column would have on a screen without end.
  private(set) var wanted: [Int]

  /// Creates a plan whose columns have the widths of their names.
  init(_ columns: [TableColumn]) {
    self.columns = columns
    wanted = columns.indices.map { Self.width(columns[$0].name, limit: Self.longestNumber) }
  }

  /// Fits the columns exactly to the first rows.
  mutating func fit(_ rows: [[String]]) {
    for row in rows {
      for (column, text) in zip(columns.indices, row) {
        wanted[column] = max(wanted[column], Self.width(text, limit: limit(column)))
      }
    }
  }

  /// Makes columns wider that are too narrow for a row.
  mutating func widen(_ row: [String]) {
    for (column, text) in zip(columns.indices, row) {
      let width = Self.width(text, limit: limit(column))
      guard width > wanted[column] else { continue }
      wanted[column] =
        columns[column].kind == .text
        ? min(limit(column), (width + Self.step - 1) / Self.step * Self.step) : width
    }
  }

  /// Returns the places of the columns that fit beside each other. The title is always one of them; texts are cut
  /// before a column is left out, and the last columns are left out first.
  func slots(in width: Int) -> [Slot] {
    guard !columns.isEmpty, width > 0 else { return [] }
    let longestText = max(Self.step, width / 5)
    let widths = wanted.indices.map { column in
      columns[column].kind == .text && column > 0
        ? min(wanted[column], longestText) : wanted[column]
    }
    // A title is readable if it has half of the screen.
    let leastTitle = min(widths[0], max(16, width / 2))
    var shown = 1
    var others = 0
    while shown < widths.count, leastTitle + others + Self.gap + widths[shown] <= width {
      others += Self.gap + widths[shown]
      shown += 1
    }
    var slots: [Slot] = []
    var start = 0
    for column in 0..<shown {
      let room = column == 0 ? min(widths[0], width - others) : widths[column]
      let isRight = column > 0 && columns[column].kind == .number
      slots.append(Slot(column: column, start: start, width: room, isRight: isRight))
      start += room + Self.gap
    }
    // Without others beside it, a title has the whole screen.
    if shown == 1 { slots[0].width = width }
    return slots
  }

  private func limit(_ column: Int) -> Int {
    guard columns[column].kind == .text else { return Self.longestNumber }
    return column == 0 ? Self.longestTitle : Self.longestText
  }

  private static func width(_ text: String, limit: Int) -> Int {
    TextWidth.fitted(text, to: limit).reduce(0) { $0 + $1.width }
  }
}

extension Screen {
  /// Writes the cells of a row into the slots of its columns, and underlines where a text is found in them.
  mutating func put(
    _ cells: [String], in slots: [ColumnPlan.Slot], row: Int, from column: Int, style: Style,
    restStyle: Style, underlining part: FoldedText = FoldedText("")
  ) {
    for slot in slots where cells.indices.contains(slot.column) {
      let text = cells[slot.column]
      let space =
        slot.isRight
        ? slot.width - TextWidth.fitted(text, to: slot.width).reduce(0) { $0 + $1.width } : 0
      let start = column + slot.start + space
      let end = put(
        text, row: row, column: start, width: slot.width - space,
        style: slot.column == 0 ? style : restStyle)
      underline(part, row: row, columns: start..<end)
    }
  }
}

/// How large a terminal is.
struct ScreenSize: Hashable, Sendable {
  var columns: Int
  var rows: Int

  /// A terminal that does not know is taken for a usual one, and none is larger than any there is.
  init(columns: Int, rows: Int) {
    self.columns = columns > 0 ? min(columns, 2_000) : 80
    self.rows = rows > 0 ? min(rows, 1_000) : 24
  }
}

/// A grid of cells: all that a terminal shows at one moment.
struct Screen: Hashable, Sendable {
  struct Cell: Hashable, Sendable {
    /// Empty for the second half of a wide character.
    var text: String
    var style: Style

    static let blank = Cell(text: " ", style: .plain)

    /// Compares what is sent. To `String`, “é” and “e” with an accent are the same, but a terminal may
    /// draw them in different ways.
    static func == (a: Cell, b: Cell) -> Bool {
      a.style == b.style && a.text.utf8.elementsEqual(b.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(style)
      for byte in text.utf8 { hasher.combine(byte) }
    }
  }

  let size: ScreenSize
  private(set) var cells: [Cell]

  init(_ size: ScreenSize) {
    self.size = size
    cells = Array(repeating: .blank, count: size.columns * size.rows)
  }

  subscript(row: Int, column: Int) -> Cell { cells[row * size.columns + column] }

  /// Writes a text, cut to fit with `…`.
  ///
  /// - Returns: The column behind it.
  @discardableResult
  mutating func put(
    _ text: String, row: Int, column: Int = 0, width: Int? = nil, style: Style = .plain
  ) -> Int {
    guard (0..<size.rows).contains(row), (0..<size.columns).contains(column) else { return column }
    let room = min(width ?? .max, size.columns - column)
    var place = column
    for cell in TextWidth.fitted(text, to: room) {
      set(Cell(text: String(cell.character), style: style), width: cell.width, row, place)
      place += cell.width
    }
    return place
  }

  /// Gives a part of a row a style, and blanks.
  mutating func fill(row: Int, from column: Int = 0, style: Style) {
    guard (0..<size.rows).contains(row) else { return }
    for place in max(0, column)..<max(column, size.columns) {
      set(Cell(text: " ", style: style), width: 1, row, place)
    }
  }

  private mutating func set(_ cell: Cell, width: Int, _ row: Int, _ column: Int) {
    let start = row * size.columns
    // What half of a wide character is left can't be shown.
    if cells[start + column].text.isEmpty, column > 0 { cells[start + column - 1].text = " " }
    let behind = column + width
    if behind < size.columns, cells[start + behind].text.isEmpty {
      cells[start + behind].text = " "
    }
    cells[start + column] = cell
    if width == 2 { cells[start + column + 1] = Cell(text: "", style: cell.style) }
  }

  /// The characters of a row, without the blanks at its end.
  func text(ofRow row: Int) -> String {
    guard (0..<size.rows).contains(row) else { return "" }
    var cells = cells[row * size.columns..<(row + 1) * size.columns]
    while cells.last?.text == " " { cells.removeLast() }
    return cells.map(\.text).joined()
  }
}

/// How a cell looks.
struct Style: Hashable, Sendable {
  enum Color: UInt8, Sendable { case red = 31, green, yellow, blue, magenta, cyan }

  var isBold = false
  var isDim = false
  var isReverse = false
  var color: Color?

  static let plain = Style()
  static let title = Style(isBold: true)
  static let quiet = Style(isDim: true)
  static let bar = Style(isReverse: true)
  static let alarm = Style(color: .red)
  static let section = Style(isBold: true, color: .cyan)

  /// What makes a terminal write like that, whatever it did before.
  func sequence(withColor: Bool) -> String {
    var codes = "0"
    if isBold { codes += ";1" }
    if isDim { codes += ";2" }
    if isReverse { codes += ";7" }
    if withColor, let color { codes += ";\(color.rawValue)" }
    return "\u{1B}[\(codes)m"
  }
}

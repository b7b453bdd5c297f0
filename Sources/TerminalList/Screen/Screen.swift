/// The size of a terminal.
struct ScreenSize: Hashable, Sendable {
  var columns: Int
  var rows: Int

  /// Creates a size. An unknown size becomes the usual one, and it is limited to the largest terminals.
  init(columns: Int, rows: Int) {
    self.columns = columns > 0 ? min(columns, 2_000) : 80
    self.rows = rows > 0 ? min(rows, 1_000) : 24
  }
}

/// A grid of cells: everything that a terminal shows at one moment.
struct Screen: Hashable, Sendable {
  struct Cell: Hashable, Sendable {
    /// Empty for the second half of a wide character.
    var text: String
    var style: Style

    static let blank = Cell(text: " ", style: .plain)

    /// Compares the bytes. As a `String`, “é” equals “e” with a combining accent, but a terminal may draw them
    /// differently.
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
  /// - Returns: The column after it.
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

  /// Fills a part of a row with blanks in a style.
  mutating func fill(row: Int, from column: Int = 0, style: Style) {
    guard (0..<size.rows).contains(row) else { return }
    for place in max(0, column)..<max(column, size.columns) {
      set(Cell(text: " ", style: style), width: 1, row, place)
    }
  }

  /// Underlines each place where a text is found in a part of a row.
  mutating func underline(_ part: FoldedText, row: Int, columns: Range<Int>) {
    guard !part.isEmpty, (0..<size.rows).contains(row) else { return }
    let places = columns.clamped(to: 0..<size.columns).map { row * size.columns + $0 }
    let marks = FoldedText.marks(of: part, in: places.map { cells[$0].text })
    for (place, isMarked) in zip(places, marks) where isMarked {
      cells[place].style.isUnderlined = true
      let other = place + 1
      if other < (row + 1) * size.columns, cells[other].text.isEmpty {
        cells[other].style.isUnderlined = true
      }
    }
  }

  private mutating func set(_ cell: Cell, width: Int, _ row: Int, _ column: Int) {
    let start = row * size.columns
    // Half of a wide character can't be shown.
    if cells[start + column].text.isEmpty, column > 0 { cells[start + column - 1].text = " " }
    let after = column + width
    if after < size.columns, cells[start + after].text.isEmpty {
      cells[start + after].text = " "
    }
    cells[start + column] = cell
    if width == 2 { cells[start + column + 1] = Cell(text: "", style: cell.style) }
  }

  /// Returns the characters of a row, without trailing blanks.
  func text(ofRow row: Int) -> String {
    guard (0..<size.rows).contains(row) else { return "" }
    var cells = cells[row * size.columns..<(row + 1) * size.columns]
    while cells.last?.text == " " { cells.removeLast() }
    return cells.map(\.text).joined()
  }
}

/// The style of a cell.
struct Style: Hashable, Sendable {
  enum Color: UInt8, Sendable { case red = 31, green, yellow, blue, magenta, cyan }

  var isBold = false
  var isDim = false
  var isUnderlined = false
  var isReverse = false
  var color: Color?

  static let plain = Style()
  static let title = Style(isBold: true)
  static let quiet = Style(isDim: true)
  static let bar = Style(isReverse: true)
  static let alarm = Style(color: .red)
  static let section = Style(isBold: true, color: .cyan)

  /// Returns the sequence that selects the style, independent of the one before.
  func sequence(withColor: Bool) -> String {
    var codes = "0"
    if isBold { codes += ";1" }
    if isDim { codes += ";2" }
    if isUnderlined { codes += ";4" }
    if isReverse { codes += ";7" }
    if withColor, let color { codes += ";\(color.rawValue)" }
    return "\u{1B}[\(codes)m"
  }
}

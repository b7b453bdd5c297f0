/// A search for a text in the loaded rows: what is typed, which rows are still to examine, and what was found.
///
/// It examines no row itself. ``pending`` are the next rows to look at, and ``examined(_:match:)`` takes the
/// result, so that a million rows are searched in parts between keys and frames.
struct SearchState: Hashable, Sendable {
  enum Direction: Hashable, Sendable { case forward, backward }

  enum Result: Hashable, Sendable {
    /// Nothing is typed yet.
    case idle
    case searching
    /// The number of the matching row, and whether the search passed the end of the list before it.
    case found(row: Int, wrapped: Bool)
    case notFound
  }

  /// The number of rows that are examined at once.
  static let part = 500
  private static let longestText = 200

  private(set) var text = ""
  /// Whether keys are added to the text.
  private(set) var isTyping = true
  private(set) var result = Result.idle
  /// The number of the row where the search began.
  private(set) var origin: Int
  private(set) var rowCount: Int
  /// The text as it is compared.
  private(set) var needle = FoldedText("")

  private var direction = Direction.forward
  /// The first row to examine.
  private var start = 0
  /// The number of rows examined since then.
  private var done = 0

  init(from row: Int, rowCount: Int) {
    origin = row
    self.rowCount = rowCount
  }

  // MARK: - Typing

  mutating func type(_ character: Character) {
    guard isTyping, text.count < Self.longestText, !Self.isInvisible(character) else { return }
    text.append(character)
    change()
  }

  /// Whether a character is a control or a mark of direction, which a pasted text can have. Joiners belong to emoji.
  private static func isInvisible(_ character: Character) -> Bool {
    guard let scalar = character.unicodeScalars.first, scalar != "\u{200C}", scalar != "\u{200D}"
    else { return false }
    return [.control, .format].contains(scalar.properties.generalCategory)
  }

  /// Removes the last character; returns `false` if there was none.
  mutating func deleteLast() -> Bool {
    guard text.popLast() != nil else { return false }
    change()
    return true
  }

  mutating func deleteAll() {
    text = ""
    change()
  }

  /// Ends the typing.
  mutating func accept() { isTyping = false }

  /// A changed text is searched from where the search began, so that the result doesn't depend on the speed of typing.
  private mutating func change() {
    needle = FoldedText(text)
    begin(at: origin, .forward)
  }

  // MARK: - Searching

  /// Searches the next match after a row, or before it.
  mutating func next(_ direction: Direction, from row: Int) {
    begin(at: direction == .forward ? row + 1 : row - 1, direction)
  }

  /// The number of the row that was found.
  var found: Int? { if case .found(let row, _) = result { row } else { nil } }

  /// Adapts to a changed number of rows. Rows added at the end are examined if nothing was found before them; after any
  /// other change the search starts again. `found` is where the row is now that was found.
  mutating func rowsChanged(
    to count: Int, onlyAppended: Bool, selected row: Int, found: Int? = nil
  ) {
    let before = rowCount
    rowCount = max(0, count)
    if onlyAppended {
      guard result == .notFound, count > before else { return }
      (start, done, direction, result) = (before, 0, .forward, .searching)
    } else {
      origin = row
      if case .found(_, let wrapped) = result {
        result = found.map { .found(row: $0, wrapped: wrapped) } ?? .idle
      }
      guard result == .searching || result == .notFound else { return }
      begin(at: row, .forward)
    }
  }

  private mutating func begin(at row: Int, _ direction: Direction) {
    (start, done, self.direction) = (row, 0, direction)
    result = needle.isEmpty ? .idle : rowCount == 0 ? .notFound : .searching
  }

  /// The numbers of the next rows to examine, in this order; empty if nothing is to do.
  var pending: [Int] {
    guard result == .searching, rowCount > 0 else { return [] }
    return (done..<min(rowCount, done + Self.part)).map(row(at:))
  }

  /// Takes the result for some of the ``pending`` rows, from the first one on.
  mutating func examined(_ count: Int, match: Int?) {
    guard result == .searching else { return }
    done += count
    if let match {
      let wrapped = direction == .forward ? match < start : match > start
      result = .found(row: match, wrapped: wrapped)
    } else if done >= rowCount {
      result = .notFound
    }
  }

  private func row(at place: Int) -> Int {
    let row = (direction == .forward ? start + place : start - place) % rowCount
    return row < 0 ? row + rowCount : row
  }

  /// The part of the rows that was examined, in percent.
  var progress: Int { rowCount > 0 ? min(100, done * 100 / rowCount) : 100 }
}

/// The last line of the screen during a search: what is typed, and what was found.
struct SearchLine: Hashable, Sendable {
  /// What follows the loaded rows.
  enum Rest: Hashable, Sendable { case nothing, more, failed }

  var state: SearchState
  var rest: Rest

  var result: String {
    let rows = state.rowCount == 1 ? "1 row" : "\(state.rowCount) rows"
    let loaded = rest == .nothing ? "" : " loaded so far"
    var text: String
    switch state.result {
    case .idle: text = "search in \(rows)\(loaded)"
    case .searching: text = "searching… \(state.progress) %"
    case .notFound: text = "not found" + (rest == .nothing ? "" : " in the \(rows)\(loaded)")
    case .found(let row, let wrapped):
      text = "row \(row + 1) of \(state.rowCount)\(loaded)"
      if wrapped { text += ", continued from the other end" }
    }
    if rest == .failed { text += " · the next page failed" }
    if !state.isTyping, case .found = state.result { text += " · n next  N previous" }
    return text
  }

  func draw(on screen: inout Screen, row: Int) {
    screen.fill(row: row, style: .bar)
    var bold = Style.bar
    bold.isBold = true
    let room = max(4, screen.size.columns / 2)
    let typed = "/" + Self.end(of: state.text, in: room) + (state.isTyping ? "▏" : "")
    let end = screen.put(typed, row: row, column: 1, style: bold)
    screen.put(result, row: row, column: end + 2, style: .bar)
  }

  /// Returns the end of a text, which is what its writer looks at.
  private static func end(of text: String, in columns: Int) -> String {
    var cells = TextWidth.visible(text, limit: .max / 64)[...]
    var width = cells.reduce(0) { $0 + $1.width }
    guard width > columns else { return text }
    while width > columns - 1, let first = cells.popFirst() { width -= first.width }
    return "…" + String(cells.map(\.character))
  }
}

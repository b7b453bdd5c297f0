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

internal import ListModel
internal import ListPresentation
internal import ListReading

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A list at one moment, ready to draw: title, rows or placeholder, and status. Drawing costs as much as fits
/// on the screen.
struct ListLayout {
  /// The text of a row.
  struct Row: Hashable {
    var title: String
    var subtitle: String?
    /// The texts of the columns, if the list is a table.
    var cells: [String] = []
    var isThere = true
  }

  var title = ""
  var map = LineMap()
  var viewport = Viewport()
  /// The columns of the rows; `nil` if they are a title and a subtitle.
  var columns: ColumnPlan?
  var header = RefreshHeader.State.hidden
  var footer = FooterState.hidden
  var placeholder: Placeholder?
  var status = StatusText()
  /// The search, which is shown in place of the status.
  var search: SearchLine?
  /// Why the list ended.
  var end = EndText()
  /// Returns lines about a failure.
  var explain: ((LoadError) -> [String])?
  /// The failure of the first load, where there are no rows.
  var failure: LoadError?
  var now = Date(timeIntervalSince1970: 0)
  var timeZone = TimeZone.gmt
  /// The number of the spinner frame.
  var turn = 0

  /// Returns the number of lines for rows. A table has a line of names on a screen that isn't tiny.
  static func height(in size: ScreenSize, isTable: Bool = false) -> Int {
    let names = isTable && size.rows >= leastRowsForNames ? 1 : 0
    return size.rows > 2 ? size.rows - 2 - names : 1
  }

  private static let leastRowsForNames = 10

  /// Whether a spinner is visible.
  var isBusy: Bool {
    if header == .loading || footer == .loading { return true }
    if case .parts(let parts) = placeholder?.body { return parts.isBusy }
    return false
  }

  /// Draws the list.
  ///
  /// - Parameters:
  ///   - row: Returns the text of a row.
  ///   - heading: Returns the title above or below a section.
  func screen(
    _ size: ScreenSize, row: (RowPosition) -> Row, heading: (LineMap.Line) -> String?
  ) -> Screen {
    var screen = Screen(size)
    var first = size.rows > 2 ? 1 : 0
    if first > 0 { drawTitle(on: &screen) }
    if size.rows > 1 { drawStatus(on: &screen) }
    if placeholder != nil {
      drawPlaceholder(on: &screen, from: first, height: Self.height(in: size))
      return screen
    }
    let slots = columns?.slots(in: size.columns - 2) ?? []
    let height = Self.height(in: size, isTable: columns != nil)
    if height < Self.height(in: size), let columns {
      let names = columns.columns.map(\.name)
      screen.put(names, in: slots, row: first, from: 1, style: .quiet, restStyle: .quiet)
      first += 1
    }
    for (place, line) in viewport.visible(of: map).prefix(height).enumerated() {
      draw(line, on: &screen, at: first + place, slots, row: row, heading: heading)
    }
    return screen
  }

  private func draw(
    _ line: Int, on screen: inout Screen, at place: Int, _ slots: [ColumnPlan.Slot],
    row: (RowPosition) -> Row, heading: (LineMap.Line) -> String?
  ) {
    guard let line = map[line] else { return }
    switch line {
    case .row(let position):
      let text = row(position)
      let needle = search?.state.needle ?? FoldedText("")
      let isMarked = position == viewport.selected
      var style = text.isThere ? Style.plain : .quiet
      style.isReverse = isMarked
      if isMarked { screen.fill(row: place, style: style) }
      var quiet = style
      quiet.isDim = !isMarked
      guard text.cells.isEmpty else {
        screen.put(
          text.cells, in: slots, row: place, from: 1, style: style, restStyle: quiet,
          underlining: needle)
        return
      }
      let end = screen.put(text.title, row: place, column: 1, style: style)
      screen.underline(needle, row: place, columns: 1..<max(1, end))
      guard let subtitle = text.subtitle, end + 2 < screen.size.columns else { return }
      let last = screen.put(subtitle, row: place, column: end + 2, style: quiet)
      screen.underline(needle, row: place, columns: end + 2..<last)
    case .header: screen.put(heading(line) ?? "", row: place, style: .section)
    case .footer: screen.put(heading(line) ?? "", row: place, style: .quiet)
    case .end:
      let (text, style) = footerText
      screen.put(text, row: place, column: 1, style: style)
    }
  }

  // MARK: - Around the rows

  private func drawTitle(on screen: inout Screen) {
    screen.fill(row: 0, style: .bar)
    var style = Style.bar
    style.isBold = true
    let notice = headerText
    // The notice takes precedence over the title.
    let width = TextWidth.fitted(notice, to: screen.size.columns - 2).reduce(0) { $0 + $1.width }
    screen.put(
      title, row: 0, column: 1, width: max(0, screen.size.columns - width - 3), style: style)
    if width > 0 {
      screen.put(notice, row: 0, column: screen.size.columns - width - 1, width: width, style: .bar)
    }
  }

  private var headerText: String {
    switch header {
    case .hidden, .idle: ""
    case .pulling(let part): "↑ keep pressing to refresh (\(Int(part * 100))%)"
    case .triggered: "↑ press once more to refresh"
    case .loading: "\(spinner) refreshing"
    }
  }

  private var footerText: (String, Style) {
    switch footer {
    case .hidden: ("", .plain)
    case .idle: ("↓ more", .quiet)
    case .triggered: ("↓ release for more", .quiet)
    case .loading: ("\(spinner) loading more", .quiet)
    case .failed(let error):
      ("✗ press r to try again: \(explain?(error).first ?? error.brief)", .alarm)
    case .noMore(let list):
      ("· \(end.text(list) { explain?($0).first }) ·", list == .complete ? .quiet : .alarm)
    }
  }

  private func drawStatus(on screen: inout Screen) {
    let row = screen.size.rows - 1
    if let search { return search.draw(on: &screen, row: row) }
    screen.fill(row: row, style: .bar)
    let text = status.text(at: now, in: timeZone)
    let end = screen.put(text, row: row, column: 1, style: .bar)
    let help = "⏎ open  / search  ? help  q quit"
    let column = screen.size.columns - help.count - 1
    if column > end + 2 { screen.put(help, row: row, column: column, style: .bar) }
  }

  private func drawPlaceholder(on screen: inout Screen, from first: Int, height: Int) {
    guard let placeholder else { return }
    var lines: [(String, Style)] = []
    switch placeholder.body {
    case .custom(let name): lines = [(name, .plain)]
    case .parts(let parts):
      if let message = parts.message {
        lines.append(((parts.isBusy ? "\(spinner) " : "") + message, .title))
      }
      if let error = failure(placeholder) {
        let text = explain?(error).joined(separator: "\n") ?? error.brief
        lines += TextWidth.wrapped(text, to: screen.size.columns - 2).map { ($0, .alarm) }
      }
      if let action = parts.action { lines.append(("[⏎ \(action.title)]", .plain)) }
    }
    lines = Array(lines.prefix(height))
    let center = Int(placeholder.center(in: Double(height)))
    let top = first + max(0, min(center - lines.count / 2, height - lines.count))
    for (place, (text, style)) in lines.enumerated() {
      let width = TextWidth.fitted(text, to: screen.size.columns).reduce(0) { $0 + $1.width }
      screen.put(text, row: top + place, column: (screen.size.columns - width) / 2, style: style)
    }
  }

  /// The failure to explain in place of rows. A placeholder that says enough has none, unless the view explains more.
  private func failure(_ placeholder: Placeholder) -> LoadError? {
    if case .failed(let error) = placeholder.reason { return error }
    return explain == nil ? nil : failure
  }

  private var spinner: Character {
    let turns: [Character] = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧"]
    return turns[turn % turns.count]
  }
}

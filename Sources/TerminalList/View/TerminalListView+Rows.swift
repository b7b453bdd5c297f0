internal import ListModel
internal import ListPresentation

extension TerminalListView {
  /// How rows are shown.
  enum TableState {
    case undecided, lines
    case table(RowTable<Item>, ColumnPlan)
  }

  var columns: ColumnPlan? {
    if case .table(_, let plan) = table { plan } else { nil }
  }

  /// The number of rows that decide about the columns.
  private static var deciding: Int { 100 }

  /// The first row that is in memory.
  package var firstItem: Item? {
    let sections = controller.sections
    return (0..<map.rowCount).lazy.compactMap { [map] number in
      map.position(ofRow: number).flatMap(sections.item(at:))
    }.first { _ in true }
  }

  /// Decides once, when there are rows.
  func decideColumns() {
    guard case .undecided = table, let tabulate else { return }
    let sections = controller.sections
    let items = (0..<min(map.rowCount, Self.deciding)).compactMap { number in
      map.position(ofRow: number).flatMap(sections.item(at:))
    }
    guard !items.isEmpty else { return }
    guard let decided = tabulate(items) else {
      table = .lines
      return
    }
    var plan = ColumnPlan(decided.columns)
    plan.fit(items.map(decided.cells))
    table = .table(decided, plan)
  }

  /// Returns the visible rows, and makes their columns wide enough.
  func visibleContent() -> [RowPosition: ListLayout.Row] {
    guard controller.placeholder == nil else { return [:] }
    let sections = controller.sections
    var rows: [RowPosition: ListLayout.Row] = [:]
    for line in viewport.visible(of: map) {
      guard case .row(let position) = map[line] else { continue }
      if let item = sections.item(at: position) {
        rows[position] = row(item, at: position)
      } else if let gap = controller.gap(at: position) {
        rows[position] = .init(title: gap.line(controller.state(of: gap)), isThere: false)
      }
    }
    return rows
  }

  private func row(_ item: Item, at position: RowPosition) -> ListLayout.Row {
    if case .table(let decided, var plan) = table {
      let cells = decided.cells(item)
      plan.widen(cells)
      table = .table(decided, plan)
      return .init(title: cells.first ?? "", cells: cells)
    }
    let content = controller.content(at: position) ?? RowContent("\(item)")
    return .init(title: content.title, subtitle: content.subtitle)
  }

  /// Returns the text in which a search looks: what the row shows, also if the screen is too narrow for it.
  func searchText(_ item: Item, at position: RowPosition) -> String {
    if case .table(let decided, _) = table { return decided.cells(item).joined(separator: "\n") }
    guard let content = controller.content(at: position) else { return "\(item)" }
    return content.title + "\n" + (content.subtitle ?? "")
  }
}

extension ListGap {
  /// The line that stands for the missing rows.
  fileprivate func line(_ state: LoadState) -> String {
    let rows = size.map { $0 == 1 ? "1 row is missing" : "\($0) rows are missing" } ?? "rows are missing"
    if let unavailable { return "⋯ \(rows), and the server has no more for this place: \(unavailable.brief)" }
    switch state {
    case .loading: return "⋯ loading missing rows"
    case .failed(let error): return "⋯ \(rows), press ⏎ to try again: \(error.brief)"
    case .idle, .stillSearching, .reachedEnd: return "⋯ \(rows), press ⏎ to load them"
    }
  }
}

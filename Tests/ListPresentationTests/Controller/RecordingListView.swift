import ListModel
import ListPresentation
import ListReading

/// A view that keeps its own rows, applies the changes it gets, and records where its rows differ from those
/// of its controller.
@MainActor final class RecordingListView: ListView {
  weak var controller: ListController<Row>?
  /// The rows of each section, and their titles.
  var rows: [[String]] = []
  var calls: [String] = []
  var changes: [SectionsChange] = []
  var mismatches: [String] = []
  /// Changes whose counts don't match the rows, which would make a toolkit's table crash the program.
  var structure: [String] = []
  var header = RefreshHeader.State.hidden
  var footer = FooterState.hidden
  var placeholders: [Placeholder?] = []
  var placeholder: Placeholder? { placeholders.last ?? nil }
  var failure: LoadError?
  var newRows: NewRows?
  /// The number of started minus ended refreshes; always 0 or 1.
  var refreshing = 0
  var visibleRows: (rows: ClosedRange<RowPosition>?, fillsView: Bool)?
  var commits = true
  var onApply: (() -> Void)?
  /// Called on every notification of the view.
  var onCall: (() -> Void)?

  static func texts(_ sections: ListSections<Row>) -> [[String]] {
    sections.sections.map { $0.rows.map { $0.item?.description ?? "…" } }
  }

  private var now: [[String]] { controller.map { Self.texts($0.sections) } ?? [] }

  func apply(_ change: SectionsChange, commit: () -> Void) {
    if now != rows { mismatches.append("before \(change): \(rows) is not \(now)") }
    onApply?()
    onCall?()
    if now != rows { mismatches.append("rows changed before they were to: \(change)") }
    if commits { commit() } else { return calls.append("left alone") }
    commit()
    let now = now
    let counts = change.applied(to: rows, newRow: { _ in "" }, newSection: { now[$0] })
    if counts?.map(\.count) != now.map(\.count) { structure.append("\(change)") }
    if let changed = change.applied(
      to: rows, newRow: { now[$0.section][$0.row] }, newSection: { now[$0] })
    {
      if changed != now { mismatches.append("\(change) makes \(changed) of \(rows), not \(now)") }
    } else {
      mismatches.append("\(change) does not fit \(rows)")
    }
    rows = now
    changes.append(change)
    calls.append("\(change)")
    onCall?()
  }

  func applyMove(_ change: SectionsChange, commit: () -> Void) {
    calls.append("moved")
    replaceAll(commit: commit)
  }

  func replaceAll(commit: () -> Void) {
    commit()
    rows = now
    calls.append("all")
    onCall?()
  }

  func show(_ header: RefreshHeader.State) {
    self.header = header
    onCall?()
  }

  func show(_ footer: FooterState) {
    self.footer = footer
    onCall?()
  }

  func show(_ placeholder: Placeholder?) {
    placeholders.append(placeholder)
    onCall?()
  }

  func showRefreshFailure(_ error: LoadError?) {
    failure = error
    onCall?()
  }

  func showNewRows(_ newRows: NewRows?) {
    self.newRows = newRows
    onCall?()
  }

  func beginRefreshing() {
    refreshing += 1
    if refreshing != 1 { mismatches.append("begun \(refreshing) times") }
    calls.append("begin")
    onCall?()
  }

  func endRefreshing(_ outcome: LoadToken.Outcome) {
    refreshing -= 1
    if refreshing != 0 { mismatches.append("ended without a beginning") }
    let text =
      switch outcome {
      case .succeeded: "end"
      case .failed: "end failed"
      case .cancelled: "end cancelled"
      }
    calls.append(text)
    onCall?()
  }

  func scroll(to position: RowPosition) { calls.append("scroll \(position)") }
  func deselect(_ position: RowPosition) { calls.append("deselect \(position)") }
  func heightsChanged() { calls.append("heights") }
}

extension ListController {
  /// Reports visible rows in the form in which a view has them.
  func rowsWillAppear(_ visible: (rows: ClosedRange<RowPosition>?, fillsView: Bool)) {
    rowsWillAppear(visible.rows, fillsView: visible.fillsView)
  }
}

import ListModel
import ListPresentation

/// A view that keeps rows of its own, changes them as it is told, and notes where they are not those of
/// its controller.
@MainActor final class RecordingListView: ListView {
  weak var controller: ListController<Row>?
  /// The rows of each section, and their titles.
  var rows: [[String]] = []
  var told: [String] = []
  var changes: [SectionsChange] = []
  var mismatches: [String] = []
  /// Changes whose counts are not those of the rows, for which a table of a toolkit would stop the
  /// program.
  var structure: [String] = []
  var header = HeaderState.hidden
  var footer = FooterState.hidden
  var placeholders: [Placeholder?] = []
  var placeholder: Placeholder? { placeholders.last ?? nil }
  /// Begins less ends of refreshing; never anything but 0 and 1.
  var refreshing = 0
  var visibleRows: VisibleRows?
  var commits = true
  var onApply: (() -> Void)?
  /// Does something whenever the view is told of anything.
  var onTold: (() -> Void)?

  static func texts(_ sections: ListSections<Row>) -> [[String]] {
    sections.sections.map { $0.rows.map { $0.item?.description ?? "…" } }
  }

  private var now: [[String]] { controller.map { Self.texts($0.sections) } ?? [] }

  func apply(_ change: SectionsChange, commit: () -> Void) {
    if now != rows { mismatches.append("before \(change): \(rows) is not \(now)") }
    onApply?()
    onTold?()
    if now != rows { mismatches.append("rows changed before they were to: \(change)") }
    if commits { commit() } else { return told.append("left alone") }
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
    told.append("\(change)")
    onTold?()
  }

  func replaceAll(commit: () -> Void) {
    commit()
    rows = now
    told.append("all")
    onTold?()
  }

  func show(_ header: HeaderState) {
    self.header = header
    onTold?()
  }

  func show(_ footer: FooterState) {
    self.footer = footer
    onTold?()
  }

  func show(_ placeholder: Placeholder?) {
    placeholders.append(placeholder)
    onTold?()
  }

  func beginRefreshing() {
    refreshing += 1
    if refreshing != 1 { mismatches.append("begun \(refreshing) times") }
    told.append("begin")
    onTold?()
  }

  func endRefreshing(_ outcome: RefreshOutcome) {
    refreshing -= 1
    if refreshing != 0 { mismatches.append("ended without a beginning") }
    let text =
      switch outcome {
      case .succeeded: "end"
      case .failed: "end failed"
      case .cancelled: "end cancelled"
      }
    told.append(text)
    onTold?()
  }

  func scroll(to position: RowPosition) { told.append("scroll \(position)") }
  func deselect(_ position: RowPosition) { told.append("deselect \(position)") }
  func heightsChanged() { told.append("heights") }
}

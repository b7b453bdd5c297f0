public import ListModel
public import ListPresentation
package import ListReading
public import ServerAPI
internal import Support

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Shows a list in a terminal: sections, rows, placeholders, the footer, and the source of the rows.
///
/// ```swift
/// let kinds = CellKinds<Book> { $0.content = { RowContent($0.title, subtitle: $0.author) } }
/// let screen = ListController(books, kinds: kinds)
/// let view = TerminalListView(screen, title: "Books")
/// try await view.run()
/// ```
///
/// The arrow keys move the selection; pressed at the top, the up arrow pulls the list down until it refreshes.
/// Return selects a row and loads a gap, `/` searches the loaded rows, `r` shows new rows, retries a failed load or
/// refreshes, `?` shows all keys, `q` quits. A row shows `ListController.content(at:)`, or else the description of its item.
@MainActor public final class TerminalListView<Item> {
  /// The controller of the list.
  public let controller: ListController<Item>
  /// The title at the top.
  public var title: String {
    didSet { onChange?() }
  }
  /// Returns the text to show when a row is selected and nothing else handles that; `nil` for none.
  public var detail: ((Item) -> String?)?
  /// The time zone of the reader.
  public var timeZone = TimeZone.current

  /// Returns the foldable text to show when a row is selected, in place of ``detail``.
  package var outline: ((Item) -> Outline?)?
  /// Returns what is known about the list, shown by the key `i`.
  package var facts: (() -> String)?
  /// Returns lines about a failure, the cause first; `nil` shows the cause alone.
  package var explain: ((LoadError) -> [String])?
  /// Decides from the first rows whether the list is a table; `nil` shows titles and subtitles.
  package var tabulate: (([Item]) -> RowTable<Item>?)?

  let time: TimeSource
  /// Called when the view has to be drawn again.
  var onChange: (() -> Void)?
  private(set) var size: ScreenSize?
  private(set) var map = LineMap()
  var viewport = Viewport()
  var pull = Pull()
  var page: (any ScreenPage)?
  var table: TableState = .undecided
  var search: SearchState?
  /// The search in rows that are examined between keys and frames.
  var searching: Task<Void, Never>?

  /// Creates a view of a controller, and keeps the controller alive.
  public init(
    _ controller: ListController<Item>, title: String = "", time: TimeSource = .system
  ) {
    self.controller = controller
    self.title = title
    self.time = time
    controller.model?.follow(self)
  }

  // MARK: - Layout

  /// Sets the size of the terminal.
  func resize(to size: ScreenSize) {
    self.size = size
    page?.fit(size)
    viewport.fit(
      map, height: height, selecting: viewport.selected, distance: viewport.distance(in: map))
    lookAround()
  }

  private var height: Int {
    size.map { ListLayout.height(in: $0, isTable: columns != nil) } ?? 0
  }

  /// Updates the lines, and selects the row at its new position.
  private func layOut(selecting row: RowPosition?) {
    let old = map
    map = LineMap(
      controller.sections.sections.map {
        .init(rows: $0.rows.count, hasHeader: $0.header != nil, hasFooter: $0.footer != nil)
      })
    map.hasEnd = controller.footer != .hidden
    decideColumns()
    fit(after: old, selecting: row)
  }

  private func fit(after old: LineMap, selecting row: RowPosition?) {
    // A selection at the first row stays there, so that rows inserted above become visible.
    let isAtTop = viewport.selected.flatMap { old.number(of: $0) } ?? 0 == 0
    viewport.fit(
      map, height: height, selecting: isAtTop ? nil : row,
      distance: isAtTop ? nil : viewport.distance(in: old))
    onChange?()
  }

  /// Reports the visible rows to the controller.
  func lookAround() {
    onChange?()
    if let visibleRows {
      controller.rowsWillAppear(visibleRows.rows, fillsView: visibleRows.fillsView)
    }
  }

  // MARK: - Drawing

  /// Returns the whole screen.
  func screen(turn: Int = 0) -> Screen {
    let size = size ?? ScreenSize(columns: 0, rows: 0)
    if let page { return page.screen(size) }
    let sections = controller.sections
    let rows = visibleContent()
    return layout(turn: turn).screen(size) { position in
      rows[position] ?? .init(title: "…", isThere: false)
    } heading: { line in
      switch line {
      case .header(let number): sections.header(ofSection: number)
      case .footer(let number): sections.footer(ofSection: number)
      case .row, .end: nil
      }
    }
  }

  /// Whether a spinner is visible.
  var isBusy: Bool { page == nil && layout(turn: 0).isBusy }

  private var rest: SearchLine.Rest {
    switch controller.model?.state(of: .next) {
    case .reachedEnd, nil: .nothing
    case .failed: .failed
    default: .more
    }
  }

  private func layout(turn: Int) -> ListLayout {
    var layout = ListLayout()
    layout.title = title
    layout.map = map
    layout.viewport = viewport
    layout.columns = columns
    layout.header = controller.header
    layout.footer = controller.footer
    layout.placeholder = controller.placeholder
    layout.status.freshness = controller.model?.freshness ?? .nothing
    layout.status.selected = viewport.selected.flatMap { map.number(of: $0) }.map { $0 + 1 }
    layout.status.rows = map.rowCount
    layout.status.total = controller.model?.page?.facts.total
    layout.status.duplicates = controller.model?.duplicateCount ?? 0
    layout.status.newRows = controller.newRows
    layout.status.losses = controller.model?.losses ?? RowLosses()
    layout.now = time.date()
    layout.timeZone = timeZone
    layout.turn = turn
    layout.search = search.map { SearchLine(state: $0, rest: rest) }
    layout.explain = explain
    if case .failed(let error) = controller.model?.refreshState { layout.failure = error }
    layout.end.rows = map.rowCount
    layout.end.facts = controller.model?.page?.facts
    layout.end.paging = controller.model.map { $0.recognized?.paging ?? $0.paging }
    return layout
  }
}

// MARK: - Following the list

extension TerminalListView: ListObserver {
  /// Does nothing: the controller keeps the list alive, so this is never called.
  package func close() {}

  package func notify(_ step: ListEvents<Item>.Step) {
    switch step.event {
    case .didReset, .didSucceed: onChange?()
    default: break
    }
  }
}

// MARK: - Following the controller

extension TerminalListView: ListView {
  /// Applies a change; the selection follows its row.
  public func apply(_ change: SectionsChange, commit: () -> Void) {
    let row = viewport.selected.map { $0.moved(by: change) }
    let found = search?.found.flatMap { map.position(ofRow: $0) }?.moved(by: change)
    let onlyAppended = change.onlyAppends(to: map)
    commit()
    layOut(selecting: row)
    searchFollows(onlyAppended: onlyAppended, found: found)
  }

  /// Replaces all rows; the selection keeps its position.
  public func replaceAll(commit: () -> Void) {
    commit()
    layOut(selecting: viewport.selected)
    searchFollows(onlyAppended: false)
  }

  /// Draws the title bar again.
  public func show(_ header: RefreshHeader.State) { onChange?() }

  /// Draws the last line of the list again.
  public func show(_ footer: FooterState) {
    let old = map
    map.hasEnd = footer != .hidden
    if map.hasEnd != old.hasEnd { fit(after: old, selecting: viewport.selected) }
    onChange?()
  }

  /// Draws the placeholder.
  public func show(_ placeholder: Placeholder?) { onChange?() }

  /// Draws the result of a refresh.
  public func endRefreshing(_ outcome: LoadToken.Outcome) { onChange?() }

  /// Draws the last line of the screen again. The key `r` shows the new rows.
  public func showNewRows(_ newRows: NewRows?) { onChange?() }

  /// Selects the row.
  public func scroll(to position: RowPosition) {
    viewport.select(position, map)
    lookAround()
  }

  /// The visible rows; `nil` until the size is known.
  public var visibleRows: (rows: ClosedRange<RowPosition>?, fillsView: Bool)? {
    guard size != nil else { return nil }
    let lines = viewport.visible(of: map)
    return (map.rows(in: lines), fillsView: map.count >= viewport.height)
  }
}

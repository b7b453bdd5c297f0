internal import Foundation
package import ListModel
public import ListPresentation
public import ServerAPI

/// Shows a list in a terminal: sections, rows, placeholders, the footer, and where the rows come from.
///
/// ```swift
/// let kinds = CellKinds<Book> { $0.content = { RowContent($0.title, subtitle: $0.author) } }
/// let screen = ListController(books, kinds: kinds)
/// let view = TerminalListView(screen, title: "Books")
/// try await view.run()
/// ```
///
/// The arrows move the mark, and pressed at the top edge they pull the list down until it refreshes.
/// Return selects a row, `r` repeats what failed or refreshes, `q` ends. A row says what
/// ``ListController/content(at:)`` says, else what its item prints.
@MainActor public final class TerminalListView<Item> {
  /// What is shown.
  public let controller: ListController<Item>
  /// The text at the top.
  public var title: String {
    didSet { onChange?() }
  }
  /// What is read when a row is selected and nobody else deals with that; `nil` for nothing.
  public var detail: ((Item) -> String?)?
  /// How many seconds the reader's clock is before UTC; that of this machine by default.
  public var clockOffset = TimeZone.current.secondsFromGMT()

  let time: TimeSource
  /// Told when something looks different.
  var onChange: (() -> Void)?
  private(set) var size: ScreenSize?
  private(set) var map = LineMap()
  private var missing = MissingRows()
  var viewport = Viewport()
  var pull = Pull()
  var page: TextPage?

  /// A view of what a controller shows. It keeps the controller.
  public init(
    _ controller: ListController<Item>, title: String = "", time: TimeSource = .system
  ) {
    self.controller = controller
    self.title = title
    self.time = time
    controller.model.follow(self)
  }

  // MARK: - Layout

  /// The terminal has that size.
  func resize(to size: ScreenSize) {
    self.size = size
    page?.fit(size)
    viewport.fit(
      map, height: ListLayout.height(in: size), selecting: viewport.selected,
      distance: viewport.distance(in: map))
    lookAround()
  }

  /// The lines are others; the marked row is there now.
  private func layOut(selecting row: RowPosition?) {
    let old = map
    map = LineMap(
      controller.sections.sections.map {
        .init(rows: $0.rows.count, hasHeader: $0.header != nil, hasFooter: $0.footer != nil)
      })
    map.hasEnd = controller.footer != .hidden
    fit(after: old, selecting: row)
  }

  private func fit(after old: LineMap, selecting row: RowPosition?) {
    // Whoever is at the first row is there to see what comes in above it.
    let isAtTop = viewport.selected.flatMap { old.number(of: $0) } ?? 0 == 0
    viewport.fit(
      map, height: viewport.height, selecting: isAtTop ? nil : row,
      distance: isAtTop ? nil : viewport.distance(in: old))
    onChange?()
  }

  /// Tells the controller what is in sight.
  func lookAround() {
    onChange?()
    if let visibleRows { controller.rowsWillAppear(visibleRows) }
  }

  // MARK: - Drawing

  /// All that is to be seen.
  func screen(turn: Int = 0) -> Screen {
    let size = size ?? ScreenSize(columns: 0, rows: 0)
    if let page { return page.screen(size) }
    let sections = controller.sections
    return layout(turn: turn).screen(size) { [controller] position in
      guard let item = sections.item(at: position) else { return .init(title: "…", isThere: false) }
      let content = controller.content(at: position) ?? RowContent("\(item)")
      return .init(title: content.title, subtitle: content.subtitle)
    } heading: { line in
      switch line {
      case .header(let number): sections.header(ofSection: number)
      case .footer(let number): sections.footer(ofSection: number)
      case .row, .end: nil
      }
    }
  }

  /// Whether something turns.
  var isBusy: Bool { page == nil && layout(turn: 0).isBusy }

  private func layout(turn: Int) -> ListLayout {
    var layout = ListLayout()
    layout.title = title
    layout.map = map
    layout.viewport = viewport
    layout.header = controller.header
    layout.footer = controller.footer
    layout.placeholder = controller.placeholder
    layout.status.freshness = controller.model.freshness
    layout.status.selected = viewport.selected.flatMap { map.number(of: $0) }.map { $0 + 1 }
    layout.status.rows = map.rowCount
    layout.status.total = controller.model.page?.facts.total
    layout.status.duplicates = controller.model.duplicateCount
    layout.status.missing = missing.count
    layout.now = time.date()
    layout.clockOffset = clockOffset
    layout.turn = turn
    return layout
  }
}

// MARK: - What the list says

extension TerminalListView: ListFollower {
  /// The controller keeps the list alive, so this is never told.
  package func close() {}

  package func tell(_ step: ListEvents<Item>.Step) {
    switch step.event {
    case .didReset: missing = MissingRows()
    case .didSucceed(let kind):
      let page = controller.model.page
      missing.take(kind, step.rows.pages.last?.key, total: page?.facts.total)
    default: return
    }
    onChange?()
  }
}

// MARK: - What the controller says

extension TerminalListView: ListView {
  /// Keeps the mark on its row.
  public func apply(_ change: SectionsChange, commit: () -> Void) {
    let row = viewport.selected.map { $0.moved(by: change) }
    commit()
    layOut(selecting: row)
  }

  /// Keeps the mark where it is.
  public func replaceAll(commit: () -> Void) {
    commit()
    layOut(selecting: viewport.selected)
  }

  /// Draws the title anew.
  public func show(_ header: HeaderState) { onChange?() }

  /// Draws the last line of the list anew.
  public func show(_ footer: FooterState) {
    let old = map
    map.hasEnd = footer != .hidden
    if map.hasEnd != old.hasEnd { fit(after: old, selecting: viewport.selected) }
    onChange?()
  }

  /// Draws what is in the place of rows.
  public func show(_ placeholder: Placeholder?) { onChange?() }

  /// Draws what became of it.
  public func endRefreshing(_ outcome: RefreshOutcome) { onChange?() }

  /// Marks the row.
  public func scroll(to position: RowPosition) {
    viewport.select(position, map)
    lookAround()
  }

  /// The rows in sight, once the size is known.
  public var visibleRows: VisibleRows? {
    guard size != nil else { return nil }
    let lines = viewport.visible(of: map)
    return VisibleRows(map.rows(in: lines), fillsView: map.count >= viewport.height)
  }
}

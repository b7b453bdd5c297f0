package import ListModel
internal import Observation
internal import ServerAPI

/// What a controller shows around the rows, and in their place.
struct ShownState: Equatable {
  var header = HeaderState.hidden
  var footer = FooterState.hidden
  var placeholder: Placeholder?
  /// Whether the view was told that a refresh began, and not yet that it ended.
  var isRefreshing = false
}

extension ListController {
  /// What stands above the rows.
  public var header: HeaderState { state.header }
  /// What stands below the rows.
  public var footer: FooterState { state.footer }
  /// What stands in the place of rows.
  public var placeholder: Placeholder? { state.placeholder }

  // MARK: - The screen

  /// The view came on the screen.
  public func appeared() {
    brain.look(facts)
    handle(.appeared(age: brain.age(at: time.now(), time.date())))
  }

  /// The view left the screen.
  public func disappeared() { handle(.disappeared) }

  /// The rows are pulled down so far.
  public func didPullDown(_ distance: Double) { handle(.pulledDown(distance)) }

  /// The rows are pulled up so far beyond the last one.
  public func didPullUp(_ distance: Double) { handle(.pulledUp(distance)) }

  /// What was pulled was let go.
  public func didRelease() { handle(.released) }

  /// The view was scrolled.
  public func didScroll(_ geometry: ScrollGeometry) {
    handle(.pulledDown(geometry.pulledDown))
    handle(.pulledUp(geometry.pulledUp))
  }

  /// Refreshes the list, or joins the refresh that runs.
  ///
  /// - Parameter silently: Whether the header stays as it is.
  public func refresh(silently: Bool = false) { handle(.refresh(silently: silently)) }

  /// Loads the next page, or the one that failed: for a tap on the footer.
  public func loadMore() { handle(.loadMore) }

  /// Carries out the action of the placeholder.
  public func performPlaceholderAction() {
    guard case .parts(let parts) = shownState.placeholder?.body, let action = parts.action?.kind
    else { return }
    perform(action)
  }

  /// Carries out an action of a placeholder; for full views of the program's own.
  public func perform(_ action: Placeholder.Action.Kind) {
    onPlaceholderAction?(action)
    switch action {
    case .refresh: refresh()
    case .retry:
      // What failed may be a page further down, where a filter leaves out all rows above it.
      if case .failed = model.state(of: .next), model.hasLoaded { loadMore() } else { refresh() }
    case .loadMore:
      // Where there are no further pages, those that are there may have become others.
      if case .endReached = model.state(of: .next) { refresh() } else { loadMore() }
    case .custom: break
    }
  }

  // MARK: - Rows in sight

  /// These rows are in sight: pages of the list that were given up there come back, and further ones
  /// where an end is near. Tell it after scrolling and after layout, as often as you like.
  public func rowsWillAppear(_ visible: VisibleRows) {
    let sections = sections
    guard let rows = visible.rows else {
      return handle(.saw(0..<0, fillsView: visible.fillsView))
    }
    guard let first = sections.number(ofRowAt: rows.lowerBound),
      let last = sections.number(ofRowAt: rows.upperBound)
    else { return }
    if let positions = sections.listPositions(of: rows) {
      model.rowsWillAppear(positions, looksAhead: false)
    }
    handle(.saw(first..<last + 1, fillsView: visible.fillsView))
  }

  /// A row comes into sight, for views that tell of rows one by one.
  public func rowWillAppear(at row: RowPosition) {
    rowsWillAppear(VisibleRows(row...row, fillsView: true))
  }

  func lookAtView() {
    if let visible = view?.visibleRows { rowsWillAppear(visible) }
  }

  // MARK: - Carrying out

  /// What the list says of itself now.
  var facts: ListFacts {
    ListFacts(
      of: model, shownRows: sections.rowCount,
      isFiltered: settings.isFiltered || model.count > 0)
  }

  /// Something happened on the screen.
  private func handle(_ event: RefreshCoordinator.Event) {
    act { $0.handle(event) }
    showState()
  }

  /// Has the brain decide, and carries out what it says, unless that is being done further up.
  func act(_ decide: (inout ScreenBrain) -> Void) {
    brain.look(facts)
    decide(&brain)
    guard brain.beginsWork() else { return }
    while let command = brain.next() { carryOut(command) }
  }

  private func carryOut(_ command: RefreshCoordinator.Command) {
    switch command {
    case .refresh(let ticket): begin(ticket)
    case .loadNext: model.loadNextPage()
    case .loadPrevious: model.loadPreviousPage()
    case .beginHeader:
      shownState.isRefreshing = true
      view?.beginRefreshing()
    case .endHeader(let outcome):
      shownState.isRefreshing = false
      view?.endRefreshing(outcome)
    }
  }

  private func begin(_ ticket: RefreshCoordinator.Ticket) {
    let handler = settings.refreshHandler
    brain.begin(ticket, byProgram: handler != nil)
    guard let handler else {
      model.refresh()
      return
    }
    handler(
      RefreshToken { [weak self] outcome in
        guard let self else { return }
        act { [time] in $0.ended(ticket, outcome, at: time.now()) }
        showState()
      })
  }

  // MARK: - Showing

  /// Tells the view what changed around the rows.
  func showState() {
    act { $0.takeIn() }
    let before = shownState
    var next = before
    next.header = brain.coordinator.headerState
    next.footer = brain.coordinator.footerState
    next.placeholder = settings.placeholders.placeholder(
      for: brain.facts.placeholderReason, at: time.date())
    guard next != before else { return }
    registrar.withMutation(of: self, keyPath: statePath) { shownState = next }
    // What the view does when it is told may already have led to something else.
    if next.placeholder != before.placeholder { view?.show(shownState.placeholder) }
    if next.header != before.header { view?.show(shownState.header) }
    if next.footer != before.footer { view?.show(shownState.footer) }
  }
}

// MARK: - Following the list

extension ListController: ListFollower {
  /// A controller keeps its list alive, so this is never told.
  package func close() {}

  package func tell(_ step: ListEvents<Item>.Step) {
    act { $0.stepBegan(step.event) }
    let isChange: Bool
    if case .didChange(let change) = step.event {
      isChange = true
      follow(change, to: step.rows)
    } else {
      isChange = false
    }
    followFacts()
    showState()
    if isChange { lookAtView() }
    brain.stepEnded()
  }
}

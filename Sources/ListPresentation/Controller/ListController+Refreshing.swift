internal import ListModel
internal import Observation
internal import ServerAPI

extension ListController {
  /// What stands above the rows.
  public var header: HeaderState { state.header }
  /// What stands below the rows.
  public var footer: FooterState { state.footer }
  /// What stands in the place of rows.
  public var placeholder: Placeholder? { state.placeholder }

  // MARK: - The screen

  /// The view came on the screen.
  public func appeared() { handle(.appeared(age: age)) }

  /// How old what is shown is; `nil` where nobody knows.
  private var age: Duration? {
    let age = model.freshness.asOf.map { Duration.seconds(time.secondsSince1970() - $0) }
    guard let ownAge = ownRefreshAt.map({ time.now() - $0 }) else { return age }
    return age.map { min($0, ownAge) } ?? ownAge
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
  public func perform(_ action: PlaceholderAction.Kind) {
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
  public func willShow(_ visible: VisibleRows) {
    let sections = sections
    guard let rows = visible.rows else {
      return handle(.saw(0..<0, fillsView: visible.fillsView))
    }
    guard let first = sections.number(ofRowAt: rows.lowerBound),
      let last = sections.number(ofRowAt: rows.upperBound)
    else { return }
    if let positions = sections.listPositions(of: rows) {
      model.willShow(positions, looksAhead: false)
    }
    handle(.saw(first..<last + 1, fillsView: visible.fillsView))
  }

  /// A row comes into sight, for views that tell of rows one by one.
  public func willShowRow(at row: RowPosition) {
    willShow(VisibleRows(row...row, fillsView: true))
  }

  func lookAtView() {
    if let visible = view?.visibleRows { willShow(visible) }
  }

  // MARK: - Carrying out

  /// Something happened on the screen.
  func handle(_ event: RefreshCoordinator.Event) {
    guard !isEndBeingTold else { return putOff.append(event) }
    endWhatWasCancelled()
    decide(event)
  }

  /// Has the coordinator decide, and carries out what it says.
  func decide(_ event: RefreshCoordinator.Event) {
    carryOut(coordinator.handle(event))
    showState()
  }

  /// A list that was cancelled tells so in a moment. Who wants a refresh before that must not join what
  /// is over.
  private func endWhatWasCancelled() {
    guard !isInStep, !isCarryingOut, let ticket = coordinator.running, ticket != ownTicket,
      model.refreshState != .loading
    else { return }
    carryOut(coordinator.handle(.refreshEnded(ticket, lastOutcome)))
  }

  /// Takes in where the list is.
  func takeInFacts() {
    keeper.look(at: model, shownRows: sections.rowCount, isFiltered: settings.isFiltered)
  }

  /// Tells the coordinator where the list is.
  func takeInList() {
    takeInFacts()
    carryOut(coordinator.handle(.listChanged(keeper.facts)))
  }

  private func carryOut(_ commands: [RefreshCoordinator.Command]) {
    due += commands
    guard !isCarryingOut else { return }
    isCarryingOut = true
    defer { isCarryingOut = false }
    while !due.isEmpty {
      switch due.removeFirst() {
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
  }

  private func begin(_ ticket: RefreshCoordinator.Ticket) {
    lastOutcome = .cancelled
    guard let handler = settings.refreshHandler else {
      model.refresh()
      return
    }
    ownTicket = ticket
    handler(RefreshToken { [weak self] outcome in self?.ownRefreshEnded(ticket, outcome) })
  }

  private func ownRefreshEnded(_ ticket: RefreshCoordinator.Ticket, _ outcome: RefreshOutcome) {
    ownTicket = nil
    if outcome == .succeeded { ownRefreshAt = time.now() }
    takeInList()
    decide(.refreshEnded(ticket, outcome))
    // The program may have left the list to end by itself.
    if model.refreshState == .loading { decide(.refreshBegan) }
  }

  // MARK: - Showing

  /// Tells the view what changed around the rows.
  func showState() {
    takeInList()
    let before = shownState
    var next = before
    next.header = coordinator.headerState
    next.footer = coordinator.footerState
    next.placeholder = settings.placeholders.placeholder(
      for: keeper.facts.placeholderReason, at: time.secondsSince1970())
    guard next != before else { return }
    registrar.withMutation(of: self, keyPath: statePath) { shownState = next }
    // What the view does when it is told may already have led to something else.
    if next.placeholder != before.placeholder { view?.show(shownState.placeholder) }
    if next.header != before.header { view?.show(shownState.header) }
    if next.footer != before.footer { view?.show(shownState.footer) }
  }
}

internal import ListModel
public import ListReading
internal import Observation
internal import ServerAPI

/// The controls around the rows, and the placeholder that replaces them.
struct ShownState: Equatable {
  var header = RefreshHeader.State.hidden
  var footer = FooterState.hidden
  var placeholder: Placeholder?
  var refreshFailure: LoadError?
  var newRows: NewRows?
  /// Whether the view got `beginRefreshing()` and not yet `endRefreshing(_:)`.
  var isRefreshing = false
}

extension ListController {
  /// The state of the control above the rows.
  public var header: RefreshHeader.State { state.header }
  /// The state of the control below the rows.
  public var footer: FooterState { state.footer }
  /// The placeholder that is shown instead of rows.
  public var placeholder: Placeholder? { state.placeholder }
  /// The error of the last refresh, if it failed and there are rows: they may be outdated. Without rows, a placeholder
  /// shows it.
  public var refreshFailure: LoadError? { state.refreshFailure }

  // MARK: - The screen

  /// Handles the view's appearance on the screen.
  public func appeared() {
    brain.look(facts)
    handle(.appeared(age: brain.age(at: time.now(), time.date())))
    place.isShown = true
  }

  /// Handles the view's disappearance from the screen.
  public func disappeared() {
    handle(.disappeared)
    place.isShown = false
  }

  /// Handles a pull down by a distance.
  public func didPullDown(_ distance: Double) { handle(.pulledDown(distance)) }

  /// Handles a pull up by a distance beyond the last row.
  public func didPullUp(_ distance: Double) { handle(.pulledUp(distance)) }

  /// Handles the release of a pull.
  public func didRelease() { handle(.released) }

  /// Handles a scroll of the view, and computes from it how far the content is pulled. Values that aren't numbers
  /// count as 0.
  ///
  /// - Parameters:
  ///   - offset: The distance that the content is scrolled up; negative if it is pulled down.
  ///   - viewport: The height of the view.
  ///   - content: The height of the content, with its insets.
  public func didScroll(offset: Double, viewport: Double, content: Double) {
    let geometry = ScrollGeometry(offset: offset, viewport: viewport, content: content)
    handle(.pulledDown(geometry.pulledDown))
    handle(.pulledUp(geometry.pulledUp))
  }

  /// Refreshes the list, or joins the running refresh. Pages further down stay (``RefreshMode/splice``).
  ///
  /// - Parameter silently: Whether the header stays as it is.
  public func refresh(silently: Bool = false) { request(.refresh(silently: silently)) }

  /// Loads the next page, or retries the one that failed. Call it for a tap on the footer.
  public func loadMore() { request(.loadMore) }

  /// Waits until the view has all changes of the list so far, and the loads whose token was ended are over.
  ///
  /// ```swift
  /// token.end(.succeeded)
  /// await screen.eventsDelivered()    // the header is closed
  /// ```
  public func eventsDelivered() async {
    await list.eventsDelivered()
    await ends.delivered()
  }

  /// Performs the action of the placeholder.
  public func performPlaceholderAction() {
    guard case .parts(let parts) = shownState.placeholder?.body, let action = parts.action?.kind
    else { return }
    perform(action)
  }

  /// Performs an action of a placeholder. For custom placeholder views.
  public func perform(_ action: Placeholder.Action.Kind) {
    onPlaceholderAction?(action)
    switch action {
    case .refresh: refresh()
    case .retry:
      // The failed page may be a later one, if a filter leaves out all rows of the first pages.
      let facts = currentFacts
      if case .failed = facts.nextState, facts.hasLoaded { loadMore() } else { refresh() }
    case .loadMore:
      // There are no further pages, but the loaded ones may have changed.
      if case .reachedEnd = currentFacts.nextState { refresh() } else { loadMore() }
    case .custom: break
    }
  }

  // MARK: - Rows in sight

  /// Reports the visible rows. Evicted pages among them are reloaded, and further pages are loaded near the
  /// start or end of the list. Call it after scrolling and after layout, as often as needed.
  ///
  /// - Parameters:
  ///   - rows: The first and the last visible row; `nil` if there is none.
  ///   - fillsView: Whether the rows fill the view.
  public func rowsWillAppear(_ rows: ClosedRange<RowPosition>?, fillsView: Bool) {
    let sections = sections
    guard let rows else { return handle(.saw(0..<0, fillsView: fillsView)) }
    guard let first = sections.number(ofRowAt: rows.lowerBound),
      let last = sections.number(ofRowAt: rows.upperBound)
    else { return }
    if let positions = sections.listPositions(of: rows) {
      list.rowsWillAppear(positions, prefetches: false)
    }
    handle(.saw(first..<last + 1, fillsView: fillsView))
  }

  /// Reports that a row becomes visible, for views that report rows one by one.
  public func rowWillAppear(at row: RowPosition) {
    rowsWillAppear(row...row, fillsView: true)
  }

  func lookAtView() {
    if let visible = view?.visibleRows {
      rowsWillAppear(visible.rows, fillsView: visible.fillsView)
    }
  }

  // MARK: - Carrying out

  /// The current state of the list.
  var facts: ListFacts {
    var facts = ListFacts(
      of: list, shownRows: sections.rowCount,
      isFiltered: settings.isFiltered || !list.deliveredRows.isEmpty)
    facts.complete(by: settings)
    return facts
  }

  /// The current state of the list with the loads of the program.
  private var currentFacts: ListFacts {
    brain.look(facts)
    return brain.facts
  }

  /// Handles a request for a load. It must not join a load whose token was already ended.
  private func request(_ event: RefreshCoordinator.Event) {
    guard !ends.isEmpty else { return handle(event) }
    ends.add { [weak self] in self?.handle(event) }
  }

  /// Handles an event on the screen.
  private func handle(_ event: RefreshCoordinator.Event) {
    act { $0.handle(event) }
    showState()
  }

  /// Lets the brain decide and carries out its commands, unless a caller up the stack already does that.
  func act(_ decide: (inout ScreenBrain) -> Void) {
    brain.look(facts)
    decide(&brain)
    guard brain.beginsWork() else { return }
    while let command = brain.next() { carryOut(command) }
  }

  private func carryOut(_ command: RefreshCoordinator.Command) {
    switch command {
    case .refresh(let ticket): begin(ticket)
    case .renewRefresh: model?.renewRefresh()
    case .loadNext: loadNext()
    case .loadPrevious: model?.loadPreviousPage()
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
      model?.refresh(.splice)
      return
    }
    let token = makeToken {
      $0.isRunning(ticket)
    } onEnd: { [weak self] outcome, hasMore in
      guard let self else { return }
      endSoon { [time] in $0.ended(ticket, outcome, hasMore: hasMore, at: time.now()) }
    }
    watch(token, "refreshHandler")
    handler(token)
  }

  private func loadNext() {
    guard let handler = settings.loadMoreHandler else {
      model?.loadNextPage()
      return
    }
    guard let number = brain.beginNext() else { return }
    let token = makeToken {
      $0.isNextRunning(number)
    } onEnd: { [weak self] outcome, hasMore in
      self?.endSoon { $0.endNext(number, outcome, hasMore: hasMore) }
    }
    watch(token, "loadMoreHandler")
    handler(token)
  }

  /// Returns the token of a load that starts now. A reset of the list drops the load.
  private func makeToken(
    isRunning: @escaping (ScreenBrain) -> Bool,
    onEnd: @escaping (LoadToken.Outcome, _ hasMore: Bool) -> Void
  ) -> LoadToken {
    let resets = list.resets
    return LoadToken(
      isRunning: { [weak self] in
        guard let self else { return false }
        return list.resets == resets && isRunning(brain)
      }, onEnd: onEnd)
  }

  /// Ends a load of the program in a later turn, after the changes of the rows that it made.
  private func endSoon(_ end: @escaping (inout ScreenBrain) -> Void) {
    ends.add { [weak self] in
      guard let self else { return }
      list.deliverChanges()
      act(end)
      showState()
    }
  }

  private func watch(_ token: LoadToken, _ name: String) {
    #if DEBUG
      token.watch("ListController.Settings.\(name)", by: time, reportHeldToken)
    #endif
  }

  // MARK: - Showing

  /// Updates the view with changes around the rows.
  func showState() {
    act { $0.takeIn() }
    let before = shownState
    var next = before
    next.header = brain.coordinator.headerState
    next.footer = brain.coordinator.footerState
    next.placeholder = settings.placeholders.placeholder(
      for: brain.facts.placeholderReason, at: time.date(), canRefresh: brain.facts.canRefresh,
      canLoadMore: brain.facts.canLoadMore)
    next.refreshFailure = brain.facts.refreshFailure
    next.newRows = model?.newRows
    guard next != before else { return }
    registrar.withMutation(of: self, keyPath: statePath) { shownState = next }
    // A callback of the view may already have changed the state again.
    if next.placeholder != before.placeholder { view?.show(shownState.placeholder) }
    if next.header != before.header { view?.show(shownState.header) }
    if next.footer != before.footer { view?.show(shownState.footer) }
    if next.refreshFailure != before.refreshFailure {
      view?.showRefreshFailure(shownState.refreshFailure)
    }
    if next.newRows != before.newRows { view?.showNewRows(shownState.newRows) }
  }
}

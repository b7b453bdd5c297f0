internal import ListModel

/// Decides when a list is refreshed and when its next page is loaded, and what header and footer show.
///
/// It takes an event and returns the commands to carry out. It has no view, no clock and no list inside, and
/// follows these rules:
///
/// - One load at a time. While a refresh runs, nothing loads the next page and the footer doesn't change; a
///   refresh that starts while the next page is in flight supersedes it.
/// - A refresh requested while another runs joins it. If that one runs without a header, the header appears
///   when the rows are pulled.
/// - Each ``Command/beginHeader`` has one ``Command/endHeader(_:)``, whatever the outcome; an old ticket, or
///   one that was already used, ends nothing.
/// - The list knows whether there are more rows: a refresh that succeeds determines it again, and one that
///   fails doesn't change it.
package struct RefreshCoordinator: Hashable, Sendable {
  /// The current options.
  package private(set) var options: RefreshOptions
  /// The running refresh.
  package private(set) var running: Ticket?
  private var facts = ListFacts()
  private var header: RefreshHeader
  private var footer: PullMachine
  private var isOnScreen = false
  private var lastTicket = 0
  private var visible: Range<Int>?
  /// Whether rows fill the view; `nil` if that is unknown because there are more of them now.
  private var fillsView: Bool?
  /// The number of consecutive pages that were loaded unasked and didn't fill the view.
  private var automaticPages = 0
  /// The number of shown rows when a page was last loaded unasked.
  private var rowsBefore: Int?
  /// The number of consecutive pages loaded before the first one while the first rows stayed near.
  private var pagesBefore = 0

  /// Creates a coordinator of a list that isn't loaded yet and is off the screen.
  package init(_ options: RefreshOptions = RefreshOptions()) {
    self.options = options
    header = RefreshHeader(threshold: options.headerThreshold)
    footer = PullMachine(threshold: options.footerThreshold)
  }

  // MARK: - What is shown

  /// The state of the control above the rows.
  package var headerState: RefreshHeader.State {
    options.pullsDown && facts.canRefresh ? header.state : .hidden
  }

  /// The state of the control below the rows; hidden if there are none, because a placeholder shows it then.
  package var footerState: FooterState {
    guard options.pullsUp, facts.canLoadMore, facts.hasLoaded, facts.shownRows > 0 else {
      return .hidden
    }
    switch facts.nextState {
    case .loading: return running == nil ? .loading : .idle
    case .failed(let error): return .failed(error)
    case .reachedEnd(let end): return .noMore(end)
    case .idle, .stillSearching: return footer.state == .triggered ? .triggered : .idle
    }
  }

  // MARK: - Events

  /// Handles an event, and returns the commands to carry out, in order.
  package mutating func handle(_ event: Event) -> [Command] {
    switch event {
    case .appeared(let age): return appear(age)
    case .disappeared: return disappear()
    case .pulledDown(let distance):
      if options.pullsDown, facts.canRefresh { header.pull(to: distance) }
    case .pulledUp(let distance):
      if options.pullsUp, options.footerTrigger == .pulling, canLoadNext {
        footer.pull(to: distance)
      }
    case .released: return release()
    case .saw(let rows, let fillsView):
      visible = rows
      self.fillsView = fillsView
      return lookAhead() + lookBack()
    case .refresh(let silently): return begin(showsHeader: !silently)
    case .loadMore: return loadMore()
    case .refreshBegan:
      if running == nil { _ = newTicket() }
    case .refreshEnded(let ticket, let outcome): return end(ticket, outcome)
    case .listChanged(let facts):
      if facts.shownRows > self.facts.shownRows, fillsView == false { fillsView = nil }
      self.facts = facts
      if !canLoadNext { footer = PullMachine(threshold: options.footerThreshold) }
      return lookAhead()
    case .reset:
      automaticPages = 0
      rowsBefore = nil
      pagesBefore = 0
      visible = nil
    case .options(let options): return use(options)
    }
    return []
  }

  private mutating func use(_ options: RefreshOptions) -> [Command] {
    self.options = options
    header.use(threshold: options.headerThreshold)
    footer = PullMachine(threshold: options.footerThreshold)
    if !options.pullsDown, header.end() { return [.endHeader(.cancelled)] }
    return lookAhead()
  }

  // MARK: - Appearing

  private mutating func appear(_ age: Duration?) -> [Command] {
    guard !isOnScreen else { return [] }
    isOnScreen = true
    let isDue =
      switch options.autoRefresh {
      case .never: false
      case .first: !facts.hasLoaded
      case .always: true
      case .ifOlderThan(let limit):
        !facts.hasLoaded || age.map { $0 >= limit } ?? true
      }
    // The placeholder shows that a first load runs.
    return isDue ? begin(showsHeader: facts.hasLoaded) : []
  }

  private mutating func disappear() -> [Command] {
    isOnScreen = false
    header.pull(to: 0)
    footer.pull(to: 0)
    return []
  }

  // MARK: - Refreshing

  private mutating func newTicket() -> Ticket {
    lastTicket += 1
    let ticket = Ticket(number: lastTicket)
    running = ticket
    return ticket
  }

  private mutating func begin(showsHeader: Bool) -> [Command] {
    guard facts.canRefresh else { return [] }
    var commands: [Command] = []
    if showsHeader, options.pullsDown, header.begin() { commands.append(.beginHeader) }
    guard running == nil else { return commands + [.renewRefresh] }
    footer.pull(to: 0)
    // The list cancels the load of the next page.
    if facts.nextState == .loading { facts.nextState = .idle }
    return commands + [.refresh(newTicket())]
  }

  private mutating func end(_ ticket: Ticket, _ outcome: LoadToken.Outcome) -> [Command] {
    guard ticket == running else { return [] }
    running = nil
    if outcome == .succeeded {
      automaticPages = 0
      rowsBefore = nil
      pagesBefore = 0
    }
    return (header.end() ? [.endHeader(outcome)] : []) + lookAhead()
  }

  // MARK: - Loading further pages

  /// Whether the next page may be loaded: nothing else runs, and there may be one.
  private var canLoadNext: Bool {
    guard running == nil, facts.hasLoaded else { return false }
    switch facts.nextState {
    case .idle, .failed, .stillSearching: return true
    case .loading, .reachedEnd: return false
    }
  }

  private mutating func release() -> [Command] {
    // Both are released, whichever was pulled.
    let (down, up) = (header.state == .triggered, footer.release())
    header.pull(to: 0)
    if down { return begin(showsHeader: true) }
    return up ? loadMore() : []
  }

  private mutating func loadMore() -> [Command] {
    // If nothing was ever loaded, the next page is the first one.
    if !facts.hasLoaded, running == nil { return begin(showsHeader: false) }
    guard canLoadNext else { return [] }
    automaticPages = 0
    return loadNext()
  }

  private mutating func loadNext() -> [Command] {
    footer.pull(to: 0)
    facts.nextState = .loading
    return [.loadNext]
  }

  private mutating func lookAhead() -> [Command] {
    guard options.pullsUp, options.footerTrigger == .nearEnd, facts.nextState == .idle,
      canLoadNext, let visible, let fillsView,
      facts.shownRows - visible.upperBound <= options.prefetchDistance
    else { return [] }
    let isComingNear = fillsView && rowsBefore.map { facts.shownRows > $0 } ?? true
    if isComingNear { automaticPages = 0 }
    guard isComingNear || automaticPages < options.automaticPages else { return [] }
    automaticPages += 1
    rowsBefore = facts.shownRows
    return loadNext()
  }

  /// Loads the page before the first row. It is limited: if the view stays at its first row while rows are
  /// inserted above it, every page would trigger the one before it.
  private mutating func lookBack() -> [Command] {
    guard let visible, !visible.isEmpty else { return [] }
    guard visible.lowerBound <= options.prefetchDistance else {
      pagesBefore = 0
      return []
    }
    guard running == nil, facts.hasLoaded, facts.previousState == .idle,
      pagesBefore == 0 || pagesBefore < options.automaticPages
    else { return [] }
    pagesBefore += 1
    facts.previousState = .loading
    return [.loadPrevious]
  }
}

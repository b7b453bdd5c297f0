/// What refreshes a list and what loads further pages. Options may be set in any order, at any time, and
/// taken back.
public struct RefreshOptions: Hashable, Sendable {
  /// Whether the list is refreshed when it appears.
  public enum AutoRefresh: Hashable, Sendable {
    /// Never.
    case never
    /// When nothing was ever loaded.
    case first
    /// Each time it appears.
    case always
    /// When what it shows is at least that old, or of unknown age.
    case ifOlderThan(Duration)
  }

  /// What loads the next page.
  public enum FooterTrigger: Hashable, Sendable {
    /// The last rows coming near.
    case comingNear
    /// Pulling the rows up beyond the last one.
    case pulling
  }

  /// Whether pulling down refreshes. Turned off while a refresh shows, the header goes and the refresh
  /// goes on.
  public var pullsDown = true
  /// Whether pulling up, or coming near the end, loads the next page.
  public var pullsUp = true
  /// How far the rows have to be pulled down.
  public var headerThreshold = 60.0
  /// How far the rows have to be pulled up.
  public var footerThreshold = 60.0
  /// Whether the list is refreshed when it appears, once each time it does.
  public var autoRefresh = AutoRefresh.first
  /// What loads the next page.
  public var footerTrigger = FooterTrigger.comingNear
  /// How near the end of the rows the next page is loaded, and how near the first row the one before it,
  /// in rows.
  public var prefetchDistance = 20
  /// How many pages in a row are loaded without being asked for while rows do not fill the view, pages
  /// bring nothing to show, or the view stays at the first row while pages come in above it. Pulling,
  /// tapping, refreshing and scrolling away from there begin anew.
  public var unaskedPages = 3

  /// The defaults.
  public init() {}
}

extension RefreshCoordinator {
  /// Names one refresh.
  package struct Ticket: Hashable, Sendable {
    let number: Int
  }

  /// What happened.
  package enum Event: Hashable, Sendable {
    /// The view came on the screen, with rows of that age; `nil` where nobody knows.
    case appeared(age: Duration?)
    /// The view left the screen.
    case disappeared
    /// The rows are pulled down so far.
    case pulledDown(Double)
    /// The rows are pulled up so far beyond the last one.
    case pulledUp(Double)
    /// What was pulled was let go.
    case released
    /// These rows are in sight, all rows counted through, and whether rows fill the view.
    case saw(Range<Int>, fillsView: Bool)
    /// Somebody wants a refresh, with the header or without.
    case refresh(silently: Bool)
    /// Somebody wants the next page: the footer was tapped.
    case loadMore
    /// A refresh began that was not asked for here.
    case refreshBegan
    /// A refresh is over.
    case refreshEnded(Ticket, RefreshOutcome)
    /// What the list says of itself now.
    case listChanged(ListFacts)
    /// The list begins anew.
    case reset
    /// Other options hold.
    case options(RefreshOptions)
  }

  /// What is to be done.
  package enum Command: Hashable, Sendable {
    /// Refresh the list, and say with the ticket when that is over.
    case refresh(Ticket)
    /// Load the next page.
    case loadNext
    /// Load the page before the first row.
    case loadPrevious
    /// Show the header.
    case beginHeader
    /// Take the header back.
    case endHeader(RefreshOutcome)
  }
}

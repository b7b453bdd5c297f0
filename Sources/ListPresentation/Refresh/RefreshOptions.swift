/// Options for when a list is refreshed and when further pages are loaded. They can be set in any order and
/// changed at any time.
public struct RefreshOptions: Hashable, Sendable {
  /// Whether the list is refreshed when it appears.
  public enum AutoRefresh: Hashable, Sendable {
    /// Never.
    case never
    /// If nothing was ever loaded.
    case first
    /// Each time it appears.
    case always
    /// If the shown rows are at least that old, or of unknown age.
    case ifOlderThan(Duration)
  }

  /// The trigger that loads the next page.
  public enum FooterTrigger: Hashable, Sendable {
    /// The last rows come near.
    case nearEnd
    /// The rows are pulled up beyond the last one.
    case pulling
  }

  /// Whether pulling down refreshes. If it is turned off while a refresh shows, the header closes and the
  /// refresh continues.
  public var pullsDown = true
  /// Whether pulling up, or coming near the end, loads the next page.
  public var pullsUp = true
  /// The distance that triggers the header.
  public var headerThreshold = 60.0
  /// The distance that triggers the footer.
  public var footerThreshold = 60.0
  /// Whether the list is refreshed when it appears, once each time.
  public var autoRefresh = AutoRefresh.first
  /// The trigger that loads the next page.
  public var footerTrigger = FooterTrigger.nearEnd
  /// The distance from the last row at which the next page is loaded, and from the first row at which the
  /// previous page is loaded, in rows.
  public var prefetchDistance = 20
  /// The number of consecutive pages that are loaded unasked while rows don't fill the view, pages have
  /// nothing to show, or the view stays at the first row while pages are inserted above it. Pulling, tapping,
  /// refreshing and scrolling away from there reset the count.
  public var automaticPages = 3

  /// Creates the default options.
  public init() {}
}

extension RefreshCoordinator {
  /// Identifies one refresh.
  package struct Ticket: Hashable, Sendable {
    let number: Int
  }

  /// An event on the screen or of the list.
  package enum Event: Hashable, Sendable {
    /// The view appeared on the screen, with rows of that age; `nil` if it is unknown.
    case appeared(age: Duration?)
    /// The view left the screen.
    case disappeared
    /// The rows are pulled down by this distance.
    case pulledDown(Double)
    /// The rows are pulled up by this distance beyond the last one.
    case pulledUp(Double)
    /// A pull was released.
    case released
    /// These rows are visible, numbered over all sections, and whether rows fill the view.
    case saw(Range<Int>, fillsView: Bool)
    /// A refresh is requested, with or without the header.
    case refresh(silently: Bool)
    /// The next page is requested: the footer was tapped.
    case loadMore
    /// A refresh started that wasn't requested here.
    case refreshBegan
    /// A refresh ended.
    case refreshEnded(Ticket, LoadToken.Outcome)
    /// The state of the list changed.
    case listChanged(ListFacts)
    /// The list was reset.
    case reset
    /// The options changed.
    case options(RefreshOptions)
  }

  /// A command to carry out.
  package enum Command: Hashable, Sendable {
    /// Refresh the list, and report the end with the ticket.
    case refresh(Ticket)
    /// Request the page of the running refresh once more if the program has written since.
    case renewRefresh
    /// Load the next page.
    case loadNext
    /// Load the page before the first row.
    case loadPrevious
    /// Show the header.
    case beginHeader
    /// Close the header.
    case endHeader(LoadToken.Outcome)
  }
}

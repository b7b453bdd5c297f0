extension RefreshCoordinator {
  /// Names one refresh.
  public struct Ticket: Hashable, Sendable {
    let number: Int
  }

  /// What happened.
  public enum Event: Hashable, Sendable {
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
  public enum Command: Hashable, Sendable {
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

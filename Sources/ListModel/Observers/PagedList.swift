/// What can be asked of a list without knowing what its rows are.
@MainActor public protocol PagedList: AnyObject {
  /// How many rows there are now.
  var count: Int { get }
  /// Whether a first page has ever come.
  var hasLoaded: Bool { get }
  /// What is known of the age of the rows.
  var freshness: Freshness { get }
  /// Where first load, refresh and jump stand.
  var refreshState: LoadState { get }
  /// Where the loads of one side stand.
  func state(of side: ListSide) -> LoadState
  /// Shows what was kept of the list, without the network.
  @discardableResult func restore() -> Load
  /// Loads the first page, or loads it again.
  @discardableResult func refresh() -> Load
  /// Loads the page behind the last row.
  @discardableResult func loadNextPage() -> Load
  /// Loads the page before the first row.
  @discardableResult func loadPreviousPage() -> Load
  /// Repeats the load that failed last.
  @discardableResult func retry() -> Load
  /// Tells of rows that are on the screen, so that the list can look ahead.
  func willShow(_ rows: Range<Int>)
  /// Ends every load.
  func cancel()
}

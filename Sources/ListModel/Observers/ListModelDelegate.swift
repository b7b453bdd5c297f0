public import ServerAPI

/// Told of everything that happens to a list, on the main actor, in the order it happens.
///
/// All but two methods do nothing unless they are written. The rows of the model are those the event
/// speaks of whenever a method is called. A method may call the model; what comes of it is told when
/// the method has returned.
///
/// Each method says which list it is about, so that one object can serve several:
///
/// ```swift
/// func listModel(_ model: any PagedList, didChange change: ListChange) {
///   if model === books { … }
/// }
/// ```
@MainActor public protocol ListModelDelegate: AnyObject {
  /// A load began.
  func listModel(_ model: any PagedList, didStart kind: LoadKind)
  /// The rows changed.
  func listModel(_ model: any PagedList, didChange change: ListChange)
  /// A page was not quite as expected: duplicates, values that could not be read.
  func listModel(_ model: any PagedList, didReport report: PageReport)
  /// What is shown is of another age, or was asked for again in vain.
  func listModel(_ model: any PagedList, didUpdateFreshness freshness: Freshness)
  /// The pages so far brought too little that is new, and the load goes on.
  func listModel(_ model: any PagedList, isSearching kind: LoadKind, pages: Int)
  /// The list was made anew: a first load, a refresh or a jump brought its page, or it was restored.
  func listModel(_ model: any PagedList, refreshDidSucceed kind: LoadKind)
  /// A further page came.
  func listModel(_ model: any PagedList, loadDidSucceed kind: LoadKind)
  /// The first row is the first there is.
  func listModel(_ model: any PagedList, didReachStart end: ListEnd)
  /// The last row is the last there is.
  func listModel(_ model: any PagedList, didReachEnd end: ListEnd)
  /// A load brought nothing; the rows are as they were.
  func listModel(_ model: any PagedList, didFail kind: LoadKind, error: LoadError)
  /// A load was ended on purpose.
  func listModel(
    _ model: any PagedList, didCancel kind: LoadKind, reason: RequestError.CancelReason)
  /// A new list begins: what it asks is another thing now, and nothing of it has been loaded.
  func listModelDidReset(_ model: any PagedList)
  /// A load is over, however it went: the place to stop a spinner.
  func listModel(_ model: any PagedList, didFinish kind: LoadKind)
}

extension ListModelDelegate {
  /// Does nothing.
  public func listModel(_ model: any PagedList, didStart kind: LoadKind) {}
  /// Does nothing.
  public func listModel(_ model: any PagedList, didReport report: PageReport) {}
  /// Does nothing.
  public func listModel(_ model: any PagedList, didUpdateFreshness freshness: Freshness) {}
  /// Does nothing.
  public func listModel(_ model: any PagedList, isSearching kind: LoadKind, pages: Int) {}
  /// Does nothing.
  public func listModel(_ model: any PagedList, refreshDidSucceed kind: LoadKind) {}
  /// Does nothing.
  public func listModel(_ model: any PagedList, loadDidSucceed kind: LoadKind) {}
  /// Does nothing.
  public func listModel(_ model: any PagedList, didReachStart end: ListEnd) {}
  /// Does nothing.
  public func listModel(_ model: any PagedList, didReachEnd end: ListEnd) {}
  /// Does nothing.
  public func listModel(
    _ model: any PagedList, didCancel kind: LoadKind, reason: RequestError.CancelReason
  ) {}
  /// Does nothing.
  public func listModelDidReset(_ model: any PagedList) {}
  /// Does nothing.
  public func listModel(_ model: any PagedList, didFinish kind: LoadKind) {}
}

extension ListModelDelegate {
  /// Calls the method that belongs to an event.
  func notify(of event: ListEvent, in model: any PagedList) {
    switch event {
    case .didStart(let kind): listModel(model, didStart: kind)
    case .didChange(let change): listModel(model, didChange: change)
    case .didReport(let report): listModel(model, didReport: report)
    case .didUpdateFreshness(let freshness): listModel(model, didUpdateFreshness: freshness)
    case .isSearching(let kind, let pages): listModel(model, isSearching: kind, pages: pages)
    case .didSucceed(let kind):
      switch kind {
      case .first, .refresh, .page, .restore: listModel(model, refreshDidSucceed: kind)
      case .next, .previous, .gap: listModel(model, loadDidSucceed: kind)
      }
    case .didReachStart(let end): listModel(model, didReachStart: end)
    case .didReachEnd(let end): listModel(model, didReachEnd: end)
    case .didFail(let kind, let error): listModel(model, didFail: kind, error: error)
    case .didCancel(let kind, let reason): listModel(model, didCancel: kind, reason: reason)
    case .didReset: listModelDidReset(model)
    case .didFinish(let kind): listModel(model, didFinish: kind)
    case .didDropEvents: break  // Nobody who is called directly misses anything.
    }
  }
}

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
  func rowsWillAppear(_ rows: Range<Int>)
  /// Ends every load.
  func cancel()
}

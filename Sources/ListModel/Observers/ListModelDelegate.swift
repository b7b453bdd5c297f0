public import ServerAPI

/// An object that is notified of every event of a list, on the main actor and in order.
///
/// ``listModel(_:didChange:)`` and ``listModel(_:didFail:error:)`` are required; the other methods do
/// nothing by default. During a method, the rows of the model are those after its event. A method may call
/// the model; resulting events are delivered after the method has returned.
///
/// Each method gets the list, so that one object can serve several:
///
///
/// ```swift
/// func listModel(_ model: any PagedList, didChange change: ListChange) {
///   if model === books { … }
/// }
/// ```
@MainActor public protocol ListModelDelegate: AnyObject {
  /// A load started.
  func listModel(_ model: any PagedList, didStart kind: LoadKind)
  /// The rows changed.
  func listModel(_ model: any PagedList, didChange change: ListChange)
  /// A page had problems: duplicates, values that could not be read.
  func listModel(_ model: any PagedList, didReport report: PageReport)
  /// The age of the rows changed, or reloading them failed.
  func listModel(_ model: any PagedList, didUpdateFreshness freshness: Freshness)
  /// The pages so far had too few new rows, and the load continues.
  func listModel(_ model: any PagedList, isSearching kind: LoadKind, pages: Int)
  /// The list was replaced by a first load, a refresh, a jump or a restore.
  func listModel(_ model: any PagedList, refreshDidSucceed kind: LoadKind)
  /// A further page was loaded.
  func listModel(_ model: any PagedList, loadDidSucceed kind: LoadKind)
  /// No rows precede the first row on the server.
  func listModel(_ model: any PagedList, didReachStart end: ListEnd)
  /// No rows follow the last row on the server.
  func listModel(_ model: any PagedList, didReachEnd end: ListEnd)
  /// A load failed; the rows are unchanged.
  func listModel(_ model: any PagedList, didFail kind: LoadKind, error: LoadError)
  /// A load was cancelled.
  func listModel(
    _ model: any PagedList, didCancel kind: LoadKind, reason: RequestError.CancelReason)
  /// A new list started, because its request changed. None of its rows are loaded yet.
  func listModelDidReset(_ model: any PagedList)
  /// A load ended, with any outcome: the place to stop a spinner.
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
  /// Calls the method for an event.
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
    case .didDropEvents: break  // A delegate is called directly and loses no events.
    }
  }
}

/// The part of a list that does not depend on the type of its rows.
@MainActor public protocol PagedList: AnyObject {
  /// The number of rows now.
  var count: Int { get }
  /// Whether a first page has ever been loaded.
  var hasLoaded: Bool { get }
  /// The age of the rows, as far as it is known.
  var freshness: Freshness { get }
  /// The state of first load, refresh and jump.
  var refreshState: LoadState { get }
  /// The state of the loads at one side.
  func state(of side: ListSide) -> LoadState
  /// Shows the rows that are kept on disk, without the network.
  @discardableResult func restore() -> Load
  /// Loads or reloads the first page.
  @discardableResult func refresh() -> Load
  /// Loads the page after the last row.
  @discardableResult func loadNextPage() -> Load
  /// Loads the page before the first row.
  @discardableResult func loadPreviousPage() -> Load
  /// Repeats the load that failed last.
  @discardableResult func retry() -> Load
  /// Notifies the list of rows that become visible, so that it can load further pages.
  func rowsWillAppear(_ rows: Range<Int>)
  /// Cancels every load.
  func cancel()
}

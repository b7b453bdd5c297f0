public import ListReading
public import ServerAPI

/// An object that is notified of every event of a list, on the main actor and in order.
///
/// Every method does nothing by default. During a method, the rows of the model are those after its event. A
/// method may call the model; resulting events are delivered after the method has returned.
///
/// Each method gets the list, so that one object can serve several lists of the same items:
///
/// ```swift
/// func listModel(_ model: ListModel<Book>, didChange change: ListChange) {
///   if model === books { … }
/// }
/// ```
@MainActor public protocol ListModelDelegate<Item>: AnyObject {
  /// The type of the items in the list.
  associatedtype Item

  /// A load started.
  func listModel(_ model: ListModel<Item>, didStart kind: LoadKind)
  /// The rows changed.
  func listModel(_ model: ListModel<Item>, didChange change: ListChange)
  /// A page had problems: duplicates, values that could not be read.
  func listModel(_ model: ListModel<Item>, didReport report: PageReport)
  /// The age of the rows changed, or reloading them failed.
  func listModel(_ model: ListModel<Item>, didUpdateFreshness freshness: Freshness)
  /// Another number of rows is new above the first row; `nil` if none is known. See ``ListModel/newRows``.
  func listModel(_ model: ListModel<Item>, didUpdateNewRows newRows: NewRows?)
  /// The pages so far had too few new rows, and the load continues.
  func listModel(_ model: ListModel<Item>, isSearching kind: LoadKind, pages: Int)
  /// The list was replaced by a first load, a refresh, a jump or a restore.
  func listModel(_ model: ListModel<Item>, refreshDidSucceed kind: LoadKind)
  /// A further page was loaded.
  func listModel(_ model: ListModel<Item>, loadDidSucceed kind: LoadKind)
  /// No rows precede the first row on the server.
  func listModel(_ model: ListModel<Item>, didReachStart end: ListEnd)
  /// No rows follow the last row on the server.
  func listModel(_ model: ListModel<Item>, didReachEnd end: ListEnd)
  /// A load failed; the rows are unchanged.
  func listModel(_ model: ListModel<Item>, didFail kind: LoadKind, error: LoadError)
  /// A load was cancelled.
  func listModel(
    _ model: ListModel<Item>, didCancel kind: LoadKind, reason: RequestError.CancelReason)
  /// A new list started, because its request changed. None of its rows are loaded yet.
  func listModelDidReset(_ model: ListModel<Item>)
  /// A load ended, with any outcome: the place to stop a spinner.
  func listModel(_ model: ListModel<Item>, didFinish kind: LoadKind)
}

extension ListModelDelegate {
  /// Does nothing.
  public func listModel(_ model: ListModel<Item>, didStart kind: LoadKind) {}
  /// Does nothing.
  public func listModel(_ model: ListModel<Item>, didChange change: ListChange) {}
  /// Does nothing.
  public func listModel(_ model: ListModel<Item>, didReport report: PageReport) {}
  /// Does nothing.
  public func listModel(_ model: ListModel<Item>, didUpdateFreshness freshness: Freshness) {}
  /// Does nothing.
  public func listModel(_ model: ListModel<Item>, didUpdateNewRows newRows: NewRows?) {}
  /// Does nothing.
  public func listModel(_ model: ListModel<Item>, isSearching kind: LoadKind, pages: Int) {}
  /// Does nothing.
  public func listModel(_ model: ListModel<Item>, refreshDidSucceed kind: LoadKind) {}
  /// Does nothing.
  public func listModel(_ model: ListModel<Item>, loadDidSucceed kind: LoadKind) {}
  /// Does nothing.
  public func listModel(_ model: ListModel<Item>, didReachStart end: ListEnd) {}
  /// Does nothing.
  public func listModel(_ model: ListModel<Item>, didReachEnd end: ListEnd) {}
  /// Does nothing.
  public func listModel(_ model: ListModel<Item>, didFail kind: LoadKind, error: LoadError) {}
  /// Does nothing.
  public func listModel(
    _ model: ListModel<Item>, didCancel kind: LoadKind, reason: RequestError.CancelReason
  ) {}
  /// Does nothing.
  public func listModelDidReset(_ model: ListModel<Item>) {}
  /// Does nothing.
  public func listModel(_ model: ListModel<Item>, didFinish kind: LoadKind) {}
}

extension ListModelDelegate {
  /// Calls the method for an event.
  func notify(of event: ListEvent, in model: ListModel<Item>) {
    switch event {
    case .didStart(let kind): listModel(model, didStart: kind)
    case .didChange(let change): listModel(model, didChange: change)
    case .didReport(let report): listModel(model, didReport: report)
    case .didUpdateFreshness(let freshness): listModel(model, didUpdateFreshness: freshness)
    case .didUpdateNewRows(let rows): listModel(model, didUpdateNewRows: rows)
    case .isSearching(let kind, let pages): listModel(model, isSearching: kind, pages: pages)
    case .didSucceed(let kind):
      switch kind {
      case .first, .refresh, .page, .restore: listModel(model, refreshDidSucceed: kind)
      case .next, .previous, .evicted, .gap, .deep: listModel(model, loadDidSucceed: kind)
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

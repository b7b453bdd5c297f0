public import ServerAPI

/// An event of a list.
///
/// Events are delivered in the order in which they happened. The events with which a load ends are adjacent,
/// and each load that starts has one ``didFinish(_:)``.
public enum ListEvent: Hashable, Sendable {
  /// A load started.
  case didStart(LoadKind)
  /// The rows changed.
  case didChange(ListChange)
  /// A page had problems: duplicates, values that could not be read.
  case didReport(PageReport)
  /// The age of the rows changed, or reloading them failed.
  case didUpdateFreshness(Freshness)
  /// The pages so far had too few new rows, and the load continues.
  case isSearching(LoadKind, pages: Int)
  /// A load succeeded.
  case didSucceed(LoadKind)
  /// No rows precede the first row on the server.
  case didReachStart(ListEnd)
  /// No rows follow the last row on the server.
  case didReachEnd(ListEnd)
  /// A load failed; the rows are unchanged.
  case didFail(LoadKind, LoadError)
  /// A load was cancelled.
  case didCancel(LoadKind, RequestError.CancelReason)
  /// A new list started: the request of a ``ListModel`` changed, or a list was reset. The rows of the one before are
  /// removed.
  case didReset
  /// A load ended, with any outcome.
  case didFinish(LoadKind)
  /// This consumer was too slow and lost this number of events; see ``ListEvents``.
  case didDropEvents(Int)
}

extension ListEvent: CustomStringConvertible {
  /// The event in one line for logs, such as `didStart next` or `didChange inserted 20…39`.
  public var description: String {
    switch self {
    case .didStart(let kind): "didStart \(kind)"
    case .didChange(let change): "didChange \(change)"
    case .didReport(let report): "didReport \(inOneLine(report))"
    case .didUpdateFreshness(let freshness): "didUpdateFreshness \(inOneLine(freshness))"
    case .isSearching(let kind, let pages): "isSearching \(kind), pages \(pages)"
    case .didSucceed(let kind): "didSucceed \(kind)"
    case .didReachStart(let end): "didReachStart \(end)"
    case .didReachEnd(let end): "didReachEnd \(end)"
    case .didFail(let kind, let error): "didFail \(kind): \(inOneLine(error))"
    case .didCancel(let kind, let reason): "didCancel \(kind), \(reason)"
    case .didReset: "didReset"
    case .didFinish(let kind): "didFinish \(kind)"
    case .didDropEvents(let count): "didDropEvents \(count)"
    }
  }

  private func inOneLine(_ value: some CustomStringConvertible) -> String {
    value.description.split(separator: "\n").joined(separator: " ")
  }
}

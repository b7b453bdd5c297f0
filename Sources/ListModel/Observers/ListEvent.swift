public import ServerAPI

/// What happened to a list, in the order it happened.
///
/// What a load ends with is told in one go, without events of another one in between, and each load that
/// starts has one ``didFinish(_:)``.
public enum ListEvent: Hashable, Sendable {
  /// A load began.
  case didStart(LoadKind)
  /// The rows changed.
  case didChange(ListChange)
  /// A page was not quite as expected.
  case didReport(PageReport)
  /// What is shown is of another age, or was asked for again in vain.
  case didUpdateFreshness(Freshness)
  /// The pages so far brought too little that is new, and the load goes on.
  case isSearching(LoadKind, pages: Int)
  /// A load brought its page.
  case didSucceed(LoadKind)
  /// The first row is the first there is.
  case didReachStart(ListEnd)
  /// The last row is the last there is.
  case didReachEnd(ListEnd)
  /// A load brought nothing; the rows are as they were.
  case didFail(LoadKind, LoadError)
  /// A load was ended on purpose.
  case didCancel(LoadKind, RequestError.CancelReason)
  /// A new list begins: what it asks is another thing now, and nothing of it has been loaded.
  case didReset
  /// A load is over, however it went.
  case didFinish(LoadKind)
  /// So many events were not taken in time and are lost to this consumer; see ``ListEvents``.
  case didDropEvents(Int)
}

extension ListEvent: CustomStringConvertible {
  /// The event in one line, for logs: `didStart next`, `didChange inserted 20…39`.
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

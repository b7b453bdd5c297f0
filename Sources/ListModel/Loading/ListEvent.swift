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
  case didBecome(Freshness)
  /// The pages so far brought too little that is new, and the load goes on.
  case isSearching(LoadKind, pages: Int)
  /// A load brought its page.
  case didSucceed(LoadKind)
  /// The first row is the first there is.
  case didLoadFirstPage(ListEnd)
  /// The last row is the last there is.
  case didLoadLastPage(ListEnd)
  /// A load brought nothing; the rows are as they were.
  case didFail(LoadKind, LoadError)
  /// A load was ended on purpose.
  case didCancel(LoadKind, RequestError.CancelReason)
  /// A new list begins: what it asks is another thing now, and nothing of it has been loaded.
  case didReset
  /// A load is over, however it went.
  case didFinish(LoadKind)
  /// So many events were not taken in time and are lost to this consumer; see ``ListEvents``.
  case didMiss(Int)
}

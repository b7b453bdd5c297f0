public import ServerAPI

/// How one call to load ended; each has exactly one.
///
/// A load that had to search through several pages has the change of its last one. Delegate and events
/// tell of all.
public enum LoadOutcome: Hashable, Sendable {
  /// The rows are those of a new first page, or of the page that was jumped to.
  case replaced(ListChange)
  /// Rows came behind the last ones.
  case appended(ListChange)
  /// Rows came before the first ones.
  case prepended(ListChange)
  /// A page in the middle is there again.
  case filled(ListChange)
  /// There is nothing on that side; nothing was asked for.
  case reachedEnd(ListEnd)
  /// So many pages in a row brought nothing new that the search was halted. Another call goes on.
  case stillSearching(pages: Int)
  /// There was nothing to do: nothing had failed, or the page is there.
  case notNeeded
  /// No page came; the rows are as they were.
  case failed(LoadError)
  /// It was ended on purpose.
  case cancelled(RequestError.CancelReason)
}

/// Where one kind of load stands.
public enum LoadState: Hashable, Sendable {
  /// Nothing is under way.
  case idle
  /// A load is under way, or waits for a refresh to end.
  case loading
  /// The last load failed.
  case failed(LoadError)
  /// So many pages in a row brought nothing new that the search was halted; a load goes on.
  case stillSearching(pages: Int)
  /// There are no more pages on this side.
  case endReached(ListEnd)
}

/// What a load brings.
public enum LoadKind: Hashable, Sendable {
  /// The first page of a list that has none yet.
  case first
  /// The first page again.
  case refresh
  /// The page behind the last one.
  case next
  /// The page before the first one.
  case previous
  /// The page with this number, which becomes the only one.
  case page(Int)
  /// A page in the middle that is not there, such as one given up to save memory.
  case gap(PageID)
  /// The list as it was kept, from a store and without the network; see ``ListModel/restore()``. Where
  /// nothing is kept it finishes without success or failure.
  case restore
}

extension LoadKind {
  /// Whether the page takes the place of all others.
  package var makesAnew: Bool {
    switch self {
    case .first, .refresh, .page, .restore: true
    case .next, .previous, .gap: false
    }
  }
}

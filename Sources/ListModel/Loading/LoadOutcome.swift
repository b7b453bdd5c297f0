public import ServerAPI

/// How one load ended. Each load has exactly one outcome.
///
/// The outcome of a load that searched several pages has the change of the last one. Delegate and events
/// report all changes.
public enum LoadOutcome: Hashable, Sendable {
  /// The rows were replaced by a new first page, or by the page that was jumped to.
  case replaced(ListChange)
  /// Rows were inserted after the last one.
  case appended(ListChange)
  /// Rows were inserted before the first one.
  case prepended(ListChange)
  /// A gap was filled.
  case filled(ListChange)
  /// There is no more on that side; nothing was requested.
  case reachedEnd(ListEnd)
  /// The search paused after this many pages in a row without new rows. Another call continues it.
  case stillSearching(pages: Int)
  /// There was nothing to do: no load had failed, or the page is already loaded.
  case notNeeded
  /// The load failed; the rows did not change.
  case failed(LoadError)
  /// The load was cancelled.
  case cancelled(RequestError.CancelReason)
}

/// The state of one kind of load.
public enum LoadState: Hashable, Sendable {
  /// No load is running.
  case idle
  /// A load is running, or waits for a refresh to end.
  case loading
  /// The last load failed.
  case failed(LoadError)
  /// The search paused after this many pages in a row without new rows; another load continues it.
  case stillSearching(pages: Int)
  /// There are no more pages on this side.
  case reachedEnd(ListEnd)
}

/// The kind of a load.
public enum LoadKind: Hashable, Sendable {
  /// The first page of a list that has none yet.
  case first
  /// The first page again.
  case refresh
  /// The page after the last one.
  case next
  /// The page before the first one.
  case previous
  /// The page with this number, which replaces all others.
  case page(Int)
  /// A missing page in the middle, such as one that was evicted to save memory.
  case gap(PageID)
  /// The kept list, from a store and without the network; see ``ListModel/restore()``. Where
  /// nothing is kept it finishes without success or failure.
  case restore
}

extension LoadKind {
  /// Whether the page replaces all others.
  package var replacesList: Bool {
    switch self {
    case .first, .refresh, .page, .restore: true
    case .next, .previous, .gap: false
    }
  }
}

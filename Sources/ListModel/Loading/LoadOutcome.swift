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

extension LoadOutcome: CustomStringConvertible {
  /// The outcome in words, such as `20 rows added at the end` or `the list has ended: complete`.
  public var description: String {
    switch self {
    case .replaced(let change) where change.isEmpty: "the rows are as before"
    case .replaced(let change):
      "the rows were replaced: "
        + [
          (change.inserted.reduce(0) { $0 + $1.count }, "new"),
          (change.removed.reduce(0) { $0 + $1.count }, "removed"),
          (change.moved.count, "moved"),
          (change.updated.reduce(0) { $0 + $1.count }, "updated"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    case .appended(let change): "\(change.insertedRows) added at the end"
    case .prepended(let change): "\(change.insertedRows) added at the start"
    case .filled: "the missing rows were loaded"
    case .reachedEnd(let end): "the list has ended: \(end)"
    case .stillSearching(let pages):
      "no new rows on \(pages) page\(pages == 1 ? "" : "s"), another load continues the search"
    case .notNeeded: "there was nothing to load"
    case .failed(let error): "failed: \(error)"
    case .cancelled(.byCaller): "cancelled"
    case .cancelled(.superseded): "cancelled, because a newer load replaced it"
    case .cancelled(.ownerGone): "cancelled, because the list was released"
    }
  }
}

extension ListChange {
  /// The number of inserted rows in words.
  fileprivate var insertedRows: String {
    let count = inserted.reduce(0) { $0 + $1.count }
    return "\(count) row\(count == 1 ? "" : "s")"
  }
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

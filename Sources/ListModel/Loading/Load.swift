public import ListReading
public import ServerAPI
internal import Support

/// A handle for one load, to await its outcome or cancel it.
///
/// ```swift
/// let load = books.loadNextPage()        // returns at once
/// switch await load.outcome { … }
/// ```
///
/// Releasing the handle does not cancel the load.
public final class Load: Sendable {
  private struct State {
    var outcome: LoadOutcome?
    var waiters: [CheckedContinuation<LoadOutcome, Never>] = []
  }

  /// Guards the outcome and its waiters. No waiter is resumed while the lock is held.
  private let state = Lock(State())
  private let onCancel: @MainActor @Sendable () -> Void

  init(onCancel: @escaping @MainActor @Sendable () -> Void) { self.onCancel = onCancel }

  /// How the load ended. Any number of tasks may wait for it; cancelling one of them cancels the load, as
  /// ``cancel()`` does.
  public var outcome: LoadOutcome {
    get async {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let outcome = state.withLock { state in
            if state.outcome == nil { state.waiters.append(continuation) }
            return state.outcome
          }
          if let outcome { continuation.resume(returning: outcome) }
        }
      } onCancel: {
        Task { @MainActor in cancel() }
      }
    }
  }

  /// How the load ended, or `nil` while it runs.
  public var outcomeIfFinished: LoadOutcome? { state.withLock { $0.outcome } }

  /// Cancels the load. Other loads that wait for the same page still get it.
  @MainActor public func cancel() { onCancel() }

  /// Sets the outcome and resumes the waiters. Only the first call has an effect.
  func finish(_ outcome: LoadOutcome) {
    let waiters = state.withLock { state in
      guard state.outcome == nil else { return [CheckedContinuation<LoadOutcome, Never>]() }
      state.outcome = outcome
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume(returning: outcome) }
  }
}

/// How one load ended. Each load has exactly one outcome.
///
/// The outcome of a load that searched several pages has the change of the last one. Delegate and events
/// report all changes.
public enum LoadOutcome: Hashable, Sendable {
  /// The rows were replaced by a new first page, or by the page that was jumped to. Or pages were laid over them.
  case replaced(ListChange)
  /// Rows were inserted after the last one.
  case appended(ListChange)
  /// Rows were inserted before the first one.
  case prepended(ListChange)
  /// An evicted page was loaded again, or rows of a gap were loaded.
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
    case .replaced(let change) where change.onlyInsertsFirst: "\(change.insertedRows) loaded"
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
    case .filled(let change) where change.inserted.isEmpty: "the missing rows were loaded"
    case .filled(let change): "\(change.insertedRows) added in between"
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
  /// Whether it only inserts rows before all others, as the first page of a list does.
  fileprivate var onlyInsertsFirst: Bool {
    removed.isEmpty && moved.isEmpty && updated.isEmpty && inserted.count == 1
      && inserted.first?.lowerBound == 0
  }

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
  /// A page that was evicted to save memory.
  case evicted(PageID)
  /// Rows of a gap; see ``ListModel/loadGap(_:from:)``.
  case gap(PageID)
  /// All loaded pages, one after the other; see ``RefreshMode/deep``.
  case deep
  /// The kept list, from a store and without the network; see ``ListModel/restore()``. Where
  /// nothing is kept it finishes without success or failure.
  case restore
}

extension LoadKind: CustomStringConvertible {
  /// The kind in words, such as `next` or `page 3`.
  public var description: String {
    switch self {
    case .first: "first"
    case .refresh: "refresh"
    case .next: "next"
    case .previous: "previous"
    case .page(let number): "page \(number)"
    case .evicted: "evicted page"
    case .gap: "gap"
    case .deep: "deep refresh"
    case .restore: "restore"
    }
  }
}

extension LoadKind {
  /// Whether the page replaces all others.
  package var replacesList: Bool {
    switch self {
    case .first, .refresh, .page, .restore: true
    case .next, .previous, .evicted, .gap, .deep: false
    }
  }
}

/// A side of a list.
public enum ListSide: Hashable, Sendable, CaseIterable {
  /// Before the first row.
  case previous
  /// After the last row.
  case next
}

extension ListModel {
  /// Loads page after page until the list ends, a load brings nothing, or there are enough rows.
  ///
  /// ```swift
  /// let outcome = await books.loadAll(parallel: 4) { print("\($0.rows) of \($0.total ?? 0)") }
  /// guard outcome == .reachedEnd(.complete) else { … }
  /// ```
  ///
  /// Pages join the list one after the other, in order. Where their places can be worked out and the
  /// server says how many rows there are, several are asked for at once. Cancelling the task that waits
  /// cancels the load that is under way.
  ///
  /// - Parameters:
  ///   - rows: No page is asked for when there are that many rows.
  ///   - parallel: How many pages may be under way at once.
  ///   - progress: Told after each page. No further page joins the list before it returns, so a slow
  ///     consumer holds the server up.
  /// - Returns: How the last load ended: ``LoadOutcome/reachedEnd(_:)`` when everything is there.
  @discardableResult
  public func loadAll(
    upTo rows: Int = .max, parallel: Int = 1, progress: (ListProgress) async -> Void = { _ in }
  ) async -> LoadOutcome {
    precondition(parallel > 0, "at least one page is loaded at a time, not \(parallel)")
    guard count < rows else { return .notNeeded }
    source.parallel = parallel
    defer { source.parallel = 1 }
    var pages = 0
    while true {
      let outcome = await loadNextPage().outcome
      switch outcome {
      case .appended, .replaced:
        pages += 1
        await progress(ListProgress(rows: count, pages: pages, total: page?.facts.total))
        if count >= rows { return outcome }
      default: return outcome
      }
    }
  }
}

/// How far loading everything has come.
public struct ListProgress: Hashable, Sendable {
  /// The rows of the list.
  public var rows: Int
  /// The pages that were loaded on the way.
  public var pages: Int
  /// How many rows there are in all, where the server says so.
  public var total: Int?
}

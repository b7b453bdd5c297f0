extension ListModel {
  /// Loads page after page until the list ends, a load adds no page, or the list has enough rows.
  ///
  /// ```swift
  /// let outcome = await books.loadAll(parallel: 4) { print("\($0.rows) of \($0.total ?? 0)") }
  /// guard outcome == .reachedEnd(.complete) else { … }
  /// ```
  ///
  /// Pages join the list one at a time, in order. If their positions can be computed and the server says how many
  /// there are, several pages are requested at once. Cancelling the waiting task cancels the running load.
  ///
  /// - Parameters:
  ///   - rows: The number of rows after which no further page is requested.
  ///   - parallel: The maximum number of pages in flight.
  ///   - progress: Called after each page. The next page joins the list after it returns, so a slow
  ///     consumer slows the requests down.
  /// - Returns: The outcome of the last load: ``LoadOutcome/reachedEnd(_:)`` when the list is complete.
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

/// The progress of loading all pages of a list.
public struct ListProgress: Hashable, Sendable {
  /// The number of rows in the list.
  public var rows: Int
  /// The number of pages loaded by this call.
  public var pages: Int
  /// The total number of rows, if the server states it.
  public var total: Int?
}

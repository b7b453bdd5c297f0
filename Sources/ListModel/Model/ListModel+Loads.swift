internal import ListReading

extension ListModel {
  /// Loads or reloads the first page. During another refresh it joins that one. If the program has confirmed an edit or
  /// sent a call that may change a resource since then, the page is requested once more: it has what was written.
  @discardableResult public func refresh() -> Load { refresh(.keepVisible) }

  /// Loads or reloads the first page, or all loaded pages (``RefreshMode/deep``).
  @discardableResult public func refresh(_ mode: RefreshMode) -> Load {
    var mode = mode
    if case .around = mode, !(recognized?.paging ?? paging).goesBack {
      mode = .keepVisible
    }
    defer { renewRefresh() }
    return load { $0.refresh(mode, load: $1) }
  }

  /// Loads the page after the last row; the first page if none is loaded.
  @discardableResult public func loadNextPage() -> Load { load { $0.request(.next, load: $1) } }

  /// Loads the page before the first row; the first page if none is loaded.
  @discardableResult public func loadPreviousPage() -> Load {
    load { $0.request(.previous, load: $1) }
  }

  /// Loads the page with this number, counted from 0, and replaces all rows. Further pages can be loaded
  /// on both sides of it.
  @discardableResult public func loadPage(_ number: Int) -> Load {
    let paging = recognized?.paging ?? paging
    guard number >= 0 else {
      return load { $0.reject(.page(number), .paging(.noSuchPage(number)), load: $1) }
    }
    guard let key = paging.key(ofPage: number) else {
      return load { $0.reject(.page(number), .paging(.notNumbered("\(paging)")), load: $1) }
    }
    return load { $0.request(.page(number), load: $1, key: key) }
  }

  /// Repeats the load that failed last. Loads the first page if none was ever loaded. At an end that is incomplete,
  /// requests the last page again, as it may lead to the missing rows, or refreshes the list where that can't help.
  @discardableResult public func retry() -> Load { load { $0.retry(load: $1) } }

  /// Cancels every load, and a running ``checkForNewRows()``.
  public func cancel() {
    cancelProbe()
    handle { $0.cancelAll() }
  }

  /// Notifies the list of rows that become visible. It reloads evicted pages there, and loads further pages
  /// when the rows are near an end. Call it as often as you like.
  public func rowsWillAppear(_ rows: Range<Int>) {
    handle { $0.rowsAppeared(rows) }
    guard let keeper, let page = brain.store.page(atRow: rows.lowerBound) else { return }
    keeper.keepAnchor(rows.lowerBound - page.range.lowerBound, of: page.id)
  }

  /// Does the same for an observer that decides itself when further pages are loaded.
  package func rowsWillAppear(_ rows: Range<Int>, prefetches: Bool) {
    handle { $0.rowsAppeared(rows, prefetches: prefetches) }
  }
}

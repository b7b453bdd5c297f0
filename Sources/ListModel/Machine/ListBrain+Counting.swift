internal import ItemMapping
internal import ListReading
internal import ServerAPI

/// The number of rows that the server has sent.
extension ListBrain {
  /// The rows that the server has sent.
  var receivedRows: ReceivedRows {
    var rows = omitted.rows
    rows.count += store.serverRows
    return rows
  }
}

/// The rows of the server that did not join the list: those that a filter left out, or that could not be read.
struct OmittedRows: Hashable {
  private struct Page: Hashable {
    var filtered = 0
    var unreadable = 0
    /// How many of the unreadable rows may have come before.
    var repeated = 0
  }

  /// The ids of filtered rows, where rows have ids.
  private var ids: Set<RowID> = []
  /// Those of stored pages, until the server's page takes their place.
  private var stored: [PageKey: Set<RowID>] = [:]
  /// The numbers of other rows by page, so that a page that comes again counts once.
  private var pages: [PageKey: Page] = [:]
  private var firstError: String?
  private var acceptsUnreadable = false

  /// Whether a filter left out a row with this id.
  func has(_ id: RowID) -> Bool {
    ids.contains(id) || stored.values.contains { $0.contains(id) }
  }

  /// Whether a filter leaves out rows of a page that had not come before.
  func hidesNewRows<Item>(_ page: LoadedPage<Item>) -> Bool {
    guard page.filtered > 0 else { return false }
    return page.rows.ids == nil || !page.rows.filteredIDs.allSatisfy(ids.contains)
  }

  /// Adds the rows that a page has left out.
  ///
  /// - Parameters:
  ///   - overlap: The number of its rows that came before. Those that can't be read have no ids.
  ///   - isStored: Whether it is shown until the server's page has come.
  mutating func add<Item>(
    _ page: LoadedPage<Item>, acceptsUnreadable: Bool, overlap: Int = 0, isStored: Bool = false
  ) {
    self.acceptsUnreadable = acceptsUnreadable
    if !stored.isEmpty { stored[page.rows.key] = nil }
    let report = page.page.report
    guard page.filtered > 0 || report.droppedItems > 0 else {
      if !pages.isEmpty { pages[page.rows.key] = nil }
      return
    }
    if isStored {
      stored[page.rows.key] = Set(page.rows.filteredIDs)
    } else {
      ids.formUnion(page.rows.filteredIDs)
    }
    pages[page.rows.key] = Page(
      filtered: page.filtered - page.rows.filteredIDs.count, unreadable: report.droppedItems,
      repeated: min(report.droppedItems, overlap))
    firstError = firstError ?? report.firstDropped
  }

  var isEmpty: Bool { ids.isEmpty && stored.isEmpty && pages.isEmpty }

  var rows: ReceivedRows {
    var rows = ReceivedRows(count: stored.values.reduce(ids) { $0.union($1) }.count)
    for page in pages.values {
      rows.count += page.filtered + page.unreadable - page.repeated
      if !acceptsUnreadable { rows.unreadable += page.unreadable }
    }
    if rows.unreadable > 0 { rows.firstError = firstError }
    return rows
  }
}

extension ListStore {
  /// The number of rows that the server sent: without those that only the program inserted, and with those
  /// that it removes.
  var serverRows: Int { tree.span.rows - gaps.count - edits.localRows + edits.hiddenRows }

  /// The last page that a server sent.
  var lastServerPage: StoredPage<Item>? {
    guard let last = tree.last else { return nil }
    return last.key == nil ? serverPage(before: last.id) : last
  }

  /// The page this many pages before the last one that a server sent.
  func serverPage(fromEnd count: Int) -> StoredPage<Item>? {
    var page = lastServerPage
    for _ in 0..<count { page = page.flatMap { serverPage(before: $0.id) } }
    return page
  }

  /// The page before another one, apart from local rows and empty pages.
  func serverPage(before id: PageID) -> StoredPage<Item>? {
    var id = id
    while let start = tree.place(of: id)?.before.rows, start > 0,
      let place = tree.place(at: start - 1, by: .rows)
    {
      if place.page.key != nil { return place.page }
      id = place.page.id
    }
    return nil
  }

  /// The key of the page from which the pages before another one had this many rows.
  func key(before frontier: PageKey, rows count: Int) -> PageKey? {
    var pages = Array(PageSequence(tree)).filter { $0.key != nil }
    if let loaded = pages.firstIndex(where: { $0.key == frontier }) {
      pages.removeSubrange(loaded...)
    }
    var rows = 0
    for page in pages.reversed() {
      rows += page.parsed?.known.count ?? page.count
      if rows >= count { return page.key }
    }
    return pages.first?.key
  }
}

extension EditLog {
  /// The number of rows that only the program has.
  fileprivate var localRows: Int {
    chains.keys.count { isInserting($0) && !isRemoving($0) }
  }
  /// The number of rows that the server has and that the program removes.
  fileprivate var hiddenRows: Int {
    chains.count { row, chain in
      isRemoving(row) && !isInserting(row) && chain.first(where: \.savesPlace)?.spot != nil
    }
  }
}

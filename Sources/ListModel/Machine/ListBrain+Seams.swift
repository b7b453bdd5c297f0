internal import ItemMapping
internal import ServerAPI

/// Rows that moved up to a page that was already loaded.
extension ListBrain {
  /// Returns the effects of requesting an earlier page again before this one: if the number of all rows fell,
  /// the first rows of this page may have moved there. `nil` if the page can join the list.
  ///
  /// Earlier pages are requested until one starts with a row that the list has. It joins the list with the rows
  /// that moved, and the list continues after it. If there is no such page, the rows are lost, which the end
  /// of the list says.
  mutating func search(before page: LoadedPage<Item>, of number: Int) -> [ListEffect]? {
    guard let running = machine.runningLoad(number)?.running else { return nil }
    guard var seam = running.seam else {
      let isCounting = machine.extent?.record.isCounting ?? false
      guard
        let fall = machine.extent?.account.fall(
          at: page.page.facts, page.rows.key, isCounting: isCounting)
      else { return nil }
      // A cursor can't be moved back.
      guard page.rows.key.place.isCounted else {
        machine.extent?.account.lose(fall)
        return nil
      }
      var place = machine.extent?.seam ?? .init(key: page.rows.key)
      if place.key != page.rows.key { place = .init(key: page.rows.key) }
      place.searches += 1
      machine.extent?.seam = place
      if fall.unit == .rows, page.rows.ids != nil, place.searches <= PageMachine.SeamSearch.most,
        let last = store.lastServerPage,
        let key = last.key
      {
        return machine.search(.init(fall: fall, page: last.id), at: key, for: number)
      }
      machine.extent?.account.lose(fall)
      return nil
    }
    if let first = page.rows.ids?.first, store.contains(first) { return nil }
    let before = store.serverPage(before: seam.page)
    if before == nil, page.page.facts.previous == .end { return nil }
    guard seam.pagesLeft > 0, let before, let key = before.key else {
      machine.extent?.account.lose(seam.fall)
      return nil
    }
    (seam.page, seam.pagesLeft) = (before.id, seam.pagesLeft - 1)
    return machine.search(seam, at: key, for: number)
  }
}

// MARK: - Counting rows

extension ListBrain {
  /// The rows that the server has sent.
  var receivedRows: ReceivedRows {
    var rows = leftOut.rows
    rows.count += store.serverRows
    return rows
  }
}

/// The rows of the server that did not join the list: those that a filter left out, or that could not be read.
struct LeftOutRows: Hashable {
  private struct Page: Hashable {
    var filtered = 0
    var unreadable = 0
  }

  /// The ids of filtered rows, where rows have ids.
  private var ids: Set<RowID> = []
  /// The numbers of other rows by page, so that a page that comes again counts once.
  private var pages: [PageKey: Page] = [:]
  private var firstError: String?
  private var acceptsUnreadable = false

  mutating func add<Item>(_ page: LoadedPage<Item>, acceptsUnreadable: Bool) {
    self.acceptsUnreadable = acceptsUnreadable
    let report = page.page.report
    guard page.filtered > 0 || report.droppedItems > 0 else {
      if !pages.isEmpty { pages[page.rows.key] = nil }
      return
    }
    ids.formUnion(page.rows.filteredIDs)
    pages[page.rows.key] = Page(
      filtered: page.filtered - page.rows.filteredIDs.count, unreadable: report.droppedItems)
    firstError = firstError ?? report.firstDropped
  }

  var rows: ReceivedRows {
    var rows = ReceivedRows(count: ids.count)
    for page in pages.values {
      rows.count += page.filtered + page.unreadable
      if !acceptsUnreadable { rows.unreadable += page.unreadable }
    }
    if rows.unreadable > 0 { rows.firstError = firstError }
    return rows
  }
}

extension ListStore {
  /// The number of rows that the server sent: without those that only the program inserted, and with those
  /// that it removes.
  var serverRows: Int { tree.span.rows - edits.localRows + edits.hiddenRows }

  /// The last page that a server sent.
  var lastServerPage: StoredPage<Item>? {
    guard let last = tree.last else { return nil }
    return last.key == nil ? serverPage(before: last.id) : last
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

internal import ItemMapping
internal import ServerAPI

// MARK: - Rows that moved

extension WalkBrain {
  /// What is known about the seam before a page.
  enum Moved {
    case no
    /// These rows had moved across the seam and were found. Nothing else is missing there if the pages of the
    /// search meet, which the seam says.
    case found([JSONView], Seam, RowAccount.Fall)
    case lost(RowAccount.Fall)
    /// A window has rows of both sides.
    case joined(PageWindow)
    /// A window doesn't, nor did one further back.
    case apart
  }

  /// Returns the seam before a page if rows may have moved up across it: where pages are counted and the
  /// server reports fewer rows than before.
  func seam(before page: LoadedPage<JSONView>) -> MovedRows? {
    guard pages > 0, let fall = position.account.fall(at: page.page.facts, page.rows.key),
      fall.unit == .rows
    else { return nil }
    // Without their ids, the rows of an earlier walk can't be told from those that moved.
    return MovedRows(
      page: page, fall: fall, nearest: page,
      pagesLeft: unknownPages == 0 ? 5 : min(5, pages - unknownPages))
  }

  mutating func join(_ seam: MovedRows, to page: LoadedPage<JSONView>) -> Step {
    guard rows.idPath != nil, seam.pagesLeft > 0 else {
      return deliver(seam.page, moved: .lost(seam.fall))
    }
    guard let before = pageBefore(page) else {
      let isAtStart = page.rows.key.place.seam == .assumed
      return deliver(seam.page, moved: isAtStart ? found(seam) : .lost(seam.fall))
    }
    purpose = .joining(seam)
    return .request(before)
  }

  mutating func search(_ page: LoadedPage<JSONView>, for seam: MovedRows) -> Step {
    var seam = seam
    seam.pagesLeft -= 1
    seam.missed = page.rows.items.filter(rows.isNew) + seam.missed
    if !meets(page, seam.nearest) { seam.isConnected = false }
    seam.nearest = page
    if let first = page.rows.items.first, rows.isKnown(first) {
      return deliver(seam.page, moved: found(seam))
    }
    return join(seam, to: page)
  }

  private func found(_ seam: MovedRows) -> Moved {
    .found(seam.missed, seam.isConnected ? .mended : .open, seam.fall)
  }

  /// Whether nothing can be missing between two pages that were read one after the other: they share a row, or
  /// the server told the same total with both.
  private func meets(_ page: LoadedPage<JSONView>, _ next: LoadedPage<JSONView>) -> Bool {
    if let total = page.page.facts.total, total == next.page.facts.total { return true }
    guard let path = rows.idPath else { return false }
    let ids = Set(page.rows.items.compactMap { RowID(at: path, in: $0) })
    return next.rows.items.contains { RowID(at: path, in: $0).map(ids.contains) ?? false }
  }

  /// Returns the page before one, by its position or by the server's link.
  private func pageBefore(_ page: LoadedPage<JSONView>) -> PageKey? {
    let key = page.rows.key
    if let before = traits.paging(for: key, declared: paging).strategy.key(-1, after: key) {
      return before
    }
    if case .page(let before) = page.page.facts.previous, key.place.seam == .chained {
      return before
    }
    return nil
  }
}

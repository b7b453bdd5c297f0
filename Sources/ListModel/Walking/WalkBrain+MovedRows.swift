internal import ItemMapping
internal import ServerAPI

// MARK: - Rows that moved

extension WalkBrain {
  /// What is known about the seam before a page.
  enum Moved {
    case no
    /// These rows had moved across the seam and were found.
    case found([JSONView], Seam, ReportedNumbers.Fall)
    case lost(ReportedNumbers.Fall)
    /// A window has rows of both sides. These are the ids of its rows.
    case joined(PageWindow, WalkedRows.PageIDs?)
    /// A window doesn't, nor did one further back.
    case apart
  }

  /// Returns the seam before a page if rows may have moved up across it: where pages are counted and the
  /// server reports fewer rows than before.
  func seam(before page: LoadedPage<JSONView>) -> MovedRows<JSONView>? {
    guard pages > 0, let fall = position.account.fall(at: page.page.facts, page.rows.key),
      fall.unit == .rows
    else { return nil }
    // Without their ids, the rows of an earlier walk can't be told from those that moved.
    return MovedRows(before: page, fall, mostPages: unknownPages == 0 ? .max : pages - unknownPages)
  }

  mutating func join(_ seam: MovedRows<JSONView>) -> Step {
    guard rows.idPath != nil else { return deliver(seam.page, moved: .lost(seam.fall)) }
    let strategy = traits.paging(for: seam.nearest.rows.key, declared: paging).strategy
    switch seam.next(by: strategy) {
    case .request(let before):
      purpose = .joining(seam)
      return .request(before)
    case .end: return deliver(seam.page, moved: found(seam))
    case .lost: return deliver(seam.page, moved: .lost(seam.fall))
    }
  }

  mutating func search(_ page: LoadedPage<JSONView>, for seam: MovedRows<JSONView>) -> Step {
    var seam = seam
    let startsKnown = page.rows.items.first.map(rows.isKnown) ?? false
    let path = rows.idPath
    let isFound = seam.add(page, startsKnown: startsKnown) { page in
      path.map { path in page.rows.items.compactMap { RowID(at: path, in: $0) } } ?? []
    }
    return isFound ? deliver(seam.page, moved: found(seam)) : join(seam)
  }

  private func found(_ seam: MovedRows<JSONView>) -> Moved {
    .found(seam.found.reversed().flatMap { $0.rows.items.filter(rows.isNew) }, seam.seam, seam.fall)
  }
}

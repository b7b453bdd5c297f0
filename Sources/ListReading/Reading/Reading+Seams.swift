internal import ServerAPI

/// The seam before a page: which page is requested to see it.
extension Reading {
  /// Receives a page that was requested in the running turn.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - shared: What its rows share with those before, once that was asked for.
  package mutating func receive(_ page: ReadPage, _ compared: ComparedRows? = nil) -> Step {
    switch turn {
    case .look(.overlap(let overlap), for: let key):
      guard let compared else { return .compare }
      return see(page, overlap, compared, for: key)
    case .look(.verify(let overlap, let ids), for: let key):
      guard let compared else { return .compare }
      return verify(page, overlap, in: ids, compared, for: key)
    case .look(.apart, _):
      return .join(Joining(page: page, outcome: .open, loss: .open))
    case .look(.moved(var moved), for: let key):
      guard let compared else { return .compare }
      if moved.add(page, compared) { return end(moved, moved.seam) }
      return search(moved, for: key)
    case .page, nil:
      return look(at: page, compared)
    }
  }

  /// Returns what is requested in place of an overlap that the server refused; `nil` if the failure has another reason
  /// and the overlap can be requested again.
  package mutating func refused(_ error: LoadError) -> PageKey? {
    guard case .look(.overlap(let overlap), for: let key) = turn, let position,
      let step = overlaps.refused(overlap, error, before: key, position)
    else { return nil }
    return request(step, for: key)
  }

  /// Decides whether the next page joins, is requested again with an overlap, or starts a search because a total has
  /// fallen.
  private mutating func look(at page: ReadPage, _ compared: ComparedRows?) -> Step {
    // A row without an id that comes again can't be told from another one.
    guard looksForRows, page.hasIDs, !record.lacksIDs, record.pages > 0 else {
      return joinAfterFall(page)
    }
    let key = turn?.key ?? page.key
    // The server reports fewer rows than before, so that rows may have moved up across the seam.
    let fall = account.fall(at: page.facts, page.key).flatMap { $0.unit == .rows ? $0 : nil }
    if level == .signs {
      overlaps.noteChange(at: key, account.numbers.differs(from: page.facts))
      if overlaps.isWorthLook(at: key) {
        guard let compared else { return .compare }
        overlaps.look(at: key)
        if fall == nil, !compared.hasKnown, let overlap = overlap(before: key) {
          turn = .look(.overlap(overlap), for: key)
          return .request(overlap.key)
        }
      }
    }
    guard let fall else { return joinAfterFall(page) }
    guard let compared else { return .compare }
    let most = pagesUnread.map { record.pages - $0 } ?? .max
    return search(MovedRows(before: page, compared, fall, mostPages: most), for: key)
  }

  private func joinAfterFall(_ page: ReadPage) -> Step { .join(joining(page)) }

  /// Returns how a page joins if nothing else is requested: rows that moved away before it are missing.
  package func joining(_ page: ReadPage) -> Joining {
    var joining = Joining(page: page)
    if record.pages > 0,
      let fall = account.fall(at: page.facts, page.key, isCounting: record.isCounting)
    {
      (joining.outcome, joining.loss) = (.open, .fall(fall))
    }
    return joining
  }
}

// MARK: - Overlaps

extension Reading {
  /// Returns the overlap that is requested for a page; `nil` where the page itself is.
  package func overlap(before key: PageKey) -> PageOverlap? {
    // The level first: a position costs more than the comparison.
    guard level >= .seams || overlaps.hasSign, knowsRows, account.rows.count > 0,
      !record.lacksIDs, let position
    else { return nil }
    return overlaps.overlap(before: key, position)
  }

  /// What is known where the next page is requested.
  private var position: OverlapPlan.Position? {
    guard let paging else { return nil }
    return OverlapPlan.Position(
      level: level, paging: paging, first: first, pages: record.pages, rows: account.rows.count,
      total: account.total, leadsToID: record.leadsToID, saysMore: account.saysMore)
  }

  private mutating func see(
    _ page: ReadPage, _ overlap: PageOverlap, _ compared: ComparedRows, for key: PageKey
  ) -> Step {
    // After all rows of the server's number there is nothing to see. Some servers send a link with each page.
    if page.isEmpty, account.meetsTotal, page.facts.total == account.total {
      return .join(Joining(page: page, outcome: .seen))
    }
    guard let position else { return joinAfterFall(page) }
    let response = OverlapPlan.Response(key: page.key, count: page.count, facts: page.facts)
    switch overlaps.see(response, overlap, shared: compared.shared, before: key, position) {
    case .join:
      return .join(
        Joining(page: page, outcome: overlap.isFirst ? nil : .mended, overlap: overlap))
    case .verify:
      turn = .look(.verify(overlap, compared.ids), for: key)
      return .request(key)
    case let step: return .request(request(step, for: key))
    }
  }

  /// Receives the page of a doubtful overlap.
  private mutating func verify(
    _ page: ReadPage, _ overlap: PageOverlap, in ids: [RowDigest], _ compared: ComparedRows,
    for key: PageKey
  ) -> Step {
    guard overlaps.verify(overlap, compared.ids, in: ids), !compared.ids.isEmpty, !compared.hasKnown,
      let overlap = self.overlap(before: key)
    else { return joinAfterFall(page) }
    turn = .look(.overlap(overlap), for: key)
    return .request(overlap.key)
  }

  private mutating func request(_ step: OverlapPlan.Step, for key: PageKey) -> PageKey {
    switch step {
    case .request(let overlap):
      turn = .look(.overlap(overlap), for: key)
      return overlap.key
    case .giveUp: turn = .look(.apart, for: key)
    case .join, .requestPage, .verify: turn = .page(key)
    }
    return key
  }
}

// MARK: - Rows that moved

extension Reading {
  private mutating func search(_ moved: MovedRows, for key: PageKey) -> Step {
    // The page before those that were read again, as far as it is known.
    let known = latest.dropLast(moved.found.count).last
    switch moved.next(known: known) {
    case .request(let before):
      turn = .look(.moved(moved), for: key)
      return .request(before)
    case .end(let seam): return end(moved, seam)
    case .lost: return end(moved, nil)
    }
  }

  /// Ends a search. Without a seam the rows were not found, and what was read again does not join.
  private func end(_ moved: MovedRows, _ seam: Seam?) -> Step {
    .join(
      Joining(
        page: moved.page, found: seam == nil ? [] : moved.found.reversed().map(\.number),
        outcome: seam ?? .open, loss: seam == .mended ? nil : .fall(moved.fall),
        searchedPages: moved.found.count))
  }
}

internal import ServerAPI

/// The seam before a page: which page is requested to see it.
extension Reading {
  /// Receives a page that was requested in the running turn.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - shared: What its rows share with those before, once that was asked for.
  package mutating func receive(_ page: ReadPage, _ shared: SharedRows? = nil) -> Step {
    switch turn {
    case .look(.overlap(let window), for: let key):
      guard let shared else { return .compare }
      return see(page, window, shared, for: key)
    case .look(.verify(let window, let ids), for: let key):
      guard let shared else { return .compare }
      return verify(page, window, ids, shared, for: key)
    case .look(.apart, _):
      return .join(Joining(page: page, outcome: .open, loss: .open))
    case .look(.moved(var moved), for: let key):
      guard let shared else { return .compare }
      if moved.add(page, shared) { return end(moved, moved.seam) }
      return search(moved, for: key)
    case .page, nil:
      return look(at: page, shared)
    }
  }

  /// Returns what is requested in place of an overlap that the server refused; `nil` if the failure has another reason
  /// and the overlap can be requested again.
  package mutating func refused(_ error: LoadError) -> PageKey? {
    guard case .look(.overlap(let window), for: let key) = turn, let position,
      let step = windows.refused(window, error, before: key, position)
    else { return nil }
    return request(step, for: key)
  }

  /// Receives the next page itself.
  private mutating func look(at page: ReadPage, _ shared: SharedRows?) -> Step {
    // A row without an id that comes again can't be told from another one.
    guard looksForRows, page.hasIDs, !record.lacksIDs, record.windows > 0 else {
      return joinAfterFall(page)
    }
    let key = turn?.key ?? page.key
    // The server reports fewer rows than before, so that rows may have moved up across the seam.
    let fall = account.fall(at: page.facts, page.key).flatMap { $0.unit == .rows ? $0 : nil }
    if level == .signs {
      windows.noteChange(at: key, account.numbers.differs(from: page.facts))
      if windows.isWorthLook(at: key) {
        guard let shared else { return .compare }
        windows.look(at: key)
        if fall == nil, !shared.hasKnown, let window = window(before: key) {
          turn = .look(.overlap(window), for: key)
          return .request(window.key)
        }
      }
    }
    guard let fall else { return joinAfterFall(page) }
    guard let shared else { return .compare }
    let most = pagesUnread.map { record.windows - $0 } ?? .max
    return search(MovedRows(before: page, shared, fall, mostPages: most), for: key)
  }

  /// Joins a page. Rows that moved away before it are missing.
  private func joinAfterFall(_ page: ReadPage) -> Step {
    var joining = Joining(page: page)
    if record.windows > 0,
      let fall = account.fall(at: page.facts, page.key, isCounting: record.isCounting)
    {
      (joining.outcome, joining.loss) = (.open, .fall(fall))
    }
    return .join(joining)
  }
}

// MARK: - Overlaps

extension Reading {
  /// Returns the overlap that is requested for a page; `nil` where the page itself is.
  package func window(before key: PageKey) -> PageWindow? {
    // The level first: a position costs more than the comparison.
    guard level >= .seams || windows.hasSign, knowsRows, account.rows.count > 0,
      !record.lacksIDs, let position
    else { return nil }
    return windows.window(before: key, position)
  }

  /// What is known where the next page is requested.
  private var position: SeamWindows.Position? {
    guard let paging else { return nil }
    return SeamWindows.Position(
      level: level, paging: paging, first: first, pages: record.windows, rows: account.rows.count,
      total: account.total, leadsToID: record.leadsToID, saysMore: account.saysMore)
  }

  private mutating func see(
    _ page: ReadPage, _ window: PageWindow, _ shared: SharedRows, for key: PageKey
  ) -> Step {
    // After all rows of the server's number there is nothing to see. Some servers send a link with each page.
    if page.isEmpty, account.meetsTotal, page.facts.total == account.total {
      return .join(Joining(page: page, outcome: .seen))
    }
    guard let position else { return joinAfterFall(page) }
    let response = SeamWindows.Response(key: page.key, count: page.count, facts: page.facts)
    switch windows.see(response, window, shared.meeting, before: key, position) {
    case .join:
      return .join(
        Joining(page: page, outcome: window.isFirst ? nil : .mended, window: window))
    case .verify:
      turn = .look(.verify(window, shared.ids), for: key)
      return .request(key)
    case let step: return .request(request(step, for: key))
    }
  }

  /// Receives the page of a doubtful overlap.
  private mutating func verify(
    _ page: ReadPage, _ window: PageWindow, _ ids: [RowDigest], _ shared: SharedRows,
    for key: PageKey
  ) -> Step {
    guard windows.verify(window, shared.ids, in: ids), !shared.ids.isEmpty, !shared.hasKnown,
      let window = self.window(before: key)
    else { return joinAfterFall(page) }
    turn = .look(.overlap(window), for: key)
    return .request(window.key)
  }

  private mutating func request(_ step: SeamWindows.Step, for key: PageKey) -> PageKey {
    switch step {
    case .request(let window):
      turn = .look(.overlap(window), for: key)
      return window.key
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
        outcome: seam ?? .open, loss: seam == .mended ? nil : .fall(moved.fall)))
  }
}

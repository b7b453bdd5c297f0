internal import ItemMapping
internal import ServerAPI

// MARK: - Windows

extension WalkBrain {
  /// Returns the window before a page that shows the seam between it and the rows so far; `nil` where none can.
  func window(before key: PageKey) -> PageWindow? {
    // A row without an id that comes again can't be told from another one.
    guard rows.idPath != nil, !rows.knowsNone, !position.record.lacksIDs,
      resumed?.rowsToSkip ?? 0 == 0
    else { return nil }
    return windows.window(before: key, position(at: key))
  }

  /// What is known where a page is requested.
  private func position(at key: PageKey) -> SeamWindows.Position {
    SeamWindows.Position(
      level: level, paging: traits.paging(for: key, declared: paging), first: paging.strategy.first,
      pages: pages, rows: position.account.rows.count, total: total,
      leadsToID: position.record.leadsToID, saysMore: position.account.saysMore)
  }

  /// Returns the window to request in place of a page that shows that the list changes, and that has no known row;
  /// `nil` if there is no reason to.
  mutating func closerLook(at page: LoadedPage<JSONView>) -> PageWindow? {
    guard level == .signs, pages > 0, case .page(let key) = link,
      windows.looksCloser(
        at: key, isChanged: position.account.numbers.differs(from: page.page.facts)),
      !page.rows.items.contains(where: rows.isKnown)
    else { return nil }
    return window(before: key)
  }

  /// Receives a window.
  mutating func see(_ page: LoadedPage<JSONView>, _ window: PageWindow) -> Step {
    guard case .page(let key) = link else { return .end }
    let items = page.rows.items
    let ids = rows.ids(of: items)
    let step = windows.see(
      .init(key: page.rows.key, count: items.count, facts: page.page.facts), window,
      rows.meeting(of: ids), before: key, position(at: key))
    switch step {
    case .join: return deliver(page, moved: .joined(window, ids))
    case .verify:
      purpose = .verifying(window, items.compactMap(rows.id(of:)))
      return .request(key)
    case .request, .requestPage, .giveUp: return request(step, for: key)
    }
  }

  /// Receives the page of a doubtful window.
  mutating func verify(
    _ page: LoadedPage<JSONView>, _ window: PageWindow, _ ids: [RowID]
  ) -> Step {
    let ownIDs = page.rows.items.compactMap(rows.id(of:))
    guard windows.verify(window, ownIDs, in: ids), !ownIDs.isEmpty,
      !page.rows.items.contains(where: rows.isKnown), case .page(let key) = link
    else { return deliver(page, moved: .no) }
    return proceed(to: key)
  }

  /// Returns what is requested in place of a window that the server refused; `nil` if the failure has another reason
  /// and the window can be requested again.
  mutating func refused(_ error: LoadError) -> Step? {
    if error.refusesWindow, case .confirming = purpose, confirmation?.dropSize() == true {
      beginConfirming()
      return confirm()
    }
    guard case .seeing(let window) = purpose, case .page(let key) = link,
      let step = windows.refused(window, error, before: key, position(at: key))
    else { return nil }
    return request(step, for: key)
  }

  private mutating func request(_ step: SeamWindows.Step, for key: PageKey) -> Step {
    switch step {
    case .request(let window):
      purpose = .seeing(window)
      return .request(window.key)
    case .giveUp: purpose = .deliveringApart
    case .join, .requestPage, .verify: purpose = .delivering
    }
    return .request(key)
  }
}

extension PageFacts {
  /// Returns the facts with the problem that a member was taken for the id of rows, and is none.
  func noting(rejectedID path: JSONPath?) -> PageFacts {
    guard let path else { return self }
    var facts = self
    facts.problems.append(
      .custom(
        "“\(path.plainText)” is no id, since different rows have the same one; all rows are kept,"
          + " also those that come twice"))
    return facts
  }
}

internal import ServerAPI

/// What a page says once its rows have joined those before it.
extension Reading {
  /// What a page added to the rows.
  package struct Added {
    /// What its rows share with those before; `nil` if rows are not told apart.
    package var shared: SharedRows?
    /// All rows that the server has sent so far.
    package var rows: ReceivedRows
    /// Whether it had a row that was not read before.
    var isNew: Bool
    /// Whether it had a row that the program does not have from an earlier reading.
    var isNewToProgram: Bool
    /// The number of its rows that were read before.
    package var knownRows = 0
    /// Whether its rows did not join, since the page came before.
    var isRepeat = false
    /// The id of its last row.
    var lastID: RowID?

    package init(
      shared: SharedRows? = nil, rows: ReceivedRows, isNew: Bool, isNewToProgram: Bool,
      knownRows: Int = 0, isRepeat: Bool = false, lastID: RowID? = nil
    ) {
      (self.shared, self.rows, self.isNew) = (shared, rows, isNew)
      (self.isNewToProgram, self.knownRows) = (isNewToProgram, knownRows)
      (self.isRepeat, self.lastID) = (isRepeat, lastID)
    }
  }

  /// What followed from a page that joined.
  package struct Joined {
    /// The seam before it; `nil` for the first page.
    package var seam: Seam?
    /// Whether its rows came again because the list was read again from an earlier page on.
    package var isReread = false

    package init(seam: Seam? = nil, isReread: Bool = false) {
      (self.seam, self.isReread) = (seam, isReread)
    }
  }

  /// Goes on after a page whose rows have joined: updates the record and the account, decides the link to the next page,
  /// and stops the list at a loop, or after too many pages without new rows.
  package mutating func join(_ joining: Joining, _ added: Added) -> Joined {
    let (page, overlap) = (joining.page, joining.overlap)
    let key = turn?.key ?? page.key
    turn = nil
    paging = page.nextPaging
    switch joining.loss {
    case .fall(let fall): account.lose(fall)
    case .open: account.loseRows()
    case nil: break
    }
    var joined = Joined(isReread: overlaps.policy.takeReread(page.count))
    if !joining.isAgain { joined.seam = addToRecord(joining, added) }
    if page.isStored, !(record.pages == 1 && page.facts.next == .end) { record.noteStoredPage() }
    record.checks += overlaps.policy.takeChecks() + joining.searchedPages
    let wasMet = page.isEmpty && account.meetsTotal
    let isEmptyList = page.isEmpty && added.rows.count == 0 && page.facts.total == 0
    let size = overlap.flatMap { overlap in
      overlap.isWide ? overlaps.pageSize.map { $0 + overlap.rows } : nil
    }
    account.add(page.facts, at: page.key, isNew: added.isNew, size: size)
    account.rows = added.rows
    let hasNoRows = overlap.map { page.count <= $0.rows } ?? page.isEmpty
    link = page.facts.checkedNext(
      after: key, isEmpty: hasNoRows, isNew: added.isNewToProgram,
      isMet: isEmptyList || wasMet && account.meetsTotal)
    if let overlap {
      link = overlap.link(link, after: key, rows: page.count)
    } else {
      overlaps.note(
        .init(key: page.key, count: page.count, facts: page.facts), knownRows: added.knownRows)
    }
    if !joining.isAgain { remember(page.key) }
    if moveLink() || joining.isAgain { return joined }
    if isLoop(page, added, isReread: joined.isReread), case .page = link {
      link = .stopped(.noProgress(page.key))
    }
    if added.isNew { emptyPages = 0 } else if !joined.isReread { emptyPages += 1 }
    if emptyPages > maximumEmptyPages, case .page = link {
      link = .stopped(.emptyPages(emptyPages))
    }
    return joined
  }

  /// Records a page before those that were read, which says nothing of the end of the list.
  ///
  /// - Returns: The seam after it, and whether it repeats another one.
  package mutating func joinBefore(_ joining: Joining, _ added: Added) -> (seam: Seam?, isLoop: Bool) {
    let page = joining.page
    account.addTotals(of: page.facts)
    account.countPage(at: page.key, isNew: added.isNew)
    account.rows = added.rows
    guard !joining.isAgain else { return (nil, false) }
    record.note(page.version, total: page.facts.total)
    let seam = record.add(
      approach(to: page), added.shared, rows: page.count, endSign: nil,
      isKeyset: page.paging?.strategy.isKeyset ?? false, at: page.asOf)
    return (seam, isLoop(page, added, isReread: false))
  }

  /// Records the first page, which was read again and laid over the rows at the start.
  ///
  /// - Parameters:
  ///   - hasMoves: Whether its rows came in another order than before.
  ///   - rows: All rows that the server has sent.
  package mutating func rejoinStart(_ page: ReadPage, hasMoves: Bool, _ rows: ReceivedRows) {
    record.rejoinStart(at: page.asOf, version: page.version, hasMoves: hasMoves)
    account.rejoinStart(page.facts)
    account.rows = rows
  }

  /// Records that the rows of another reading are joined to those of this one, which come after them.
  ///
  /// - Parameters:
  ///   - above: The other reading, which begins further up.
  ///   - page: The page that has rows of both.
  ///   - hasMoves: Whether rows came in another order than before.
  ///   - rows: All rows that the server has sent.
  package mutating func rejoin(below above: Reading, at page: ReadPage, hasMoves: Bool, _ rows: ReceivedRows) {
    rejoinStart(page, hasMoves: hasMoves, rows)
    record.add(above.record)
    account.addLosses(of: above.account)
  }

  /// Whether rows have kept their order so far.
  package var keepsOrder: Bool { !record.broken.contains(.order) }

  /// Whether the server's cursors count rows or pages.
  package var isCounting: Bool { record.isCounting }

  /// Records a page that takes the place of one that was read before.
  ///
  /// - Parameter dropsRows: Whether rows are missing in it that were there.
  package mutating func replace(with page: ReadPage, dropsRows: Bool) {
    record.replace(at: page.asOf, version: page.version, dropsRows: dropsRows)
  }

  private func approach(to page: ReadPage) -> ConsistencyRecord.Approach {
    page.paging.map { record.approach(to: page.key, by: $0.strategy) }
      ?? (record.pages == 0 ? .start : .position)
  }

  /// Records a page for what can be claimed, and returns the seam before it.
  private mutating func addToRecord(_ joining: Joining, _ added: Added) -> Seam? {
    let (page, overlap) = (joining.page, joining.overlap)
    let isChained = overlap?.isChained == true && !record.isCounting
    let approach = isChained ? .chain : approach(to: page)
    let endSign = page.facts.endSign.of(
      overlap, isRepeat: !added.isNew && page.count > 0 && record.pages > 0,
      isThinned: overlaps.isThinned)
    record.note(page.version, total: page.facts.total)
    return record.add(
      approach, added.shared, rows: page.count, endSign: endSign,
      isKeyset: page.paging?.strategy.isKeyset ?? false, next: page.facts.next,
      lastID: added.lastID, at: page.asOf, outcome: joining.outcome, isSeen: overlap != nil,
      endsByName: page.facts.endsByName)
  }

  /// Moves the link as the program's edits have moved the rows meanwhile. Returns whether it leads to another page than the
  /// response says.
  private mutating func moveLink() -> Bool {
    defer { shift = .rows(0) }
    switch shift {
    case .rows(0): return false
    case .rows(let rows):
      if case .page(let key) = link { link = .page(key.moved(by: rows) ?? key) }
      return false
    case .page(let key):
      link = .page(key)
      return true
    }
  }

  /// Whether a page shows that the list would never end.
  private mutating func isLoop(_ page: ReadPage, _ added: Added, isReread: Bool) -> Bool {
    guard !added.isRepeat else { return true }
    guard !added.isNewToProgram else {
      loops.progress()
      return false
    }
    return loops.isLoop(page, isReread: isReread)
  }

  /// Whether a page whose rows have no ids came before, so that its rows don't join.
  package mutating func isRepeat(at key: PageKey, fingerprint: Int, isEmpty: Bool) -> Bool {
    // Where empty pages have a limit of their own, they are no repetitions.
    loops.isRepeat(
      at: key, fingerprint: fingerprint, isEmpty: isEmpty,
      countsEmptyPages: maximumEmptyPages == .max)
  }
}

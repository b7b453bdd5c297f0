internal import ListReading
internal import ServerAPI

/// The handling of pages that arrive.
extension ListBrain {
  /// Handles the page for a request.
  ///
  /// - Parameters:
  ///   - number: The number of the request.
  ///   - page: The page.
  ///   - paging: How it was requested, if that is known.
  ///   - next: How the page after it is requested, if that is known.
  mutating func arrived(
    _ number: Int, _ page: LoadedPage<Item>, by paging: Paging? = nil, next: Paging? = nil
  ) -> [ListEffect] {
    joinedTogether = []
    guard let kind = kind(of: number), let placement = machine.placement(of: number) else {
      machine.discard()
      return []
    }
    let isSearching = machine.extent?.reading.isSearching == true
    let read = page.read(
      isSearching ? turn.count : 0, hasIDs: page.rows.ids != nil, by: paging, next: next)
    guard placement == .at(.next) else {
      return join(page, Reading.Joining(page: read), number, kind, placement)
    }
    if read.number > 0 { turn.append(page) } else { turn = [] }
    var shared: SharedRows?
    while let step = machine.extent?.reading.receive(read, shared) {
      switch step {
      case .compare: shared = self.shared(page)
      case .request(let key):
        if machine.extent?.reading.isSearching == true, turn.isEmpty { turn.append(page) }
        return request(key, for: number)
      case .join(let joining):
        if joining.overlap != nil, let shared { pass(page.rows.ids ?? [], shared.meeting) }
        let isWaiting = joining.page.number < turn.count
        return join(
          isWaiting ? turn[joining.page.number] : page, joining, number, kind, placement,
          joining.overlap == nil ? nil : shared?.meeting)
      }
    }
    return []
  }

  private mutating func join(
    _ page: LoadedPage<Item>, _ joining: Reading.Joining, _ number: Int, _ kind: LoadKind,
    _ placement: PagePlacement, _ meeting: ConsistencyRecord.Meeting? = nil
  ) -> [ListEffect] {
    let found = joining.found.map { turn[$0] }
    // A page at another place arrives while the reading searches, too.
    if placement == .at(.next) { turn = [] }
    let meeting = found.isEmpty ? meeting : self.meeting(of: page, after: found)
    if placement == .all { leftOut = LeftOutRows() }
    let hidesNewRows = leftOut.hidesNewRows(page)
    for page in found { leftOut.add(page, acceptsUnreadable: acceptsUnreadableRows) }
    leftOut.add(
      page, acceptsUnreadable: acceptsUnreadableRows, overlap: joining.overlap?.rows ?? 0)
    let pending = beginArrival(of: number)
    confirmedMeanwhile[number] = nil
    var (merge, effects) = receive(
      page.rows, placement, page.report(of: kind), after: found, joining.overlap)
    if !found.isEmpty {
      let ids = effects.compactMap { if case .keep(let id, _) = $0 { id } else { nil } }
      joinedTogether = Array(zip(ids, found + [page]))
    }
    let removed = endArrival(pending)
    if placement != .all, machine.extent?.reading.isEmpty == true { recordUnconfirmedRows() }
    var joining = joining
    joining.isAgain = placement.isAgain
    if joining.isAgain, let merge { replace(with: joining.page, merge) }
    let added = added(by: page, merge, placement, meeting, hidesNewRows: hidesNewRows)
    let (seam, following) = machine.joined(number, joining, merge, added)
    page.page.seam = seam
    for page in found { page.page.seam = joining.outcome }
    effects += following
    if placement == .all {
      removeAgain(removed)
    } else {
      // The list has moved on by these already.
      for edit in removed { store.confirm(edit) }
      if !removed.isEmpty {
        let rows = receivedRows
        machine.extent?.reading.account.recount(rows)
      }
    }
    if placement == .all { frontiers = frontiers.compactMapValues { _ in machine.frontier } }
    if frontiers.isEmpty { movedUp = [:] }
    return effects
  }

  /// Handles a stored response to a request in flight.
  mutating func previewed(_ number: Int, _ page: LoadedPage<Item>) -> [ListEffect] {
    guard !isPreviewed(number), let kind = kind(of: number),
      let placement = machine.placement(of: number)
    else { return [] }
    if placement == .all { leftOut = LeftOutRows() }
    leftOut.add(page, acceptsUnreadable: acceptsUnreadableRows, isStored: true)
    let pending = beginArrival(of: number)
    let (merge, notices) = receive(
      page.rows, placement, page.report(of: kind), isPreview: true)
    let removed = endArrival(pending)
    // A page that is not shown does not decide how the list continues.
    if let merge {
      machine.previewed(
        number, page.page.facts, isEmpty: page.rows.isEmpty, merge, receivedRows)
    }
    removeAgain(removed)
    return notices
  }

  /// Whether rows of the requested page are shown.
  func isPreviewed(_ number: Int) -> Bool { machine.runningLoad(number)?.running.preview != nil }

  /// Whether they are those of a stored response.
  func showsStored(_ number: Int) -> Bool {
    machine.runningLoad(number)?.running.preview?.isServers == false
  }

  /// The parsed rows of the page that a request reloads, if the list has it.
  func parsed(for number: Int) -> PageRows<Item>.Parsed? {
    guard let (slot, running) = machine.runningLoad(number) else { return nil }
    switch slot {
    case .list:
      return [store.tree.first, store.tree.last].lazy.compactMap(\.self)
        .first { $0.key == running.key }?.parsed
    case .side: return running.preview.flatMap { store.tree.place(of: $0.page) }?.page.parsed
    case .gap(let id): return store.tree.place(of: id)?.page.parsed
    }
  }

  /// Inserts a page where the machine wants it, after pages that were requested again for rows that moved to them.
  /// Returns the effect on the rows, `nil` if the page is a repeat and was left out, and the notifications. Rows that
  /// come again on purpose are no duplicates to report.
  private mutating func receive(
    _ page: PageRows<Item>, _ placement: PagePlacement, _ report: PageReport,
    after pages: [LoadedPage<Item>] = [], _ overlap: PageOverlap? = nil, isPreview: Bool = false
  ) -> (merge: Merge?, notices: [ListEffect]) {
    var before = Merge(page: .first(of: 0))
    var (found, changes): ([PageID], [ListChange]) = ([], [])
    let count = store.snapshot.count
    for page in pages {
      let merge = store.splice(page.rows)
      found.append(merge.page)
      changes.append(merge.change)
      before.add(merge)
    }
    let inserted =
      overlap != nil ? store.splice(page) : insert(page, placement, isPreview: isPreview)
    guard var merge = inserted else { return (nil, []) }
    var report = report
    (report.duplicates, report.repeats) = (
      merge.duplicatesAcross - min(merge.duplicatesAcross, overlap?.rows ?? 0),
      merge.duplicatesInPage
    )
    if !found.isEmpty {
      before.add(merge)
      merge.change = .merging(changes + [merge.change], of: count)
      merge.added = before.added
    }
    let wasFresh = freshness
    if placement == .all {
      restoredAnchor = nil
      record.begin(with: page.source, asOf: page.asOf)
    } else {
      record.didReceive(page.source)
    }
    visible = merge.change.moving(visible)
    if isHidden {
      isHidden = false
      merge.change = .inserting(0..<store.snapshot.count)
    }
    var effects: [ListEffect] = []
    // Reserves space for the effects that the machine adds.
    effects.reserveCapacity(8)
    for id in found { effects.append(.keep(id, placement)) }
    effects.append(.keep(merge.page, placement))
    effects += notice(of: merge.change)
    if !report.isClean { effects.append(.notify(.didReport(report))) }
    effects += notice(ofFreshnessAfter: wasFresh)
    return (merge, effects)
  }

  /// Inserts a page at its placement. Returns `nil` if it has no ids and is a repeat.
  private mutating func insert(
    _ page: PageRows<Item>, _ placement: PagePlacement, isPreview: Bool
  ) -> Merge? {
    var page = page
    if placement == .all { repeats.forget() }
    if page.ids == nil, !page.isEmpty {
      switch placement {
      case .at where isPreview:
        var repeats = repeats
        if repeats.isRepeat(page.mark) { return nil }
      case .at: if repeats.isRepeat(page.mark) { return nil }
      case .over(let preview, _) where preview.isServers: break
      // Its stored rows are visible, and are removed again.
      case .over: if repeats.isRepeat(page.mark) { (page.items, page.isWhole) = ([], false) }
      case .all, .gap: break
      }
    }
    // A stored page must not change rows that the server has sent since.
    let policy = store.duplicates
    if isPreview, placement != .all { store.duplicates = .keepFirst }
    defer { store.duplicates = policy }
    switch placement {
    case .all:
      var merge = store.replace(with: page)
      // All rows count as added, also those that were in the list before.
      merge.added = store.loadedRows
      return merge
    case .at(let side): return store.join(page, at: side)
    case .gap(let id): return store.restore(id, with: page) ?? Merge(page: id)
    case .over(let preview, let side):
      guard var merge = store.restore(preview.page, with: page) else {
        return store.join(page, at: side)
      }
      let gone = merge.change.removed.reduce(0) { $0 + $1.count }
      merge.added = max(0, merge.added + preview.added - gone)
      return merge
    }
  }
}

// MARK: - Kept pages

extension ListBrain {
  /// Handles kept pages: the first ones, or those around the visible ones.
  ///
  /// - Parameters:
  ///   - number: The number of the restore.
  ///   - kept: The pages.
  mutating func restored(_ number: Int, _ kept: Restoration<Item>) -> [ListEffect] {
    guard machine.runningLoad(number) != nil else { return [] }
    let wasFresh = freshness
    if let first = kept.before.first ?? kept.after.first, freshness == .nothing {
      record.begin(with: first.rows.source, asOf: first.rows.asOf)
    }
    var report = PageReport(kind: .restore)
    // Edits refer to the rows that are visible meanwhile, so these stay and the other pages join them. A row
    // that was inserted and confirmed is in none of the kept pages.
    let change = store.isEdited ? join(kept) : surround(with: kept, &report)
    if kept.isLast {
      for page in PageSequence(store.tree) where page.ids == nil && page.count > 0 {
        guard let key = page.key else { continue }
        _ = repeats.isRepeat(
          PageMark(key: key, fingerprint: page.fingerprint, isEmpty: false))
      }
    }
    let notices =
      notice(of: change)
      + (kept.isLast && !report.isClean ? [.notify(.didReport(report))] : [])
      + notice(ofFreshnessAfter: wasFresh)
    for page in kept.before + kept.after {
      leftOut.add(page, acceptsUnreadable: acceptsUnreadableRows)
    }
    var account = kept.account
    account.rows = receivedRows
    let effects = machine.restored(number, kept.facts, account, change, isLast: kept.isLast)
    for page in PageSequence(store.tree).suffix(MovedRows.mostPages) {
      if let key = page.key { machine.extent?.reading.remember(key) }
    }
    recordUnconfirmedRows()
    return notices + effects
  }

  mutating func nothingKept(_ number: Int) -> [ListEffect] { machine.nothingKept(number) }

  /// Joins all pages again in the order in which they first arrived.
  private mutating func surround(
    with kept: Restoration<Item>, _ report: inout PageReport
  ) -> ListChange {
    let merge = store.surround(
      with: kept.before.map(\.rows), kept.after.map(\.rows), arrivals: kept.arrivals)
    (report.duplicates, report.repeats) = (merge.duplicatesAcross, merge.duplicatesInPage)
    visible = merge.change.moving(visible)
    if let anchor = restoredAnchor {
      restoredAnchor = merge.change.moving(anchor..<anchor + 1).lowerBound
    } else if let anchor = kept.anchor, store.snapshot.pages.indices.contains(anchor.page) {
      let rows = store.snapshot.pages[anchor.page].range
      let row = max(0, min(rows.lowerBound + anchor.row, rows.upperBound - 1))
      (restoredAnchor, visible) = (row, row..<min(row + 1, store.snapshot.count))
    }
    return merge.change
  }

  /// Joins kept pages one by one around those that are visible.
  private mutating func join(_ kept: Restoration<Item>) -> ListChange {
    let count = store.snapshot.count
    let changes =
      kept.before.reversed().map { store.join($0.rows, at: .previous).change }
      + kept.after.map { store.join($0.rows, at: .next).change }
    for change in changes {
      visible = change.moving(visible)
      restoredAnchor = restoredAnchor.map { change.moving($0..<$0 + 1).lowerBound }
    }
    return .merging(changes, of: count)
  }
}

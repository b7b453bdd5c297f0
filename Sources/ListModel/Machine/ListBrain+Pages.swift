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
  ) -> JoinedPages<Item> {
    guard let kind = kind(of: number), let placement = machine.placement(of: number) else {
      machine.discard()
      return JoinedPages()
    }
    let isSearching = machine.extent?.reading.isSearching == true
    let read = page.read(
      isSearching ? turn.count : 0, hasIDs: page.rows.ids != nil, by: paging, next: next)
    switch placement {
    case .all: if let joined = splice(page, read, for: number, kind) { return joined }
    case .gap(let gap, let side): return fill(gap, side, with: page, read, for: number, kind)
    case .deep: return readAgain(page, read, for: number, kind)
    case .at, .over, .evicted: break
    }
    guard placement == .at(.next) else {
      // Nothing else is requested for rows that are shown already.
      let isShown = placement.isNextPage && !placement.isAgain
      let joining = isShown ? machine.extent?.reading.joining(read) : nil
      return join(page, joining ?? Reading.Joining(page: read), for: number, kind, at: placement)
    }
    if read.number > 0 { turn.append(page) } else { turn = [] }
    var compared: ComparedRows?
    while let step = machine.extent?.reading.receive(read, compared) {
      switch step {
      case .compare: compared = self.compared(page)
      case .request(let key):
        if machine.extent?.reading.isSearching == true, turn.isEmpty { turn.append(page) }
        return JoinedPages(effects: request(key, for: number))
      case .join(let joining):
        if joining.overlap != nil, let compared { pass(page.rows.ids ?? [], compared.shared) }
        let isWaiting = joining.page.number < turn.count
        return join(
          isWaiting ? turn[joining.page.number] : page, joining, for: number, kind, at: placement,
          sharing: joining.overlap == nil ? nil : compared?.shared)
      }
    }
    return JoinedPages()
  }

  /// Inserts a page that joins the list, and reports it to the machine.
  private mutating func join(
    _ page: LoadedPage<Item>, _ joining: Reading.Joining, for number: Int, _ kind: LoadKind,
    at placement: PagePlacement, sharing shared: SharedRows? = nil
  ) -> JoinedPages<Item> {
    let found = joining.found.map { turn[$0] }
    // A page at another place arrives while the reading searches, too.
    if placement == .at(.next) { turn = [] }
    let shared = found.isEmpty ? shared : self.shared(of: page, after: found)
    if placement == .all { omitted = OmittedRows() }
    let hidesNewRows = omitted.hidesNewRows(page)
    for page in found { omitted.add(page, acceptsUnreadable: acceptsUnreadableRows) }
    omitted.add(
      page, acceptsUnreadable: acceptsUnreadableRows, overlap: joining.overlap?.rows ?? 0)
    let pending = beginArrival(of: number)
    confirmedMeanwhile[number] = nil
    var (merge, joined) = receive(
      page, placement, page.report(of: kind), after: found, joining.overlap)
    let removed = endArrival(pending)
    if placement != .all, machine.extent?.reading.isEmpty == true { recordUnconfirmedRows() }
    var joining = joining
    joining.isAgain = placement.isAgain
    if joining.isAgain, let merge { replace(with: joining.page, merge, placement) }
    let added = added(by: page, merge, placement, shared, hidesNewRows: hidesNewRows)
    let (seam, following) = machine.joined(number, joining, merge: merge, added: added)
    page.page.seam = seam
    for page in found { page.page.seam = joining.outcome }
    joined.effects += following
    settle(removed, placement)
    if placement == .all { frontiers = frontiers.compactMapValues { _ in machine.frontier } }
    if frontiers.isEmpty { movedUp = [:] }
    // Rows that have moved to a page next to this one are loaded with that.
    if case .evicted = placement, !isHidden, !visible.isEmpty {
      joined.effects += loadMissing(around: visible)
    }
    return joined
  }

  /// Handles a stored response to a request in flight.
  mutating func previewed(_ number: Int, _ page: LoadedPage<Item>) -> JoinedPages<Item> {
    guard !isPreviewed(number), let kind = kind(of: number),
      let placement = machine.placement(of: number), placement != .deep
    else { return JoinedPages() }
    // A stored response doesn't show which rows are gone.
    if machine.splices(number), !store.snapshot.isEmpty { return JoinedPages() }
    if case .evicted(let id) = placement, store.tree.place(of: id)?.page.ids != page.rows.ids {
      return JoinedPages()
    }
    if placement == .all { omitted = OmittedRows() }
    omitted.add(page, acceptsUnreadable: acceptsUnreadableRows, isStored: true)
    let pending = beginArrival(of: number)
    let (merge, joined) = receive(page, placement, page.report(of: kind), isPreview: true)
    let removed = endArrival(pending)
    // A page that is not shown does not decide how the list continues.
    if let merge {
      machine.previewed(
        number, page.page.facts, isEmpty: page.rows.isEmpty, merge: merge, rows: receivedRows)
    }
    settle(removed, placement)
    return joined
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
    case .middle(let id): return store.tree.place(of: id)?.page.parsed
    case .deep:
      guard let deep = machine.extent?.deep else { return nil }
      if let look = deep.looks.first { return store.tree.place(of: look.page)?.page.parsed }
      let start = deep.page.flatMap { store.tree.place(of: $0) }.map { $0.before.pages + 1 } ?? 0
      return store.tree.place(at: start + deep.joins.count, by: .pages)
        .flatMap { $0.page.key == running.key ? $0.page.parsed : nil }
    }
  }

  /// Inserts a page where the machine wants it, after pages that were requested again for rows that moved to them.
  /// Returns the effect on the rows, `nil` if the page is a repeat and was left out, and the notifications. Rows that
  /// come again on purpose are no duplicates to report.
  private mutating func receive(
    _ page: LoadedPage<Item>, _ placement: PagePlacement, _ report: PageReport,
    after found: [LoadedPage<Item>] = [], _ overlap: PageOverlap? = nil, isPreview: Bool = false
  ) -> (merge: Merge?, joined: JoinedPages<Item>) {
    var before = Merge(page: .first(of: 0))
    var joined = JoinedPages<Item>(placement: placement)
    var changes: [ListChange] = []
    let count = store.snapshot.count
    for page in found {
      let merge = store.splice(page.rows)
      joined.found = (joined.found ?? []) + [(page, merge.page)]
      changes.append(merge.change)
      before.add(merge)
    }
    let inserted =
      overlap != nil ? store.splice(page.rows) : insert(page, placement, isPreview: isPreview)
    (joined.page, joined.id) = (page, inserted?.page)
    guard var merge = inserted else { return (nil, joined) }
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
      record.begin(with: page.rows.source, asOf: page.rows.asOf)
    } else {
      record.didReceive(page.rows.source)
    }
    visible = merge.change.moving(visible)
    if isHidden {
      isHidden = false
      merge.change = .inserting(0..<store.snapshot.count)
    }
    // Reserves space for the effects that the machine adds.
    joined.effects.reserveCapacity(8)
    joined.effects += notice(of: merge.change)
    if !report.isClean { joined.effects.append(.notify(.didReport(report))) }
    joined.effects += notice(ofFreshnessAfter: wasFresh)
    return (merge, joined)
  }

  /// Inserts a page at its placement. Returns `nil` if it has no ids and is a repeat.
  private mutating func insert(
    _ loaded: LoadedPage<Item>, _ placement: PagePlacement, isPreview: Bool
  ) -> Merge? {
    var page = loaded.rows
    if page.ids == nil, !page.isEmpty {
      switch placement {
      case .at: if isRepeat(page, isPreview: isPreview) { return nil }
      case .over(let preview, _) where preview.isServers: break
      // Its stored rows are visible, and are removed again.
      case .over:
        if isRepeat(page, isPreview: isPreview) { (page.items, page.isWhole) = ([], false) }
      case .all, .evicted, .gap, .deep: break
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
    case .evicted(let id):
      return store.splice(page, over: id, nextTo: neighbors(of: loaded, over: id)) ?? Merge(page: id)
    case .gap, .deep: return nil
    case .over(let preview, let side):
      guard var merge = store.restore(preview.page, with: page) else {
        return store.join(page, at: side)
      }
      let gone = merge.change.removed.reduce(0) { $0 + $1.count }
      merge.added = max(0, merge.added + preview.added - gone)
      return merge
    }
  }

  /// Returns the pages next to a page that comes back, as its response says, or else as they were.
  private func neighbors(of page: LoadedPage<Item>, over id: PageID) -> ListStore<Item>.Neighbors {
    let number = store.tree.place(of: id)?.before.pages ?? 0
    func key(_ link: PageFacts.Link, _ number: Int) -> PageKey? {
      if case .page(let key) = link { key } else { store.tree.place(at: number, by: .pages)?.page.key }
    }
    let facts = page.page.facts
    return .init(
      previous: key(facts.previous, number - 1), next: key(facts.next, number + 1),
      isFirst: page.rows.key == machine.first, isLast: facts.saysEnd)
  }

  /// Whether a page without ids came before. What is stored doesn't count as a page that came.
  private mutating func isRepeat(_ page: PageRows<Item>, isPreview: Bool) -> Bool {
    guard isPreview, var reading = machine.extent?.reading else {
      return machine.extent?.reading.isRepeat(
        at: page.key, fingerprint: page.fingerprint, isEmpty: page.isEmpty) ?? false
    }
    return reading.isRepeat(at: page.key, fingerprint: page.fingerprint, isEmpty: page.isEmpty)
  }
}

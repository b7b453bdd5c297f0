internal import ItemMapping
internal import ServerAPI

/// Decides for a walk which page it needs, which of its rows are new, and whether rows may be missing.
///
/// A plain value. Each step says what the walk needs: pass the page that it requests to ``receive(_:)``. If
/// a request fails, call ``next()`` again; nothing has changed, and the same page is requested.
struct WalkBrain {
  enum Step {
    case request(PageKey)
    case deliver(PageWalk.Page)
    case end
  }

  /// The purpose of the requested page.
  private enum Purpose {
    /// The first page shows how the server pages, which a checkpoint doesn't store.
    case recognizing
    /// The second page shows how the server pages, where the first one didn't.
    case recognizingByTrial(next: PageKey)
    case delivering
    /// Pages before this one are read until one starts with a known row.
    case joining(MovedRows)
  }

  /// A page before which rows have moved.
  private struct MovedRows {
    let page: LoadedPage<JSONView>
    let fall: RowAccount.Fall
    /// The page that was read last in the search.
    var nearest: LoadedPage<JSONView>
    /// Whether each page of the search meets the one after it.
    var isConnected = true
    /// The new rows on the pages before.
    var missed: [JSONView] = []
    /// The number of pages that may still be searched.
    var pagesLeft: Int
  }

  private let paging: Paging
  private var purpose = Purpose.delivering
  private(set) var link: PageFacts.Link
  private(set) var rows: WalkedRows
  /// The checkpoint that the walk started with, until a page is delivered.
  private var resumed: PageWalk.Checkpoint?
  /// The position of the walk, without the link.
  private var position: PageWalk.Checkpoint
  private(set) var traits: ServerTraits
  /// The number of pages that an earlier walk read, if the ids of their rows are not known.
  private let unknownPages: Int

  init(_ paging: Paging, _ rows: WalkedRows, from checkpoint: PageWalk.Checkpoint?) {
    self.paging = paging
    self.rows = rows
    resumed = checkpoint
    position = checkpoint ?? PageWalk.Checkpoint(key: paging.strategy.first)
    link = .page(checkpoint?.key ?? paging.strategy.first)
    traits = ServerTraits(itemsPath: position.itemsPath, home: position.home)
    unknownPages = rows.knowsNone ? position.pages : 0
    // The id path of the first page stays, also where it has none.
    if position.pages > 0 { self.rows.resume(with: position.idPath) }
  }

  /// The number of pages read, including those before the checkpoint.
  var pages: Int { position.pages }

  /// What can be claimed of the rows.
  var consistency: Consistency {
    position.record.consistency(at: end, unreadable: position.account.rows.unreadable)
  }

  /// The total number of rows that the server reported.
  var total: Int? { position.account.total }

  /// How the list ended; `nil` while there is a page to request.
  var end: ListEnd? {
    switch link {
    case .page: nil
    case .stopped(let error): .incomplete(error)
    case .end:
      position.account.shortage(isWhole: true).map { .incomplete($0) } ?? .complete
    }
  }

  /// The position of the walk; `nil` where the list has ended.
  var checkpoint: PageWalk.Checkpoint? {
    if let resumed { return resumed }
    guard case .page(let key) = link else { return nil }
    return checkpoint(at: key)
  }

  /// Records rows that could not be read.
  mutating func dropUnreadable(_ count: Int, _ reason: String?) {
    position.account.rows.unreadable += count
    position.account.rows.firstError = position.account.rows.firstError ?? reason
  }

  /// Starts the next page.
  @inline(never)
  mutating func next() -> Step {
    if resumed?.isRecognized == true, traits.recognized == nil {
      purpose = .recognizing
      return .request(paging.strategy.first)
    }
    guard case .page(let key) = link else { return .end }
    purpose = .delivering
    return .request(key)
  }

  /// Receives a page that was requested.
  ///
  /// Not inlined, since that would enlarge the frame of the asynchronous function that calls it.
  @inline(never)
  mutating func receive(_ page: LoadedPage<JSONView>) -> Step {
    switch purpose {
    case .recognizing: return recognize(page)
    case .recognizingByTrial(let key):
      traits.recognized = page.recognized
      return proceed(to: key)
    case .delivering:
      guard let seam = seam(before: page) else { return deliver(page, moved: .no) }
      return join(seam, to: page)
    case .joining(let seam): return search(page, for: seam)
    }
  }
}

// MARK: - Resuming

extension WalkBrain {
  private mutating func recognize(_ first: LoadedPage<JSONView>) -> Step {
    traits.home = first.home
    guard let key = resumed?.key else {
      link = first.page.facts.next
      guard case .page(let key) = link else { return .end }
      return proceed(to: key)
    }
    traits.recognized = first.recognized
    if first.recognized == nil, case .page(let trial) = first.page.facts.next,
      case .trial = trial.place
    {
      purpose = .recognizingByTrial(next: key)
      return .request(trial)
    }
    return proceed(to: key)
  }

  private mutating func proceed(to key: PageKey) -> Step {
    link = .page(key)
    purpose = .delivering
    return .request(key)
  }
}

// MARK: - Rows that moved

extension WalkBrain {
  /// What is known about the seam before a page.
  private enum Moved {
    case no
    /// These rows had moved across the seam and were found. Nothing else is missing there if the pages of the
    /// search meet, which the seam says.
    case found([JSONView], Seam, RowAccount.Fall)
    case lost(RowAccount.Fall)
  }

  /// Returns the seam before a page if rows may have moved up across it: where pages are counted and the
  /// server reports fewer rows than before.
  private func seam(before page: LoadedPage<JSONView>) -> MovedRows? {
    guard pages > 0, let fall = position.account.fall(at: page.page.facts, page.rows.key),
      fall.unit == .rows
    else { return nil }
    // Without their ids, the rows of an earlier walk can't be told from those that moved.
    return MovedRows(
      page: page, fall: fall, nearest: page,
      pagesLeft: unknownPages == 0 ? 5 : min(5, pages - unknownPages))
  }

  private mutating func join(_ seam: MovedRows, to page: LoadedPage<JSONView>) -> Step {
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

  private mutating func search(_ page: LoadedPage<JSONView>, for seam: MovedRows) -> Step {
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

// MARK: - Delivering

extension WalkBrain {
  private mutating func deliver(_ page: LoadedPage<JSONView>, moved: Moved) -> Step {
    guard case .page(let key) = link else { return .end }
    let facts = page.page.facts
    var checkpoint = checkpoint(at: key)
    checkpoint.rowsToSkip = resumed?.rowsToSkip ?? 0
    var gathered = page.rows.items
    var outcome: Seam?
    switch moved {
    case .no:
      if pages > 0,
        let fall = position.account.fall(
          at: facts, page.rows.key, isCounting: position.record.isCounting)
      {
        position.account.lose(fall)
        outcome = .open
      }
    case .found(let missed, let seam, let fall):
      gathered = missed + gathered
      outcome = seam
      if seam == .open { position.account.lose(fall) }
    case .lost(let fall):
      position.account.lose(fall)
      outcome = .open
    }
    resumed = nil
    if checkpoint.rowsToSkip > 0 {
      position.record.resumeInside(areKnown: !rows.knowsNone && rows.idPath != nil)
    }
    traits.learn(from: page)
    let added = rows.add(gathered, at: page.rows.key, rowsToSkip: checkpoint.rowsToSkip)
    let seam = record(page, added, outcome)
    position.pages += 1
    position.account.add(facts)
    position.account.rows.count += added.received
    link = facts.checkedNext(isEmpty: page.rows.items.isEmpty)
    if added.isLoop, case .page = link { link = .stopped(.noProgress(page.rows.key)) }
    return .deliver(
      PageWalk.Page(
        number: pages - 1, rows: added.rows, ids: added.ids, duplicates: added.duplicates,
        facts: facts, itemsPath: page.itemsPath ?? .root, url: page.page.url, seam: seam,
        checkpoint: checkpoint))
  }

  /// Records the page for what can be claimed, and returns the seam before it.
  private mutating func record(
    _ page: LoadedPage<JSONView>, _ added: WalkedRows.Added, _ outcome: Seam?
  ) -> Seam? {
    let key = page.rows.key
    let strategy = traits.paging(for: key, declared: paging).strategy
    let lastID = rows.idPath.flatMap { path in
      page.rows.items.last.flatMap { RowID(at: path, in: $0) }
    }
    return position.record.add(
      position.record.approach(to: key, by: strategy), added.meeting,
      rows: page.rows.items.count, endSign: strategy.endSign,
      isKeyset: strategy.isKeyset, next: page.page.facts.next,
      lastID: lastID, at: page.rows.asOf, outcome: outcome)
  }

  private func checkpoint(at key: PageKey) -> PageWalk.Checkpoint {
    var checkpoint = position
    checkpoint.key = key
    if case .trial = key.place { checkpoint.key = nil }
    (checkpoint.itemsPath, checkpoint.home, checkpoint.idPath) = (
      traits.itemsPath, traits.home, rows.idPath
    )
    checkpoint.isRecognized = pages > 0 && paging == .automatic
    checkpoint.rowsToSkip = 0
    return checkpoint
  }
}

internal import ItemMapping
internal import ServerAPI

/// Decides for a walk which page it needs, which of its rows are new, and whether rows may be missing.
///
/// A plain value. Each step says what the walk needs: pass the page that it requests to ``receive(_:)``. If
/// a request fails, call ``next()`` again; nothing has changed, and the same page is requested.
struct WalkBrain {
  enum Step {
    case request(PageKey)
    indirect case deliver(PageWalk.Page)
    case end
  }

  /// The purpose of the requested page.
  enum Purpose {
    /// The first page shows how the server pages, which the checkpoint doesn't have.
    case recognizing
    /// The second page shows how the server pages, where the first one didn't.
    case recognizingByTrial(next: PageKey)
    case delivering
    /// A window of the next page shows the seam before it.
    case seeing(PageWindow)
    /// The next page is compared with the rows of a doubtful window.
    case verifying(PageWindow, [RowID])
    /// The next page is read without a window, although rows have moved that no window found.
    case deliveringApart
    /// Pages before this one are read until one starts with a known row.
    case joining(MovedRows<JSONView>)
    /// The list is read a second time.
    case confirming
  }

  let paging: Paging
  /// How much is requested to be sure of the rows.
  let level: Consistency.Level
  var purpose = Purpose.delivering
  var windows = SeamWindows()
  var link: PageFacts.Link
  var rows: WalkedRows
  /// The checkpoint that the walk started with, until a page is delivered.
  var resumed: PageWalk.Checkpoint?
  /// The position of the walk, without the link.
  var position: PageWalk.Checkpoint
  /// The second walk, which shows whether the rows are those of one instant.
  var confirmation: Confirmation?
  /// The pages so far, if the server can confirm them without sending them again; only for the second walk.
  var validated: ValidatedPages?
  /// The most rows of a page that was not the last one, where pages have numbers.
  var fullSize: Int?
  var traits: ServerTraits
  /// The number of pages that an earlier walk read, if the ids of their rows are not known.
  let unknownPages: Int
  /// How many pages in a row may have no new row.
  var maximumEmptyPages = PageWalk.usualEmptyPages
  private var emptyPages = 0
  /// What the last page says that ends the list, where that is a guess about a name.
  private(set) var endMember: String?

  init(
    _ paging: Paging, _ rows: WalkedRows, checking level: Consistency.Level = .seams,
    from checkpoint: PageWalk.Checkpoint?
  ) {
    self.paging = paging
    self.level = level
    self.rows = rows
    resumed = checkpoint
    position = checkpoint ?? PageWalk.Checkpoint(key: paging.strategy.first)
    link = .page(checkpoint?.key ?? paging.strategy.first)
    traits = ServerTraits(itemsPath: position.itemsPath, home: position.home)
    // Where the next page is not known, it has to be found again.
    if position.key != nil { traits.recognized = position.recognized }
    unknownPages = rows.knowsNone ? position.pages : 0
    // The id path of the first page stays, also where it has none.
    if position.pages > 0 { self.rows.resume(with: position.idPath) }
    if position.isConfirming {
      link = .end
      if level == .exact, !self.rows.knowsNone {
        confirmation = newConfirmation()
      }
    }
  }

  /// The number of pages read, including those before the checkpoint.
  var pages: Int { position.pages }

  /// What can be claimed of the rows.
  var consistency: Consistency {
    let account = position.account
    let claim = position.record.consistency(
      at: listEnd, unreadable: account.rows.unreadable, isCounted: account.meetsTotal,
      isAtBound: account.isAtBound)
    return counted(claim) ?? claim
  }

  /// The total number of rows that the server reported.
  var total: Int? { position.account.total }
  var pageCount: Int? { position.account.pageCount }

  /// How the list ended; `nil` while there is a page to request.
  var end: ListEnd? {
    guard let end = listEnd, confirmation?.isRunning != true else { return nil }
    let consistency = consistency
    if consistency.claim == .exact { return .complete }
    guard end == .complete, let asked = level.claim, consistency.claim < asked else { return end }
    return .incomplete(.lowClaim(consistency.claim, asked: asked))
  }

  /// How the list ended when it was read once.
  private var listEnd: ListEnd? {
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
    if case .page(let key) = link { return checkpoint(at: key) }
    guard confirmation?.isRunning == true else { return nil }
    var checkpoint = checkpoint(at: paging.strategy.first)
    checkpoint.isConfirming = true
    return checkpoint
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
    guard case .page(let key) = link else { return confirm() }
    return proceed(to: key)
  }

  /// Whether the requested page is the next one, and not one that only shows something else.
  var isReadingOn: Bool {
    switch purpose {
    // For the second walk it has to be known which response is older.
    case .delivering, .deliveringApart: level < .exact
    case .seeing(let window): window.isFirst && level < .exact
    case .recognizing, .recognizingByTrial, .verifying, .joining, .confirming: false
    }
  }

  /// Receives a page that was requested.
  ///
  /// Not inlined, since that would enlarge the frame of the asynchronous function that calls it.
  @inline(never)
  mutating func receive(_ page: LoadedPage<JSONView>) -> Step {
    rows.sightings?.begin()
    if confirmation == nil, !page.trials.isEmpty, page.page.url != nil, traits.recognized != nil {
      return turn(to: page)
    }
    switch purpose {
    case .recognizing: return recognize(page)
    case .recognizingByTrial(let key):
      traits.recognized = page.recognized
      return confirmation == nil ? proceed(to: key) : confirm()
    case .delivering:
      // A second walk finds moved rows anyway.
      guard level >= .signs, level < .exact else { return deliver(page, moved: .no) }
      let window = closerLook(at: page)
      if let seam = seam(before: page) { return join(seam) }
      guard let window else { return deliver(page, moved: .no) }
      purpose = .seeing(window)
      return .request(window.key)
    case .seeing(let window): return see(page, window)
    case .verifying(let window, let ids): return verify(page, window, ids)
    case .deliveringApart: return deliver(page, moved: .apart)
    case .joining(let seam): return search(page, for: seam)
    case .confirming: return confirm(page)
    }
  }
}

// MARK: - Delivering

extension WalkBrain {
  mutating func deliver(_ page: LoadedPage<JSONView>, moved: Moved) -> Step {
    guard case .page(let key) = link else { return .end }
    let facts = page.page.facts
    endMember = facts.endMember
    var checkpoint = checkpoint(at: key)
    checkpoint.rowsToSkip = resumed?.rowsToSkip ?? 0
    var gathered = page.rows.items
    var window: PageWindow?
    var ids: WalkedRows.PageIDs?
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
    case .joined(let joined, let known):
      (window, ids) = (joined, known)
      if !joined.isFirst { outcome = .mended }
    case .apart:
      position.account.loseRows()
      outcome = .open
    }
    resumed = nil
    if checkpoint.rowsToSkip > 0 {
      position.record.resumeInside(areKnown: !rows.knowsNone && rows.idPath != nil)
    }
    traits.learn(from: page)
    let isReread = windows.overlap.takeReread(page.rows.items.count)
    let added = rows.add(
      gathered, ids, at: page.rows.key, rowsToSkip: checkpoint.rowsToSkip,
      showsOrder: window != nil, isReread: isReread)
    let seam = record(page, added, outcome, window)
    let repeatedByIntent = window.map { min($0.rows, added.duplicates) } ?? 0
    position.record.checks += windows.overlap.takeChecks()
    position.pages += 1
    let hasNoRows = page.rows.items.count <= window?.rows ?? 0
    let wasMet = position.account.meetsTotal
    position.account.add(facts, at: page.rows.key, isNew: added.received > 0)
    position.account.rows.count += added.received
    link = facts.checkedNext(
      after: key, isEmpty: hasNoRows, isNew: !added.rows.isEmpty,
      isMet: page.rows.items.isEmpty && wasMet && position.account.meetsTotal)
    if let window {
      link = window.link(link, after: key, rows: page.rows.items.count)
    } else {
      windows.note(
        .init(key: page.rows.key, count: page.rows.items.count, facts: facts),
        knownRows: added.duplicates)
    }
    if added.isLoop, case .page = link { link = .stopped(.noProgress(page.rows.key)) }
    if added.received > 0 { emptyPages = 0 } else if !isReread { emptyPages += 1 }
    if emptyPages > maximumEmptyPages, case .page = link {
      link = .stopped(.emptyPages(emptyPages))
    }
    count(page)
    let strategy = traits.paging(for: page.rows.key, declared: paging).strategy
    validated?.add(page, added.indices, by: strategy)
    startConfirming()
    var reported = facts
    if let limit = position.account.limit { reported.problems.append(limit) }
    return .deliver(
      PageWalk.Page(
        number: pages - 1, rows: added.rows,
        duplicates: added.duplicates - repeatedByIntent,
        facts: reported.noting(rejectedID: added.rejectedID), itemsPath: page.itemsPath ?? .root,
        url: page.page.url, seam: seam, checkpoint: checkpoint, idPath: rows.idPath))
  }

  /// Records the page for what can be claimed, and returns the seam before it.
  private mutating func record(
    _ page: LoadedPage<JSONView>, _ added: WalkedRows.Added, _ outcome: Seam?,
    _ window: PageWindow?
  ) -> Seam? {
    let key = page.rows.key
    let strategy = traits.paging(for: key, declared: paging).strategy
    let lastID = rows.idPath.flatMap { path in
      page.rows.items.last.flatMap { RowID(at: path, in: $0) }
    }
    let approach = position.record.approach(to: key, by: strategy)
    let isOnly = pages == 0 && page.page.facts.next == .end
    if page.rows.source.isCache, !isOnly { position.record.noteStoredPage() }
    let isRepeat = added.received == 0 && !page.rows.items.isEmpty && pages > 0
    let endSign = page.page.facts.endSign.of(
      window, isRepeat: isRepeat, isThinned: windows.isThinned)
    position.record.note(page.version, total: page.page.facts.total)
    return position.record.add(
      window?.isChained == true && !position.record.isCounting ? .chain : approach, added.meeting,
      rows: page.rows.items.count, endSign: endSign,
      isKeyset: strategy.isKeyset, next: page.page.facts.next,
      lastID: lastID, at: page.rows.asOf, outcome: outcome, isSeen: window != nil,
      endsByName: page.page.facts.endsByName)
  }
}

internal import ItemMapping
internal import ServerAPI

/// Decides for a walk which page it needs and which of its rows are new. Its ``Reading`` judges how pages join.
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
    case reading
    /// The list is read a second time.
    case confirming
  }

  /// A page of the running turn.
  private struct Received {
    let page: LoadedPage<JSONView>
    /// The ids of its rows, if they were compared.
    var ids: WalkedRows.PageIDs?
  }

  let paging: Paging
  var reading: Reading
  var purpose = Purpose.reading
  var rows: WalkedRows
  /// The pages of the running turn, while pages before the next one are read again.
  private var turn: [Received] = []
  /// The checkpoint that the walk started with, until a page is delivered.
  var resumed: PageWalk.Checkpoint?
  /// The number of pages read, including those before the checkpoint.
  var pages = 0
  /// The second walk, which shows whether the rows are those of one instant.
  var confirmation: Confirmation?
  /// The pages so far, if the server can confirm them without sending them again; only for the second walk.
  var validated: ValidatedPages?
  /// The most rows of a page that was not the last one, where pages have numbers.
  var fullSize: Int?
  var traits: ServerTraits
  /// What the last page says that ends the list, where that is a guess about a name.
  private(set) var endMember: String?

  init(
    _ paging: Paging, _ rows: WalkedRows, checking level: Consistency.Level = .seams,
    from checkpoint: PageWalk.Checkpoint?
  ) {
    self.paging = paging
    self.rows = rows
    resumed = checkpoint
    let start = checkpoint ?? PageWalk.Checkpoint(key: paging.strategy.first)
    // A second walk finds moved rows anyway.
    reading = Reading(
      level, first: paging.strategy.first, at: .page(start.key ?? paging.strategy.first),
      start.account, looksForRows: level < .exact)
    reading.record = start.record
    reading.maximumEmptyPages = PageWalk.usualEmptyPages
    pages = start.pages
    traits = ServerTraits(itemsPath: start.itemsPath, home: start.home)
    // Where the next page is not known, it has to be found again.
    if start.key != nil { traits.recognized = start.recognized }
    // Without their ids, the rows of an earlier walk can't be told from those that moved.
    if rows.knowsNone, pages > 0 {
      reading.pagesUnread = start.record.pages + (start.rowsToSkip > 0 ? 1 : 0)
    }
    // The id path of the first page stays, also where it has none.
    if pages > 0 { self.rows.resume(with: start.idPath) }
    if start.isConfirming {
      reading.link = .end
      if level == .exact, !self.rows.knowsNone {
        confirmation = newConfirmation()
      }
    }
  }

  /// What can be claimed of the rows.
  var consistency: Consistency {
    let claim = reading.consistency(at: reading.end())
    return confirmed(claim) ?? claim
  }

  /// The total number of rows that the server reported.
  var total: Int? { reading.account.total }
  var pageCount: Int? { reading.account.pageCount }

  /// How the list ended; `nil` while there is a page to request.
  var end: ListEnd? {
    guard let end = reading.end(), confirmation?.isRunning != true else { return nil }
    let consistency = consistency
    if consistency.claim == .exact { return .complete }
    guard end == .complete, let asked = reading.level.claim, consistency.claim < asked else {
      return end
    }
    return .incomplete(.lowClaim(consistency.claim, asked: asked))
  }

  /// The position of the walk; `nil` where the list has ended.
  var checkpoint: PageWalk.Checkpoint? {
    if let resumed { return end == nil ? resumed : nil }
    if case .page(let key) = reading.link { return checkpoint(at: key) }
    guard confirmation?.isRunning == true else { return nil }
    var checkpoint = checkpoint(at: paging.strategy.first)
    checkpoint.isConfirming = true
    return checkpoint
  }

  /// Records rows that could not be read.
  mutating func dropUnreadable(_ count: Int, _ reason: String?) {
    reading.account.rows.unreadable += count
    reading.account.rows.firstError = reading.account.rows.firstError ?? reason
  }

  /// Starts the next page.
  @inline(never)
  mutating func next() -> Step {
    if resumed?.isRecognized == true, traits.recognized == nil {
      purpose = .recognizing
      return .request(paging.strategy.first)
    }
    guard case .page(let key) = reading.link else { return confirm() }
    return proceed(to: key)
  }

  /// Requests the next page, or what shows the seam before it.
  mutating func proceed(to key: PageKey) -> Step {
    purpose = .reading
    reading.link = .page(key)
    reading.paging = traits.paging(for: key, declared: paging)
    reading.knowsRows = knowsRows
    return .request(reading.start(key))
  }

  /// Whether rows that come again can be told from others.
  private var knowsRows: Bool {
    rows.idPath != nil && !rows.knowsNone && resumed?.rowsToSkip ?? 0 == 0
  }

  /// Whether the requested page is the next one, and not one that only shows something else.
  var isReadingOn: Bool {
    switch purpose {
    // For the second walk it has to be known which response is older.
    case .reading: !reading.isLookingBack && reading.level < .exact
    case .recognizing, .recognizingByTrial, .confirming: false
    }
  }

  /// Receives a page. Not inlined, since that would enlarge the frame of the asynchronous function that calls it.
  @inline(never)
  mutating func receive(_ page: LoadedPage<JSONView>) -> Step {
    rows.sightings?.begin()
    if confirmation == nil, !page.trials.isEmpty, page.hasResponse, traits.recognized != nil {
      return deliver(page, turningTo: page.recognized)
    }
    switch purpose {
    case .recognizing: return recognize(page)
    case .recognizingByTrial(let key):
      traits.recognized = page.recognized
      return confirmation == nil ? proceed(to: key) : confirm()
    case .reading: return read(page)
    case .confirming: return confirm(page)
    }
  }
}

// MARK: - Delivering

extension WalkBrain {
  /// Passes a page of the running turn to the reading, and delivers what joins.
  private mutating func read(_ page: LoadedPage<JSONView>) -> Step {
    let read = page.read(
      reading.isSearching ? turn.count : 0, hasIDs: rows.idPath != nil && resumed?.rowsToSkip ?? 0 == 0,
      by: traits.paging(for: page.rows.key, declared: paging))
    // Before the next request: pages before this one may be read again, also the first one.
    traits.takeHints(of: page)
    var received = Received(page: page)
    if read.number > 0 { turn.append(received) } else { turn = [] }
    var compared: ComparedRows?
    while true {
      switch reading.receive(read, compared) {
      case .compare:
        received.ids = rows.ids(of: page.rows.items)
        compared = rows.compared(received.ids)
      case .request(let key):
        if reading.isSearching, turn.isEmpty { turn.append(received) }
        return .request(key)
      case .join(let joining):
        let isWaiting = joining.page.number < turn.count
        return deliver(isWaiting ? turn[joining.page.number] : received, joining)
      }
    }
  }

  /// Delivers a page that another paging than the recognized one led to, as that was refuted.
  private mutating func deliver(
    _ page: LoadedPage<JSONView>, turningTo paging: RecognizedPaging?
  ) -> Step {
    traits.recognized = paging
    reading.link = .page(page.rows.key)
    reading.turn = nil
    return read(page)
  }

  /// Adds the rows of a page that joins, and delivers the new ones.
  private mutating func deliver(_ received: Received, _ joining: Reading.Joining) -> Step {
    guard case .page(let key) = reading.link else { return .end }
    var joining = joining
    let page = received.page
    let facts = page.page.facts
    var checkpoint = checkpoint(at: key)
    checkpoint.rowsToSkip = resumed?.rowsToSkip ?? 0
    resumed = nil
    if checkpoint.rowsToSkip > 0 {
      reading.record.resumeInside(areKnown: !rows.knowsNone && rows.idPath != nil)
    }
    traits.learn(from: page)
    let strategy = traits.paging(for: page.rows.key, declared: paging)
    let overlap = joining.overlap
    var added: WalkedRows.Added
    if joining.found.isEmpty {
      added = rows.add(
        page.rows.items, received.ids, rowsToSkip: checkpoint.rowsToSkip, showsOrder: overlap != nil)
    } else {
      let found = joining.found.map { turn[$0].page.rows.items }
      added = rows.add(rows.joined(found, before: page.rows.items))
    }
    let isRepeat =
      rows.idPath == nil
      && reading.isRepeat(
        at: page.rows.key, fingerprint: added.fingerprint, isEmpty: page.rows.items.isEmpty)
    if isRepeat { added = WalkedRows.Added() }
    turn = []
    joining.page.paging = strategy
    if case .page(let next) = facts.next {
      joining.page.nextPaging = traits.paging(for: next, declared: paging)
    }
    joining.page.fingerprint = added.fingerprint
    var rowsReceived = reading.account.rows
    rowsReceived.count += added.received
    let joined = reading.join(
      joining,
      Reading.Added(
        shared: added.shared, rows: rowsReceived, isNew: added.received > 0,
        isNewToProgram: !added.rows.isEmpty, knownRows: added.duplicates,
        isRepeat: isRepeat,
        lastID: rows.idPath.flatMap { path in
          page.rows.items.last.flatMap { RowID(at: path, in: $0) }
        }))
    endMember = facts.endMember
    pages += 1
    reading.knowsRows = knowsRows
    recordLimit(page)
    validated?.add(page, added.indices, by: strategy.strategy)
    startConfirming()
    var reported = facts
    if let limit = reading.account.limit { reported.problems.append(limit) }
    let repeatedByIntent = overlap.map { min($0.rows, added.duplicates) } ?? 0
    return .deliver(
      PageWalk.Page(
        number: pages - 1, rows: added.rows,
        duplicates: added.duplicates - repeatedByIntent,
        facts: reported.noting(rejectedID: added.rejectedID), itemsPath: page.itemsPath ?? .root,
        url: page.page.url, seam: joined.seam, checkpoint: checkpoint, idPath: rows.idPath))
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

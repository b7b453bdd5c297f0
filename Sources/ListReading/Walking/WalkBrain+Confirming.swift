internal import ItemMapping
internal import ServerAPI

// MARK: - A second walk

extension WalkBrain {
  /// The walk through the list once more, to see its rows again.
  struct Confirmation: Hashable, Sendable {
    /// The next page; no page when the walk has ended.
    var link = PageFacts.Link.end
    /// The number of requests that may still be sent.
    var requestsLeft: Int
    /// The most rows that could be missing before this second walk.
    var missingBefore: Int?
    /// The size of its pages, where that can be larger than usual.
    var large: LargePages?
    /// The number of its next page among those that the server can confirm.
    var index = 0
    /// The number of pages so far.
    var pages = 0
    /// The response before its first one.
    var start: UInt32 = 0
    var version = ListVersion.undeclared

    var isRunning: Bool { if case .page = link { true } else { false } }

    /// Goes back to pages of the usual size; `false` if they have it.
    mutating func dropSize() -> Bool {
      defer { large = nil }
      return large != nil
    }
  }

  /// Starts the second walk where the list has ended, if its rows can be told apart and the server counts them or tells
  /// their version.
  mutating func startConfirming() {
    guard case .end = reading.link, reading.level == .exact, confirmation == nil,
      reading.record.canCount,
      reading.account.contradiction(isWhole: true) == nil, !reading.record.isOfStoredPages,
      // If the server did not state the end and all its totals are below the number of rows, they count something else.
      reading.record.endSign.isStated
        || reading.account.numbers.highest.map({ $0 >= reading.account.rows.count }) ?? true,
      rows.idPath != nil, reading.pagesUnread == nil, let sightings = rows.sightings,
      sightings.hasLimit || reading.record.version.isSaid, consistency.claim != .exact
    else { return }
    if validated?.isComplete == false { validated = nil }
    confirmation = newConfirmation()
  }

  /// A second walk from the start.
  func newConfirmation() -> Confirmation {
    var confirmation = Confirmation(
      requestsLeft: 2 * pages + 20, missingBefore: rows.sightings?.proof?.missing)
    // Fewer pages are not worth the request that shows that the server sends no larger ones.
    if validated == nil, pages > 2, let usual = paging.strategy.saidSize {
      confirmation.large = LargePages(usual: usual)
    }
    begin(&confirmation)
    return confirmation
  }

  /// Begins the second walk again.
  mutating func beginConfirming() {
    guard var confirmation else { return }
    begin(&confirmation)
    self.confirmation = confirmation
  }

  private func begin(_ confirmation: inout Confirmation) {
    var first = paging.strategy.first
    if let large = confirmation.large { first.size = large.size }
    confirmation.link = .page(validated?[0]?.key ?? first)
    (confirmation.index, confirmation.pages) = (0, 0)
    confirmation.start = rows.sightings?.instant ?? 0
    confirmation.version = .undeclared
  }

  /// Requests the next page of the second walk.
  mutating func confirm() -> Step {
    guard case .page(let key)? = confirmation?.link else { return .end }
    purpose = .confirming
    return .request(key)
  }

  /// The validator of the page that is requested; `nil` if it has to be sent.
  var validator: String? {
    guard case .confirming = purpose, let confirmation else { return nil }
    return validated?[confirmation.index]?.validator
  }

  /// Receives a page of the second walk, and delivers it if it has new rows.
  mutating func confirm(_ page: LoadedPage<JSONView>) -> Step {
    guard var confirmation, let before = checkpoint else { return .end }
    resumed = nil
    confirmation.requestsLeft -= 1
    let known = page.isSame ? validated?[confirmation.index] : nil
    confirmation.version.add(known?.version ?? page.version, isFirst: confirmation.pages == 0)
    confirmation.pages += 1
    var added = WalkedRows.Added()
    var endSign = EndSign.said
    if let known {
      let indices = known.rows.indices
      for index in indices { rows.sightings?.see(index) }
      recordLimit(page.rows.key, rows: indices.count, total: known.total, isLast: known.isLast)
      follow(known, in: &confirmation)
    } else {
      added = rows.add(page.rows.items)
      if added.shared?.repeatsID == true { reading.record.doubt(.ids) }
      // At the end of the list, a row may have been inserted since the server counted.
      if page.page.facts.exceedsTotal, let size = page.rows.key.size, page.rows.items.count >= size {
        rows.sightings?.contradict()
        reading.record.doubtEnd()
      }
      follow(page, in: &confirmation)
      let facts = page.page.facts
      endSign = facts.endSign
      reading.account.addTotals(of: facts)
      recordLimit(
        page.rows.key, rows: page.rows.items.count, total: facts.countedTotal,
        isLast: confirmation.link == .end && endSign.isStated)
      // Rows without ids can't be seen again.
      if added.shared == nil || rows.idPath == nil { confirmation.link = .stopped(.noProgress(page.rows.key)) }
    }
    let isLast = confirmation.link == .end
    if confirmation.requestsLeft == 0 { confirmation.link = .end }
    let isAtEnd = !confirmation.isRunning
    rows.prove(isThorough: isAtEnd)
    if isLast, !endSign.isRefusal, case .one = confirmation.version,
      !reading.record.broken.contains(.version)
    {
      rows.sightings?.close(after: confirmation.start)
    }
    if rows.sightings?.isClosed != false || isContradicted {
      confirmation.link = .end
    } else if isLast, confirmation.requestsLeft > 0, allowsAnother(after: confirmation) {
      confirmation.missingBefore = rows.sightings?.proof?.missing
      begin(&confirmation)
    }
    self.confirmation = confirmation
    reading.account.rows.count += added.received
    reading.record.noteConfirmation(at: page.rows.asOf)
    guard !added.rows.isEmpty else {
      reading.record.checks += 1
      return confirm()
    }
    pages += 1
    return .deliver(
      PageWalk.Page(
        number: pages - 1, rows: added.rows, duplicates: 0,
        facts: page.page.facts,
        itemsPath: page.itemsPath ?? .root, url: page.page.url, seam: nil,
        checkpoint: before, idPath: rows.idPath))
  }

  /// Whether the numbers of the server prove nothing, and its versions neither.
  private var isContradicted: Bool {
    rows.sightings?.isContradicted == true && !reading.record.version.isSaid
  }

  /// Whether the list is read once more: rows changed meanwhile, and another instant may be known of which no row is
  /// missing, or another version.
  private func allowsAnother(after confirmation: Confirmation) -> Bool {
    if confirmation.version.isSaid { return true }
    guard let missing = rows.sightings?.proof?.missing else { return false }
    return missing < confirmation.missingBefore ?? .max
  }

  /// Goes on after a page that the server confirmed.
  private func follow(_ page: ValidatedPages.Page, in confirmation: inout Confirmation) {
    confirmation.index += 1
    confirmation.link = (validated?[confirmation.index]).map { .page($0.key) } ?? .end
  }

  /// Goes on after a page that the server sent.
  private mutating func follow(
    _ page: LoadedPage<JSONView>, in confirmation: inout Confirmation
  ) {
    let key = page.rows.key
    let count = page.rows.items.count
    confirmation.link = page.page.facts.checkedNext(
      after: key, isEmpty: count == 0, isNew: count > 0)
    // The first page may look as if the server paged in a way that its second page has refuted.
    if !isRequestable(confirmation.link) { confirmation.link = .stopped(.noProgress(key)) }
    if let next = validated?[confirmation.index + 1]?.key, confirmation.link == .page(next) {
      confirmation.index += 1
    } else if let validated {
      // The pages after it begin elsewhere now, and have the size of the first one.
      if case .page(var next) = confirmation.link {
        next.full = validated.firstSize.map { FullSize(rows: $0) }
        confirmation.link = .page(next)
      }
      self.validated = nil
    }
    guard let large = confirmation.large else { return }
    switch confirmation.large?.judge(count, of: rows.sightings?.count ?? 0) {
    case .giveUp:
      confirmation.large = nil
      begin(&confirmation)
    case let verdict?:
      let size = confirmation.large?.size ?? large.size
      var isEndCertain = true
      if case .goOnAfterFirst = verdict { isEndCertain = false }
      confirmation.link = confirmation.link.sized(
        size, after: key, rows: count, isEndCertain: isEndCertain)
    case nil: break
    }
  }

  /// Whether the paging of the list can request a page.
  private func isRequestable(_ link: PageFacts.Link) -> Bool {
    guard paging == .automatic, case .page(let key) = link else { return true }
    var call = Call("/")
    return (try? traits.paging(for: key, declared: paging).strategy.apply(key, to: &call)) != nil
  }

  /// Records how many rows the list had when a page was sent, as far as the page says.
  mutating func recordLimit(_ page: LoadedPage<JSONView>) {
    recordLimit(
      page.rows.key, rows: page.rows.items.count, total: page.page.facts.countedTotal,
      isLast: page.page.facts.isStatedEnd)
  }

  private mutating func recordLimit(_ key: PageKey, rows count: Int, total: Int?, isLast: Bool) {
    guard rows.sightings != nil else { return }
    if let total { rows.sightings?.limit(to: total, isTotal: true) }
    guard isLast else {
      if case .number = key.place, key.size == nil { fullSize = max(fullSize ?? 0, count) }
      return
    }
    switch key.place {
    case .offset(let offset):
      rows.sightings?.limit(to: offset.plus(count), isTotal: false)
    case .number(let number):
      let strategy = traits.paging(for: key, declared: paging).strategy
      guard case .number(let first) = strategy.first.place else { return }
      let before = number.minus(first)
      if before == 0 {
        rows.sightings?.limit(to: count, isTotal: false)
      } else if before > 0, let fullSize = key.size ?? fullSize {
        rows.sightings?.limit(to: before.times(fullSize).plus(count), isTotal: false)
      }
    case .start, .after, .before, .url, .trial: break
    }
  }

  /// The claim that the second walk proved; `nil` if it proved nothing.
  func confirmed(_ claim: Consistency) -> Consistency? {
    guard let sightings = rows.sightings, confirmation != nil,
      reading.account.rows.unreadable == 0, reading.record.canCount,
      reading.account.contradiction(isWhole: true) == nil
    else { return nil }
    var counted = claim
    let broken = reading.record.broken
    if !sightings.isCounted, sightings.isOfOneVersion {
      counted.assumptions = reading.record.versionBasis
      counted.claim = .exact
      return broken.isDisjoint(with: counted.assumptions) ? counted : nil
    }
    guard !sightings.isContradicted, let missing = sightings.proof?.missing else { return nil }
    let basis = reading.record.endBasis.union([
      .instants, .ids, .positions, .freshness, .absence,
    ])
    guard broken.isDisjoint(with: basis) else { return nil }
    counted.assumptions = basis
    if missing == 0 {
      counted.claim = .exact
    } else if claim.claim == .mayLack(atMost: nil) {
      counted.claim = .mayLack(atMost: missing)
    } else {
      return nil
    }
    return counted
  }
}

internal import ItemMapping
internal import ServerAPI

// MARK: - A second walk

extension WalkBrain {
  /// The walk through the list once more, to see its rows again.
  struct Confirmation: Hashable, Sendable {
    /// The next page; no page when the walk has ended.
    var link: PageFacts.Link
    /// The number of requests that may still be sent.
    var requestsLeft: Int
    /// The most rows that could be missing when the walk through the list began.
    var missingBefore: Int?

    init(link: PageFacts.Link, requestsLeft: Int, missingBefore: Int? = nil) {
      (self.link, self.requestsLeft, self.missingBefore) = (link, requestsLeft, missingBefore)
    }

    var isRunning: Bool { if case .page = link { true } else { false } }
  }

  /// Starts the second walk where the list has ended, if its rows can be told apart and the server counts them.
  mutating func startConfirming() {
    guard case .end = link, level == .exact, confirmation == nil, position.record.canCount,
      rows.idPath != nil, unknownPages == 0, let sightings = rows.sightings, sightings.hasLimit,
      consistency.claim != .exact
    else { return }
    confirmation = Confirmation(
      link: .page(paging.strategy.first), requestsLeft: 2 * pages + 20,
      missingBefore: sightings.proof?.missing)
  }

  /// Requests the next page of the second walk.
  mutating func confirm() -> Step {
    guard case .page(let key)? = confirmation?.link else { return .end }
    purpose = .confirming
    return .request(key)
  }

  /// Receives a page of the second walk, and delivers it if it has new rows.
  mutating func confirm(_ page: LoadedPage<JSONView>) -> Step {
    guard var confirmation, let before = checkpoint else { return .end }
    resumed = nil
    let facts = page.page.facts
    let added = rows.add(page.rows.items, at: page.rows.key, isReread: true)
    count(page)
    if added.meeting?.repeatsID == true { position.record.doubt(.ids) }
    confirmation.requestsLeft -= 1
    confirmation.link = facts.checkedNext(isEmpty: page.rows.items.isEmpty)
    // Rows without ids can't be seen again.
    if added.meeting == nil || rows.idPath == nil || confirmation.requestsLeft == 0 {
      confirmation.link = .end
    }
    let isAtEnd = !confirmation.isRunning
    rows.prove(isThorough: isAtEnd)
    if rows.sightings?.isClosed != false || rows.sightings?.isContradicted == true {
      confirmation.link = .end
    } else if isAtEnd, facts.next == .end, confirmation.requestsLeft > 0,
      let missing = rows.sightings?.proof?.missing, missing < confirmation.missingBefore ?? .max
    {
      // Rows changed meanwhile. Another instant may be known of which no row is missing.
      confirmation.missingBefore = missing
      confirmation.link = .page(paging.strategy.first)
    }
    self.confirmation = confirmation
    position.account.rows.count += added.received
    position.record.noteConfirmation(at: page.rows.asOf)
    guard !added.rows.isEmpty else {
      position.record.checks += 1
      return confirm()
    }
    position.pages += 1
    return .deliver(
      PageWalk.Page(
        number: pages - 1, rows: added.rows, ids: added.ids, duplicates: 0, facts: facts,
        itemsPath: page.itemsPath ?? .root, url: page.page.url, seam: nil,
        checkpoint: before))
  }

  /// Records how many rows the list had when a page was sent, as far as the page says.
  mutating func count(_ page: LoadedPage<JSONView>) {
    guard rows.sightings != nil else { return }
    let facts = page.page.facts
    let count = page.rows.items.count
    if let total = facts.total { rows.sightings?.limit(to: total, isTotal: true) }
    guard case .end = facts.next else {
      if case .number = page.rows.key.place { fullSize = max(fullSize ?? 0, count) }
      return
    }
    switch page.rows.key.place {
    case .offset(let offset):
      rows.sightings?.limit(to: offset.plus(count), isTotal: false)
    case .number(let number):
      guard case .number(let first) = paging(of: page).first.place else { return }
      let before = number.minus(first)
      if before == 0 {
        rows.sightings?.limit(to: count, isTotal: false)
      } else if before > 0, let fullSize {
        rows.sightings?.limit(to: before.times(fullSize).plus(count), isTotal: false)
      }
    case .start, .after, .before, .url, .trial: break
    }
  }

  private func paging(of page: LoadedPage<JSONView>) -> any PageStrategy {
    traits.paging(for: page.rows.key, declared: paging).strategy
  }

  /// The claim that the second walk proved; `nil` if it proved nothing.
  func counted(_ claim: Consistency) -> Consistency? {
    guard let sightings = rows.sightings, confirmation != nil, !sightings.isContradicted,
      let missing = sightings.proof?.missing, position.account.rows.unreadable == 0,
      position.record.canCount
    else { return nil }
    let basis: Set<ListAssumption> = [.instants, .ids, .positions, .freshness, .absence]
    guard position.record.broken.isDisjoint(with: basis) else { return nil }
    var counted = claim
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

internal import ServerAPI

extension PageMachine {
  /// How a loaded list continues.
  struct Extent: Hashable {
    var previous: Continuation
    var next: Continuation
    /// How much is requested to be sure of the rows.
    let demand: SeamDemand
    /// What the server's pages say about the number of rows.
    var account: RowAccount
    /// The stored pages that are shown in place of the server's.
    var stored: [ListSide: StoredFacts] = [:]
    /// The pages that were loaded last at each side.
    var lastKeys: [ListSide: PageKey] = [:]
    /// What can be claimed of the rows.
    var record = ConsistencyRecord()
    /// The windows of the next pages.
    var windows = SeamWindows()
    /// How the next page is requested, as far as it is known.
    var paging: Paging?
    /// Whether the list begins with its first page, or was read backward to its start.
    var isFromStart = false
    /// The ids of rows that the program inserted, until the server sends them.
    var ownRows: Set<RowID> = []
    /// The ids of rows that should have come where a window had new ones: they have gone, or come later.
    var passedRows: Set<RowID> = []
    /// The next page to request instead of the one that the running load will lead to.
    var redirection: PageKey?
    /// By how many rows the page after the running load is moved, as the program inserted or removed rows meanwhile.
    var shift = 0
    /// The hashes of the pages without new rows since the last page that had one.
    var unproductivePages: Set<Int> = []

    init(_ facts: PageFacts, next: PageFacts.Link, _ account: RowAccount, _ demand: SeamDemand) {
      previous = Continuation(facts.previous)
      self.next = Continuation(next)
      self.account = account
      self.demand = demand
    }

    subscript(side: ListSide) -> Continuation {
      get { side == .next ? next : previous }
      set { if side == .next { next = newValue } else { previous = newValue } }
    }

    /// How the list ended at a side; `nil` if it continues there. Missing rows count at the side where they
    /// would follow, and so does a claim below the demanded one.
    func end(of side: ListSide) -> ListEnd? {
      guard let end = readEnd(of: side), side == .next, end == .complete,
        let asked = demand.level.claim
      else { return readEnd(of: side) }
      let claim = consistency.without(demand.distrusts).claim
      return claim < asked ? .incomplete(.lowClaim(claim, asked: asked)) : end
    }

    /// The same, whatever is demanded.
    private func readEnd(of side: ListSide) -> ListEnd? {
      switch self[side] {
      case .page: nil
      case .stopped(let error): .incomplete(error)
      case .end where side == .next:
        shownAccount.shortage(isWhole: previous == .end).map { .incomplete($0) } ?? .complete
      case .end: .complete
      }
    }

    /// What is requested again where the list has ended although rows are missing; `nil` if it has not.
    var remedy: Remedy? {
      for side in [ListSide.next, .previous] {
        guard case .incomplete(let error) = end(of: side) else { continue }
        if case .stopped = self[side] { return .page(side) }
        if case .lowClaim = error { return .refresh }
        // What was lost between two pages, or on one of them, is not on the last one.
        return account.mayLackRowsBeforeEnd ? .refresh : .page(side)
      }
      return nil
    }

    /// What can be claimed of the rows of the list, which has ended if both ends were reached.
    var consistency: Consistency {
      let end = readEnd(of: .next)
      let account = shownAccount
      let unreadable = account.rows.unreadable
      // Missing rows count whichever end was reached.
      if case .incomplete = end { return record.consistency(at: end, unreadable: unreadable) }
      let isFromStart = isFromStart && previous == .end
      let claim = record.consistency(
        at: isFromStart ? end : nil, unreadable: unreadable, isCounted: account.meetsTotal,
        isAtBound: account.isAtBound)
      // A page in the middle without a link to the page before it is no sign that there is none.
      return isFromStart || previous != .end ? claim : claim.unproven
    }

    /// Whether windows have shown the seams between all pages, so that edits have hidden no row.
    var showsSeams: Bool { demand.level >= .seams && record.isJoined && windows.wasUsed }

    /// Returns the window that is requested for the next page; `nil` where the page itself is.
    func window(before key: PageKey) -> PageWindow? {
      // The level first: a position costs more than the comparison.
      guard demand.level >= .seams || windows.hasSign, account.rows.count > 0, !record.lacksIDs,
        let position
      else { return nil }
      return windows.window(before: key, position)
    }

    /// What is known where the next page is requested.
    var position: SeamWindows.Position? {
      guard let paging else { return nil }
      return SeamWindows.Position(
        level: demand.level, paging: paging, first: paging.strategy.first, pages: record.windows,
        rows: account.rows.count, total: account.total, leadsToID: record.leadsToID,
        saysMore: account.saysMore)
    }
  }

  /// What may lead to the missing rows of a list that has ended.
  enum Remedy: Hashable {
    /// The last page at a side, which said how the list goes on.
    case page(ListSide)
    /// All pages.
    case refresh
  }

  /// How the list continues at one side.
  enum Continuation: Hashable {
    /// With this page. If a search for new rows was halted here, the number of its pages.
    case page(PageKey, haltedAfter: Int? = nil)
    case end
    case stopped(PagingError)

    init(_ link: PageFacts.Link) {
      switch link {
      case .page(let key): self = .page(key)
      case .end: self = .end
      case .stopped(let error): self = .stopped(error)
      }
    }
  }

  /// What can be claimed of the rows of the list, which has ended if both ends were reached.
  var consistency: Consistency {
    extent?.consistency ?? ConsistencyRecord().consistency(at: nil)
  }
}

/// How sure a list has to be of its rows.
struct SeamDemand: Hashable {
  var level = Consistency.Level.signs
  /// What is not assumed of the server.
  var distrusts: Set<ListAssumption> = []
}

/// A page that a load requests before the page it is for can join the list.
struct SeamCheck: Hashable {
  enum Purpose: Hashable {
    /// A window of the page shows the seam before it.
    case window(PageWindow)
    /// The page is compared with the rows of a doubtful window.
    case verifying(PageWindow, [RowID])
    /// The page is loaded without a window, although rows have moved that no window found.
    case apart
    /// A page before it is loaded again, as rows have moved there.
    case search
  }

  /// The page that the load is for.
  let page: PageKey
  let purpose: Purpose
}

/// What is known of a page that joins the list.
struct SeamJoin {
  /// What can be claimed of the rows with it.
  var record: ConsistencyRecord?
  /// How the page after it is requested.
  var paging: Paging?
  /// What the server sent.
  var response: SeamWindows.Response?
  /// The number of its rows that were in the list.
  var knownRows = 0
  /// The window that it is.
  var window: PageWindow?
  /// Whether its rows come again because the list has stepped back.
  var isReread = false

  /// Whether it is a window that only has the rows before its page.
  var isRepeat: Bool { window.map { response?.count ?? 0 <= $0.rows } ?? false }
}

// MARK: - Stored pages

/// What a stored page says. It may be from long ago, so the server's page takes its place also here.
struct StoredFacts: Hashable {
  let key: PageKey
  let facts: PageFacts
  /// Whether it has rows that no page before it had.
  let isNew: Bool
}

extension PageMachine.Extent {
  /// What is known about the number of rows, if the stored pages that are shown stay.
  var shownAccount: RowAccount {
    var account = account
    for side in ListSide.allCases {
      if let page = stored[side] { account.add(page.facts, at: page.key, isNew: page.isNew, side) }
    }
    return account
  }

  /// Continues after a stored page without the server's.
  mutating func keepStored(at side: ListSide) {
    guard let page = stored.removeValue(forKey: side) else { return }
    account.add(page.facts, at: page.key, isNew: page.isNew, side)
  }
}

extension RowAccount {
  /// Whether rows are missing that are not after the last page.
  fileprivate var mayLackRowsBeforeEnd: Bool {
    losses.mayLackRows || losses.unreadable > 0
  }

  /// Records what a page at a side says.
  mutating func add(_ facts: PageFacts, at key: PageKey, isNew: Bool, _ side: ListSide) {
    if side == .next { return add(facts, at: key, isNew: isNew) }
    addTotals(of: facts)
    countPage(at: key, isNew: isNew)
  }
}

extension PageMachine.Extent {
  /// Continues after a page whose seam was looked at.
  ///
  /// - Parameters:
  ///   - seam: What is known of it.
  ///   - page: The page that its window overlaps.
  mutating func goOn(from seam: SeamJoin, before page: PageKey?) {
    if let window = seam.window, let page, case .page(let key, _) = next {
      let count = seam.response?.count ?? 0
      next = PageMachine.Continuation(window.link(.page(key), after: page, rows: count))
    }
    if shift != 0, case .page(let key, _) = next { next = .page(key.moved(by: shift) ?? key) }
    shift = 0
    note(seam)
  }

  /// Replaces what can be claimed of the rows.
  mutating func replaceRecord(_ new: ConsistencyRecord) { record = new }

  /// Records that the list has been read backward to its start.
  mutating func noteStart() { isFromStart = true }

  /// Records what is known of a page that joined the list.
  mutating func note(_ seam: SeamJoin) {
    record = seam.record ?? record
    paging = seam.paging
    if seam.window == nil, let page = seam.response {
      windows.note(page, knownRows: seam.knownRows)
    }
  }
}

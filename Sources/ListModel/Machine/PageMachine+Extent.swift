internal import ListReading
internal import ServerAPI

extension PageMachine {
  /// How a loaded list continues.
  struct Extent: Hashable {
    /// The reading from the first loaded page on.
    var reading: Reading
    /// How the list continues before that page.
    var previous: PageFacts.Link
    /// What is not assumed of the server.
    let distrusts: Set<ListAssumption>
    /// How the gaps are read.
    var gaps: [PageID: GapReading] = [:]
    /// How far a deep refresh has come; `nil` if none has begun, or the last one has ended.
    var deep: DeepReading?
    /// The number of pages after which a search for new rows was halted at a side.
    var haltedAfter: [ListSide: Int] = [:]
    /// The stored pages that are shown in place of the server's.
    var stored: [ListSide: StoredFacts] = [:]
    /// The pages that were loaded last at each side.
    var lastKeys: [ListSide: PageKey] = [:]
    /// Whether the list begins with its first page, or was read backward to its start.
    private(set) var isFromStart = false
    /// The ids of rows that the program inserted, until the server sends them.
    var ownRows: Set<RowID> = []
    /// The ids of rows that should have come where an overlap had new ones: they have gone, or come later.
    var passedRows: Set<RowID> = []

    init(_ reading: Reading, previous: PageFacts.Link, distrusts: Set<ListAssumption>) {
      (self.reading, self.previous, self.distrusts) = (reading, previous, distrusts)
      // Pages before the first loaded one are unknown, so a search must not go back beyond it.
      self.reading.pagesUnread = 0
    }

    /// How the list continues at a side.
    subscript(side: ListSide) -> PageFacts.Link {
      get { side == .next ? reading.link : previous }
      set {
        if side == .next { reading.link = newValue } else { previous = newValue }
        haltedAfter[side] = nil
      }
    }

    /// Records that the list begins with its first page.
    mutating func noteStart() { (isFromStart, reading.pagesUnread) = (true, nil) }

    /// Whether the first row is that of the list.
    var startsList: Bool { isFromStart && previous == .end }

    /// How the list ended at a side; `nil` if it continues there. Missing rows count at the side where they
    /// would follow, and so does a claim below the demanded one.
    func end(of side: ListSide) -> ListEnd? {
      guard let end = readEnd(of: side), side == .next, end == .complete else { return readEnd(of: side) }
      if !gaps.isEmpty { return .incomplete(.missingRows("the rows of a gap were not loaded")) }
      guard let asked = reading.level.claim else { return end }
      let claim = consistency.without(distrusts).claim
      return claim < asked ? .incomplete(.lowClaim(claim, asked: asked)) : end
    }

    /// The same, whatever is demanded.
    private func readEnd(of side: ListSide) -> ListEnd? {
      if side == .next { return reading.end(shownAccount, isWhole: previous == .end) }
      return switch previous {
      case .page: nil
      case .stopped(let error): .incomplete(error)
      case .end: .complete
      }
    }

    /// What is requested again where the list has ended although rows are missing; `nil` if it has not.
    var remedy: Remedy? {
      for side in [ListSide.next, .previous] {
        guard case .incomplete(let error) = end(of: side) else { continue }
        if case .stopped = self[side] { return .page(side) }
        if case .lowClaim = error { return .refresh }
        if !gaps.isEmpty {
          let gap = gaps.filter { $0.value.side(preferring: .above) != nil }.keys.min()
          return gap.map { .gap($0) } ?? .refresh
        }
        // What was lost between two pages, or on one of them, is not on the last one.
        return reading.account.mayLackRowsBeforeEnd ? .refresh : .page(side)
      }
      return nil
    }

    /// What can be claimed of the rows of the list, which has ended if both ends were reached.
    var consistency: Consistency {
      gaps.isEmpty ? readConsistency : readConsistency.lackingRows
    }

    /// The rows that the list is known or suspected to lack.
    var losses: RowLosses {
      var losses = reading.account.losses
      if !gaps.isEmpty { losses.mayLackRows = true }
      return losses
    }

    private var readConsistency: Consistency {
      let end = readEnd(of: .next)
      // Missing rows count whichever end was reached.
      if case .incomplete = end { return reading.consistency(at: end, shownAccount) }
      let claim = reading.consistency(at: startsList ? end : nil, shownAccount)
      // A page in the middle without a link to the page before it is no sign that there is none.
      return startsList || previous != .end ? claim : claim.unproven
    }
  }

  /// What may lead to the missing rows of a list that has ended.
  enum Remedy: Hashable {
    /// The last page at a side, which said how the list goes on.
    case page(ListSide)
    /// Rows of a gap.
    case gap(PageID)
    /// All pages.
    case refresh
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

// MARK: - Stored pages

/// What a stored page says. It may be from long ago, so the server's page takes its place also here.
struct StoredFacts: Hashable {
  let key: PageKey
  let facts: PageFacts
  /// Whether it has rows that no page before it had.
  let isNew: Bool
}

extension PageMachine.Extent {
  /// Shows a stored page, and continues after it until the server's page takes its place.
  mutating func show(_ page: StoredFacts, _ side: ListSide, _ isEmpty: Bool) {
    stored[side] = page
    lastKeys[side] = page.key
    self[side] =
      side == .next
      ? page.facts.checkedNext(after: page.key, isEmpty: isEmpty, isNew: page.isNew)
      : page.facts.previous
  }

  /// What is known about the number of rows, if the stored pages that are shown stay.
  var shownAccount: RowAccount {
    guard !stored.isEmpty else { return reading.account }
    var account = reading.account
    for side in ListSide.allCases {
      if let page = stored[side] { account.add(page.facts, at: page.key, isNew: page.isNew, side) }
    }
    return account
  }

  /// Continues after a stored page without the server's.
  mutating func keepStored(at side: ListSide) {
    guard let page = stored.removeValue(forKey: side) else { return }
    reading.account.add(page.facts, at: page.key, isNew: page.isNew, side)
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

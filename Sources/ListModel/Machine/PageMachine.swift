internal import ServerAPI

/// The state machine of a list: decides what may load, whether a late response counts, and the order of
/// events.
///
/// It takes an event and returns effects for its owner to perform. It has no clock, no task, no network and
/// no rows. When a page arrives, the owner gets its place from ``placement(of:)``, inserts it there, and
/// reports the result with ``joined(_:_:_:_:)``.
///
/// Each request has a number. A response with a number that no load waits for changes nothing.
struct PageMachine: Hashable {
  /// A slot for one running load.
  enum LoadSlot: Hashable {
    /// Loads that replace all pages: first page, refresh, jump, restore.
    case list
    case side(ListSide)
    case gap(PageID)
  }

  /// A running load.
  struct RunningLoad: Hashable {
    let kind: LoadKind
    var number: Int
    var key: PageKey
    /// The handles that wait for it.
    var loads: [Int]
    /// Whether the list wants the page too, so that the load continues when no handle waits.
    var isPrefetch: Bool
    var addedRows = 0
    /// The number of consecutive pages with too few new rows.
    var searchedPages = 0
    /// The stored response that is shown for the requested page.
    var preview: PagePreview?
    /// The search for rows that moved up, while an earlier page is requested again for it.
    var seam: SeamSearch?
  }

  /// A search for rows that moved to a page that was already loaded. Pages before the requested one are loaded
  /// again until one starts with a known row.
  struct SeamSearch: Hashable {
    /// The number of searches before the same page. A server whose number of rows goes up and down would cause
    /// any number of them.
    static let most = 3

    let fall: RowAccount.Fall
    /// The page that is loaded again.
    var page: PageID
    var pagesLeft = 5
  }

  /// All running loads.
  enum Work: Hashable {
    /// Pages join the list at both sides and in gaps, independently.
    case extending(Extension)
    /// All pages are being replaced. Other loads wait for that.
    case rebuilding(Rebuild)
  }

  struct Extension: Hashable {
    var sides: [ListSide: RunningLoad] = [:]
    var gaps: [PageID: RunningLoad] = [:]

    /// The loads of the sides before those of gaps, in a fixed order.
    var inOrder: [(slot: LoadSlot, running: RunningLoad)] {
      ListSide.allCases.compactMap { side in sides[side].map { (.side(side), $0) } }
        + gaps.sorted { $0.key < $1.key }.map { (.gap($0.key), $0.value) }
    }
  }

  struct Rebuild: Hashable {
    enum Goal: Hashable {
      /// A page. The side is set if loads of that side started the rebuild.
      case page(requestedBy: ListSide? = nil)
      /// The kept pages, then another rebuild, and only then the loads of the sides.
      case restore(then: Request?)
    }

    var running: RunningLoad
    var goal: Goal
    /// Loads of a side that start after the rebuild.
    var waiting: [ListSide: [Int]] = [:]
  }

  /// A rebuild that waits for a restore.
  struct Request: Hashable {
    let kind: LoadKind
    let key: PageKey
    var loads: [Int]
  }

  /// How a loaded list continues.
  struct Extent: Hashable {
    var previous: Continuation
    var next: Continuation
    /// What is known about the number of rows.
    var account: RowAccount
    /// What can be claimed of the rows.
    var record = ConsistencyRecord()
    /// Whether the list begins with its first page, or was read backward to its start.
    var isFromStart = false
    /// The ids of rows that the program inserted, until the server sends them.
    var ownRows: Set<RowID> = []
    /// The page that showed a fall last, and the number of searches for its rows.
    var seam: Seam?
    /// The next page to request instead of the one that the running load will lead to.
    var redirection: PageKey?
    /// The hashes of the pages without new rows since the last page that had one.
    var unproductivePages: Set<Int> = []

    struct Seam: Hashable {
      let key: PageKey
      var searches = 0
    }

    init(_ facts: PageFacts, next: PageFacts.Link, _ account: RowAccount) {
      previous = Continuation(facts.previous)
      self.next = Continuation(next)
      self.account = account
    }

    subscript(side: ListSide) -> Continuation {
      get { side == .next ? next : previous }
      set { if side == .next { next = newValue } else { previous = newValue } }
    }

    /// How the list ended at a side; `nil` if it continues there. Missing rows count at the side where they
    /// would follow.
    func end(of side: ListSide) -> ListEnd? {
      switch self[side] {
      case .page: nil
      case .stopped(let error): .incomplete(error)
      case .end where side == .next:
        account.shortage(isWhole: previous == .end).map { .incomplete($0) } ?? .complete
      case .end: .complete
      }
    }
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
    guard let extent else { return ConsistencyRecord().consistency(at: nil) }
    let end = extent.end(of: .next)
    let unreadable = extent.account.rows.unreadable
    // Missing rows count whichever end was reached.
    if case .incomplete = end {
      return extent.record.consistency(at: end, unreadable: unreadable)
    }
    let isFromStart = extent.isFromStart && extent.previous == .end
    let claim = extent.record.consistency(at: isFromStart ? end : nil, unreadable: unreadable)
    // A page in the middle without a link to the page before it is no sign that there is none.
    return isFromStart || extent.previous != .end ? claim : claim.unproven
  }

  /// A failed load, for a retry.
  struct Failure: Hashable {
    let slot: LoadSlot
    let kind: LoadKind
    let key: PageKey
    let error: LoadError
    /// The stored response that is still shown for the page.
    var preview: PagePreview?
  }

  /// The limits of a load that continues because pages have no new rows.
  struct Search: Hashable {
    /// The number of new rows a load needs.
    var minimumRows = 1
    /// The maximum number of pages that one load requests.
    var pages = 10
  }

  let search: Search
  /// The key of the first page.
  var first: PageKey
  /// `nil` until a page is loaded.
  var extent: Extent?
  var work = Work.extending(Extension())
  /// The failed loads, the latest last.
  var failures: [Failure] = []
  private var lastNumber = 0
  /// The number of responses that no load waited for.
  private(set) var discardedResponses = 0

  init(first: PageKey, search: Search = Search()) {
    self.first = first
    self.search = search
  }

  /// Returns the number for a new request.
  mutating func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  mutating func discard() { discardedResponses += 1 }
}

// MARK: - States

extension PageMachine {
  var hasLoaded: Bool { extent != nil }

  /// The running load that replaces all pages, if any.
  var rebuild: Rebuild? {
    if case .rebuilding(let rebuild) = work { rebuild } else { nil }
  }

  var isRestoring: Bool { rebuild?.running.kind == .restore }

  /// The state of the loads that replace all pages.
  var listState: LoadState {
    if rebuild != nil { return .loading }
    return failure(of: .list).map { .failed($0) } ?? .idle
  }

  /// The state of the loads at one side.
  func state(of side: ListSide) -> LoadState {
    switch work {
    case .extending(let work): if work.sides[side] != nil { return .loading }
    case .rebuilding(let rebuild):
      if rebuild.waiting[side] != nil || rebuild.goal == .page(requestedBy: side) {
        return .loading
      }
    }
    if let error = failure(of: .side(side)) { return .failed(error) }
    if case .page(_, haltedAfter: let pages?) = extent?[side] {
      return .stillSearching(pages: pages)
    }
    return extent?.end(of: side).map { .reachedEnd($0) } ?? .idle
  }

  /// The page that the list continues with; `nil` at its end.
  var frontier: PageKey? { if case .page(let key, _) = extent?.next { key } else { nil } }

  func failure(of slot: LoadSlot) -> LoadError? { failures.last { $0.slot == slot }?.error }

  /// All running loads, in a fixed order.
  var runningLoads: [(slot: LoadSlot, running: RunningLoad)] {
    switch work {
    case .extending(let work): work.inOrder
    case .rebuilding(let rebuild): [(.list, rebuild.running)]
    }
  }

  /// The running load that waits for a response, and its slot.
  func runningLoad(_ number: Int) -> (slot: LoadSlot, running: RunningLoad)? {
    switch work {
    case .rebuilding(let rebuild):
      return rebuild.running.number == number ? (.list, rebuild.running) : nil
    case .extending(let work):
      for (side, running) in work.sides where running.number == number {
        return (.side(side), running)
      }
      for (page, running) in work.gaps where running.number == number {
        return (.gap(page), running)
      }
      return nil
    }
  }
}

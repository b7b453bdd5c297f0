internal import ServerAPI

/// Decides what may load, what a late response is worth, and which events come in which order.
///
/// It takes an event and returns what its owner has to do. It has no clock, no task, no network and no
/// rows. When a page has come, the owner asks ``placement(of:)`` where it belongs, puts it there, and says
/// by ``joined(_:_:_:_:)`` what that did.
///
/// Each request has a number. The machine knows the numbers it waits for; a response with any other number
/// changes nothing.
struct PageMachine: Hashable {
  /// What may be under way once at a time.
  enum LoadSlot: Hashable {
    /// First page, refresh, jump, restore: what gives the list other pages.
    case list
    case side(ListSide)
    case gap(PageID)
  }

  /// A load under way.
  struct Job: Hashable {
    let kind: LoadKind
    var number: Int
    var key: PageKey
    /// The loads that wait for it.
    var loads: [Int]
    /// Whether the list wants it too, so that it goes on when no load waits.
    var isAhead: Bool
    var addedRows = 0
    /// Pages in a row that brought too little.
    var searchedPages = 0
    /// What is shown already of the page that is requested.
    var preview: PagePreview?
  }

  /// Everything that is under way.
  enum Work: Hashable {
    /// Pages join the list on both sides and in gaps, side by side.
    case extending(Extension)
    /// The list gets other pages. Everything else waits for that.
    case rebuilding(Rebuild)
  }

  struct Extension: Hashable {
    var sides: [ListSide: Job] = [:]
    var gaps: [PageID: Job] = [:]

    /// The loads of the sides before those of gaps, always in the same order.
    var inOrder: [(lane: LoadSlot, job: Job)] {
      ListSide.allCases.compactMap { side in sides[side].map { (.side(side), $0) } }
        + gaps.sorted { $0.key < $1.key }.map { (.gap($0.key), $0.value) }
    }
  }

  struct Rebuild: Hashable {
    enum Goal: Hashable {
      /// A page, which is what the loads of this side asked for where they began it.
      case page(askedBy: ListSide? = nil)
      /// The pages that were kept, and then, before the loads of a side, another rebuild.
      case restore(then: Request?)
    }

    var job: Job
    var goal: Goal
    /// Loads of a side that begin when the list is there.
    var waiting: [ListSide: [Int]] = [:]
  }

  /// A rebuild that waits for a restore.
  struct Request: Hashable {
    let kind: LoadKind
    let key: PageKey
    var loads: [Int]
  }

  /// What is known of a list that has loaded.
  struct Extent: Hashable {
    var previous: Edge
    var next: Edge
    /// Pages that brought nothing new since the last one that did.
    var fruitless: Set<Int> = []

    init(_ facts: PageFacts) { (previous, next) = (Edge(facts.previous), Edge(facts.next)) }

    subscript(side: ListSide) -> Edge {
      get { side == .next ? next : previous }
      set { if side == .next { next = newValue } else { previous = newValue } }
    }
  }

  /// What lies beyond one side of the list.
  enum Edge: Hashable {
    /// A page; and how many pages a search for it went through, where that was halted.
    case page(PageKey, haltedAfter: Int? = nil)
    case end(ListEnd)

    init(_ link: PageFacts.Link) {
      switch link {
      case .page(let key): self = .page(key)
      case .end: self = .end(.complete)
      case .stopped(let error): self = .end(.incomplete(error))
      }
    }
  }

  /// A load that failed, to be repeated.
  struct Failure: Hashable {
    let lane: LoadSlot
    let kind: LoadKind
    let key: PageKey
    let error: LoadError
    /// What is shown of the page all the same.
    var preview: PagePreview?
  }

  /// How long a load goes on by itself when pages bring nothing new.
  struct Search: Hashable {
    /// How many new rows make a load a success.
    var minimumRows = 1
    /// How many pages one load may request.
    var pages = 10
  }

  let search: Search
  /// The page a list begins with.
  var first: PageKey
  /// `nil` as long as nothing has loaded.
  var extent: Extent?
  var work = Work.extending(Extension())
  /// In the order in which they failed.
  var failures: [Failure] = []
  private var lastNumber = 0
  /// Responses that came when nothing waited for them any more.
  private(set) var discardedResponses = 0

  init(first: PageKey, search: Search = Search()) {
    self.first = first
    self.search = search
  }

  /// A number no request has had.
  mutating func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  mutating func discard() { discardedResponses += 1 }
}

// MARK: - States

extension PageMachine {
  var hasLoaded: Bool { extent != nil }

  /// The load that gives the list other pages, if one is under way.
  var rebuild: Rebuild? {
    if case .rebuilding(let rebuild) = work { rebuild } else { nil }
  }

  var isRestoring: Bool { rebuild?.job.kind == .restore }

  /// The state of the loads that give the list other pages.
  var listState: LoadState {
    if rebuild != nil { return .loading }
    return failure(of: .list).map { .failed($0) } ?? .idle
  }

  /// The state of the loads of one side.
  func state(of side: ListSide) -> LoadState {
    switch work {
    case .extending(let work): if work.sides[side] != nil { return .loading }
    case .rebuilding(let rebuild):
      if rebuild.waiting[side] != nil || rebuild.goal == .page(askedBy: side) { return .loading }
    }
    if let error = failure(of: .side(side)) { return .failed(error) }
    switch extent?[side] {
    case .page(_, haltedAfter: let pages?): return .stillSearching(pages: pages)
    case .end(let end): return .reachedEnd(end)
    case .page, nil: return .idle
    }
  }

  func failure(of lane: LoadSlot) -> LoadError? { failures.last { $0.lane == lane }?.error }

  /// Everything under way, always in the same order.
  var jobs: [(lane: LoadSlot, job: Job)] {
    switch work {
    case .extending(let work): work.inOrder
    case .rebuilding(let rebuild): [(.list, rebuild.job)]
    }
  }

  /// The load that waits for a response, and where.
  func job(_ number: Int) -> (lane: LoadSlot, job: Job)? {
    switch work {
    case .rebuilding(let rebuild):
      return rebuild.job.number == number ? (.list, rebuild.job) : nil
    case .extending(let work):
      for (side, job) in work.sides where job.number == number { return (.side(side), job) }
      for (page, job) in work.gaps where job.number == number { return (.gap(page), job) }
      return nil
    }
  }
}

internal import ServerAPI

/// Decides what may load, what a late answer is worth, and what is told in which order.
///
/// It takes an event and returns what its owner has to do. It has no clock, no task, no network and no
/// rows: when a page is to be taken in, it has that done by the closure it is given, and goes on by
/// what came of it.
///
/// Each request has a number. The machine knows the numbers it waits for; whatever comes under another
/// one changes nothing.
struct PageMachine: Hashable {
  /// What may be under way once at a time.
  enum Lane: Hashable {
    /// First page, refresh, jump: what makes the list anew.
    case main
    case side(ListSide)
    case gap(PageID)
  }

  /// A load under way.
  struct Job: Hashable {
    let kind: LoadKind
    var number: Int
    var key: PageKey
    /// Who waits for it.
    var loads: [Int]
    /// Nobody may wait for it and it is wanted all the same.
    var isAhead = false
    /// The first page, asked for by way of this side.
    var side: ListSide?
    var addedRows = 0
    /// Pages in a row that brought too little.
    var searchedPages = 0
    /// What is shown already of the page that is asked for.
    var preview: PagePreview?
  }

  /// A load that failed, to be repeated.
  struct Failure: Hashable {
    let lane: Lane
    let kind: LoadKind
    let key: PageKey
    let error: LoadError
    /// What is shown of the page all the same.
    var preview: PagePreview?
  }

  /// What is to make the list anew once it is restored.
  struct Wish: Hashable {
    let kind: LoadKind
    let key: PageKey
    var loads: [Int]
  }

  /// How long a load goes on by itself when pages bring nothing new.
  struct Search: Hashable {
    /// How many new rows make a load a success.
    var minimumRows = 1
    /// How many pages one load may ask for.
    var pages = 10
  }

  let search: Search
  /// The page a list begins with.
  var first: PageKey
  private(set) var hasLoaded = false
  /// Counts how often the list was made anew.
  private(set) var generation = 0
  /// Answers that came when nobody waited for them any more.
  private(set) var discardedAnswers = 0
  var links: [ListSide: PageLink] = [:]
  var jobs: [Lane: Job] = [:]
  /// Loads of a side that begin when the list has been made anew.
  var waiting: [ListSide: [Int]] = [:]
  /// What begins when a restore has ended, before the loads of a side.
  var wish: Wish?
  /// Searches that were halted, and after how many pages.
  var halted: [ListSide: Int] = [:]
  /// In the order in which they failed.
  var failures: [Failure] = []
  private(set) var lastNumber = 0
  /// Pages that brought nothing new since the last one that did.
  private(set) var fruitless: Set<Int> = []

  init(first: PageKey, search: Search = Search()) {
    self.first = first
    self.search = search
  }

  // MARK: - States

  /// Where the loads that make the list anew stand.
  var mainState: LoadState {
    if jobs[.main] != nil { return .loading }
    return failure(of: .main).map { .failed($0) } ?? .idle
  }

  /// Where the loads of one side stand.
  func state(of side: ListSide) -> LoadState {
    if jobs[.side(side)] != nil || waiting[side] != nil || jobs[.main]?.side == side {
      return .loading
    }
    if let error = failure(of: .side(side)) { return .failed(error) }
    if let pages = halted[side] { return .stillSearching(pages: pages) }
    return end(of: side).map { .endReached($0) } ?? .idle
  }

  /// Whether there is nothing more on that side.
  func end(of side: ListSide) -> ListEnd? {
    switch links[side] {
    case .end: .complete
    case .stopped(let error): .incomplete(error)
    case .page, nil: nil
    }
  }

  func failure(of lane: Lane) -> LoadError? { failures.last { $0.lane == lane }?.error }

  // MARK: - What the other parts share

  /// A number no request has had.
  mutating func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  mutating func discard() { discardedAnswers += 1 }

  /// The list was made anew, from this page on.
  mutating func begin(with facts: PageFacts) {
    hasLoaded = true
    generation += 1
    links = [.previous: facts.previous, .next: facts.next]
    failures = []
    halted = [:]
    fruitless = []
  }

  /// Back to a list that never loaded.
  mutating func forget() {
    hasLoaded = false
    generation += 1
    links = [:]
    failures = []
    halted = [:]
    fruitless = []
  }

  /// Whether a page without new rows is one that came before, so that going on would never end.
  ///
  /// What a cursor looks like says nothing: one that is always the same is as good as any while rows
  /// come. Empty pages all look alike, so for them the key has to be the same too.
  mutating func isCircle(_ page: PageMark) -> Bool {
    if page.isNew {
      fruitless = []
      return false
    }
    var hasher = Hasher()
    if page.isEmpty { hasher.combine(page.key) }
    hasher.combine(page.isEmpty)
    hasher.combine(page.fingerprint)
    return !fruitless.insert(hasher.finalize()).inserted
  }
}

/// What tells one page from another.
struct PageMark: Hashable {
  var key: PageKey
  var fingerprint: Int
  var isEmpty: Bool
  /// Whether it brought a row the list did not have.
  var isNew: Bool
}

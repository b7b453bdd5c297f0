internal import ListReading
internal import ServerAPI

/// The state machine of a list: decides what may load, whether a late response counts, and the order of
/// events.
///
/// It takes an event and returns effects for its owner to perform. It has no clock, no task, no network and
/// no rows. When a page arrives, the owner gets its place from ``placement(of:)``, inserts it there, and
/// reports the result with ``joined(_:_:merge:added:)``.
///
/// Each request has a number. A response with a number that no load waits for changes nothing.
struct PageMachine: Hashable {
  /// A slot for one running load.
  enum LoadSlot: Hashable {
    /// Loads that replace all pages: first page, refresh, jump, restore.
    case list
    case side(ListSide)
    /// An evicted page, or the rows of a gap.
    case middle(PageID)
    /// The loaded pages, which are read again.
    case deep
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
    /// Whether it repeats a load that failed.
    var isRepeat = false
    /// Whether its page is laid over the rows, and replaces all of them only where that is impossible.
    var splices = false
    /// Next to which rows the page of a gap joins; `nil` for all others.
    var side: ListGap.Side?
    /// Whether it waits for edits, and nothing is requested.
    var isPaused = false
    var addedRows = 0
    /// The number of consecutive pages with too few new rows.
    var searchedPages = 0
    /// The stored response that is shown for the requested page.
    var preview: PagePreview?
  }

  /// All running loads.
  enum Work: Hashable {
    /// Pages join the list at both sides and in the middle, independently.
    case extending(Extension)
    /// All pages are being replaced. Other loads wait for that.
    case rebuilding(Rebuild)
  }

  struct Extension: Hashable {
    var sides: [ListSide: RunningLoad] = [:]
    var middle: [PageID: RunningLoad] = [:]
    var deep: RunningLoad?

    /// The loads of the sides before those in the middle, in a fixed order.
    var inOrder: [(slot: LoadSlot, running: RunningLoad)] {
      ListSide.allCases.compactMap { side in sides[side].map { (.side(side), $0) } }
        + middle.sorted { $0.key < $1.key }.map { (.middle($0.key), $0.value) }
        + (deep.map { [(.deep, $0)] } ?? [])
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
    /// Loads that read all pages again after the rebuild.
    var deep: [Int] = []
  }

  /// Loads that wait for a rebuild, such as a refresh for a restore.
  struct Request: Hashable {
    var kind: LoadKind
    let key: PageKey
    var loads: [Int]
    var splices = false
    /// Whether other loads wait for the same page.
    var isJoined = false
  }

  /// A failed load, for a retry.
  struct Failure: Hashable {
    let slot: LoadSlot
    let kind: LoadKind
    let key: PageKey
    let error: LoadError
    /// The stored response that is still shown for the page.
    var preview: PagePreview?
    var splices = false
    var side: ListGap.Side?
  }

  /// The limits of a load that continues because pages have no new rows.
  struct Search: Hashable {
    /// The number of new rows a load needs.
    var minimumRows = 1
    /// The maximum number of pages that one load requests.
    var pages = 10
    /// The most pages of a gap that are loaded without a call.
    var gapPages = 3
  }

  let search: Search
  /// How sure the list has to be, and what it doesn't assume of the server.
  let demand: SeamDemand
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

  init(first: PageKey, search: Search = Search(), demand: SeamDemand = SeamDemand()) {
    self.first = first
    self.search = search
    self.demand = demand
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

  /// Whether pages of the server are about to replace all others, now or after a restore.
  var isReloading: Bool {
    switch rebuild?.goal {
    case .page, .restore(then: .some): true
    case .restore(then: nil), nil: false
    }
  }

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
    if case .page = extent?[side], let pages = extent?.haltedAfter[side] {
      return .stillSearching(pages: pages)
    }
    return extent?.end(of: side).map { .reachedEnd($0) } ?? .idle
  }

  /// The state of the load of an evicted page, or of a gap.
  func state(ofPage id: PageID) -> LoadState {
    if case .extending(let work) = work, work.middle[id] != nil { return .loading }
    return failure(of: .middle(id)).map { .failed($0) } ?? .idle
  }

  /// The state of the load that reads all pages again.
  var deepState: LoadState {
    switch work {
    case .extending(let work): if work.deep != nil { return .loading }
    case .rebuilding(let rebuild): if !rebuild.deep.isEmpty { return .loading }
    }
    return failure(of: .deep).map { .failed($0) } ?? .idle
  }

  /// The page that the list continues with; `nil` at its end.
  var frontier: PageKey? { extent?[.next].key }

  func failure(of slot: LoadSlot) -> LoadError? { failures.last { $0.slot == slot }?.error }

  /// All running loads, in a fixed order.
  var runningLoads: [(slot: LoadSlot, running: RunningLoad)] {
    switch work {
    case .extending(let work): work.inOrder
    case .rebuilding(let rebuild): [(.list, rebuild.running)]
    }
  }

  /// The numbers of the requests for whose pages stored rows are shown. Mostly none, which takes no memory.
  var storedPreviews: [Int] {
    var numbers: [Int] = []
    func note(_ running: RunningLoad) {
      if running.preview?.isServers == false { numbers.append(running.number) }
    }
    switch work {
    case .rebuilding(let rebuild): note(rebuild.running)
    case .extending(let work):
      work.sides.values.forEach(note)
      work.middle.values.forEach(note)
    }
    return numbers
  }

  /// Whether the page of a request is laid over the rows.
  func splices(_ number: Int) -> Bool {
    guard let running = rebuild?.running else { return false }
    return running.number == number && running.splices
  }

  /// The running load that waits for a response, and its slot.
  func runningLoad(_ number: Int) -> (slot: LoadSlot, running: RunningLoad)? {
    switch work {
    case .rebuilding(let rebuild):
      return rebuild.running.number == number ? (.list, rebuild.running) : nil
    case .extending(let work):
      // Copies nothing of the loads that it passes.
      for side in ListSide.allCases where work.sides[side]?.number == number {
        return work.sides[side].map { (.side(side), $0) }
      }
      for (page, running) in work.middle where running.number == number {
        return (.middle(page), running)
      }
      return work.deep.flatMap { $0.number == number ? (.deep, $0) : nil }
    }
  }
}

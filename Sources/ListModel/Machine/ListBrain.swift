internal import ListReading
internal import ServerAPI

/// All decisions of a list: `PageMachine` decides what may load, `ListStore` what the rows are.
///
/// A plain value. Its methods take an event and return effects in order. Performing them needs no further
/// decision. It can't be copied: a class that calls a method of a copyable struct copies all of it first.
struct ListBrain<Item>: ~Copyable {
  var machine: PageMachine
  var store: ListStore<Item>
  let prefetchDistance: Int
  let window: ListWindow?
  var visible = 0..<0
  /// Whether the rows that became visible last are above those before.
  var readsUpward = false
  /// Whether the next page is loaded when an end is near the visible rows.
  var prefetches = true
  /// Whether the rows are hidden until a refresh has ended.
  var isHidden = false
  var record = FreshnessRecord()
  /// The rows that the server sent and that did not join the list.
  var omitted = OmittedRows()
  let acceptsUnreadableRows: Bool
  /// The next page at the time of each pending edit that changes the number of rows.
  var frontiers: [EditID: PageKey] = [:]
  /// The number of rows whose confirmed removal moved rows up across these pages.
  var movedUp: [PageKey: Int] = [:]
  /// The rows of edits that were confirmed while these requests were in flight. Their responses may be from
  /// before the edits.
  var confirmedMeanwhile: [Int: [RowID: ConfirmedEdit]] = [:]
  /// The pages of the running turn of the reading, while pages before the next one are read again.
  var turn: [LoadedPage<Item>] = []
  /// The pages of a deep refresh that are not laid over the rows yet.
  var reread: [LoadedPage<Item>] = []
  /// The look for new rows above the list.
  var probe = TopProbe()
  /// The visible row at the time a restored list was kept.
  var restoredAnchor: Int?

  init(first: PageKey, settings: ListSettings<Item>) {
    machine = PageMachine(
      first: first,
      search: PageMachine.Search(
        minimumRows: settings.minimumRows, pages: max(1, settings.searchPages), gapPages: settings.gapPages),
      demand: SeamDemand(level: settings.consistency, distrusts: settings.distrusts))
    store = ListStore(duplicates: settings.duplicates, isSame: ItemSameness.isSame)
    acceptsUnreadableRows = settings.acceptsUnreadableRows
    prefetchDistance = settings.prefetchDistance
    window = settings.window
  }

  /// The rows that observers see.
  var rows: ListSnapshot<Item> { isHidden ? ListSnapshot() : store.snapshot }

  /// The age of the rows, as far as it is known.
  var freshness: Freshness { record.freshness }
}

// MARK: - Loads

extension ListBrain {
  mutating func request(_ kind: LoadKind, load: Int?, key: PageKey? = nil) -> [ListEffect] {
    keepingStored { $0.machine.request(kind, load: load, key: key) }
  }

  mutating func refresh(_ mode: RefreshMode, load: Int) -> [ListEffect] {
    switch mode {
    case .keepVisible: return request(.refresh, load: load)
    case .deep: return keepingStored { $0.machine.refreshDeep([load], $0.visiblePages) }
    case .splice: return keepingStored { $0.machine.request(.refresh, load: load, splices: true) }
    case .around(let id):
      return request(
        .refresh, load: load, key: store.position(of: id).flatMap { store.page(atRow: $0)?.key })
    case .replace:
      let effects = request(.refresh, load: load)
      guard !isHidden, machine.hasLoaded, machine.rebuild != nil, !machine.isRestoring else {
        return effects
      }
      let hiding = notice(of: .removing(0..<rows.count))
      isHidden = true
      return effects + hiding
    }
  }

  mutating func retry(load: Int) -> [ListEffect] {
    let pages = [ListSide.next: store.lastServerPage, .previous: store.tree.first]
      .compactMapValues { page in page.flatMap { page in page.key.map { (page.id, $0) } } }
    return withRevealedRows(machine.retry(load: load, lastPages: pages))
  }

  mutating func cancel(load: Int) -> [ListEffect] { keepingStored { $0.machine.cancel(load: load) } }

  mutating func cancelAll() -> [ListEffect] { keepingStored { $0.machine.cancelAll() } }

  /// Makes a decision that may end loads whose stored pages are shown: their rows stay without the server's page.
  private mutating func keepingStored(
    _ decide: (inout Self) -> [ListEffect]
  ) -> [ListEffect] {
    let shown = machine.storedPreviews
    let effects = decide(&self)
    for number in shown where machine.runningLoad(number) == nil { recordUnconfirmedRows() }
    return withRevealedRows(effects)
  }

  /// Starts again as a list that never loaded.
  mutating func reset(first: PageKey) -> [ListEffect] {
    let count = rows.count
    var effects = machine.reset(first: first)
    _ = store.removeAll()
    (omitted, frontiers, movedUp, confirmedMeanwhile) = (OmittedRows(), [:], [:], [:])
    (isHidden, visible, restoredAnchor, turn, reread) = (false, 0..<0, nil, [], [])
    let wasFresh = freshness
    record.forget()
    effects += notice(of: .removing(0..<count)) + notice(ofFreshnessAfter: wasFresh)
    return effects + [.notify(.didReset)]
  }

  mutating func failed(_ number: Int, _ error: LoadError) -> [ListEffect] {
    if let key = refused(number, error) { return request(key, for: number) }
    let wasFresh = freshness
    if showsStored(number) { recordUnconfirmedRows() }
    if machine.runningLoad(number) != nil { record.failed(error) }
    let changes = notice(of: refusedGap(number, error)) + notice(ofFreshnessAfter: wasFresh)
    return withLoadsForVisibleRows(changes + machine.failed(number, error))
  }

  mutating func ended(
    _ number: Int, because reason: RequestError.CancelReason
  ) -> [ListEffect] {
    if showsStored(number) { recordUnconfirmedRows() }
    let effects = machine.ended(number, because: reason)
    // Requests that supersede each other would do so without end.
    return reason == .superseded ? withRevealedRows(effects) : withLoadsForVisibleRows(effects)
  }

  /// Returns the effects of a load that is impossible: it starts and fails.
  func reject(_ kind: LoadKind, _ error: LoadError, load: Int) -> [ListEffect] {
    [
      .notify(.didStart(kind)), .notify(.didFail(kind, error)), .notify(.didFinish(kind)),
      .finish(load: load, .failed(error)),
    ]
  }

  /// Returns what is requested in place of an overlap that the server refused; `nil` if the failure has another reason.
  private mutating func refused(_ number: Int, _ error: LoadError) -> PageKey? {
    switch machine.placement(of: number) {
    case .gap(let gap, .above): return machine.extent?.gaps[gap]?.above.refused(error)
    case .deep: return machine.refusedDeep(error)
    default: break
    }
    return isForNextPage(number) ? machine.extent?.reading.refused(error) : nil
  }

  /// Whether a request shows something else than the next page alone, so that a stored response is not shown for it.
  func isChecking(_ number: Int) -> Bool {
    switch machine.placement(of: number) {
    case .gap, .deep: return true
    default: break
    }
    return isForNextPage(number) && machine.extent?.reading.isLooking == true
  }

  /// Whether a request is one for rows that came before, so that the pages after it are not worth requesting now.
  func isLookingBack(_ number: Int) -> Bool {
    isForNextPage(number) && machine.extent?.reading.isLookingBack == true
  }

  private func isForNextPage(_ number: Int) -> Bool { machine.placement(of: number) == .at(.next) }

  /// The kind of the load that waits for a request, if any.
  func kind(of number: Int) -> LoadKind? { machine.runningLoad(number)?.running.kind }

  /// Whether a request is for a load that repeats a failed one.
  func repeatsFailure(_ number: Int) -> Bool {
    machine.runningLoad(number)?.running.isRepeat ?? false
  }

  /// The effects of a decision without a page. Rows that were hidden for a refresh that has ended are shown
  /// before them.
  private mutating func withRevealedRows(_ effects: [ListEffect]) -> [ListEffect] {
    let change = revealRows()
    return notice(of: change) + effects
  }

  /// Also loads what the visible rows need, since the load that ended may have delayed it.
  private mutating func withLoadsForVisibleRows(_ effects: [ListEffect]) -> [ListEffect] {
    let effects = withRevealedRows(effects)
    guard machine.rebuild == nil, !visible.isEmpty else { return effects }
    return effects + loadMissing(around: visible)
  }

  /// Shows rows that were hidden for a refresh that has ended.
  private mutating func revealRows() -> ListChange {
    guard isHidden, machine.rebuild == nil else { return ListChange() }
    isHidden = false
    return .inserting(0..<store.snapshot.count)
  }
}

// MARK: - Visible rows

extension ListBrain {
  /// Rows became visible: reloads evicted pages there, and loads the next page if an end is near.
  mutating func rowsAppeared(_ rows: Range<Int>, prefetches: Bool = true) -> [ListEffect] {
    self.prefetches = prefetches
    guard machine.hasLoaded, !isHidden else { return [] }
    if rows.lowerBound != visible.lowerBound, !visible.isEmpty { readsUpward = rows.lowerBound < visible.lowerBound }
    return loadMissing(around: rows) + evict()
  }

  mutating func loadMissing(around rows: Range<Int>) -> [ListEffect] {
    guard machine.hasLoaded else { return [] }
    visible = rows.clamped(to: 0..<store.snapshot.count)
    var effects: [ListEffect] = []
    // A page that failed is reloaded by a retry, not by each scroll step.
    for page in store.pages(in: visible)
    where !page.isLoaded && machine.failure(of: .middle(page.id)) == nil {
      effects += page.key.map { machine.request(.evicted(page.id), load: nil, key: $0) } ?? loadGap(page)
    }
    let (before, after) = (visible.lowerBound, store.snapshot.count - visible.upperBound)
    for (side, distance) in [(ListSide.previous, before), (.next, after)]
    where prefetches && distance <= prefetchDistance && machine.state(of: side) == .idle {
      effects += machine.request(side.kind, load: nil)
    }
    return effects
  }

  /// Evicts pages outside the window, farthest from the visible rows first, but not a page that was just
  /// loaded. This is a separate decision, in which all rows keep their positions.
  mutating func evict(keeping page: PageID? = nil) -> [ListEffect] {
    // A restore continues from the pages that are loaded.
    guard let window, !machine.isRestoring else { return [] }
    let kept = Set(page.map { [$0] } ?? []).union(pagesOfConfirmedRows)
    let rows = store.pagesToEvict(window, around: visible, keeping: kept)
      .flatMap { store.evict($0)?.change.updated ?? [] }
    return notice(of: ListChange(updated: Array(RangeSet(rows).ranges)))
  }
}

// MARK: - Notifications

extension ListBrain {
  /// The notification of a change of the rows, unless they are hidden.
  func notice(of change: ListChange) -> [ListEffect] {
    change.isEmpty || isHidden ? [] : [.notify(.didChange(change))]
  }

  func notice(ofFreshnessAfter old: Freshness) -> [ListEffect] {
    freshness == old ? [] : [.notify(.didUpdateFreshness(freshness))]
  }
}

// MARK: - Effects

/// An effect that a list decides on. Effects are performed in order.
///
/// A decision has at most one ``ListEvent/didChange(_:)``, so the rows after that event are those of the
/// list after the decision.
enum ListEffect: Hashable {
  /// Request a page; its response is reported under this number.
  case request(number: Int, LoadKind, PageKey)
  /// Cancel a request: no load waits for its response any more.
  case abandon(number: Int)
  /// Notify observers.
  case notify(ListEvent)
  /// End a load.
  case finish(load: Int, LoadOutcome)
}

/// What follows from a page that arrived.
struct JoinedPages<Item> {
  var effects: [ListEffect] = []
  /// The page that has joined the list; `nil` if another one is requested first, or if nothing waited for it.
  var page: LoadedPage<Item>?
  /// Its id; `nil` if it was left out, since it came before.
  var id: PageID?
  /// The pages that joined before it, since rows had moved to them; `nil` if there are none.
  var found: [(page: LoadedPage<Item>, id: PageID)]?
  /// Where they joined.
  var placement = PagePlacement.all
  /// What was known when the page was laid over the rows at the start; `nil` if it joined in another way.
  var splice: SpliceEvidence?
  /// The gap that it has opened below its rows.
  var opened: PageID?
}

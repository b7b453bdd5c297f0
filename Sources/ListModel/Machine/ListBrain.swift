internal import ServerAPI

/// All that a list decides: what may load, by the machine, and what its rows are, by the store.
///
/// A plain value. Its methods take an event and return what is to be done, in order; whoever carries
/// that out needs to decide nothing.
struct ListBrain<Item> {
  var machine: PageMachine
  var store: ListStore<Item>
  let prefetchDistance: Int
  let window: ListWindow?
  var visible = 0..<0
  /// Whether an end that comes into sight has the next page loaded.
  var looksAhead = true
  /// Whether the rows are kept out of sight until a refresh has ended.
  var isHidden = false
  var repeats: PageRepeats
  var record = FreshnessRecord()
  /// The row that was in sight when the list that was restored went away.
  var restoredAnchor: Int?

  init(first: PageKey, settings: ListSettings<Item>) {
    machine = PageMachine(
      first: first,
      search: PageMachine.Search(
        minimumRows: settings.minimumRows, pages: max(1, settings.searchPages)))
    store = ListStore(duplicates: settings.duplicates, isSame: ItemSameness.isSame)
    repeats = PageRepeats(limit: max(1, settings.searchPages))
    prefetchDistance = settings.prefetchDistance
    window = settings.window
  }

  /// The rows that observers are to see.
  var rows: ListSnapshot<Item> { isHidden ? ListSnapshot() : store.snapshot }

  /// What is known of their age.
  var freshness: Freshness { record.freshness }
}

// MARK: - Loads

extension ListBrain {
  mutating func ask(_ kind: LoadKind, load: Int?, key: PageKey? = nil) -> [ListEffect] {
    settled(machine.ask(kind, load: load, key: key))
  }

  mutating func refresh(_ mode: RefreshMode, load: Int) -> [ListEffect] {
    switch mode {
    case .keepVisible: return ask(.refresh, load: load)
    case .around(let id):
      return ask(
        .refresh, load: load, key: store.position(of: id).flatMap { store.page(atRow: $0)?.key })
    case .replace:
      let effects = ask(.refresh, load: load)
      guard !isHidden, machine.hasLoaded, machine.rebuild != nil, !machine.isRestoring else {
        return effects
      }
      let hiding = notice(of: .removing(0..<rows.count))
      isHidden = true
      return effects + hiding
    }
  }

  mutating func retry(load: Int) -> [ListEffect] { settled(machine.retry(load: load)) }

  mutating func cancel(load: Int) -> [ListEffect] { settled(machine.cancel(load: load)) }

  mutating func cancelAll() -> [ListEffect] { settled(machine.cancelAll()) }

  /// Begins again as a list that never loaded.
  mutating func reset(first: PageKey) -> [ListEffect] {
    let count = rows.count
    var effects = machine.reset(first: first)
    _ = store.removeAll()
    (isHidden, visible, restoredAnchor) = (false, 0..<0, nil)
    repeats.forget()
    let wasFresh = freshness
    record.forget()
    effects += notice(of: .removing(0..<count)) + notice(ofAgeAfter: wasFresh)
    return effects + [.notify(.didReset)]
  }

  mutating func failed(_ number: Int, _ error: LoadError) -> [ListEffect] {
    let wasFresh = freshness
    if machine.job(number) != nil { record.failed(error) }
    let age = notice(ofAgeAfter: wasFresh)
    return seenAgain(age + machine.failed(number, error))
  }

  mutating func ended(
    _ number: Int, because reason: RequestError.CancelReason
  ) -> [ListEffect] {
    seenAgain(machine.ended(number, because: reason))
  }

  /// A load that can't be: it begins and fails.
  func refuse(_ kind: LoadKind, _ error: LoadError, load: Int) -> [ListEffect] {
    [
      .notify(.didStart(kind)), .notify(.didFail(kind, error)), .notify(.didFinish(kind)),
      .finish(load: load, .failed(error)),
    ]
  }

  /// What a request is for, if something waits for it.
  func kind(of number: Int) -> LoadKind? { machine.job(number)?.job.kind }

  /// The effects of a decision that brings no page. Rows that were hidden for a refresh that is over are
  /// back before them.
  private mutating func settled(_ effects: [ListEffect]) -> [ListEffect] {
    let change = uncovered()
    return notice(of: change) + effects
  }

  /// The same where a load ended without a page: what is in sight may have been waiting for that.
  private mutating func seenAgain(_ effects: [ListEffect]) -> [ListEffect] {
    let settled = settled(effects)
    return machine.rebuild == nil && !visible.isEmpty ? settled + look(at: visible) : settled
  }

  /// Shows rows that were hidden for a refresh that is over.
  private mutating func uncovered() -> ListChange {
    guard isHidden, machine.rebuild == nil else { return ListChange() }
    isHidden = false
    return .inserting(0..<store.snapshot.count)
  }
}

// MARK: - What is in sight

extension ListBrain {
  /// Rows came into sight: pages that were evicted there are loaded again, and the next ones where an end
  /// is near.
  mutating func saw(_ rows: Range<Int>, looksAhead: Bool = true) -> [ListEffect] {
    self.looksAhead = looksAhead
    guard machine.hasLoaded, !isHidden else { return [] }
    return look(at: rows) + evict()
  }

  private mutating func look(at rows: Range<Int>) -> [ListEffect] {
    guard machine.hasLoaded else { return [] }
    visible = rows.clamped(to: 0..<store.snapshot.count)
    var effects: [ListEffect] = []
    // One that failed is requested again by a retry, not by every move of the screen.
    for page in store.pages(in: visible)
    where !page.isLoaded && machine.failure(of: .gap(page.id)) == nil {
      effects += machine.ask(.gap(page.id), load: nil, key: page.key)
    }
    let (before, behind) = (visible.lowerBound, store.snapshot.count - visible.upperBound)
    for (side, distance) in [(ListSide.previous, before), (.next, behind)]
    where looksAhead && distance <= prefetchDistance && machine.state(of: side) == .idle {
      effects += machine.ask(side.kind, load: nil)
    }
    return effects
  }

  /// Evicts pages beyond the window, farthest from what is in sight, but not one that has just come. It is a
  /// step of its own, in which all rows stay where they are.
  mutating func evict(keeping page: PageID? = nil) -> [ListEffect] {
    // A restore goes on with the pages that are there.
    guard let window, !machine.isRestoring else { return [] }
    let kept = Set(page.map { [$0] } ?? [])
    let rows = store.pagesToEvict(window, around: visible, keeping: kept)
      .flatMap { store.giveUp($0)?.change.updated ?? [] }
    return notice(of: ListChange(updated: Array(RangeSet(rows).ranges)))
  }
}

// MARK: - Edits

extension ListBrain {
  mutating func edit(
    _ edit: ListEdit<Item>
  ) throws(ListEditError) -> (id: EditID, effects: [ListEffect]) {
    let made = try store.apply(edit)
    visible = made.change.moving(visible)
    return (made.id, notice(of: made.change))
  }

  mutating func confirm(_ id: EditID) -> [ListEffect] {
    store.confirm(id)
    return []
  }

  mutating func rollback(_ id: EditID) -> [ListEffect] {
    let change = store.rollback(id)
    visible = change.moving(visible)
    return notice(of: change)
  }
}

// MARK: - What observers are notified of

extension ListBrain {
  /// A change of the rows, unless they are out of sight.
  func notice(of change: ListChange) -> [ListEffect] {
    change.isEmpty || isHidden ? [] : [.notify(.didChange(change))]
  }

  func notice(ofAgeAfter old: Freshness) -> [ListEffect] {
    freshness == old ? [] : [.notify(.didUpdateFreshness(freshness))]
  }
}

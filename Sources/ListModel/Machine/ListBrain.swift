internal import ServerAPI

/// All that a list decides: what may load, by the machine, and what its rows are, by the store.
///
/// A plain value. Its methods take an event and return what is to be done, in order; whoever carries
/// that out needs to decide nothing.
struct ListBrain<Item> {
  /// What is to be done.
  enum Effect {
    /// Ask for a page; the answer comes back under that number.
    case send(number: Int, LoadKind, PageKey)
    /// Nobody waits for that answer any more.
    case giveUp(number: Int)
    /// Let observers know, who then see these rows.
    case tell(ListEvent, ListSnapshot<Item>)
    /// A page is in the list now, and came to be there like this.
    case joined(PageID, PagePlacement)
    /// Let the caller know.
    case finish(load: Int, LoadOutcome)
  }

  var machine: PageMachine
  var store: ListStore<Item>
  private let prefetchDistance: Int
  private let window: ListWindow?
  var visible = 0..<0
  /// Whether an end that comes into sight has the next page loaded.
  private var looksAhead = true
  /// Whether the rows are kept out of sight until a refresh has ended.
  private(set) var isHidden = false
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

  // MARK: - Loads

  mutating func ask(_ kind: LoadKind, load: Int?, key: PageKey? = nil) -> [Effect] {
    settled(machine.ask(kind, load: load, key: key))
  }

  mutating func refresh(_ mode: RefreshMode, load: Int) -> [Effect] {
    switch mode {
    case .keepVisible: return ask(.refresh, load: load)
    case .around(let id):
      return ask(
        .refresh, load: load, key: store.position(of: id).flatMap { store.page(atRow: $0)?.key })
    case .replace:
      let effects = ask(.refresh, load: load)
      guard !isHidden, machine.hasLoaded, let job = machine.jobs[.main], job.kind != .restore else {
        return effects
      }
      let count = rows.count
      isHidden = true
      return effects + [change(removing: count)].compactMap(\.self)
    }
  }

  mutating func retry(load: Int) -> [Effect] { settled(machine.retry(load: load)) }

  mutating func cancel(load: Int) -> [Effect] { settled(machine.cancel(load: load)) }

  mutating func cancelAll() -> [Effect] { settled(machine.cancelAll()) }

  /// Begins again as a list that never loaded.
  mutating func reset(first: PageKey) -> [Effect] {
    let count = rows.count
    var effects = told(machine.reset(first: first))
    _ = store.removeAll()
    (isHidden, visible, restoredAnchor) = (false, 0..<0, nil)
    repeats.forget()
    let wasFresh = freshness
    record.forget()
    if let change = change(removing: count) { effects.append(change) }
    if freshness != wasFresh { effects.append(.tell(.didBecome(freshness), rows)) }
    return effects + [.tell(.didReset, rows)]
  }

  mutating func failed(_ number: Int, _ error: LoadError) -> [Effect] {
    let wasFresh = freshness
    if kind(of: number) != nil { record.failed(error) }
    var effects = machine.failed(number, error)
    if freshness != wasFresh { effects.insert(.tell(.didBecome(freshness)), at: 0) }
    return settled(effects) + sawAgain()
  }

  /// What is in sight may have been waiting for a refresh that brought nothing.
  private mutating func sawAgain() -> [Effect] {
    machine.jobs[.main] == nil && !visible.isEmpty ? saw(visible, looksAhead: looksAhead) : []
  }

  mutating func ended(_ number: Int, because reason: RequestError.CancelReason) -> [Effect] {
    settled(machine.ended(number, because: reason)) + sawAgain()
  }

  /// An answer came that nobody waits for.
  mutating func discard() -> [Effect] {
    machine.discard()
    return []
  }

  /// A load that can't be: it begins and fails.
  func refuse(_ kind: LoadKind, _ error: LoadError, load: Int) -> [Effect] {
    [
      .tell(.didStart(kind), rows), .tell(.didFail(kind, error), rows),
      .tell(.didFinish(kind), rows), .finish(load: load, .failed(error)),
    ]
  }

  /// A page came.
  ///
  /// - Parameters:
  ///   - number: The request it answers.
  ///   - page: Its rows.
  ///   - facts: What it says of its place.
  ///   - report: What was wrong with it; duplicates are added here.
  mutating func arrived(
    _ number: Int, _ page: PageRows<Item>, _ facts: PageFacts, _ report: PageReport
  ) -> [Effect] {
    takeIn(page, report) { machine, merge in machine.arrived(number, facts, merge: merge) }
  }

  /// What is stored of a page that is under way can be shown.
  mutating func previewed(
    _ number: Int, _ page: PageRows<Item>, _ facts: PageFacts, _ report: PageReport
  ) -> [Effect] {
    takeIn(page, report, isPreview: true) { machine, merge in
      machine.previewed(number, facts, merge: merge)
    }
  }

  /// Takes a page in where the machine wants it, and goes on by what comes of that.
  private mutating func takeIn(
    _ page: PageRows<Item>, _ report: PageReport, isPreview: Bool = false,
    _ decide: (inout PageMachine, (PagePlacement) -> PageMerge) -> [PageEffect]
  ) -> [Effect] {
    var brain = self
    // What the closure changes must not be a copy that is still shared.
    (store, repeats) = (ListStore(), PageRepeats(limit: 1))
    var joined: (PageID, PagePlacement)?
    let effects = decide(&machine) { placement in
      let merge = brain.merge(page, placement, report, isPreview: isPreview)
      joined = merge.page.map { ($0, placement) }
      return merge
    }
    brain.machine = machine
    self = brain
    for case .tell(.didChange(let change)) in effects { visible = change.moving(visible) }
    return (joined.map { [.joined($0.0, $0.1)] } ?? []) + settled(effects)
      + givenUp(keeping: joined?.0)
  }

  /// What a request is for, if it is waited for.
  func kind(of number: Int) -> LoadKind? {
    machine.jobs.values.first { $0.number == number }?.kind
  }

  // MARK: - Looking ahead

  /// Rows came into sight: pages that were given up there are loaded again, and the next ones where
  /// an end is near.
  mutating func saw(_ rows: Range<Int>, looksAhead: Bool = true) -> [Effect] {
    self.looksAhead = looksAhead
    guard machine.hasLoaded, !isHidden else { return [] }
    visible = rows.clamped(to: 0..<store.snapshot.count)
    var effects: [Effect] = []
    // One that failed is asked for again by a retry, not by every move of the screen.
    for page in store.pages(in: visible)
    where !page.isLoaded && machine.failure(of: .gap(page.id)) == nil {
      effects += ask(.gap(page.id), load: nil, key: page.key)
    }
    let (before, behind) = (visible.lowerBound, store.snapshot.count - visible.upperBound)
    for (side, distance) in [(ListSide.previous, before), (.next, behind)]
    where looksAhead && distance <= prefetchDistance && machine.state(of: side) == .idle {
      effects += ask(side.kind, load: nil)
    }
    return effects + givenUp()
  }

  // MARK: - Edits

  mutating func edit(
    _ edit: ListEdit<Item>
  ) throws(ListEditError) -> (id: EditID, effects: [Effect]) {
    let made = try store.apply(edit)
    visible = made.change.moving(visible)
    return (made.id, told(made.change))
  }

  mutating func confirm(_ id: EditID) -> [Effect] {
    store.confirm(id)
    return []
  }

  mutating func rollback(_ id: EditID) -> [Effect] {
    let change = store.rollback(id)
    visible = change.moving(visible)
    return told(change)
  }

  // MARK: - Parts

  /// Takes a page in.
  private mutating func merge(
    _ page: PageRows<Item>, _ placement: PagePlacement, _ report: PageReport, isPreview: Bool
  ) -> PageMerge {
    var mark = PageMark(
      key: page.key, fingerprint: page.fingerprint, isEmpty: page.isEmpty, isNew: false)
    var page = page
    if placement == .anew {
      repeats.forget()
      restoredAnchor = nil
    }
    if page.ids == nil, !mark.isEmpty {
      switch placement {
      case .at where isPreview:
        var repeats = repeats
        if repeats.isRepeat(mark) { return PageMerge(mark: mark) }
      case .at: if repeats.isRepeat(mark) { return PageMerge(mark: mark) }
      // What was stored of it is shown already, and goes again.
      case .over: if repeats.isRepeat(mark) { (page.items, page.isWhole) = ([], false) }
      case .anew, .gap: break
      }
    }
    var shown = 0
    let merge: Merge
    // What is stored is no news for pages that the server has sent since.
    let policy = store.duplicates
    if isPreview, placement != .anew { store.duplicates = .keepFirst }
    defer { store.duplicates = policy }
    switch placement {
    case .anew: merge = store.replace(with: page)
    case .at(.next): merge = store.append(page)
    case .at(.previous): merge = store.prepend(page)
    case .gap(let id): merge = store.restore(id, with: page) ?? Merge(page: id)
    case .over(let preview, let side):
      if let id = preview.page, let over = store.restore(id, with: page) {
        merge = over
        shown = preview.added - over.change.removed.reduce(0) { $0 + $1.count }
      } else {
        merge = side == .next ? store.append(page) : store.prepend(page)
      }
    }
    var report = report
    (report.duplicates, report.repeats) = (merge.duplicatesAcross, merge.duplicatesInPage)
    // Of a list that is made anew every row counts, whether it was there before or not.
    let added = placement == .anew ? store.loadedRows : max(0, merge.added + shown)
    mark.isNew = added > 0
    var change = merge.change
    if isHidden {
      isHidden = false
      change = .inserting(0..<store.snapshot.count)
    }
    let wasFresh = freshness
    if placement == .anew {
      record.begin(with: page.source, asOf: page.asOf)
    } else {
      record.heard(page.source)
    }
    return PageMerge(
      change: change, added: added, mark: mark, report: report.isClean ? nil : report,
      freshness: freshness == wasFresh ? nil : freshness, page: merge.page)
  }

  /// The effects, and rows that were hidden for a refresh that is over without a page.
  mutating func settled(_ effects: [PageEffect]) -> [Effect] {
    guard isHidden, machine.jobs[.main] == nil else { return told(effects) }
    isHidden = false
    let back = ListChange.inserting(0..<store.snapshot.count)
    return (back.isEmpty ? [] : [.tell(.didChange(back), rows)]) + told(effects)
  }

  func told(_ effects: [PageEffect]) -> [Effect] {
    let rows = rows
    return effects.map { effect in
      switch effect {
      case .send(let number, let kind, let key): .send(number: number, kind, key)
      case .giveUp(let number): .giveUp(number: number)
      case .tell(let event): .tell(event, rows)
      case .finish(let load, let outcome): .finish(load: load, outcome)
      }
    }
  }

  /// A change of the rows, unless they are out of sight.
  private func told(_ change: ListChange) -> [Effect] {
    change.isEmpty || isHidden ? [] : [.tell(.didChange(change), rows)]
  }

  private func change(removing count: Int) -> Effect? {
    count == 0 ? nil : .tell(.didChange(ListChange(removed: [0..<count])), rows)
  }

  /// Gives up what is beyond the window, farthest from what is in sight, but not what has just come.
  mutating func givenUp(keeping page: PageID? = nil) -> [Effect] {
    // A restore goes on with the pages that are there.
    guard let window, machine.jobs[.main]?.kind != .restore else { return [] }
    let kept = Set(page.map { [$0] } ?? [])
    return store.pagesToGiveUp(window, around: visible, keeping: kept).compactMap { page in
      store.giveUp(page).map { .tell(.didChange($0.change), rows) }
    }
  }
}

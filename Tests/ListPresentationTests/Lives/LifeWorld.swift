import ItemMapping
import ListModel
import ListPresentation
import ListReading
import QuireTesting
import ServerAPI
import Support

/// A list and its screen, whose program does anything at any time.
@MainActor final class LifeWorld {
  private var random: SeededGenerator
  private let server = LifeServer((0..<14).map { Row(id: $0, group: $0 / 4) })
  private let cache = HTTPCache(MemoryCacheStore())
  private let kept = MemoryCacheStore()
  private let clock = ManualClock()
  let kind: Kind
  private var model: ListModel<Row>
  private var screen: ListController<Row>
  private let view = RecordingListView()
  private var observer = LifeObserver()
  private var edits: [EditID] = []
  private var loads: [Load] = []
  private var probes: [Task<Void, Never>] = []
  private var fresh = 100
  private(set) var steps: [String] = []
  private var found: String?

  /// What kind of list it is.
  struct Kind {
    var policy: CachePolicy
    var duplicates: DuplicatePolicy
    var paging: Paging
    var filters: Bool
    var window: ListWindow?
    var probe: Duration?

    init(_ random: inout SeededGenerator) {
      policy = random.pick(.standard, .cacheThenNetwork, .networkElseCache, .networkOnly)
      duplicates = random.pick(.keepFirst, .replaceInPlace, .moveToNew)
      paging = random.pick(
        .pageNumber(size: 3, first: 0, endsBy: .total("total")),
        .offset(limit: 3, endsBy: .total("total")))
      filters = random.pick(false, false, true)
      window = random.pick(nil, nil, .rows(6))
      probe = random.pick(nil, .seconds(60))
    }

    func configure(_ settings: inout ListSettings<Row>, _ store: some CacheStore) {
      settings.cachePolicy = policy
      settings.duplicates = duplicates
      settings.window = window
      settings.probe = probe
      settings.prefetchDistance = 1
      settings.keeping = ListKeeping(in: store)
      if filters { settings.filter = { $0.id % 5 != 4 } }
    }
  }

  init(_ generator: SeededGenerator) {
    random = generator
    kind = Kind(&random)
    model = Self.model(kind, server, cache, kept, clock)
    screen = ListController(model, time: clock.timeSource)
    open()
  }

  private static func model(
    _ kind: Kind, _ server: LifeServer, _ cache: HTTPCache, _ kept: MemoryCacheStore,
    _ clock: ManualClock
  ) -> ListModel<Row> {
    ListModel(
      Server("https://test", transport: server.transport) {
        $0.retry = .never
        $0.cache = cache
        $0.time = clock.timeSource
      }, "/rows", items: "rows", paging: kind.paging
    ) { kind.configure(&$0, kept) }
  }

  /// Shows the list.
  private func open() {
    observer = LifeObserver()
    model.delegate = observer
    view.controller = screen
    view.rows = []
    screen.attach(view)
    var left = 6
    observer.onEvent = { [weak self] in
      guard let self, left > 0, number(9) == 0 else { return }
      left -= 1
      act(isInside: true)
    }
  }

  /// The first thing that went wrong.
  var problem: String? {
    found ?? observer.problem ?? view.mismatches.first ?? view.structure.first
  }

  private func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

  // MARK: - What happens

  func step() async {
    act(isInside: false)
    switch number(5) {
    case 0: await model.eventsDelivered()
    case 1, 2:
      // A deep refresh may wait for edits, which nobody ends meanwhile.
      if let load = loads.last, model.deepRefreshState != .loading { _ = await load.outcome }
    case 3: await Task.yield()
    default: break
    }
  }

  private func act(isInside: Bool) {
    let n = number(102)
    let text = describe(n, isInside)
    steps.append(isInside ? "(\(text))" : text)
  }

  private func describe(_ n: Int, _ isInside: Bool) -> String {
    let ids = model.rows.items.map(\.id)
    let id = ids.isEmpty ? 0 : ids[number(ids.count)]
    switch n {
    case 0..<10:
      let mode: RefreshMode = random.pick(.keepVisible, .splice, .deep, .replace, .around(RowID(id)))
      loads.append(model.refresh(mode))
      return "refresh \(mode)"
    case 10..<25:
      loads.append(model.loadNextPage())
      return "next"
    case 25..<29:
      loads.append(model.loadPreviousPage())
      return "previous"
    case 29..<32:
      loads.append(model.loadPage(number(5)))
      return "page"
    case 32..<36:
      loads.append(model.retry())
      return "retry"
    case 36..<39:
      let count = 1 + number(9)
      server.grow(fresh + 1...fresh + count)
      fresh += count
      return "\(count) rows on top"
    case 39..<42:
      guard let gap = model.gaps.randomElement(using: &random) else { return "-" }
      loads.append(model.loadGap(gap.id, from: random.pick(nil, .above, .below)))
      return "gap"
    case 42..<48:
      fresh += 1
      server.change(&random, fresh: fresh)
      return "server changes"
    case 48..<54:
      server.fail(with: random.pick(.failure(.connectRefused), .json("{"), .status(500)))
      return "a response fails"
    case 54..<64: return edit(id)
    case 64..<68:
      guard !edits.isEmpty else { return "-" }
      let edit = edits.remove(at: number(edits.count))
      if number(2) == 0 { model.confirm(edit) } else { model.rollback(edit) }
      return "end \(edit)"
    case 68..<71:
      loads.last?.cancel()
      return "cancel last"
    case 71..<73:
      model.cancel()
      return "cancel"
    case 73..<75:
      let params: Params = number(2) == 0 ? [:] : ["q": "odd"]
      if params != model.params { edits = [] }
      model.params = params
      return "search"
    case 75..<77:
      model.reset()
      edits = []
      return "reset"
    case 77..<80:
      loads.append(model.restore())
      return "restore"
    case 80..<82:
      kept.remove(CacheSelection())
      return "clear"
    case 82..<84:
      cache.removeAll()
      return "clear cache"
    case 84..<90:
      let row = number(model.count + 1)
      model.rowsWillAppear(row..<row + 2)
      return "see \(row)"
    case 90..<94:
      screen.refresh(silently: number(2) == 0)
      return "screen refreshes"
    case 94..<96:
      screen.loadMore()
      return "screen loads"
    case 96: return setFilter()
    case 97: return probe()
    default:
      guard !isInside else { return "-" }
      relaunch()
      return "relaunch"
    }
  }

  private func edit(_ id: Int) -> String {
    fresh += 1
    let edit: ListEdit<Row> = random.pick(
      .insert(Row(id: fresh), at: random.pick(.start, .end, .after(RowID(id)))), .remove(RowID(id)),
      .update(Row(id: id, text: "#")), .move(RowID(id), to: random.pick(.start, .end)))
    guard let made = try? model.edit(edit) else { return "no edit" }
    edits.append(made)
    return "\(edit)"
  }

  /// Looks for new rows now, or lets the time pass until the list does.
  private func probe() -> String {
    guard number(2) == 0 else {
      clock.advance(by: .seconds(60))
      return "a minute passes"
    }
    let model = model
    probes.append(Task { _ = try? await model.checkForNewRows() })
    return "probe"
  }

  private func setFilter() -> String {
    screen.settings.rows.filter = number(2) == 0 ? nil : { $0.id % 3 != 0 }
    return "filter"
  }

  /// The program ends, and starts again with what was kept.
  private func relaunch() {
    observer.onEvent = nil
    screen.detach()
    let (old, events) = (observer, observer.events)
    model = Self.model(kind, server, cache, kept, clock)
    screen = ListController(model, time: clock.timeSource)
    edits = []
    open()
    loads.append(model.restore())
    found = found ?? (old.events == events ? old.problem : "a list that was released notified")
  }

  // MARK: - The end

  /// Everything ends, and a quiet server gives its rows.
  func end() async {
    observer.onEvent = nil
    for edit in edits { model.rollback(edit) }
    server.recover()
    for load in loads { _ = await load.outcome }
    for probe in probes { await probe.value }
    // A probe keeps its list alive.
    probes = []
    // The first one may join a refresh of the screen, from before the server changed.
    for _ in 0..<2 { _ = await model.refresh().outcome }
    let outcome = await model.loadAll()
    await model.eventsDelivered()
    await screen.eventsDelivered()
    let rows = LifeServer.matches(of: model.params["q"], in: server.rows)
      .filter { !kind.filters || $0.id % 5 != 4 }
    let shown = LifeObserver.rows(of: model)
    observer.checkIdle()
    check(outcome == .reachedEnd(.complete), "the list ended as \(outcome)")
    check(shown.count == rows.count, "\(shown) are not \(rows)")
    check(zip(shown, rows).allSatisfy { $0 == nil || $0 == $1 }, "\(shown) are not \(rows)")
    check(view.refreshing == 0 && screen.header != .loading, "the screen still refreshes")
    check(view.rows == RecordingListView.texts(screen.sections), "the view has other rows")
    await release()
  }

  /// Nothing happens after a list is released.
  private func release() async {
    let load = model.refresh()
    let count = observer.events
    weak let old = model
    screen.detach()
    model = Self.model(kind, server, cache, kept, clock)
    screen = ListController(model)
    check(old == nil, "a list stays alive")
    check(await load.outcome == .cancelled(.ownerGone), "a load outlives its list")
    check(observer.events == count, "a list that was released notified")
  }

  private func check(_ holds: Bool, _ what: @autoclosure () -> String) {
    if !holds, found == nil { found = what() }
  }
}

extension SeededGenerator {
  /// Returns one of these values.
  mutating func pick<Value>(_ values: Value...) -> Value {
    values[Int.random(in: 0..<values.count, using: &self)]
  }
}

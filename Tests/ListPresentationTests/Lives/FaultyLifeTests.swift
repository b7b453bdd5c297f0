import ItemMapping
import ListModel
import ListPresentation
import ListReading
import QuireTesting
import ServerAPI
import Support
import Testing

/// Lives of lists and their screens over sockets, with a server that damages its responses in every way.
@MainActor @Suite(.timeLimit(.minutes(10))) struct FaultyLifeTests {
  @Test func `however responses are damaged, a list ends with the rows of its server`()
    async throws
  {
    for seeded in try SeededGenerator.runs(Thoroughness.runs(20, full: 3_000)) {
      let world = try FaultyWorld(seeded)
      for _ in 0..<25 where world.problem == nil { await world.step() }
      if world.problem == nil { await world.end() }
      guard let problem = world.problem else { continue }
      Issue.record("\(seeded): \(problem) after \(world.steps) of \(world.kind)")
      return
    }
  }
}

/// A list of a server that damages responses, and its screen.
@MainActor private final class FaultyWorld {
  private var random: SeededGenerator
  private let server: FaultyServer
  private let kept = MemoryCacheStore()
  let kind: LifeWorld.Kind
  private let makeModel: () -> ListModel<Row>
  private var model: ListModel<Row>
  private var screen: ListController<Row>
  private let view = RecordingListView()
  private var observer = LifeObserver()
  private var loads: [Load] = []
  private var fresh = 100
  /// Whether a response never ends.
  private var isStalled = false
  private(set) var steps: [String] = []
  private var found: String?

  init(_ seeded: SeededGenerator) throws {
    random = seeded
    let server = try FaultyServer((0..<14).map { Row(id: $0, group: $0 / 4) })
    let kind = LifeWorld.Kind(&random)
    let isCached = Bool.random(using: &random)
    let retries = Int.random(in: 1...3, using: &random)
    let transport = CurlTransport { $0.connectionsPerHost = 3 }
    let cache = HTTPCache(MemoryCacheStore())
    let base = Server(server.baseURL, transport: transport) {
      $0.retry.attempts = retries
      $0.retry.baseDelay = .zero
      $0.retry.retriesPerSecond = 1_000_000
      if isCached { $0.cache = cache }
    }
    makeModel = { [kept] in
      ListModel(base, "/rows", items: "rows", paging: kind.paging) { kind.configure(&$0, kept) }
    }
    (self.server, self.kind) = (server, kind)
    model = makeModel()
    screen = ListController(model)
    open()
  }

  private func open() {
    observer = LifeObserver()
    model.delegate = observer
    view.controller = screen
    view.rows = []
    screen.attach(view)
  }

  var problem: String? {
    found ?? observer.problem ?? view.mismatches.first ?? view.structure.first
  }

  private func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

  func step() async {
    steps.append(act())
    if !isStalled, number(2) == 0, let load = loads.last { _ = await load.outcome }
    if number(4) == 0 { await model.eventsDelivered() }
  }

  private func act() -> String {
    let ids = model.rows.items.map(\.id)
    let id = ids.isEmpty ? 0 : ids[number(ids.count)]
    switch number(40) {
    case 0..<5:
      let mode: RefreshMode = random.pick(.keepVisible, .splice, .deep, .replace, .around(RowID(id)))
      loads.append(model.refresh(mode))
      return "refresh \(mode)"
    case 5..<13:
      loads.append(model.loadNextPage())
      return "next"
    case 13:
      loads.append(model.loadPreviousPage())
      return "previous"
    case 14:
      loads.append(model.loadPage(number(5)))
      return "page"
    case 15..<18:
      loads.append(model.retry())
      return "retry"
    case 18..<30:
      let damage = FaultyServer.Damage.random(&random)
      server.damage(damage)
      return "\(damage)"
    case 30:
      isStalled = true
      server.damage(.fault(.stall(random.pick(.requestRead, .headSent, .bodySent(number(40))))))
      return "stall"
    case 31..<34:
      model.cancel()
      server.recover()
      isStalled = false
      return "cancel"
    case 34:
      fresh += 1
      server.change(&random, fresh: fresh)
      return "server changes"
    case 35:
      let row = number(model.count + 1)
      model.rowsWillAppear(row..<row + 2)
      return "see \(row)"
    case 36:
      screen.refresh(silently: number(2) == 0)
      return "screen refreshes"
    case 37:
      screen.loadMore()
      return "screen loads"
    case 38:
      model.reset()
      return "reset"
    default:
      screen.detach()
      model = makeModel()
      screen = ListController(model)
      open()
      loads.append(model.restore())
      return "relaunch"
    }
  }

  /// Everything ends, and a quiet server gives its rows.
  func end() async {
    server.recover()
    model.cancel()
    for load in loads { _ = await load.outcome }
    for _ in 0..<2 { _ = await model.refresh().outcome }
    let outcome = await model.loadAll()
    await model.eventsDelivered()
    await screen.eventsDelivered()
    let rows = server.rows.filter { !kind.filters || $0.id % 5 != 4 }
    let shown = LifeObserver.rows(of: model)
    observer.checkIdle()
    check(outcome == .reachedEnd(.complete), "the list ended as \(outcome)")
    check(shown.count == rows.count, "\(shown) are not \(rows)")
    check(zip(shown, rows).allSatisfy { $0 == nil || $0 == $1 }, "\(shown) are not \(rows)")
    check(view.refreshing == 0 && screen.header != .loading, "the screen still refreshes")
    check(view.rows == RecordingListView.texts(screen.sections), "the view has other rows")
    screen.detach()
  }

  private func check(_ holds: Bool, _ what: @autoclosure () -> String) {
    if !holds, found == nil { found = what() }
  }
}

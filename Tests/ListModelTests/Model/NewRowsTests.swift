import ItemMapping
import QuireTesting
import ServerAPI
import Support
import TestSupport
import Testing

@testable import ListModel
@testable import ListReading

/// Looking for new rows above a list.
@MainActor @Suite(.timeLimit(.minutes(1))) struct NewRowsTests {
  /// A list of pages of three rows over these rows of the server.
  @MainActor final class Bench {
    final class Shelf: Sendable {
      let rows: Lock<[Int]>
      init(_ ids: [Int]) { rows = Lock(ids) }
    }

    private let shelf: Shelf
    var rows: [Int] {
      get { shelf.rows.withLock { $0 } }
      set { shelf.rows.withLock { $0 = newValue } }
    }
    let transport: MockTransport
    let model: ListModel<Row>
    let watcher = Watcher()

    init(
      _ ids: [Int] = Array(0..<9), paging: Paging = .offset(limit: 3, endsBy: .total("total")),
      server: (inout Server.Configuration) -> Void = { _ in },
      configure: (inout ListSettings<Row>) -> Void = { _ in }
    ) {
      let shelf = Shelf(ids)
      self.shelf = shelf
      transport = MockTransport { request in
        let all = shelf.rows.withLock { $0 }
        let start = request.query["offset"].flatMap { Int($0) } ?? 0
        let body = page(all.dropFirst(start).prefix(3), #""total":\#(all.count)"#)
        guard request.headers["If-None-Match"] != "\"\(all.hashValue)\"" else { return .status(304) }
        return .json(body).headers(["ETag": "\"\(all.hashValue)\"", "Cache-Control": "max-age=0"])
      }
      model = ListModel(
        Server("https://test", transport: transport) {
          $0.retry = .never
          server(&$0)
        }, "/rows", items: "rows", paging: paging, configure: configure)
      model.delegate = watcher
    }

    /// Loads two pages, and forgets the events.
    func load() async -> Self {
      _ = await model.refresh().outcome
      _ = await model.loadNextPage().outcome
      await model.eventsDelivered()
      watcher.events = []
      return self
    }

    var ids: [Int] { model.rows.items.map(\.id) }
    func insert(_ ids: Int...) { rows.insert(contentsOf: ids, at: 0) }
    /// What a probe must not change.
    var list: PageMachine { model.brain.machine }
  }

  @MainActor final class Watcher: ListModelDelegate {
    var events: [String] = []

    func listModel(_ model: ListModel<Row>, didUpdateNewRows newRows: NewRows?) {
      #expect(model.newRows == newRows)
      events.append(newRows.map { "\($0)" } ?? "none new")
    }
    func listModel(_ model: ListModel<Row>, didStart kind: LoadKind) { events.append("start \(kind)") }
    func listModel(_ model: ListModel<Row>, didChange change: ListChange) { events.append("\(change)") }
    func listModel(_ model: ListModel<Row>, didFinish kind: LoadKind) { events.append("finish \(kind)") }
    func listModel(_ model: ListModel<Row>, didFail kind: LoadKind, error: LoadError) { events.append("fail") }
    func listModelDidReset(_ model: ListModel<Row>) {
      #expect(model.newRows == nil)
      events.append("reset")
    }
  }

  private let three = NewRows(count: 3, isAtLeast: true)

  // MARK: - What a probe finds

  @Test func `a probe counts new rows, and changes nothing else`() async throws {
    let bench = await Bench().load()
    #expect(try await bench.model.checkForNewRows() == nil)
    bench.insert(100, 101)
    let (before, requests) = (bench.list, bench.transport.requests.count)
    let claim = bench.model.consistency
    #expect(try await bench.model.checkForNewRows() == NewRows(count: 2))
    #expect(bench.model.newRows == NewRows(count: 2) && bench.watcher.events == ["2 new rows"])
    #expect(bench.transport.requests.count == requests + 1)
    #expect(bench.list == before && bench.model.consistency == claim && bench.ids == Array(0..<6))
    // The same number is no event.
    #expect(try await bench.model.checkForNewRows() == NewRows(count: 2) && bench.watcher.events.count == 1)
  }

  @Test func `a splice shows the new rows with one request`() async throws {
    let bench = await Bench().load()
    bench.insert(100, 101)
    try await bench.model.checkForNewRows()
    let requests = bench.transport.requests.count
    _ = await bench.model.refresh(.splice).outcome
    await bench.model.eventsDelivered()
    #expect(bench.ids == [100, 101] + Array(0..<6) && bench.model.newRows == nil)
    #expect(bench.transport.requests.count == requests + 1)
    #expect(bench.watcher.events == ["2 new rows", "start refresh", "inserted 0…1", "none new", "finish refresh"])
  }

  @Test func `a page without a known row has at least its rows, and all of them at the end of the list`() async throws {
    let bench = await Bench().load()
    bench.insert(100, 101, 102, 103)
    #expect(try await bench.model.checkForNewRows() == three)
    let empty = await Bench([]).load()
    empty.insert(100)
    #expect(try await empty.model.checkForNewRows() == NewRows(count: 1))
  }

  @Test func `rows that moved up, are left out, come twice or are being removed are not new`() async throws {
    let bench = await Bench(configure: { $0.filter = { $0.id != 100 } }).load()
    bench.rows = [4, 100, 0, 1, 2, 3, 5, 6, 7, 8]
    #expect(try await bench.model.checkForNewRows() == nil)
    bench.rows = [200, 200, 0, 1, 2]
    #expect(try await bench.model.checkForNewRows() == NewRows(count: 1))
    let removing = await Bench().load()
    _ = try removing.model.edit(.remove(0))
    #expect(try await removing.model.checkForNewRows() == nil)
  }

  @Test func `a row that the program makes is no longer new when the list has it`() async throws {
    let bench = await Bench().load()
    let edit = try bench.model.edit(.insert(Row(id: -1), at: .start))
    bench.insert(100)
    #expect(try await bench.model.checkForNewRows() == NewRows(count: 1))
    bench.model.confirm(edit, as: Row(id: 100))
    #expect(bench.model.newRows == nil)
    await bench.model.eventsDelivered()
    #expect(bench.watcher.events.last == "none new")
  }

  @Test func `a list that recognizes its paging is probed, too`() async throws {
    let bench = await Bench(paging: .automatic).load()
    bench.insert(100)
    let (before, requests) = (bench.list, bench.transport.requests.count)
    #expect(try await bench.model.checkForNewRows() == NewRows(count: 1))
    #expect(bench.list == before && bench.transport.requests.count == requests + 1)
  }

  @Test func `a list of a closure is probed, too`() async throws {
    let rows = Lock((0..<9).map(\.self))
    let list = ListModel(of: Row.self, paging: .offset(limit: 3)) { place, limit in
      let all = rows.withLock { $0 }
      return Page(all.dropFirst(place).prefix(limit).map { Row(id: $0) }, total: all.count)
    }
    _ = await list.refresh().outcome
    rows.withLock { $0.insert(100, at: 0) }
    #expect(try await list.checkForNewRows() == NewRows(count: 1))
  }

  // MARK: - Requests

  @Test func `an unchanged page has no body`() async throws {
    let bench = await Bench(server: { $0.cache = HTTPCache() }).load()
    #expect(try await bench.model.checkForNewRows() == nil)
    #expect(bench.transport.requests.last?.headers["If-None-Match"] != nil)
    bench.insert(100)
    #expect(try await bench.model.checkForNewRows() == NewRows(count: 1))
    _ = await bench.model.refresh(.splice).outcome
    #expect(bench.transport.requests.last?.headers["If-None-Match"] != nil && bench.ids.first == 100)
  }

  @Test func `nothing is requested where nothing can be compared`() async throws {
    let bench = Bench()
    #expect(try await bench.model.checkForNewRows() == nil && bench.transport.requests.isEmpty)
    let middle = Bench(paging: .pageNumber(size: 3, first: 0))
    _ = await middle.model.loadPage(1).outcome
    #expect(try await middle.model.checkForNewRows() == nil && middle.transport.requests.count == 1)
    let plain = ListModel(
      Server("https://test", transport: middle.transport), Call("/rows"), reading: .decodables(at: "rows"),
      paging: .offset(limit: 3), identity: ItemIdentity<Row>.none)
    _ = await plain.refresh().outcome
    #expect(try await plain.checkForNewRows() == nil && middle.transport.requests.count == 2)
  }

  @Test func `a stored or older page says nothing`() async throws {
    let bench = await Bench(
      server: { $0.cache = HTTPCache() }, configure: { $0.cachePolicy = .networkElseCache }
    ).load()
    bench.transport.enqueue(.failure(.offline))
    await #expect(throws: LoadError.self) { try await bench.model.checkForNewRows() }
  }

  @Test func `callers join one probe`() async throws {
    let bench = await Bench().load()
    bench.insert(100)
    let requests = bench.transport.requests.count
    async let first = bench.model.checkForNewRows()
    async let second = bench.model.checkForNewRows()
    #expect(try await [first, second] == [NewRows(count: 1), NewRows(count: 1)])
    #expect(bench.transport.requests.count == requests + 1)
  }

  @Test func `a write during a probe lets it look again`() async throws {
    let bench = await Bench().load()
    let gate = Gate()
    bench.transport.enqueue(.json(page([100, 0, 1], #""total":10"#)).held(by: gate))
    let probe = Task { try await bench.model.checkForNewRows() }
    await gate.reached()
    let edit = try bench.model.edit(.remove(0))
    bench.model.confirm(edit)
    bench.rows.removeFirst()
    gate.open()
    #expect(try await probe.value == nil && bench.ids.first == 1)
  }

  // MARK: - Other loads

  @Test func `a probe waits for a refresh, and has nothing to do if that succeeds`() async throws {
    let bench = await Bench().load()
    let gate = Gate()
    bench.transport.enqueue(.json(page([100, 0, 1], #""total":10"#)).held(by: gate))
    let load = bench.model.refresh(.splice)
    let requests = bench.transport.requests.count
    let probe = Task { try await bench.model.checkForNewRows() }
    await gate.reached()
    gate.open()
    _ = await load.outcome
    #expect(try await probe.value == nil)
    #expect(bench.transport.requests.count <= requests + 1)
  }

  @Test(arguments: [false, true])
  func `a refresh ends a probe, and the probe comes after one that fails`(fails: Bool) async throws {
    let bench = await Bench().load()
    bench.insert(100)
    let (gate, refresh) = (Gate(), Gate())
    bench.transport.enqueue(.json(page([300, 301, 302], #""total":10"#)).held(by: gate))
    let shown = fails ? MockResponse.status(500) : .json(page([100, 0, 1], #""total":10"#))
    bench.transport.enqueue(shown.held(by: refresh))
    let probe = Task { try await bench.model.checkForNewRows() }
    await gate.reached()
    let load = bench.model.refresh(.splice)
    await gate.cancelled()
    gate.open()
    await refresh.reached()
    #expect(bench.model.newRows == nil)
    refresh.open()
    _ = await load.outcome
    #expect(try await probe.value == (fails ? NewRows(count: 1) : nil))
    #expect(!bench.ids.contains(300))
  }

  @Test func `a reset ends a probe`() async throws {
    let bench = await Bench().load()
    bench.insert(100)
    try await bench.model.checkForNewRows()
    let gate = Gate()
    bench.transport.enqueue(.json(page([100, 0, 1])).held(by: gate))
    let probe = Task { try await bench.model.checkForNewRows() }
    await gate.reached()
    bench.model.reset()
    #expect(bench.model.newRows == nil)
    await #expect(throws: LoadError.request(RequestError(.cancelled(.superseded)))) { try await probe.value }
    gate.open()
    await bench.model.eventsDelivered()
    #expect(bench.model.newRows == nil && bench.watcher.events.suffix(2) == ["none new", "reset"])
  }

  @Test func `a failed probe throws, and leaves what is known`() async throws {
    let bench = await Bench().load()
    bench.insert(100)
    try await bench.model.checkForNewRows()
    let before = bench.list
    bench.transport.enqueue(.status(500))
    await #expect(throws: LoadError.self) { try await bench.model.checkForNewRows() }
    #expect(bench.list == before && bench.model.newRows == NewRows(count: 1) && bench.model.error == nil)
    #expect(bench.watcher.events == ["1 new row"] && bench.model.freshness.isLive)
    // A refresh that fails leaves it, too.
    bench.transport.enqueue(.status(500))
    _ = await bench.model.refresh(.splice).outcome
    #expect(bench.model.newRows == NewRows(count: 1))
  }

  @Test func `a probe is cancelled with all loads, or with its last caller`() async throws {
    let bench = await Bench().load()
    let gate = Gate()
    func held() async -> Task<NewRows?, any Error> {
      bench.transport.enqueue(.json(page([100, 0, 1])).held(by: gate))
      let probe = Task { try await bench.model.checkForNewRows() }
      await gate.reached()
      return probe
    }
    let cancelled = LoadError.request(RequestError(.cancelled(.byCaller)))
    let first = await held()
    bench.model.cancel()
    await #expect(throws: cancelled) { try await first.value }
    let second = Task { try await bench.model.checkForNewRows() }
    second.cancel()
    await #expect(throws: cancelled) { try await second.value }
    gate.open()
    #expect(try await bench.model.checkForNewRows() == nil && bench.model.newRows == nil)
  }
}

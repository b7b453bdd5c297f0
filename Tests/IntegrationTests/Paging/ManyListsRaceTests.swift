import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI
import Testing

/// Many lists and many callers at once, over libcurl and real sockets.
@Suite(.timeLimit(.minutes(5))) @MainActor struct ManyListsRaceTests {
  nonisolated static let catalogue = Catalogue(count: 503)

  /// A server with counted pages of 50 rows that fails on demand.
  nonisolated static func server(
    failing: @escaping @Sendable (LoopbackRequest) -> Bool = { _ in false }
  ) throws -> LoopbackServer {
    try LoopbackServer { request in
      if failing(request) { return .status(503) }
      let number = request.number("page") ?? 1
      let shift = request.number("shift") ?? 0
      let rows = catalogue.positions(from: (number - 1) * 50)
      return Catalogue.page(
        rows.lowerBound + shift..<rows.upperBound + shift, #""total":\#(catalogue.count)"#)
    }
  }

  nonisolated static let paging = Paging.pageNumber(size: 50, endsBy: .total("total"))

  @Test(arguments: [1, 4])
  func `forty concurrent lists on one server each load all their rows`(_ parallel: Int) async throws {
    let loopback = try Self.server()
    let server = Server(loopback.baseURL, transport: CurlTransport())
    let lists = (0..<40).map { number in
      // Some send identical requests, and share the exchange in flight.
      ListModel<CatalogueRow>(
        server, Call("/rows", params: ["shelf": number / 2]), reading: .decodables(at: "rows"),
        paging: Self.paging, identity: .id)
    }
    let keepers = lists.map { list in
      let keeper = ContractKeeper()
      list.delegate = keeper
      return keeper
    }
    let all = lists.map { list in Task { await list.loadAll(parallel: parallel) } }
    for task in all { #expect(await task.value == .reachedEnd(.complete)) }
    for list in lists { #expect(list.ids == Self.catalogue.ids) }
    for keeper in keepers { #expect(keeper.broken.isEmpty && keeper.isAtRest) }
  }

  @Test func `a list released at any moment ends its loads and reports nothing more`()
    async throws
  {
    var random = try SeededGenerator.fromEnvironment()
    let loopback = try Self.server()
    let server = Server(loopback.baseURL, transport: CurlTransport())
    var ended: [(keeper: ContractKeeper, calls: Int)] = []
    for round in 0..<Thoroughness.runs(200) {
      let keeper = ContractKeeper()
      var list: ListModel<CatalogueRow>? = ListModel(
        server, Call("/rows", params: ["round": round]), reading: .decodables(at: "rows"),
        paging: Self.paging, identity: .id)
      list?.delegate = keeper
      weak let gone = list
      var loads = [list?.refresh(), list?.loadNextPage(), list?.loadPreviousPage()]
      // Sometimes the first page is already loaded.
      if round % 3 == 0 { _ = await loads[0]?.outcome }
      for _ in 0..<Int.random(in: 0..<40, using: &random) { await Task.yield() }
      loads.append(list?.loadNextPage())
      list = nil
      #expect(gone == nil, "\(random)")
      ended.append((keeper, keeper.calls))
      for load in loads {
        guard let load else { continue }
        let outcome = await load.outcome
        guard load.outcomeIfFinished == outcome else {
          Issue.record("\(outcome) became another; \(random)")
          continue
        }
        if case .failed(let error) = outcome { Issue.record("\(error); \(random)") }
      }
    }
    // Once another list has all its pages, everything in flight has finished or was cancelled.
    #expect(await catalogueList(loopback, paging: Self.paging).loadAll() == .reachedEnd(.complete))
    for (keeper, calls) in ended {
      #expect(keeper.calls == calls && keeper.broken.isEmpty, "\(keeper.broken); \(random)")
    }
  }

  @Test func `loads that are cancelled at any moment end once, and the list stays whole`()
    async throws
  {
    var random = try SeededGenerator.fromEnvironment()
    let loopback = try Self.server { ($0.number("page") ?? 1) % 4 == 3 && $0.index % 3 == 0 }
    let list = catalogueList(loopback, paging: Self.paging)
    let keeper = ContractKeeper()
    list.delegate = keeper
    var loads: [Load] = []
    for _ in 0..<Thoroughness.runs(400) {
      switch Int.random(in: 0..<9, using: &random) {
      case 0: loads.append(list.refresh())
      case 1: loads.append(list.loadPage(.random(in: 0..<10, using: &random)))
      case 2: loads.append(list.loadPreviousPage())
      case 3: loads.append(list.retry())
      case 4: loads.randomElement(using: &random)?.cancel()
      case 5: list.cancel()
      default: loads.append(list.loadNextPage())
      }
      for _ in 0..<Int.random(in: 0..<30, using: &random) { await Task.yield() }
    }
    for load in loads { _ = await load.outcome }
    list.cancel()
    _ = await list.refresh().outcome
    while case .loading = list.state(of: .next) { _ = await list.loadNextPage().outcome }
    #expect(keeper.broken.isEmpty, "\(keeper.broken); \(random)")
    #expect(Set(list.ids).count == list.count, "\(random)")
  }

  @Test func `rows always match the parameters that were set last`() async throws {
    var random = try SeededGenerator.fromEnvironment()
    let loopback = try Self.server()
    let list = catalogueList(loopback, paging: Self.paging)
    let keeper = ContractKeeper()
    list.delegate = keeper
    let known = Dictionary(
      uniqueKeysWithValues: (0..<1_021).map { (Catalogue.id($0), $0) })
    for round in 0..<Thoroughness.runs(60) {
      let shift = round % 5
      list.params = ["shift": shift]
      let all = Task { await list.loadAll(parallel: 1 + round % 4) }
      for _ in 0..<Int.random(in: 0..<400, using: &random) { await Task.yield() }
      // Rows change with their event, so they may still be the old ones, but never of both kinds.
      let seen = list.ids.compactMap { known[$0] }
      let first = seen.first ?? 0
      #expect(seen == Array(first..<first + seen.count), "\(random)")
      all.cancel()
      _ = await all.value
      let positions = list.ids.compactMap { known[$0] }
      #expect(positions == Array(shift..<shift + positions.count), "\(random)")
    }
    list.params = ["shift": 9]
    #expect(await list.loadAll(parallel: 4) == .reachedEnd(.complete))
    #expect(list.ids == (9..<512).map(Catalogue.id))
    #expect(keeper.broken.isEmpty, "\(keeper.broken); \(random)")
  }

  @Test func `changing parameters between two pages leaves none of the old rows`() async throws {
    let loopback = try Self.server()
    let list = catalogueList(loopback, paging: Self.paging)
    var hasChanged = false
    _ = await list.loadAll(parallel: 4) { progress in
      guard progress.pages == 3, !hasChanged else { return }
      hasChanged = true
      list.params = ["shift": 7]
    }
    #expect(list.ids == (7..<510).map(Catalogue.id))
  }
}

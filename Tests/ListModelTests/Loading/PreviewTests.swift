import Foundation
import ItemMapping
import QuireTesting
import ServerAPI
import TestSupport
import Testing

@testable import ListModel
@testable import ListReading

/// Lists that show stored rows while a request runs.
@MainActor struct PreviewTests {
  private let gate = Gate()
  private let clock = ManualClock()
  private let stored = Freshness.stored(asOf: Date(timeIntervalSince1970: CacheDouble.moment))

  private func bench(
    _ transport: MockTransport? = nil, configure: (inout ListSettings<Row>) -> Void = { _ in }
  ) -> (bench: ListBench, cache: CacheDouble) {
    let transport =
      transport
      ?? MockTransport { request in
        .json(ListBench.page(request.query["page"].flatMap { Int($0) } ?? 0, of: 3))
      }
    return ListBench.cached(.cacheThenNetwork, transport, clock: clock, configure: configure)
  }

  @Test func `stored rows are shown first, and the load ends once, with the server's rows`()
    async
  {
    let (bench, cache) = bench()
    cache.store(page([9, 0, 1], #""more":true"#), for: "0")
    bench.transport.enqueue(.json(ListBench.page(0, of: 3)).held(by: gate))
    var seen: [[Int]] = []
    bench.delegate.onEvent = { [weak bench] in if $0 == "change" { seen.append(bench?.ids ?? []) } }
    let load = bench.model.refresh()
    await gate.reached()
    #expect(bench.ids == [9, 0, 1] && bench.model.freshness == stored)
    #expect(
      bench.model.page?.source
        == .cache(asOf: Date(timeIntervalSince1970: CacheDouble.moment), isFresh: false))
    #expect(load.outcomeIfFinished == nil && bench.model.refreshState == .loading)
    gate.open()
    #expect(
      await load.outcome
        == .replaced(ListChange(removed: [0..<1], inserted: [2..<3])))
    #expect(seen == [[9, 0, 1], [0, 1, 2]])
    #expect(
      bench.model.freshness == .live(asOf: Date(timeIntervalSince1970: clock.secondsSince1970)))
    #expect(cache.modes == [.cacheOnly, .revalidate])
    #expect(
      bench.delegate.texts == [
        "start first", "change", "fresh stored", "change", "fresh live", "refreshed first",
        "first page", "finish first",
      ])
    #expect(bench.delegate.mismatches.isEmpty)
  }

  @Test func `without stored rows nothing is reported`() async {
    let (bench, cache) = bench()
    _ = await bench.model.refresh().outcome
    #expect(
      bench.delegate.texts == [
        "start first", "change", "fresh live", "refreshed first", "first page", "finish first",
      ])
    #expect(cache.modes == [.cacheOnly, .revalidate])
  }

  @Test func `without a response the stored rows stay, and the server is unreachable`() async {
    let (bench, cache) = bench()
    cache.store(ListBench.page(0, of: 3), for: "0")
    cache.store(ListBench.page(1, of: 3), for: "1")
    bench.transport.enqueue(.failure(.connectRefused), .failure(.connectRefused))
    guard case .failed(let error) = await bench.model.refresh().outcome else {
      Issue.record("it did not fail")
      return
    }
    #expect(bench.ids == [0, 1, 2])
    #expect(
      bench.model.freshness
        == .unreachable(asOf: Date(timeIntervalSince1970: CacheDouble.moment), error))
    #expect(bench.model.hasLoaded)
    // The next pages are loaded from the store too.
    guard case .failed = await bench.model.loadNextPage().outcome else {
      Issue.record("it did not fail")
      return
    }
    #expect(bench.ids == Array(0..<6))
    // A retry replaces the stored page with the page of the server.
    bench.transport.enqueue(.json(page([3, 7, 5], #""more":true"#)))
    let outcome = await bench.model.retry().outcome
    #expect(outcome == .appended(ListChange(removed: [4..<5], inserted: [4..<5])))
    #expect(bench.ids == [0, 1, 2, 3, 7, 5])
    #expect(bench.model.freshness == stored)
    _ = await bench.model.loadNextPage().outcome
    #expect(bench.requestedPages == ["0", "1", "1", "2"])
    _ = await bench.model.refresh().outcome
    #expect(
      bench.model.freshness == .live(asOf: Date(timeIntervalSince1970: clock.secondsSince1970)))
    #expect(bench.delegate.mismatches.isEmpty)
  }

  @Test func `a stored next page is replaced in place`() async {
    let (bench, cache) = bench()
    cache.store(page([3, 4, 8], #""more":false"#), for: "1")
    _ = await bench.model.refresh().outcome
    bench.transport.enqueue(.json(ListBench.page(1, of: 3)).held(by: gate))
    let load = bench.model.loadNextPage()
    await gate.reached()
    #expect(bench.ids == [0, 1, 2, 3, 4, 8])
    #expect(
      bench.model.freshness == .live(asOf: Date(timeIntervalSince1970: clock.secondsSince1970)))
    gate.open()
    #expect(
      await load.outcome == .appended(ListChange(removed: [5..<6], inserted: [5..<6])))
    #expect(bench.ids == Array(0..<6))
    // The next link is that of the server's page, not of the stored one.
    #expect(bench.model.state(of: .next) == .idle)
    #expect(bench.delegate.mismatches.isEmpty)
  }

  @Test func `a cancelled load keeps its stored rows, and the next page follows them`() async {
    let (bench, cache) = bench()
    cache.store(ListBench.page(1, of: 3), for: "1")
    _ = await bench.model.refresh().outcome
    bench.transport.enqueue(.json(ListBench.page(1, of: 3)).held(by: gate))
    let load = bench.model.loadNextPage()
    await gate.reached()
    load.cancel()
    #expect(await load.outcome == .cancelled(.byCaller))
    gate.open()
    #expect(bench.ids == Array(0..<6))
    _ = await bench.model.loadNextPage().outcome
    #expect(bench.ids == Array(0..<9))
    #expect(bench.delegate.mismatches.isEmpty)
  }

  @Test func `a reset list drops the stored rows`() async {
    let (bench, cache) = bench()
    cache.store(ListBench.page(0, of: 3), for: "0")
    bench.transport.enqueue(.json(ListBench.page(0, of: 3)).held(by: gate))
    let load = bench.model.refresh()
    await gate.reached()
    bench.model.reset()
    #expect(await load.outcome == .cancelled(.superseded))
    gate.open()
    #expect(bench.ids.isEmpty && bench.model.freshness == .nothing)
    #expect(bench.delegate.texts.suffix(4) == ["finish first", "change", "fresh nothing", "reset"])
    #expect(bench.delegate.mismatches.isEmpty)
  }

  @Test func `a refresh joins a first load that shows stored rows`() async {
    let (bench, cache) = bench()
    cache.store(ListBench.page(0, of: 3), for: "0")
    bench.transport.enqueue(.json(ListBench.page(0, of: 3)).held(by: gate))
    let (load, next) = (bench.model.refresh(), bench.model.loadNextPage())
    await gate.reached()
    let refresh = bench.model.refresh()
    gate.open()
    #expect(await load.outcome == .replaced(ListChange()))
    #expect(await refresh.outcome == .replaced(ListChange()))
    #expect(await next.outcome == .appended(ListChange(inserted: [3..<6])))
    #expect(bench.requestedPages == ["0", "1"])
  }

  @Test func `a cache mode in the call takes precedence`() async {
    let (bench, cache) = bench()
    cache.store(ListBench.page(0, of: 3), for: "0")
    bench.model.call.cache = .reload
    _ = await bench.model.refresh().outcome
    _ = await bench.model.refresh().outcome
    #expect(cache.modes == [.reload, .reload])
  }

  @Test(arguments: [
    (CachePolicy.standard, [CacheMode?.none, nil, .revalidate]),
    (.networkOnly, [.reload, .reload, .revalidate]),
    (.networkElseCache, [.networkElseCache, .networkElseCache, .revalidate]),
    (.cacheElseNetwork, [.cacheElseNetwork, .cacheElseNetwork, .revalidate]),
    (.cacheOnly, [.cacheOnly, .cacheOnly, .cacheOnly]),
    (.cacheThenNetwork, [.cacheOnly, .revalidate, .cacheOnly, .revalidate, .revalidate]),
  ])
  func `first page, next page and refresh follow the policy`(
    policy: CachePolicy, modes: [CacheMode?]
  ) async {
    let (bench, cache) = ListBench.cached(
      policy,
      MockTransport { request in
        .json(ListBench.page(request.query["page"].flatMap { Int($0) } ?? 0, of: 3))
      })
    for number in 0..<3 { cache.store(ListBench.page(number, of: 3), for: "\(number)") }
    _ = await bench.model.refresh().outcome
    _ = await bench.model.loadNextPage().outcome
    _ = await bench.model.refresh().outcome
    #expect(cache.modes == modes)
    #expect(bench.delegate.mismatches.isEmpty)
  }

  @Test func `rows without ids are replaced too, and shown once`() async {
    let transport = MockTransport { request in
      .json(ListBench.page(request.query["page"].flatMap { Int($0) } ?? 0, of: 3))
    }
    let server = Server("https://test", transport: transport) {
      $0.cache = HTTPCache(TestCacheStore())
    }
    let model = ListModel<Row>(
      server, "/rows", items: "rows",
      paging: .pageNumber(size: 3, first: 0, endsBy: .hasNext("more")), identity: .none
    ) { $0.cachePolicy = .cacheThenNetwork }
    let cache = CacheDouble(server)
    model.source.loader.send = { call async throws(RequestError) in try await cache.send(call) }
    for number in 0..<3 { cache.store(ListBench.page(number, of: 3), for: "\(number)") }
    #expect(await model.loadAll() == .reachedEnd(.complete))
    #expect(model.rows.items.map(\.id) == Array(0..<9))
  }
}

import Foundation
import ItemMapping
import QuireTesting
import ServerAPI
import Testing

@testable import ListModel

/// Lists that show what is stored while the server is asked.
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

  @Test func `what is stored is shown first, and the load ends once, with what the server sends`()
    async
  {
    let (bench, cache) = bench()
    cache.store(page([9, 0, 1], #""more":true"#), for: "0")
    bench.transport.enqueue(.json(ListBench.page(0, of: 3)).held(by: gate))
    var seen: [[Int]] = []
    bench.told.onEvent = { [weak bench] in if $0 == "change" { seen.append(bench?.ids ?? []) } }
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
      bench.told.texts == [
        "start first", "change", "fresh stored", "change", "fresh live", "refreshed first",
        "first page", "finish first",
      ])
    #expect(bench.told.mismatches.isEmpty)
  }

  @Test func `where nothing is stored nobody hears of it`() async {
    let (bench, cache) = bench()
    _ = await bench.model.refresh().outcome
    #expect(
      bench.told.texts == [
        "start first", "change", "fresh live", "refreshed first", "first page", "finish first",
      ])
    #expect(cache.modes == [.cacheOnly, .revalidate])
  }

  @Test func `where no answer comes what is stored stays, and the list is offline`() async {
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
        == .offline(asOf: Date(timeIntervalSince1970: CacheDouble.moment), error))
    #expect(bench.model.hasLoaded)
    // And the stored list can be walked through.
    guard case .failed = await bench.model.loadNextPage().outcome else {
      Issue.record("it did not fail")
      return
    }
    #expect(bench.ids == Array(0..<6))
    // A retry puts the page of the server in the place of the stored one.
    bench.transport.enqueue(.json(page([3, 7, 5], #""more":true"#)))
    let outcome = await bench.model.retry().outcome
    #expect(outcome == .appended(ListChange(removed: [4..<5], inserted: [4..<5])))
    #expect(bench.ids == [0, 1, 2, 3, 7, 5])
    #expect(bench.model.freshness == stored)
    _ = await bench.model.loadNextPage().outcome
    #expect(bench.asked == ["0", "1", "1", "2"])
    _ = await bench.model.refresh().outcome
    #expect(
      bench.model.freshness == .live(asOf: Date(timeIntervalSince1970: clock.secondsSince1970)))
    #expect(bench.told.mismatches.isEmpty)
  }

  @Test func `a next page gives way in its place`() async {
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
    // Where the list goes on is as the server says, and not as it was stored.
    #expect(bench.model.state(of: .next) == .idle)
    #expect(bench.told.mismatches.isEmpty)
  }

  @Test func `a load that is cancelled leaves what it has shown, and goes on behind it`() async {
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
    #expect(bench.told.mismatches.isEmpty)
  }

  @Test func `a list that begins anew forgets what was shown`() async {
    let (bench, cache) = bench()
    cache.store(ListBench.page(0, of: 3), for: "0")
    bench.transport.enqueue(.json(ListBench.page(0, of: 3)).held(by: gate))
    let load = bench.model.refresh()
    await gate.reached()
    bench.model.reset()
    #expect(await load.outcome == .cancelled(.superseded))
    gate.open()
    #expect(bench.ids.isEmpty && bench.model.freshness == .nothing)
    #expect(bench.told.texts.suffix(4) == ["finish first", "change", "fresh nothing", "reset"])
    #expect(bench.told.mismatches.isEmpty)
  }

  @Test func `a refresh joins a first load that shows what is stored`() async {
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
    #expect(bench.asked == ["0", "1"])
  }

  @Test func `what the program wrote into the call counts`() async {
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
  func `first page, next page and refresh are asked for as the policy says`(
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
    #expect(bench.told.mismatches.isEmpty)
  }

  @Test func `rows that can't be told apart give way as well, and come once`() async {
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

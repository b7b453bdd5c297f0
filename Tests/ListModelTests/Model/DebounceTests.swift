import QuireTesting
import ServerAPI
import TestSupport
import Testing

@testable import ListModel

/// Loads that wait after a change of the request.
@MainActor struct DebounceTests {
  private let clock = ManualClock()

  private func bench(_ debounce: Duration = .milliseconds(300)) -> ListBench {
    ListBench(
      MockTransport { request in .json(page([request.query["q"]?.count ?? 0])) },
      configure: { $0.debounce = debounce },
      server: { [clock] in $0.time = clock.timeSource })
  }

  private func queries(_ bench: ListBench) -> [String] {
    bench.transport.requests.map { $0.query["q"] ?? "" }
  }

  @Test func `typing sends one request`() async {
    let bench = bench()
    var loads: [Load] = []
    for text in ["a", "ab", "abc"] {
      bench.model.params = ["q": text]
      loads.append(bench.model.refresh())
      await clock.sleepers(atLeast: 1)
      clock.advance(by: .milliseconds(200))
    }
    #expect(bench.model.refreshState == .loading && queries(bench).isEmpty)
    clock.advance(by: .milliseconds(100))
    #expect(await loads[2].outcome == .replaced(ListChange(inserted: [0..<1])))
    #expect(queries(bench) == ["abc"] && bench.ids == [3])
    for load in loads.dropLast() { #expect(await load.outcome == .cancelled(.superseded)) }
    let once = ["start first", "cancel first superseded", "finish first"]
    #expect(
      bench.delegate.texts == once + once
        + ["start first", "change", "refreshed first", "first page", "finish first"])
  }

  @Test func `a load can be cancelled while it waits`() async {
    let bench = bench()
    bench.model.params = ["q": "a"]
    let load = bench.model.refresh()
    await clock.sleepers(atLeast: 1)
    load.cancel()
    #expect(await load.outcome == .cancelled(.byCaller))
    #expect(bench.model.refreshState == .idle)
    // Another load waits for the rest of the time.
    clock.advance(by: .milliseconds(100))
    let next = bench.model.loadNextPage()
    await clock.sleepers(atLeast: 1)
    #expect(clock.slept == [.milliseconds(300), .milliseconds(200)])
    clock.advance(by: .milliseconds(200))
    _ = await next.outcome
    #expect(queries(bench) == ["a"])
  }

  @Test func `a refresh without a change doesn't wait`() async {
    let bench = bench()
    _ = await bench.model.refresh().outcome
    bench.model.params = ["q": "a"]
    clock.advance(by: .milliseconds(300))
    _ = await bench.model.refresh().outcome
    _ = await bench.model.refresh().outcome
    bench.model.params = ["q": "a"]
    bench.model.reset()
    _ = await bench.model.refresh().outcome
    #expect(queries(bench) == ["", "a", "a", "a"])
    #expect(clock.slept.isEmpty)
  }

  @Test func `a list without a debounce never waits`() async {
    let bench = bench(.zero)
    bench.model.params = ["q": "a"]
    _ = await bench.model.refresh().outcome
    bench.model.call = Call("/rows", params: ["q": "ab"])
    _ = await bench.model.refresh().outcome
    #expect(queries(bench) == ["a", "ab"] && clock.slept.isEmpty)
  }

  @Test func `a load that waits for a page by number is superseded by it, and it waits too`()
    async
  {
    let bench = bench()
    bench.model.params = ["q": "a"]
    let (first, second) = (bench.model.refresh(), bench.model.loadPage(2))
    #expect(await first.outcome == .cancelled(.superseded))
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .milliseconds(300))
    _ = await second.outcome
    #expect(bench.requestedPages == ["2"])
  }

  @Test func `a load that waits ends with its list`() async {
    var released: ListBench? = bench()
    released?.model.params = ["q": "a"]
    let load = released?.model.refresh()
    await clock.sleepers(atLeast: 1)
    released = nil
    #expect(await load?.outcome == .cancelled(.ownerGone))
    #expect(clock.sleepers == 0)
  }

  @Test(
    arguments: [
      (0, 300), (200, 100), (299, 1), (300, nil), (1_000, nil),
    ] as [(Int, Int?)])
  func `a request waits until the time since the change is over`(now: Int, left: Int?) {
    var debounce = Debounce()
    #expect(debounce.wait(at: .milliseconds(now)) == nil)
    debounce.changed(at: .zero, waiting: .milliseconds(300))
    #expect(debounce.wait(at: .milliseconds(now)) == left.map { .milliseconds($0) })
    debounce.changed(at: .zero, waiting: .zero)
    #expect(debounce.wait(at: .milliseconds(now)) == nil)
  }
}

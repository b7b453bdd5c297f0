import ListReading
import QuireTesting
import ServerAPI
import TestSupport
import Testing

@testable import ListModel

/// When a list looks for new rows by itself.
@MainActor @Suite(.timeLimit(.minutes(1))) struct ProbeScheduleTests {
  private let clock = ManualClock()

  private func bench(_ schedule: Duration? = .seconds(60)) -> NewRowsTests.Bench {
    NewRowsTests.Bench(server: { [clock] in $0.time = clock.timeSource }) { $0.probe = schedule }
  }

  @Test func `a list is probed when its first page was last requested that long ago`() async throws {
    let bench = await bench().load()
    bench.insert(100)
    #expect(bench.transport.requests.count == 2)
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(59))
    #expect(bench.transport.requests.count == 2 && bench.model.newRows == nil)
    clock.advance(by: .seconds(1))
    await bench.found()
    #expect(bench.model.newRows == NewRows(count: 1) && bench.transport.requests.count == 3)
    // Further pages don't count, and a refresh does.
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(40))
    _ = await bench.model.refresh(.splice).outcome
    _ = await bench.model.loadNextPage().outcome
    bench.insert(101, 102)
    let requests = bench.transport.requests.count
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(59))
    #expect(bench.transport.requests.count == requests)
    clock.advance(by: .seconds(1))
    await bench.found()
    #expect(bench.model.newRows == NewRows(count: 2) && bench.transport.requests.count == requests + 1)
  }

  @Test func `nothing wakes up without a schedule, a first page or something to compare`() async {
    let idle = bench()
    #expect(clock.slept.isEmpty && idle.model.newRows == nil)
    _ = await bench(nil).load()
    #expect(clock.slept.isEmpty)
    let jumped = NewRowsTests.Bench(
      paging: .pageNumber(size: 3, first: 0), server: { [clock] in $0.time = clock.timeSource }
    ) { $0.probe = .seconds(1) }
    _ = await jumped.model.loadPage(1).outcome
    await jumped.model.eventsDelivered()
    #expect(clock.slept.isEmpty)
  }

  @Test func `a probe that fails is silent, and comes again`() async {
    let bench = await bench().load()
    bench.insert(100)
    bench.transport.enqueue(.status(500))
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(60))
    // The next one is scheduled when this one has failed.
    while clock.slept.count < 2 { await Task.yield() }
    #expect(bench.watcher.events.isEmpty && bench.model.error == nil && bench.transport.requests.count == 3)
    clock.advance(by: .seconds(60))
    await bench.found()
    #expect(bench.watcher.events == ["1 new row"])
  }

  @Test func `a list whose screens are away rests, and looks when one comes back`() async {
    let bench = await bench().load()
    bench.insert(100)
    let (one, other) = (ObjectIdentifier(bench), ObjectIdentifier(bench.watcher))
    bench.model.noteScreen(one, isInFront: true)
    bench.model.noteScreen(other, isInFront: false)
    await clock.sleepers(atLeast: 1)
    bench.model.noteScreen(one, isInFront: false)
    #expect(!bench.model.probes.isInFront && bench.model.probes.due == nil)
    clock.advance(by: .seconds(600))
    await bench.model.eventsDelivered()
    #expect(bench.transport.requests.count == 2)
    bench.model.noteScreen(one, isInFront: true)
    await bench.found()
    #expect(bench.model.newRows == NewRows(count: 1) && bench.transport.requests.count == 3)
    // Without screens, the list goes on by itself.
    bench.model.noteScreen(one, isInFront: nil)
    bench.model.noteScreen(other, isInFront: nil)
    await clock.sleepers(atLeast: 1)
    #expect(bench.model.probes.isInFront)
  }

  @Test func `a restored list is probed when its first page is old enough`() async {
    let kept = KeptListBench(pages: 5)
    _ = await kept.list().loadAll(upTo: 6)
    kept.clock.advance(by: .seconds(20))
    let early = kept.list { $0.probe = .seconds(60) }
    _ = await early.restore().outcome
    await kept.clock.sleepers(atLeast: 1)
    #expect(kept.clock.slept == [.seconds(40)] && kept.requestedPages == ["0", "1"])
    early.cancel()
    kept.transport.enqueue(.json(page([100, 0, 1], #""more":true"#)), .json(page([100, 0, 1], #""more":true"#)))
    kept.clock.advance(by: .seconds(40))
    let late = kept.list { $0.probe = .seconds(60) }
    _ = await late.restore().outcome
    while late.newRows == nil { await Task.yield() }
    #expect(late.newRows == NewRows(count: 1) && kept.requestedPages.last == "0")
  }

  @Test func `a schedule of no time is one of a second`() async {
    let bench = await bench(.zero).load()
    await clock.sleepers(atLeast: 1)
    #expect(clock.slept == [.seconds(1)] && bench.transport.requests.count == 2)
  }
}

extension NewRowsTests.Bench {
  /// Waits until a probe has found other rows than before.
  fileprivate func found() async {
    let known = model.newRows
    while model.newRows == known { await Task.yield() }
  }
}

import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI
import Testing

/// Several consumers of one list's events.
@Suite(.timeLimit(.minutes(2))) @MainActor struct ListEventsRaceTests {
  /// The events that one consumer received.
  @MainActor final class Consumer {
    var events: [ListEvent] = []
    var missed = 0
    var rows: [Int] = []
    var mismatches = 0

    func take(_ step: ListEvents<CatalogueRow>.Step) {
      events.append(step.event)
      if case .didDropEvents(let count) = step.event { missed += count }
      if case .didChange(let change) = step.event {
        let now = step.rows.items.map(\.id)
        if let changed = change.applied(to: rows, new: { now[$0] }) {
          rows = changed
        } else {
          mismatches += 1
        }
      }
    }
  }

  @Test func `consumers see the same steps, an idle one blocks no other, all loops end`()
    async throws
  {
    let loopback = try ManyListsRaceTests.server()
    var list: ListModel<CatalogueRow>? = catalogueList(
      loopback, paging: ManyListsRaceTests.paging)
    let consumers = [Consumer(), Consumer(), Consumer()]
    var loops: [Task<Void, Never>] = []
    for (number, consumer) in consumers.enumerated() {
      guard let events = list?.events else { continue }
      let begun = events.makeAsyncIterator()
      loops.append(
        Task {
          var steps = begun
          while let step = await steps.next() {
            consumer.take(step)
            // One is slow, so that steps wait for it.
            if number == 1 { for _ in 0..<5 { await Task.yield() } }
          }
        })
    }
    var neverRead = list?.events.makeAsyncIterator()
    for _ in 0..<3 {
      _ = await list?.refresh().outcome
      #expect(await list?.loadAll() == .reachedEnd(.complete))
    }
    let rows = list?.ids
    list = nil
    for loop in loops { await loop.value }
    #expect(rows == ManyListsRaceTests.catalogue.ids)
    for consumer in consumers {
      #expect(consumer.events == consumers[0].events)
      #expect(consumer.rows == rows && consumer.mismatches == 0)
    }
    // Unread events are still delivered, then the sequence ends.
    var left = 0
    while await neverRead?.next() != nil { left += 1 }
    #expect(left == consumers[0].events.count)
  }

  @Test func `a consumer that falls behind always learns how many steps it missed`()
    async throws
  {
    let transport = MockTransport { _ in .json(#"{"rows":[{"id":1}]}"#) }
    var list: ListModel<CatalogueRow>? = ListModel(
      Server("https://test", transport: transport), Call("/rows"), reading: .decodables(at: "rows"),
      paging: .single,
      identity: .id)
    let keeper = ContractKeeper()
    list?.delegate = keeper
    var late = list?.events.makeAsyncIterator()
    // More than twice as many as may wait.
    while keeper.calls < 2 * ListEvents<CatalogueRow>.limit + 500 {
      _ = await list?.refresh().outcome
    }
    list = nil
    let consumer = Consumer()
    var seen = 0
    while let step = await late?.next() {
      consumer.take(step)
      if case .didDropEvents = step.event { continue }
      seen += 1
    }
    #expect(seen + consumer.missed == keeper.calls)
    #expect(consumer.missed > ListEvents<CatalogueRow>.limit && seen > 0)
  }

  @Test func `calls from inside a delegate call are reported after it`() async throws {
    let loopback = try ManyListsRaceTests.server()
    let list = catalogueList(loopback, paging: ManyListsRaceTests.paging)
    let keeper = ContractKeeper()
    var depth = 0
    var deepest = 0
    keeper.onCall = { [weak list, unowned keeper] in
      depth += 1
      deepest = max(deepest, depth)
      if keeper.calls % 7 == 0 { list?.loadNextPage() }
      if keeper.calls == 30 { list?.refresh() }
      depth -= 1
    }
    list.delegate = keeper
    _ = await list.loadAll()
    while case .loading = list.state(of: .next) { _ = await list.loadNextPage().outcome }
    _ = await list.loadAll()
    #expect(deepest == 1)
    #expect(keeper.broken.isEmpty, "\(keeper.broken)")
    #expect(list.ids == ManyListsRaceTests.catalogue.ids)
  }
}

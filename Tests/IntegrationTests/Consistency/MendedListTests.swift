import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI
import TestSupport
import Testing

/// Lists whose pages overlap, and that find rows which moved within the load that shows it.
@MainActor @Suite(.timeLimit(.minutes(10))) struct MendedListTests {
  /// Sends the requests of a run, and holds one of them or its response.
  private struct HoldingTransport: Transport {
    let run: ServedRun
    var held = -1
    var holdsResponse = false
    var refuses: @Sendable (HTTPRequest) -> Bool = { _ in false }
    let gate = Gate()
    let requests = ResponseCounter()

    func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
      let number = requests.next()
      if refuses(request) { throw RequestError(.status(400)) }
      if number == held, !holdsResponse { try? await gate.pass() }
      let response = try await run.transport.send(request)
      if number == held, holdsResponse { try? await gate.pass() }
      return response
    }
  }

  private nonisolated static let ways: [ServedList.Way] = [
    .offsets, .offsetsOfCappedSize, .ranges, .keysWithTies, .relay, .countingRelay,
  ]

  private nonisolated static let churns: [ServedList.Rates] = [
    .init(), .init(delete: 1, at: .head), .init(delete: 1), .init(insert: 1, at: .head),
    .init(insert: 1), .init(insert: 1, delete: 1), .init(insert: 0.5, delete: 0.5),
    .init(delete: 1, burst: 3, at: .head), .init(delete: 0.05, burst: 50, at: .head),
  ]

  @Test(arguments: ways, churns.indices)
  func `no row that stayed is lost, and all are in the order of the server`(
    way: ServedList.Way, churn: Int
  ) async throws {
    let seed = try SeededGenerator.fromEnvironment().seed
    let runs = Thoroughness.runs(2, full: 100)
    var open: [String] = []
    for number in 0..<UInt64(runs) {
      let run = ServedRun(
        ServedList(
          rows: 500, pageSize: 20, by: way,
          churn: .random(seed: seed &+ number, Self.churns[churn])))
      let model = run.list(.whole)
      await model.loadAll()
      let ids = model.rows.items.map(\.id)
      let verdict = run.verdict(ids: ids, claim: ServedList.Claim(model.consistency))
      let name = "seed \(seed &+ number), \(model.consistency), \(model.consistency.seams)"
      #expect(verdict.isTrue && verdict.doubled.isEmpty, "\(name)")
      if model.consistency.claim >= .whole {
        #expect(verdict.lost.isEmpty, "\(name)")
        #expect(model.state(of: .next) == .reachedEnd(.complete), "\(name)")
      } else {
        #expect(model.consistency.claim < .unproven, "\(name)")
        open.append(name)
      }
      let places = Dictionary(uniqueKeysWithValues: run.ids.enumerated().map { ($1, $0) })
      let order = ids.compactMap { places[$0] }
      #expect(order == order.sorted(), "\(name)")
    }
    // Rows that go on moving while they are looked for are given up, and the list says so.
    #expect(open.count * 20 <= runs + 20, "\(open)")
  }

  @Test func `a repairing load starts and finishes once and inserts found rows in place`()
    async throws
  {
    let run = ServedRun(
      ServedList(
        rows: 12, pageSize: 4, by: .offsets,
        churn: [.before(request: 2, .delete(at: 0), .delete(at: 0), .insert(at: 1))]))
    let model = run.list(.seams)
    _ = await model.refresh().outcome
    var events: [ListEvent] = []
    let stream = model.events
    let reader = Task { @MainActor in
      for await step in stream {
        events.append(step.event)
        if case .didFinish = step.event { return }
      }
    }
    let outcome = await model.loadNextPage().outcome
    await reader.value
    // Rows 1 and 2 have gone, row 13 is between 3 and 4, and no row of the first overlap is known.
    #expect(model.rows.items.map(\.id).starts(with: [1, 2, 3, 13, 4, 5, 6]), "\(model.rows.items)")
    #expect(model.consistency.claim == .whole, "\(model.consistency)")
    guard case .appended(let change) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(events.first == .didStart(.next) && events.last == .didFinish(.next))
    #expect(events.filter { if case .didStart = $0 { true } else { false } }.count == 1)
    #expect(events.contains(.didChange(change)))
  }

  @Test func `a total that falls is followed within the load`() async throws {
    let run = ServedRun(
      ServedList(
        rows: 8, pageSize: 4, by: .pages, total: .exact,
        churn: [.before(request: 2, .delete(at: 0))]))
    let model = run.list(.signs)
    await model.loadAll()
    #expect(model.rows.items.map(\.id) == Array(1...8))
    #expect(model.consistency.seams == [.mended: 1] && run.requestCount == 3)
    // Without a look at signs, the end says that rows may be missing.
    let other = ServedRun(run.list)
    let plain = other.list(.any)
    await plain.loadAll()
    #expect(other.requestCount == 2 && plain.consistency.claim == .mayLack(atMost: nil))
  }

  @Test(arguments: [3, 4]) func `a failure while rows are looked for loses none of them`(
    failing: Int
  ) async throws {
    for (way, level) in [(ServedList.Way.offsets, Consistency.Level.seams), (.pages, .signs)] {
      var served = ServedList(
        rows: 40, pageSize: 4, by: way, total: .exact,
        churn: [
          .before(
            request: 2, .delete(at: 0), .delete(at: 0), .delete(at: 0), .delete(at: 0),
            .delete(at: 0), .delete(at: 0))
        ])
      served.faults[failing] = .status(503)
      let run = ServedRun(served)
      let model = run.list(level)
      _ = await model.refresh().outcome
      var outcome = await model.loadNextPage().outcome
      if case .failed = outcome {
        #expect(model.count == 4 && model.error != nil)
        outcome = await model.retry().outcome
      } else {
        #expect(failing == 4)
      }
      guard case .appended = outcome else {
        Issue.record("\(outcome)")
        return
      }
      for _ in 0..<20 where model.state(of: .next) != .reachedEnd(.complete) {
        if case .failed = model.state(of: .next) {
          _ = await model.retry().outcome
        } else {
          _ = await model.loadNextPage().outcome
        }
      }
      #expect(Set(model.rows.items.map(\.id)).isSuperset(of: 7...40), "\(way)")
    }
  }

  @Test func `a refresh, a reset and a cancellation end a load that looks for rows`() async throws {
    for way in [ServedList.Way.offsets, .pages] {
      for number in 0..<3 {
        let run = ServedRun(
          ServedList(
            rows: 20, pageSize: 4, by: way, total: .exact,
            churn: [.before(request: 2, .delete(at: 0), .delete(at: 0))]))
        // The request that looks for rows waits.
        let transport = HoldingTransport(run: run, held: 2)
        let model = run.list(way == .offsets ? .seams : .signs, transport: transport)
        _ = await model.refresh().outcome
        let load = model.loadNextPage()
        await transport.gate.reached()
        switch number {
        case 0: model.refresh()
        case 1: model.reset()
        default: load.cancel()
        }
        guard case .cancelled = await load.outcome else {
          Issue.record("\(await load.outcome)")
          return
        }
        transport.gate.open()
        await model.loadAll()
        #expect(Set(model.rows.items.map(\.id)).isSuperset(of: 3...20), "\(way) \(number)")
      }
    }
  }

  @Test func `edits that are confirmed while an overlap is in flight move the list once`()
    async throws
  {
    for confirmsEarly in [true, false] {
      let run = ServedRun(ServedList(rows: 20, pageSize: 4, by: .offsets))
      let transport = HoldingTransport(run: run, held: 2, holdsResponse: true)
      let model = run.list(.seams, transport: transport)
      _ = await model.refresh().outcome
      _ = await model.loadNextPage().outcome
      let edit = try model.edit(.remove(2))
      let load = model.loadNextPage()
      await transport.gate.reached()
      run.change(.delete(at: 1))
      if confirmsEarly { model.confirm(edit) }
      transport.gate.open()
      _ = await load.outcome
      if !confirmsEarly { model.confirm(edit) }
      await model.loadAll()
      #expect(model.rows.items.map(\.id) == [1] + Array(3...20))
      #expect(model.consistency.seams == [.seen: 5] && model.consistency.checks == 0)
      let offsets = run.transport.requests.map { $0.query["offset"] ?? "" }
      #expect(offsets == ["0", "3", "6", "9", "13", "17"], "\(offsets)")
    }
  }

  @Test func `a server that refuses overlaps is read as declared, and no load fails`() async throws {
    let run = ServedRun(ServedList(rows: 20, pageSize: 4, by: .offsets))
    let transport = HoldingTransport(run: run) { request in
      let offset = request.query["offset"].flatMap { Int($0) } ?? 0
      return !offset.isMultiple(of: 4) || request.query["limit"] != "4"
    }
    let model = run.list(.whole, transport: transport)
    await model.loadAll()
    #expect(model.rows.items.map(\.id) == Array(1...20))
    #expect(model.state(of: .next) == .reachedEnd(.incomplete(.lowClaim(.unproven, asked: .whole))))
    #expect(model.consistency.checks == 2 && run.requestCount == 6)
    // A refresh doesn't ask again.
    _ = await model.refresh().outcome
    await model.loadAll()
    #expect(run.requestCount == 12)
  }

  @Test func `a list with less than the claim that it should have ends as incomplete`() async {
    let short = ServedRun(ServedList(rows: 3, pageSize: 4, by: .offsets, total: .exact))
    for level in [Consistency.Level.whole, .exact] {
      let model = short.list(level)
      await model.loadAll()
      #expect(model.state(of: .next) == .reachedEnd(.complete) && model.consistency.claim == .exact)
    }
    let run = ServedRun(ServedList(rows: 9, pageSize: 4, by: .keys))
    let model = run.list(.exact)
    await model.loadAll()
    #expect(model.state(of: .next) == .reachedEnd(.incomplete(.lowClaim(.whole, asked: .exact))))
    let doubtful = ListModel<ServedRow>(
      run.server(), run.list.call, reading: .decodables(at: run.list.items),
      paging: run.list.paging, identity: .id
    ) { ($0.consistency, $0.distrusts) = (.whole, [.order]) }
    await doubtful.loadAll()
    #expect(
      doubtful.state(of: .next) == .reachedEnd(.incomplete(.lowClaim(.unproven, asked: .whole))))
  }
}

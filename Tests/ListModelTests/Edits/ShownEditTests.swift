import ListModel
import ListReading
import Observation
import QuireTesting
import ServerAPI
import Support
import TestSupport
import Testing

/// Edits are in the rows when their call returns, and observers are notified of them later.
@MainActor struct ShownEditTests {
  private func loaded() async -> ListBench {
    let bench = ListBench(pages: 3)
    _ = await bench.model.refresh().outcome
    bench.delegate.forget()
    return bench
  }

  @Test func `the rows have an edit when its call returns, observers later`() async throws {
    let bench = await loaded()
    let edit = try bench.model.edit(.remove(1))
    #expect(bench.ids == [0, 2] && bench.model.count == 2)
    #expect(bench.delegate.texts.isEmpty)
    await bench.model.eventsDelivered()
    #expect(bench.delegate.texts == ["change"])
    bench.model.rollback(edit)
    #expect(bench.ids == [0, 1, 2])
    #expect(bench.delegate.texts == ["change"])
    await bench.model.eventsDelivered()
    #expect(bench.delegate.texts == ["change", "change"])
    #expect(bench.delegate.mismatches.isEmpty)
  }

  @Test func `the server's row shows in the place of the draft at once`() async throws {
    let bench = await loaded()
    let edit = try bench.model.edit(.insert(Row(id: -1), at: .after(0)))
    await bench.model.eventsDelivered()
    bench.model.confirm(edit, as: Row(id: 77))
    #expect(bench.ids == [0, 77, 1, 2] && bench.model.position(of: 77) == 1)
    await bench.model.eventsDelivered()
    _ = await bench.model.loadNextPage().outcome
    #expect(bench.ids == [0, 77, 1, 2, 3, 4, 5])
    #expect(bench.delegate.mismatches.isEmpty)
  }

  struct Titled: Decodable, Identifiable, Equatable {
    let id: Int
    let title: String
  }

  @Test func `a refresh from before a removal and an update doesn't undo them`() async throws {
    let rows = #"[{"id":0,"title":"a"},{"id":1,"title":"b"},{"id":2,"title":"c"}]"#
    let gate = Gate()
    let transport = MockTransport { _ in .json(rows) }
    let model = ListModel<Titled>(
      Server("https://test", transport: transport), "/rows", paging: .single)
    _ = await model.refresh().outcome
    transport.enqueue(.json(rows).held(by: gate))
    let load = model.refresh()
    await gate.reached()
    model.confirm(try model.edit(.remove(1)))
    let update = try model.edit(.update(2, Titled(id: 2, title: "new")))
    model.confirm(update)
    gate.open()
    _ = await load.outcome
    #expect(model.items.map(\.title) == ["a", "new"])
    // The next response is from after that.
    _ = await model.refresh().outcome
    #expect(model.items.map(\.title) == ["a", "b", "c"])
  }

  @Test func `a refresh from before a removal knows where the list continues`() async throws {
    let gate = Gate()
    let bench = ListBench(
      paging: .offset(limit: 2, endsBy: .total("total")),
      MockTransport { request in
        let offset = request.query["offset"].flatMap { Int($0) } ?? 0
        return .json(page([0, 2, 3].dropFirst(offset).prefix(2), #""total":3"#))
      })
    bench.transport.enqueue(.json(page([0, 1], #""total":4"#)))
    _ = await bench.model.refresh().outcome
    bench.transport.enqueue(.json(page([0, 1], #""total":4"#)).held(by: gate))
    let load = bench.model.refresh()
    await gate.reached()
    bench.model.confirm(try bench.model.edit(.remove(1)))
    gate.open()
    _ = await load.outcome
    #expect(bench.ids == [0])
    _ = await bench.model.loadNextPage().outcome
    #expect(bench.ids == [0, 2, 3])
    #expect(bench.model.state(of: .next) == .reachedEnd(.complete))
  }

  @Test func `a draft is kept, whichever of its edits is confirmed first`() async throws {
    let gate = Gate()
    let bench = await loaded()
    bench.transport.enqueue(.json(ListBench.page(0, of: 3)).held(by: gate))
    let load = bench.model.refresh()
    await gate.reached()
    let insertion = try bench.model.edit(.insert(Row(id: -1), at: .start))
    let update = try bench.model.edit(.update(-1, Row(id: -1)))
    bench.model.confirm(update, as: Row(id: 77))
    bench.model.confirm(insertion, as: Row(id: 77))
    gate.open()
    _ = await load.outcome
    #expect(bench.ids == [77, 0, 1, 2])
  }

  @Test func `a refresh from before the server had the row keeps it`() async throws {
    let gate = Gate()
    let bench = await loaded()
    bench.transport.enqueue(.json(ListBench.page(0, of: 3)).held(by: gate))
    let load = bench.model.refresh()
    await gate.reached()
    let edit = try bench.model.edit(.insert(Row(id: -1), at: .after(0)))
    bench.model.confirm(edit, as: Row(id: 77))
    let other = try bench.model.edit(.insert(Row(id: 78), at: .start))
    bench.model.confirm(other)
    gate.open()
    _ = await load.outcome
    #expect(bench.ids == [78, 0, 77, 1, 2])
    // The next response is from after that.
    _ = await bench.model.refresh().outcome
    #expect(bench.ids == [0, 1, 2])
    #expect(bench.delegate.mismatches.isEmpty)
  }

  @Test func `several edits in one turn are notified one by one, each with its rows`()
    async throws
  {
    let bench = await loaded()
    var seen: [[Int]] = []
    bench.delegate.onEvent = { _ in seen.append(bench.ids) }
    try bench.model.edit(.remove(1))
    try bench.model.edit(.insert(Row(id: 9), id: 9, at: .start))
    bench.model.rollback(try bench.model.edit(.remove(2)))
    #expect(bench.ids == [9, 0, 2])
    await bench.model.eventsDelivered()
    #expect(seen == [[0, 2], [9, 0, 2], [9, 0], [9, 0, 2]])
    #expect(bench.ids == [9, 0, 2])
    #expect(bench.delegate.mismatches.isEmpty)
  }

  @Test func `Observation sees an edit within its call, and nothing new when it is delivered`()
    async throws
  {
    let bench = await loaded()
    let changes = Lock(0)
    func observe() {
      withObservationTracking {
        _ = bench.model.rows
      } onChange: {
        changes.withLock { $0 += 1 }
      }
    }
    observe()
    try bench.model.edit(.remove(1))
    #expect(changes.withLock { $0 } == 1)
    observe()
    await bench.model.eventsDelivered()
    #expect(changes.withLock { $0 } == 1)
    #expect(bench.delegate.texts == ["change"])
  }

  @Test func `events that wait when an edit is made have the rows before it`() async throws {
    let gate = Gate()
    let bench = await loaded()
    bench.transport.enqueue(.json(ListBench.page(1, of: 3)).held(by: gate))
    bench.model.loadNextPage()
    try bench.model.edit(.remove(1))
    #expect(bench.ids == [0, 2])
    var seen: [String] = []
    bench.delegate.onEvent = { seen.append("\($0) \(bench.ids)") }
    await bench.model.eventsDelivered()
    #expect(seen == ["start next [0, 1, 2]", "change [0, 2]"])
    #expect(bench.ids == [0, 2])
    gate.open()
  }

  @Test func `an edit in a callback shows at once there, and later in other observers`()
    async throws
  {
    let bench = await loaded()
    let follower = RowFollower(bench.model)
    bench.model.follow(follower)
    var edited: [Int] = []
    follower.onStep = { [weak follower] in
      follower?.onStep = nil
      _ = try? bench.model.edit(.remove(0))
      edited = bench.ids
    }
    var seen: [[Int]] = []
    bench.delegate.onEvent = { _ in seen.append(bench.ids) }
    try bench.model.edit(.remove(1))
    await bench.model.eventsDelivered()
    await bench.model.eventsDelivered()
    #expect(edited == [2])
    // The delegate was notified of the first edit after the follower had made the second one.
    #expect(seen == [[0, 2], [2]])
    #expect(bench.ids == [2])
    #expect(follower.mismatches == 0 && bench.delegate.mismatches.isEmpty)
  }

  @Test func `an edit made as a page is delivered shows with the page`() async throws {
    let bench = await loaded()
    var isFirst = true
    bench.delegate.onEvent = { text in
      guard text == "change", isFirst else { return }
      isFirst = false
      _ = try? bench.model.edit(.remove(1))
      #expect(bench.ids == [0, 2, 3, 4, 5])
    }
    _ = await bench.model.loadNextPage().outcome
    #expect(bench.ids == [0, 2, 3, 4, 5])
    await bench.model.eventsDelivered()
    #expect(
      bench.delegate.texts == ["start next", "change", "loaded next", "finish next", "change"])
    #expect(bench.delegate.mismatches.isEmpty)
  }

  @Test func `an edit during a refresh that hides the rows shows with them`() async throws {
    let gate = Gate()
    let bench = await loaded()
    bench.transport.enqueue(.status(500).held(by: gate))
    let load = bench.model.refresh(.replace)
    #expect(bench.ids == [0, 1, 2])
    try bench.model.edit(.remove(1))
    #expect(bench.ids.isEmpty)
    await gate.reached()
    gate.open()
    _ = await load.outcome
    #expect(bench.ids == [0, 2])
    #expect(bench.delegate.mismatches.isEmpty)
  }

  @Test func `an impossible edit shows nothing`() async {
    let bench = await loaded()
    #expect(throws: ListEditError.unknownRow(99)) { try bench.model.edit(.remove(99)) }
    #expect(bench.ids == [0, 1, 2])
    await bench.model.eventsDelivered()
    #expect(bench.delegate.texts.isEmpty)
  }
}

/// Applies each change to its own rows, as a view does.
@MainActor final class RowFollower: ListObserver {
  private weak var model: ListModel<Row>?
  private(set) var rows: [Int]
  private(set) var mismatches = 0
  var onStep: (() -> Void)?

  init(_ model: ListModel<Row>) {
    self.model = model
    rows = Self.ids(of: model.deliveredRows)
  }

  private static func ids(of rows: ListSnapshot<Row>) -> [Int] {
    (0..<rows.count).map { rows.row(at: $0)?.item?.id ?? -1 }
  }

  func notify(_ step: ListEvents<Row>.Step) {
    let now = Self.ids(of: step.rows)
    if case .didChange(let change) = step.event {
      rows = change.applied(to: rows) { now[$0] } ?? []
    }
    if rows != now || model.map({ Self.ids(of: $0.rows) }) != now { mismatches += 1 }
    onStep?()
  }

  func close() {}
}

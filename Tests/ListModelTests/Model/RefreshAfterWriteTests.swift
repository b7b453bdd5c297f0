import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI
import TestSupport
import Testing

/// Refreshes that start after a write do not end with what was read before it.
@MainActor @Suite(.timeLimit(.minutes(1))) struct RefreshAfterWriteTests {
  private let gate = Gate()
  private let reads = Counter()
  private let transport: MockTransport
  private let server: Server

  /// A server that counts its reads in the id of a row, and whose second read waits at the gate.
  init() {
    transport = MockTransport { [gate, reads] request in
      guard request.method == .get else { return .status(204) }
      let number = reads.add()
      let response = MockResponse.json(#"{"rows":[{"id":\#(number)}],"id":\#(number)}"#)
      return number == 2 ? response.held(by: gate) : response
    }
    server = Server("https://test", transport: transport) { $0.retry = .never }
  }

  private func list() -> ListModel<Row> { ListModel(server, "/rows", items: "rows", paging: .link) }

  private func row(_ model: BaseModel<Row>) async -> Int? {
    if case .loaded(let row) = await model.run() { row.id } else { nil }
  }

  private func starts(of list: ListModel<Row>) -> @MainActor () -> [String] {
    let delegate = RecordingDelegate()
    list.delegate = delegate
    return { delegate.texts.filter { $0.hasPrefix("start") || $0.hasPrefix("finish") } }
  }

  @Test func `a refresh after a write requests the page once more`() async throws {
    let list = list()
    _ = await list.refresh().outcome
    let starts = starts(of: list)
    let first = list.refresh()
    await gate.reached()
    // A copy of the server writes too.
    _ = try await server.with { $0.timeouts.total = .seconds(9) }
      .send(Call("/rows/1", method: .put))
    let second = list.refresh()
    gate.open()
    let outcome = await second.outcome
    #expect(list.rows.items.map(\.id) == [3])
    #expect(await first.outcome == outcome)
    #expect(starts() == ["start refresh", "finish refresh"])
  }

  @Test func `so does the first load, and it uses no stored response`() async throws {
    _ = reads.add()
    let list = list()
    let first = list.refresh()
    await gate.reached()
    _ = try await server.send(Call("/rows/1", method: .delete))
    let second = list.refresh(.replace)
    gate.open()
    #expect(await second.outcome == .replaced(ListChange(inserted: [0..<1])))
    #expect(await first.outcome == second.outcome)
    #expect(list.rows.items.map(\.id) == [3])
  }

  @Test func `so does one after a confirmed edit`() async throws {
    let list = list()
    _ = await list.refresh().outcome
    let edit = try list.edit(.insert(Row(id: 9), at: .end))
    let first = list.refresh()
    await gate.reached()
    list.confirm(edit)
    let second = list.refresh()
    gate.open()
    _ = await (first.outcome, second.outcome)
    #expect(list.rows.items.map(\.id) == [3])
  }

  @Test func `without a write it joins the running one`() async {
    let list = list()
    _ = await list.refresh().outcome
    let first = list.refresh()
    await gate.reached()
    let second = list.refresh()
    gate.open()
    #expect(await first.outcome == second.outcome)
    #expect(list.rows.items.map(\.id) == [2] && transport.requests.count == 2)
  }

  @Test func `cancelling both refreshes leaves no request`() async throws {
    let list = list()
    _ = await list.refresh().outcome
    let first = list.refresh()
    await gate.reached()
    _ = try await server.send(Call("/rows/1", method: .put))
    let second = list.refresh()
    first.cancel()
    second.cancel()
    #expect(await second.outcome == .cancelled(.byCaller))
    #expect(await first.outcome == .cancelled(.byCaller))
    #expect(list.refreshState == .idle && list.rows.items.map(\.id) == [1])
    gate.open()
  }

  @Test func `a value is loaded once more too`() async throws {
    let model = BaseModel<Row>(BaseServerAPI(server, "/rows/1"))
    _ = await model.run()
    var outcomes: [Int?] = []
    model.load { if case .loaded(let row) = $0 { outcomes.append(row.id) } }
    await gate.reached()
    _ = try await server.send(Call("/rows/1", method: .put))
    let second = Task { await row(model) }
    await reads.reaches(3)
    gate.open()
    #expect(await second.value == 3)
    #expect(outcomes == [3])
  }

  @Test func `cancelling the task that waits for such a load cancels it`() async throws {
    _ = reads.add()
    let model = BaseModel<Row>(BaseServerAPI(server, "/rows/1"))
    let first = Task { await row(model) }
    await gate.reached()
    _ = try await server.send(Call("/rows/1", method: .put))
    transport.enqueue(.json("{}").held(by: Gate()))
    model.load()
    first.cancel()
    #expect(await first.value == nil)
    #expect(model.state == .neverLoaded)
    gate.open()
  }
}

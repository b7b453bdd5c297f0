import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI
import TestSupport
import Testing

/// Which loads count as writes, and which reads a refresh after a write may share.
@MainActor @Suite(.timeLimit(.minutes(1))) struct WritesAndJoinsTests {
  private let gate = Gate()
  private let requests = Counter()

  /// A server that counts its requests in the id of a row, but for writes. The first one waits at the gate.
  private func server(_ cache: HTTPCache? = nil) -> (Server, MockTransport) {
    let transport = MockTransport { [gate, requests] request in
      guard request.method != .put else { return .status(204) }
      let number = requests.add()
      let response = MockResponse.json(#"{"rows":[{"id":\#(number)}],"id":\#(number)}"#)
        .headers(["ETag": "\"\(number)\"", "Cache-Control": "no-cache"])
      return number == 1 ? response.held(by: gate) : response
    }
    let server = Server("https://test", transport: transport) {
      $0.retry = .never
      $0.cache = cache
    }
    return (server, transport)
  }

  private func list(_ server: Server) -> ListModel<Row> {
    ListModel(server, "/rows", items: "rows", paging: .link)
  }

  @Test func `a value that is loaded by POST is requested once for two loads`() async {
    let (server, transport) = server()
    let model = BaseModel<Row>(BaseServerAPI(server, "/rows", method: .post))
    var outcomes: [Int?] = []
    for _ in 0..<3 {
      model.load { if case .loaded(let row) = $0 { outcomes.append(row.id) } }
      await gate.reached()
    }
    gate.open()
    _ = await model.run()
    #expect(outcomes == [1, 1, 1] && transport.requests.count == 1)
  }

  @Test func `a list that is read by POST is requested once for two refreshes`() async {
    let (server, transport) = server()
    let list = list(server)
    list.call.method = .post
    let first = list.refresh()
    await gate.reached()
    let second = list.refresh()
    gate.open()
    _ = await (first.outcome, second.outcome)
    #expect(list.rows.items.map(\.id) == [1] && transport.requests.count == 1)
  }

  @Test func `a call that only reads is no write`() async throws {
    let (server, transport) = server()
    let list = list(server)
    let first = list.refresh()
    await gate.reached()
    var search = Call("/rows", method: .post)
    search.onlyReads = true
    _ = try await server.send(search)
    let second = list.refresh()
    gate.open()
    _ = await (first.outcome, second.outcome)
    #expect(list.rows.items.map(\.id) == [1] && transport.requests.count == 2)
  }

  @Test(arguments: [false, true])
  func `a refresh after a write shares no page with another list from before it`(
    isCached: Bool
  ) async throws {
    let cache = isCached ? HTTPCache() : nil
    let (server, _) = server(cache)
    let (other, list) = (list(server), list(server))
    let old = other.refresh()
    await gate.reached()
    _ = try await server.send(Call("/rows/1", method: .put))
    let load = list.refresh()
    await requests.reaches(2)
    gate.open()
    _ = await (load.outcome, old.outcome)
    #expect(list.rows.items.map(\.id) == [2])
  }

  @Test func `nor does one that is requested once more`() async throws {
    let (server, _) = server()
    let (other, list) = (list(server), list(server))
    let old = other.refresh()
    await gate.reached()
    let first = list.refresh()
    _ = try await server.send(Call("/rows/1", method: .put))
    let second = list.refresh()
    await requests.reaches(2)
    gate.open()
    _ = await (first.outcome, second.outcome, old.outcome)
    #expect(list.count == 1 && list.rows.items.map(\.id) != [1])
  }

  @Test func `nor is it served what another list validates from before it`() async throws {
    let (server, transport) = server(HTTPCache())
    gate.open()
    let (other, list) = (list(server), list(server))
    _ = await other.refresh().outcome
    let held = Gate()
    transport.enqueue(
      .json(page([9])).headers(["ETag": "\"9\"", "Cache-Control": "no-cache"]).held(by: held))
    let old = other.refresh()
    await held.reached()
    _ = try await server.send(Call("/rows/1", method: .put))
    let load = list.refresh()
    await requests.reaches(2)
    held.open()
    _ = await (load.outcome, old.outcome)
    #expect(list.rows.items.map(\.id) == [2])
  }

  @Test func `a confirmed move is a write`() async throws {
    let list = ListModel<Row>(
      Server(
        "https://test",
        transport: MockTransport { [gate, requests] request in
          let number = requests.add()
          let ids = number == 3 ? [3, 1, 2] : [1, 2, 3]
          let response = MockResponse.json(page(ids))
          return number == 2 ? response.held(by: gate) : response
        }
      ) { $0.retry = .never }, "/rows", items: "rows", paging: .link)
    _ = await list.refresh().outcome
    let edit = try list.edit(.move(3, to: .start))
    let first = list.refresh()
    await gate.reached()
    list.confirm(edit)
    let second = list.refresh()
    gate.open()
    _ = await (first.outcome, second.outcome)
    #expect(list.rows.items.map(\.id) == [3, 1, 2])
  }
}

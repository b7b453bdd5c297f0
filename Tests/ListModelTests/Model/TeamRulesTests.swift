import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI
import TestSupport
import Testing

/// One place for the rules of a team: a request object that lists follow, and a check of a single call.
@MainActor @Suite(.timeLimit(.minutes(1))) struct TeamRulesTests {
  final class TeamAPI: BaseServerAPI {
    override func prepare(_ call: inout Call) { call.headers["X-Team"] = "blue" }

    override func validate(_ response: HTTPResponse) throws(RequestError) {
      guard response.headers["X-Version"] != "1" else {
        throw RequestError(.business(code: "old", message: "the service is too old"))
      }
      if json?["ok"]?.bool == false {
        throw RequestError(.business(code: "no", message: "the service said no"))
      }
    }
  }

  private func list(
    _ transport: MockTransport, parsesJSON: Bool = false
  ) -> ListModel<Row> {
    let server = Server("https://test", transport: transport) { $0.retry = .never }
    let rules = TeamAPI(server)
    rules.parsesJSON = parsesJSON
    return ListModel(server, "/rows", items: "rows", paging: .pageNumber(size: 3, first: 0)) {
      $0.rules = rules
    }
  }

  @Test func `requests of a list are prepared by its rules`() async {
    let transport = MockTransport { request in
      .json(request.query["page"] == "0" ? page(0..<3) : page(3..<5))
    }
    let list = list(transport)
    _ = await list.refresh().outcome
    _ = await list.loadNextPage().outcome
    #expect(transport.requests.map { $0.headers["X-Team"] } == ["blue", "blue"])
  }

  @Test func `a response that the rules refuse fails the load, and the rows stay`() async {
    let transport = MockTransport { request in
      request.query["page"] == "0"
        ? .json(page(0..<3)) : .json(page(3..<6)).headers(["X-Version": "1"])
    }
    let list = list(transport)
    _ = await list.refresh().outcome
    guard case .failed(.request(let error)) = await list.loadNextPage().outcome else {
      Issue.record("\(list.state(of: .next))")
      return
    }
    #expect(error.kind == .business(code: "old", message: "the service is too old"))
    #expect(error.request.contains("GET"))
    #expect(list.items.map(\.id) == [0, 1, 2])
  }

  @Test func `rules can read the JSON`() async {
    let transport = MockTransport { _ in .json(page(0..<3, #""ok":false"#)) }
    let list = list(transport, parsesJSON: true)
    guard case .failed = await list.refresh().outcome else {
      Issue.record("the page joined the list")
      return
    }
    #expect(list.rows.isEmpty)
  }

  @Test func `a check belongs to one call, and that of the server to the others`() async throws {
    let transport = MockTransport { _ in .json(#"{"errno":7,"code":3}"#) }
    let server = Server("https://test", transport: transport) {
      $0.businessCheck = .envelope(code: "errno", message: "errmsg")
    }
    var call = Call("/x")
    await #expect(throws: RequestError.self) { try await server.send(call) }
    call.businessCheck = .envelope(code: "code", message: "text", successCodes: ["3"])
    #expect(try await server.send(call).status == 200)
    call.businessCheck = .envelope(code: "code", message: "text", successCodes: ["4"])
    let error = await #expect(throws: RequestError.self) { try await server.send(call) }
    #expect(error?.kind == .business(code: "3", message: ""))
  }

  @Test func `calls with checks of their own share no exchange`() async throws {
    let gate = Gate()
    let transport = MockTransport { _ in .json(#"{"code":3}"#).held(by: gate) }
    let server = Server("https://test", transport: transport) { $0.retry = .never }
    var strict = Call("/x")
    strict.businessCheck = .envelope(code: "code", message: "text")
    async let first = server.send(Call("/x"))
    async let second = try? await server.send(strict)
    gate.open()
    #expect(try await first.status == 200)
    #expect(await second == nil)
  }
}

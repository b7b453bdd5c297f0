import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI
import TestSupport
import Testing

/// Responses that the program refuses: they are not read from the cache again.
@MainActor @Suite(.timeLimit(.minutes(1))) struct RefusedResponseTests {
  /// What refuses a response.
  enum Refusal: CaseIterable { case decoder, rules }

  private final class TeamAPI: BaseServerAPI {
    override func validate(_ response: HTTPResponse) throws(RequestError) {
      if response.headers["X-Version"] == "1" {
        throw RequestError(.business(code: "old", message: "the service is too old"))
      }
    }
  }

  private let transport = MockTransport { request in
    let number = request.query["page"].flatMap { Int($0) } ?? 0
    return .json(ListBench.page(number, of: 2)).headers(["Cache-Control": "max-age=600"])
  }

  private func server(_ cache: HTTPCache = HTTPCache()) -> Server {
    Server("https://test", transport: transport) {
      $0.retry = .never
      $0.cache = cache
    }
  }

  private func list(
    _ server: Server, configure: (inout ListSettings<Row>) -> Void = { _ in }
  ) -> ListModel<Row> {
    ListModel(
      server, "/rows", items: "rows",
      paging: .pageNumber(size: 3, first: 0, endsBy: .hasNext("more"))
    ) {
      $0.rules = TeamAPI(server)
      configure(&$0)
    }
  }

  /// The next response is one that is refused.
  private func enqueue(_ refusal: Refusal) {
    switch refusal {
    case .decoder:
      transport.enqueue(.json(#"{"rows":[{"no":1}]}"#).headers(["Cache-Control": "max-age=600"]))
    case .rules:
      transport.enqueue(
        .json(ListBench.page(0, of: 2)).headers([
          "Cache-Control": "max-age=600", "X-Version": "1",
        ]))
    }
  }

  private func isFailed(_ outcome: LoadOutcome) -> Bool {
    if case .failed = outcome { true } else { false }
  }

  @Test(arguments: Refusal.allCases, [CachePolicy.standard, .cacheElseNetwork, .cacheThenNetwork])
  func `a retry of the first load goes to the server`(
    refusal: Refusal, policy: CachePolicy
  ) async {
    for repeats in [{ $0.retry() }, { $0.refresh() }] as [@MainActor (ListModel<Row>) -> Load] {
      let list = list(server()) { $0.cachePolicy = policy }
      enqueue(refusal)
      #expect(isFailed(await list.refresh().outcome))
      let count = transport.requests.count
      #expect(await repeats(list).outcome == .replaced(ListChange(inserted: [0..<3])))
      #expect(transport.requests.count == count + 1)
    }
  }

  @Test(arguments: Refusal.allCases, [CachePolicy.standard, .cacheElseNetwork, .cacheThenNetwork])
  func `a retry of a further load goes to the server`(
    refusal: Refusal, policy: CachePolicy
  ) async {
    let list = list(server()) { $0.cachePolicy = policy }
    _ = await list.refresh().outcome
    enqueue(refusal)
    #expect(isFailed(await list.loadNextPage().outcome))
    #expect(await list.retry().outcome == .appended(ListChange(inserted: [3..<6])))
    #expect(transport.requests.count == 3)
  }

  @Test(arguments: Refusal.allCases)
  func `another list does not get a response that one has refused`(refusal: Refusal) async {
    let server = server()
    enqueue(refusal)
    let (list, other) = (list(server), list(server))
    #expect(isFailed(await list.refresh().outcome))
    #expect(await other.refresh().outcome == .replaced(ListChange(inserted: [0..<3])))
  }

  @Test func `a retry goes to the server although another reader accepts the response`() async {
    let cache = HTTPCache()
    let list = list(server(cache))
    enqueue(.decoder)
    #expect(isFailed(await list.refresh().outcome))
    // Someone who reads less of it stores the response again.
    enqueue(.decoder)
    _ = try? await server(cache).send(Call("/rows", params: ["page": "0"]))
    #expect(await list.retry().outcome == .replaced(ListChange(inserted: [0..<3])))
  }

  @Test func `a model requests a value again that it could not decode`() async {
    let model = BaseModel<Row>(BaseServerAPI(server(), "/rows/7"))
    let cached: HTTPHeaders = ["Cache-Control": "max-age=600"]
    transport.enqueue(.json(#"{"no":7}"#).headers(cached), .json(#"{"id":7}"#).headers(cached))
    guard case .failed = await model.run() else {
      Issue.record("\(model.state)")
      return
    }
    _ = await model.run()
    #expect(model.value?.id == 7)
  }

  @Test func `a value that can't be decoded is not stored`() async throws {
    let server = server()
    let cached: HTTPHeaders = ["Cache-Control": "max-age=600"]
    transport.enqueue(.json(#"{"no":7}"#).headers(cached), .json(#"{"id":7}"#).headers(cached))
    await #expect(throws: LoadError.self) { try await server.send(Call("/rows/7"), as: Row.self) }
    #expect(try await server.send(Call("/rows/7"), as: Row.self).id == 7)
  }
}

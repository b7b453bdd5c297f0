import Dispatch
import Foundation
import ItemMapping
import ListModel
import ListReading
import Observation
import QuireTesting
import ServerAPI
import TestSupport
import Testing

@MainActor @Suite(.timeLimit(.minutes(1))) struct BaseModelTests {
  private func model(
    _ transport: MockTransport, at path: JSONPath = "data"
  ) -> BaseModel<Row> {
    let server = Server("https://test", transport: transport) { $0.retry = .never }
    return BaseModel(BaseServerAPI(server, "/rows/7"), at: path)
  }

  @Test func `a loaded value changes the state`() async {
    let model = model(MockTransport { _ in .json(#"{"data":{"id":7}}"#) })
    #expect(model.state == .neverLoaded)
    guard case .loaded(let row) = await model.run() else {
      Issue.record("\(model.state)")
      return
    }
    #expect(row.id == 7 && model.value?.id == 7)
    #expect(model.state == .loaded)
  }

  @Test func `an item with a table is loaded`() async {
    final class Book: BaseItem {
      var title = ""
      override class var fields: FieldTable {
        FieldTable(Book.self) { f in f(\.title, "book.title") }
      }
    }
    let server = Server(
      "https://test", transport: MockTransport { _ in .json(#"{"book":{"title":"Emma"}}"#) })
    let model = BaseModel<Book>(BaseServerAPI(server, "/books/1"))
    _ = await model.run()
    #expect(model.value?.title == "Emma")
  }

  @Test func `a type with a table that is also decodable is mapped`() async {
    struct Both: ItemValue, Decodable, Equatable {
      var id = 0
      static var fields: FieldTable { FieldTable(Both.self) { f in f(\.id, "mapped.id") } }
    }
    let server = Server(
      "https://test", transport: MockTransport { _ in .json(#"{"id":1,"mapped":{"id":2}}"#) })
    let mapped = BaseModel<Both>(BaseServerAPI(server, "/x"))
    _ = await mapped.run()
    #expect(mapped.value == Both(id: 2))
    let decoded = BaseModel<Both>(BaseServerAPI(server, "/x"), decoder: ItemDecoder())
    _ = await decoded.run()
    #expect(decoded.value == Both(id: 1))
  }

  @Test func `loads during a load join it`() async {
    let gate = Gate()
    let transport = MockTransport { _ in .json(#"{"data":{"id":7}}"#).held(by: gate) }
    let model = model(transport)
    var order: [Int] = []
    model.load { _ in order.append(1) }
    model.load { _ in order.append(2) }
    #expect(model.state == .loading)
    gate.open()
    _ = await model.run()
    #expect(order == [1, 2])
    #expect(transport.requests.count == 1)
  }

  @Test func `a failure keeps the previous value`() async {
    let transport = MockTransport { _ in .json(#"{"data":{"id":7}}"#) }
    let model = model(transport)
    _ = await model.run()
    transport.enqueue(.status(500))
    guard case .failed(.request) = await model.run() else {
      Issue.record("\(model.state)")
      return
    }
    #expect(model.value?.id == 7)
  }

  @Test(arguments: [
    ("", "the text is empty"), (#"{"data":[]}"#, "$"),
    (#"{"other":1}"#, "no value at $['data']"),
    (#"{"data":{"id":"x"}}"#, "can't decode Row: $['data']['id']: expected a number for Int"),
  ])
  func `an unreadable response is a failure that names the place`(
    body: String, text: String
  ) async {
    let model = model(MockTransport { _ in .json(body) })
    guard case .failed(let error) = await model.run() else {
      Issue.record("\(model.state)")
      return
    }
    #expect("\(error)".contains(text), "\(error)")
  }

  @Test func `cancelling calls completions later, and nothing after that`() async {
    let gate = Gate()
    let model = model(MockTransport { _ in .json(#"{"data":{"id":7}}"#).held(by: gate) })
    var outcomes: [String] = []
    model.load { outcomes.append("\($0)") }
    await gate.reached()
    model.cancel()
    #expect(outcomes.isEmpty && model.state == .neverLoaded)
    gate.open()
    _ = await model.run()
    #expect(outcomes == ["cancelled(ServerAPI.RequestError.CancelReason.byCaller)"])
    #expect(model.value?.id == 7)
  }

  @Test func `other parameters discard the value and end the load`() async {
    let gate = Gate()
    let transport = MockTransport { _ in .json(#"{"data":{"id":7}}"#) }
    let model = model(transport)
    _ = await model.run()
    transport.enqueue(.json(#"{"data":{"id":8}}"#).held(by: gate))
    model.load()
    await gate.reached()
    model.params = ["lang": "en"]
    #expect(model.value == nil && model.state == .neverLoaded)
    gate.open()
    _ = await model.run()
    #expect(transport.requests.last?.query["lang"] == "en")
    #expect(model.value?.id == 7)
  }

  @Test func `a model is loading while it decodes`() async throws {
    let (hasStarted, mayContinue) = (Gate(), DispatchSemaphore(value: 0))
    let transport = MockTransport { _ in .json("7") }
    let model = BaseModel<Int>(BaseServerAPI(Server("https://test", transport: transport), "/x")) {
      _ in
      hasStarted.open()
      // With a timeout, since a time limit does not end a blocked thread.
      _ = mayContinue.wait(timeout: .now() + 120)
      return 7
    }
    model.load()
    try await hasStarted.pass()
    #expect(model.state == .loading && model.value == nil)
    mayContinue.signal()
    _ = await model.run()
    #expect(model.state == .loaded && model.value == 7)
    #expect(transport.requests.count == 1)
  }

  @Test(arguments: [true, false])
  func `the timings include decoding, even if it fails`(succeeds: Bool) async {
    let clock = ManualClock()
    let transport = MockTransport(time: clock.timeSource) { _ in
      .json("7").delayed(by: .seconds(1))
    }
    let server = Server("https://test", transport: transport) { $0.time = clock.timeSource }
    let model = BaseModel<Int>(BaseServerAPI(server, "/x")) { _ throws(LoadError) in
      clock.advance(by: .seconds(2))
      guard succeeds else { throw .decoding("no number") }
      return 7
    }
    model.load()
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    _ = await model.run()
    #expect(model.state == (succeeds ? .loaded : .failed(.decoding("no number"))))
    #expect(model.api.timings.wait == .seconds(1))
    #expect(model.api.timings.decode == .seconds(2))
    #expect(model.api.timings.total == .seconds(3))
    #expect(model.api.response?.timings == model.api.timings)
  }

  @Test func `a released model cancels its request`() async {
    let gate = Gate()
    let transport = MockTransport { _ in .json("{}").held(by: gate) }
    var model: BaseModel<Row>? = model(transport)
    weak let gone = model
    var wasTold = false
    model?.load { _ in wasTold = true }
    await gate.reached()
    model = nil
    #expect(gone == nil)
    await gate.cancelled()
    #expect(!wasTold)
  }

  @Test func `a subclass gets each value before completions are called`() async {
    final class Watching: BaseModel<Row> {
      var applied: [Int] = []
      override func didApply(_ value: Row) { applied.append(value.id) }
    }
    let server = Server(
      "https://test", transport: MockTransport { _ in .json(#"{"id":7}"#) })
    let model = Watching(BaseServerAPI(server, "/rows/7"))
    _ = await model.run()
    #expect(model.applied == [7])
  }

  @Test func `a load requested by a completion is a new load`() async {
    let transport = MockTransport { _ in .json(#"{"data":{"id":7}}"#) }
    let model = model(transport)
    var order: [String] = []
    await withCheckedContinuation { continuation in
      model.load { _ in
        order.append("first, \(model.state)")
        model.load { _ in
          order.append("third")
          continuation.resume()
        }
      }
      model.load { _ in order.append("second, \(model.state)") }
    }
    #expect(order == ["first, loaded", "second, loading", "third"])
    #expect(transport.requests.count == 2)
  }

  @Test func `observers are notified of changed properties only`() async {
    let transport = MockTransport { _ in .json(#"{"data":{"id":7}}"#) }
    let model = model(transport)
    @MainActor final class Notes {
      var round = 0
      var changes: [String] = []
    }
    let notes = Notes()
    func watch<Member>(_ name: String, _ member: () -> Member) {
      let round = notes.round
      withObservationTracking {
        _ = member()
      } onChange: {
        MainActor.assumeIsolated { if notes.round == round { notes.changes.append(name) } }
      }
    }
    func watchAll() {
      (notes.round, notes.changes) = (notes.round + 1, [])
      watch("value") { model.value }
      watch("state") { model.state }
      watch("freshness") { model.freshness }
    }
    watchAll()
    model.load()
    #expect(notes.changes == ["state"])
    watchAll()
    _ = await model.run()
    #expect(notes.changes == ["value", "state", "freshness"])
    transport.enqueue(.status(500))
    model.load()
    watchAll()
    _ = await model.run()
    #expect(notes.changes == ["state"])
    watchAll()
    model.cancel()
    #expect(notes.changes == [])
    model.params = ["lang": "en"]
    #expect(notes.changes == ["value", "state", "freshness"])
    watchAll()
    model.params = ["lang": "fr"]
    #expect(notes.changes == [])
  }

  // MARK: - Caches

  /// A request whose stored response is at another address, and that records the cache mode.
  private final class CachedAPI: BaseServerAPI {
    var modes: [CacheMode?] = []

    override func prepare(_ call: inout Call) {
      modes.append(call.cache)
      if call.cache == .cacheOnly { call.address = "/stored" }
      call.cache = nil
    }
  }

  /// Marks responses from one path as stored.
  private struct Storing: Interceptor {
    func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
      var response = try await next(request)
      if request.url.path == "/stored" {
        response.source = .cache(asOf: Date(timeIntervalSince1970: 100), isFresh: false)
      }
      return response
    }
  }

  private func cached(
    _ transport: MockTransport, _ policy: CachePolicy, clock: ManualClock
  ) -> (BaseModel<Row>, CachedAPI) {
    let server = Server("https://test", transport: transport) {
      $0.retry = .never
      $0.cache = HTTPCache(TestCacheStore())
      $0.interceptors = [Storing()]
      $0.time = clock.timeSource
    }
    let api = CachedAPI(server, "/rows/7")
    let model = BaseModel<Row>(api)
    model.cachePolicy = policy
    return (model, api)
  }

  @Test func `a stored value is shown during the request, and the load ends once`() async {
    let (gate, clock) = (Gate(), ManualClock())
    let transport = MockTransport { request in
      request.url.path == "/stored"
        ? .json(#"{"id":1}"#) : .json(#"{"id":7}"#).held(by: gate)
    }
    let (model, api) = cached(transport, .cacheThenNetwork, clock: clock)
    var outcomes = 0
    model.load { _ in outcomes += 1 }
    await gate.reached()
    #expect(model.value?.id == 1 && model.state == .loading && outcomes == 0)
    #expect(model.freshness == .stored(asOf: Date(timeIntervalSince1970: 100)))
    gate.open()
    _ = await model.run()
    #expect(model.value?.id == 7 && outcomes == 1)
    #expect(model.freshness == .live(asOf: Date(timeIntervalSince1970: clock.secondsSince1970)))
    #expect(api.modes == [.cacheOnly, .revalidate] && api.call.cache == nil)
    _ = await model.run()
    #expect(api.modes.suffix(1) == [.revalidate])
  }

  @Test func `a stored value stays without a response, and the server is unreachable`() async {
    let transport = MockTransport { request in
      request.url.path == "/stored" ? .json(#"{"id":1}"#) : .failure(.connectRefused)
    }
    let (model, _) = cached(transport, .cacheThenNetwork, clock: ManualClock())
    guard case .failed(let error) = await model.run() else {
      Issue.record("\(model.state)")
      return
    }
    #expect(model.value?.id == 1 && model.state == .failed(error))
    #expect(model.freshness == .unreachable(asOf: Date(timeIntervalSince1970: 100), error))
    model.params = ["lang": "en"]
    #expect(model.freshness == .nothing)
  }

  @Test func `a subclass can cancel the load when the stored value is shown`()
    async
  {
    final class Content: BaseModel<Row> {
      override func didApply(_ value: Row) { cancel() }
    }
    let transport = MockTransport { _ in .json(#"{"id":1}"#) }
    let (_, api) = cached(transport, .cacheThenNetwork, clock: ManualClock())
    let model = Content(api)
    model.cachePolicy = .cacheThenNetwork
    guard case .cancelled(.byCaller) = await model.run() else {
      Issue.record("\(model.state)")
      return
    }
    #expect(model.value?.id == 1 && model.state == .loaded)
    #expect(api.modes == [.cacheOnly] && transport.requests.count == 1)
  }

  @Test(arguments: [
    (CachePolicy.standard, [CacheMode?.none, .revalidate]), (.networkOnly, [.reload, .revalidate]),
    (.cacheElseNetwork, [.cacheElseNetwork, .revalidate]),
    (.cacheOnly, [.cacheOnly, .cacheOnly]),
  ])
  func `requests follow the cache policy`(
    policy: CachePolicy, modes: [CacheMode?]
  ) async {
    let (model, api) = cached(
      MockTransport { _ in .json(#"{"id":7}"#) }, policy, clock: ManualClock())
    _ = await model.run()
    _ = await model.run()
    #expect(api.modes == modes)
  }
}

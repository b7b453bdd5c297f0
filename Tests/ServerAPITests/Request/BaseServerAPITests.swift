import Dispatch
import ServerAPI
import TestSupport
import Testing

@MainActor @Suite(.timeLimit(.minutes(1))) struct BaseServerAPITests {
  private let transport = LateTransport()

  /// Reads are not shared or retried: one start is one request.
  private var server: Server {
    Server("https://host", transport: transport) {
      $0.sharesReads = false
      $0.retry.attempts = 1
    }
  }

  /// The outcomes in order, and a way to wait for the next one.
  @MainActor private final class Log {
    private(set) var entries: [String] = []
    private var waiters: [(count: Int, CheckedContinuation<Void, Never>)] = []

    func note(_ name: String, _ outcome: BaseServerAPI.Outcome) {
      switch outcome {
      case .succeeded(let response): add("\(name) \(response.body.utf8Text ?? "?")")
      case .failed(let error): add("\(name) \(error.kind)")
      case .cancelled(let reason): add("\(name) \(reason)")
      }
    }

    func add(_ entry: String) {
      entries.append(entry)
      for waiter in waiters where waiter.count <= entries.count { waiter.1.resume() }
      waiters.removeAll { $0.count <= entries.count }
    }

    func reached(_ count: Int) async {
      guard entries.count < count else { return }
      await withCheckedContinuation { waiters.append((count, $0)) }
    }
  }

  @Test func `a start loads, then completes with the response`() async throws {
    let api = BaseServerAPI(
      server, "/books", method: .post, params: ["p": 1], headers: ["A": "b"], body: .text("hi"))
    #expect(api.state == .idle)
    let log = Log()
    api.start { outcome in
      #expect(api.state == .succeeded)
      #expect(api.response?.status == 200)
      log.note("a", outcome)
    }
    #expect(api.state == .loading)
    await transport.reached(1)
    #expect(log.entries.isEmpty)
    let request = transport.requests[0]
    #expect(request.method == .post)
    #expect(request.url.description == "https://host/books?p=1")
    #expect(request.headers["A"] == "b")
    #expect(try request.body?.bytes() == Array("hi".utf8))
    transport.respond(0, "done")
    await log.reached(1)
    #expect(log.entries == ["a done"])
    #expect(try api.text == "done")
    #expect(api.responseBody?.count == 4)
    #expect(api.timings.deliver > .zero)
    #expect(api.timings.total >= api.timings.deliver)
  }

  @Test func `a failure is kept with its reason and without a response`() async throws {
    let api = BaseServerAPI(server, "/books")
    async let outcome = api.run()
    await transport.reached(1)
    transport.fail(0, RequestError(.connectRefused))
    guard case .failed(let error) = await outcome else {
      Issue.record("expected a failure")
      return
    }
    #expect(error.kind == .connectRefused)
    #expect(api.error == error)
    #expect(api.state == .failed)
    #expect(api.response == nil)
    #expect(try api.text == nil)
    #expect(api.timings.deliver > .zero)
  }

  @Test func `an invalid address fails like any other failure`() async {
    let api = BaseServerAPI(server, "ftp://other/")
    guard case .failed(let error) = await api.run(), case .invalidRequest = error.kind else {
      Issue.record("expected a refusal")
      return
    }
    #expect(transport.requests.isEmpty)
  }

  @Test func `the object is loading even if a transport responds at once`() async throws {
    let url = try WebURL("https://host/")
    let instant = InstantTransport { _ in .success(HTTPResponse(url: url)) }
    let api = BaseServerAPI(Server("https://host", transport: instant))
    let log = Log()
    api.start { log.note("a", $0) }
    #expect(api.state == .loading)
    #expect(log.entries.isEmpty)
    await log.reached(1)
    #expect(api.state == .succeeded)
    #expect(try api.text == "")
  }

  @Test func `starting again supersedes, and the late response is only counted`() async throws {
    let api = BaseServerAPI(server, "/old")
    let log = Log()
    api.start { log.note("old", $0) }
    await transport.reached(1)
    api.address = "/new"
    api.start { log.note("new", $0) }
    #expect(log.entries.isEmpty)
    #expect(api.state == .loading)
    await log.reached(1)
    #expect(log.entries == ["old superseded"])
    await transport.reached(2)
    transport.respond(0, "late")
    transport.respond(1, "fresh")
    await log.reached(2)
    #expect(log.entries == ["old superseded", "new fresh"])
    #expect(try api.text == "fresh")
    #expect(transport.requests.map(\.url.path) == ["/old", "/new"])
  }

  @Test func `a response after cancelling changes nothing`() async {
    final class Watched: BaseServerAPI {
      var judged: [String] = []
      override func validate(_ response: HTTPResponse) throws(RequestError) {
        judged.append(response.body.utf8Text ?? "?")
      }
    }
    let api = Watched(server, "/books")
    let log = Log()
    api.start { log.note("a", $0) }
    await transport.reached(1)
    api.cancel()
    api.cancel()
    #expect(api.state == .cancelled)
    #expect(log.entries.isEmpty)
    await log.reached(1)
    transport.respond(0, "late")
    // A second start, whose end is only seen after the late one was handled or dropped.
    async let outcome = api.run()
    await transport.reached(2)
    transport.respond(1, "fresh")
    _ = await outcome
    #expect(log.entries == ["a byCaller"])
    #expect(api.judged == ["fresh"])
    #expect(api.error == nil)
    #expect(api.state == .succeeded)
  }

  @Test func `results that arrive too late are counted`() async throws {
    // On the main actor, the object reads the time at a start, at its end and when it abandons one.
    let looks = Log()
    let onMain = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: onMain, value: true)
    let server = Server("https://host", transport: transport) {
      $0.sharesReads = false
      let now = $0.time.now
      $0.time.now = {
        if DispatchQueue.getSpecific(key: onMain) == true {
          MainActor.assumeIsolated { looks.add("") }
        }
        return now()
      }
    }
    let api = BaseServerAPI(server, "/books")
    api.start()
    await transport.reached(1)
    api.start()
    await transport.reached(2)
    api.cancel()
    try #require(looks.entries.count == 4)
    #expect(api.discardedResults == 0)
    transport.respond(0, "late")
    await looks.reached(5)
    #expect(api.discardedResults == 1)
    transport.fail(1, RequestError(.cancelled(.byCaller)))
    await looks.reached(6)
    #expect(api.discardedResults == 1)
    #expect(api.state == .cancelled)
  }

  @Test func `cancelling without a start does nothing`() {
    let api = BaseServerAPI(server, "/books")
    api.cancel()
    #expect(api.state == .idle)
  }

  @Test func `a completion may start again`() async {
    let api = BaseServerAPI(server, "/books")
    let log = Log()
    api.start { outcome in
      log.note("first", outcome)
      api.start { log.note("second", $0) }
      #expect(log.entries == ["first 1"])
    }
    await transport.reached(1)
    transport.respond(0, "1")
    await transport.reached(2)
    transport.respond(1, "2")
    await log.reached(2)
    #expect(log.entries == ["first 1", "second 2"])
  }

  @Test func `refresh repeats the whole request, even if the object has changed`() async throws {
    let api = BaseServerAPI(server, "/books", method: .put, params: ["p": 1], body: .text("hi"))
    async let first = api.run()
    await transport.reached(1)
    transport.respond(0, "1")
    _ = await first
    (api.method, api.address, api.params, api.body) = (.get, "/other", [:], nil)
    api.refresh()
    await transport.reached(2)
    let requests = transport.requests
    #expect(requests[1].method == .put)
    #expect(requests[1].url == requests[0].url)
    #expect(try requests[1].body?.bytes() == Array("hi".utf8))
    #expect(api.address == "/other")
    transport.respond(1, "2")
  }

  @Test func `refresh before the first start is a start`() async {
    let api = BaseServerAPI(server, "/books")
    api.refresh()
    #expect(api.state == .loading)
    await transport.reached(1)
    transport.respond(0, "1")
  }

  @Test func `cancelling the waiting task ends its start`() async {
    let api = BaseServerAPI(server, "/books")
    let waiting = Task { await api.run() }
    await transport.reached(1)
    waiting.cancel()
    guard case .cancelled(.byCaller) = await waiting.value else {
      Issue.record("expected cancelled")
      return
    }
    #expect(api.state == .cancelled)
    await transport.cancelled()
    transport.respond(0, "late")
  }

  @Test func `an already cancelled task starts nothing`() async {
    let api = BaseServerAPI(server, "/books")
    let outcome = await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await api.run()
    }.value
    guard case .cancelled(.byCaller) = outcome else {
      Issue.record("expected cancelled")
      return
    }
    #expect(api.state == .idle)
  }

  @Test func `releasing the object ends the exchange without a completion`() async {
    let log = Log()
    var api: BaseServerAPI? = BaseServerAPI(server, "/books")
    weak let gone = api
    api?.start { log.note("a", $0) }
    await transport.reached(1)
    api = nil
    #expect(gone == nil)
    await transport.cancelled()
    transport.respond(0, "late")
    // Another start that ends later shows that nothing of the first is pending.
    let other = BaseServerAPI(server, "/other")
    async let outcome = other.run()
    await transport.reached(2)
    transport.respond(1, "x")
    _ = await outcome
    #expect(log.entries.isEmpty)
  }

  @Test func `a subclass adds parameters at each start and validates the response`() async {
    final class Signed: BaseServerAPI {
      var count = 0
      override func prepare(_ call: inout Call) {
        count += 1
        call.params["n"] = String(count)
      }
      override func validate(_ response: HTTPResponse) throws(RequestError) {
        guard response.body.count > 1 else {
          throw RequestError(.business(code: "short", message: "too short"))
        }
      }
    }
    let api = Signed(server, "/books")
    async let first = api.run()
    await transport.reached(1)
    transport.respond(0, "1")
    guard case .failed(let error) = await first else {
      Issue.record("expected a failure")
      return
    }
    #expect(error.kind == .business(code: "short", message: "too short"))
    #expect(error.responseBody?.utf8Text == "1")
    #expect(error.request == "GET https://host/books?n=1")
    #expect(api.response == nil)
    api.refresh()
    await transport.reached(2)
    #expect(transport.requests.map(\.url.query) == ["n=1", "n=2"])
    #expect(api.params.isEmpty)
    transport.respond(1, "2")
  }

  @Test func `the priority changes while the request waits`() async {
    let api = BaseServerAPI(server, "/books")
    api.priority = .prefetch
    api.start()
    await transport.reached(1)
    let handle = transport.requests[0].priorityHandle
    #expect(handle?.value == .prefetch)
    api.priority = .visible
    #expect(handle?.value == .visible)
    #expect(api.call.priority == .visible)
    transport.respond(0, "1")
  }

  @Test func `text that can't be decoded is an error, not an empty text`() async {
    let url = try? WebURL("https://host/")
    let instant = InstantTransport { request in
      .success(
        HTTPResponse(body: ResponseBody([0xC3, 0x28]), url: url ?? request.url))
    }
    let api = BaseServerAPI(Server("https://host", transport: instant))
    _ = await api.run()
    #expect(api.state == .succeeded)
    #expect(throws: RequestError(.undecodable("the body is not valid utf-8"))) { try api.text }
  }

  @Test func `a new start clears the result of the last one`() async throws {
    let api = BaseServerAPI(server, "/books")
    async let first = api.run()
    await transport.reached(1)
    transport.respond(0, "1")
    _ = await first
    #expect(try api.text == "1")
    api.start()
    #expect(api.response == nil && api.timings == HTTPResponse.Timings())
    #expect(try api.text == nil)
    await transport.reached(2)
    api.cancel()
    #expect(api.response == nil && api.error == nil)
    #expect(api.timings.total > .zero)
    transport.respond(1, "2")
  }
}

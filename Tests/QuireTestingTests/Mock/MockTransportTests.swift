import QuireTesting
import ServerAPI
import Testing

@Suite struct MockTransportTests {
  func page(_ number: String?) -> String { #"{"page": \#(number ?? "1")}"# }

  @Test func `a closure responds to a request`() async throws {
    let transport = MockTransport { request in .json(page(request.query["page"])) }
    let response = try await transport.send(request("/books?page=2"))
    #expect(response.status == 200)
    #expect(response.body.utf8Text == #"{"page": 2}"#)
    #expect(response.headers["content-type"] == "application/json")
    #expect(response.url.description == "https://test/books?page=2")
  }

  @Test func `a closure can wait`() async throws {
    let gate = Gate()
    gate.open()
    let transport = MockTransport { _ in
      try? await gate.pass()
      return .text("done")
    }
    #expect(try await transport.send(request("/")).body.utf8Text == "done")
  }

  @Test func `an encodable value is a response`() async throws {
    let transport = MockTransport { _ in .json(["a": [1, 2]]) }
    #expect(try await transport.send(request("/")).body.utf8Text == #"{"a":[1,2]}"#)
  }

  @Test func `a value that can't be encoded fails the request`() async {
    let transport = MockTransport { _ in .json([Double.nan]) }
    let error = await #expect(throws: RequestError.self) { try await transport.send(request("/")) }
    guard case .unusable(let text) = error?.kind else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(text.hasPrefix("can't encode the response, a Array<Double>: "))
  }

  @Test func `scripted responses come in order, those of a path first`() async throws {
    let transport = MockTransport { _ in .text("closure") }
    transport.enqueue(.text("1"), .text("2"))
    transport.enqueue(.get, "/a", .text("a"))
    transport.enqueue(.get, "/a?page=2", .text("a2"))
    transport.enqueue(.post, "/a", .text("posted"))
    var texts: [String?] = []
    for target in ["/a?page=2", "/x", "/a?page=1", "/a", "/a"] {
      texts.append(try await transport.send(request(target)).body.utf8Text)
    }
    #expect(texts == ["a2", "1", "a", "2", "closure"])
  }

  @Test func `played responses come in order, and the last one repeats`()
    async throws
  {
    let transport = MockTransport(playing: [.status(503), .text("x")], identity: "ann")
    var statuses: [Int] = []
    for _ in 0..<4 { statuses.append(try await transport.send(request("/")).status) }
    #expect(statuses == [503, 200, 200, 200])
    #expect(transport.requests.count == 4)
    #expect(transport.identity == "ann")
    await #expect(throws: RequestError.self) {
      try await MockTransport(playing: []).send(request("/"))
    }
  }

  @Test func `an unscripted request fails with an error that names it`() async throws {
    let transport = MockTransport()
    transport.enqueue(.get, "/y", .status(204))
    await expect(
      .unusable("no response scripted for GET /x?page=2; scripted: GET /y (1 left)")
    ) { try await transport.send(request("/x?page=2")) }
  }

  @Test func `requests are recorded and can be awaited`() async throws {
    let transport = MockTransport { _ in .status(204) }
    async let second = transport.request(at: 1)
    _ = try await transport.send(request("/1"))
    _ = try await transport.send(request("/2"))
    #expect(try await second.url.path == "/2")
    #expect(transport.requests.map(\.url.path) == ["/1", "/2"])
  }

  @Test func `waiting for a request ends when the task is cancelled`() async {
    let transport = MockTransport()
    let waiting = Task { try await transport.request(at: 0) }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }

  @Test(arguments: [
    ("X\r\nHost", "a", RequestError.Defect.Place.headerName),
    ("", "a", .headerName),
    ("X-A", "a\r\nX-B: b", .headerValue("X-A")),
    ("X-A", "a\0", .headerValue("X-A")),
  ])
  func `a malformed field is rejected and not recorded`(
    name: String, value: String, place: RequestError.Defect.Place
  ) async throws {
    let transport = MockTransport { _ in .status(204) }
    var request = try request("/")
    request.headers.add(name, value)
    let error = await #expect(throws: RequestError.self) { try await transport.send(request) }
    guard case .invalidRequest(let defect) = error?.kind else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(defect.place == place)
    #expect(transport.requests.isEmpty)
  }

  @Test func `a response without obstacles doesn't suspend`() throws {
    let transport = MockTransport { _ in .json("[]") }
    let request = try request("/")
    nonisolated(unsafe) var status: Int?  // read on this thread after the immediate part returned
    _ = Task.immediate { status = try? await transport.send(request).status }
    #expect(status == 200)
  }

  @Test func `a scripted failure names the request without its query`() async {
    let transport = MockTransport { _ in .failure(.connectRefused) }
    let error = await #expect(throws: RequestError.self) {
      try await transport.send(request("/a?token=secret"))
    }
    #expect(error?.kind == .connectRefused)
    #expect(error?.request == "GET https://test/a")
  }
}

/// Creates a request to `https://test`.
func request(_ target: String, _ method: HTTPMethod = .get) throws -> HTTPRequest {
  HTTPRequest(method, try WebURL("https://test" + target))
}

/// Expects an error of a kind.
func expect<T>(
  _ kind: RequestError.Kind, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () async throws -> T
) async {
  let error = await #expect(throws: RequestError.self, sourceLocation: sourceLocation) {
    _ = try await body()
  }
  #expect(error?.kind == kind, sourceLocation: sourceLocation)
}

import QuireTesting
import ServerAPI
import Testing

/// Whole calls over real sockets, each with its expected end.
@Suite(.timeLimit(.minutes(1))) struct WholeCallTests {
  /// A list of 95 rows in pages of ten.
  static func page(_ request: LoopbackRequest) -> LoopbackResponse {
    guard let number = request.query("page").flatMap({ Int($0) }), request.path == "/v1/books"
    else { return .status(404) }
    let rows = (1...95).dropFirst((number - 1) * 10).prefix(10)
    let items = rows.map { #"{"id":\#($0),"title":"Book \#($0)"}"# }
    return .json(#"{"errno":0,"data":{"list":[\#(items.joined(separator: ","))]}}"#)
  }

  @Test func `a list is loaded to its end over one connection`() async throws {
    let loopback = try LoopbackServer(Self.page)
    let server = Server(loopback.baseURL + "/v1", transport: CurlTransport()) {
      $0.content = .json
      $0.params = ["size": 10]
      $0.businessCheck = .envelope(code: "errno", message: "errmsg")
    }
    var titles: [Substring] = []
    for number in 1... {
      let response = try await server.send(Call("books", params: ["page": number, "after": nil]))
      let found = try response.text().matches(of: /Book \d+/).map(\.output)
      if found.isEmpty { break }
      titles += found
    }
    #expect(titles == (1...95).map { "Book \($0)" })
    #expect(loopback.requests.first?.target == "/v1/books?size=10&page=1")
    #expect(loopback.requestCount == 11)
    #expect(loopback.acceptedConnections == 1)
  }

  @Test func `a login page and an error in the envelope fail with the server's text`()
    async throws
  {
    let loopback = try LoopbackServer()
    // A web page in place of JSON is requested once more.
    let page = LoopbackResponse.html("<html>Room number?")
    loopback.enqueue(page, page, .json(#"{"errno":7,"errmsg":"sold out"}"#))
    let server = Server(loopback.baseURL, transport: CurlTransport()) {
      $0.content = .json
      $0.businessCheck = .envelope(code: "errno", message: "errmsg")
    }
    let portal = await #expect(throws: RequestError.self) { try await server.send(Call("/a")) }
    #expect(portal?.kind == .unexpectedContent(.captivePortal))
    #expect(portal?.responseBody?.utf8Text == "<html>Room number?")
    let refused = await #expect(throws: RequestError.self) { try await server.send(Call("/b")) }
    #expect(refused?.kind == .business(code: "7", message: "sold out"))
    #expect(loopback.requestCount == 3)
  }

  @Test func `an upload of fields and files arrives byte for byte`() async throws {
    let file = try TemporaryFile(
      (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 7) })
    let loopback = try LoopbackServer { _ in .status(201) }
    let server = Server(loopback.baseURL, transport: CurlTransport())
    let body = try RequestBody.multipart([
      .field("title", "Ärger\r\n--x"), .file("image", path: file.path, contentType: "image/png"),
    ])
    let response = try await server.send(Call("/upload", method: .post, body: body))
    #expect(response.status == 201)
    #expect(response.timings.sentBytes == body.length)
    let request = try await loopback.request(at: 0)
    let type = try #require(request.header("Content-Type"))
    let boundary = try #require(type.split(separator: "boundary=").last)
    let name = try #require(file.path.split(separator: "/").last)
    var expected = Array(
      """
      --\(boundary)\r
      Content-Disposition: form-data; name="title"\r
      \r
      Ärger\r\n--x\r
      --\(boundary)\r
      Content-Disposition: form-data; name="image"; filename="\(name)"\r
      Content-Type: image/png\r
      \r

      """.utf8)
    expected += file.bytes
    expected += Array("\r\n--\(boundary)--\r\n".utf8)
    #expect(request.header("Content-Length") == "\(expected.count)")
    #expect(request.body == expected)
  }

  @Test func `a thousand callers of one host each get their own response`() async throws {
    let loopback = try LoopbackServer { .text($0.path) }
    let server = Server(loopback.baseURL, transport: CurlTransport())
    let wrong = await withTaskGroup(of: Bool.self) { group in
      for index in 0..<1_000 {
        group.addTask {
          guard case .success(let response) = await server.outcome(Call("/\(index)")) else {
            return true
          }
          return response.body.utf8Text != "/\(index)"
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(wrong == 0)
    #expect(loopback.requestCount == 1_000)
    #expect(loopback.acceptedConnections <= CurlTransport.shared.configuration.connectionsPerHost)
  }

  @Test func `a thousand callers of one address share one exchange`() async throws {
    let gate = try LoopbackGate()
    let loopback = try LoopbackServer { _ in .text("shared").held(by: gate) }
    let events = EventStream()
    let server = Server(loopback.baseURL, transport: CurlTransport()) { $0.monitors = [events] }
    let calls = (0..<1_000).map { _ in Task { await server.outcome(Call("/x")) } }
    await events.pass(999) { if case .joined = $0 { true } else { false } }
    gate.open()
    for call in calls { #expect(await call.value.failure == nil) }
    #expect(loopback.requestCount == 1)
  }

  @Test(arguments: [Int64.max, Int64.max / 1_000_000_000, Int64.max / 1_000_000_000 + 1])
  func `endless time limits do not overflow`(seconds: Int64) async throws {
    let loopback = try LoopbackServer { .text($0.path) }
    let server = Server(loopback.baseURL, transport: CurlTransport()) {
      let endless = Duration.seconds(seconds)
      $0.timeouts = HTTPRequest.Timeouts(connect: endless, idle: endless, total: endless)
    }
    #expect(try await server.send(Call("/x")).status == 200)
  }

  @Test func `a stream is delivered in pieces and not kept`() async throws {
    let loopback = try LoopbackServer { _ in .filler(count: 8 << 20) }
    let server = Server(loopback.baseURL, transport: CurlTransport())
    let received = ByteCount()
    let response = try await server.stream(Call("/big")) { await received.add($0.count) }
    #expect(await received.count == 8 << 20)
    #expect(response.body.isEmpty)
    #expect(response.timings.decodedBytes == 8 << 20)
  }

  @Test func `a broken stream is not restarted`() async throws {
    let loopback = try LoopbackServer { _ in .fault(.close(.bodySent(600))) }
    let server = Server(loopback.baseURL, transport: CurlTransport())
    let received = ByteCount()
    let error = await #expect(throws: RequestError.self) {
      try await server.stream(Call("/big")) { await received.add($0.count) }
    }
    guard case .connectionLost? = error?.kind else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(await received.count == 600)
    #expect(loopback.requestCount == 1)
  }
}

/// Counts the bytes of a receiver.
private actor ByteCount {
  private(set) var count = 0
  func add(_ more: Int) { count += more }
}

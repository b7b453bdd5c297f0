import QuireTesting
import Support
import Testing

@Suite(.timeLimit(.minutes(1)))
struct LoopbackServerTests {
  @Test func `a handler responds, and the request is kept byte for byte`() async throws {
    let server = try LoopbackServer { .text("you asked for \($0.path)") }
    let client = try RawClient(port: server.port)
    let sent = "GET /a%20b?x=1+2&y=%C3%A9&z HTTP/1.1\r\nHost: h\r\nX-One:  two \r\nx-one: 3\r\n\r\n"
    client.send(sent)
    #expect(
      client.readHead() == """
        HTTP/1.1 200 OK\r
        Content-Type: text/plain; charset=utf-8\r
        Content-Length: 20\r
        \r\n
        """)
    #expect(client.read(20) == Array("you asked for /a%20b".utf8))
    let request = try await server.request(at: 0)
    #expect(request.head == Array(sent.utf8))
    #expect(request.method == "GET")
    #expect(request.target == "/a%20b?x=1+2&y=%C3%A9&z")
    #expect(request.query.map(\.name) == ["x", "y", "z"])
    #expect(request.query.map(\.value) == ["1 2", "é", ""])
    #expect(request.headers.map(\.name) == ["Host", "X-One", "x-one"])
    #expect(request.headers.map(\.value) == ["h", "two", "3"])
    #expect(request.header("X-ONE") == "two")
    #expect(request.isComplete)
  }

  @Test func `scripted responses come first and in order, then the handler`() throws {
    let server = try LoopbackServer { _ in .text("handler") }
    server.enqueue(.json("{}"), .status(503, reason: "Later").with("Retry-After", "1"))
    let client = try RawClient(port: server.port)
    var responses: [RawClient.Response] = []
    for _ in 0..<3 {
      client.get()
      responses.append(client.readResponse())
    }
    #expect(
      responses.map(\.status) == ["HTTP/1.1 200 OK", "HTTP/1.1 503 Later", "HTTP/1.1 200 OK"])
    #expect(responses.map(\.body) == ["{}", "", "handler"])
    #expect(responses[1].headers == ["Retry-After: 1", "Content-Length: 0"])
    #expect(server.scriptedResponsesLeft == 0)
  }

  @Test func `an unscripted request gets a 500 that names it`() throws {
    let server = try LoopbackServer()
    let client = try RawClient(port: server.port)
    client.get("/unplanned")
    let response = client.readResponse()
    #expect(response.status == "HTTP/1.1 500 Internal Server Error")
    #expect(response.body.contains("GET /unplanned HTTP/1.1 (connection 0, request 0)"))
    #expect(server.unscripted.map(\.path) == ["/unplanned"])
  }

  @Test
  func `requests share their connection's number, and pipelining keeps order`()
    throws
  {
    let server = try LoopbackServer { .text($0.path) }
    let first = try RawClient(port: server.port)
    first.send("GET /1 HTTP/1.1\r\n\r\nPOST /2 HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcGET /3")
    first.send(" HTTP/1.1\r\n\r\n")
    #expect((0..<3).map { _ in first.readResponse().body } == ["/1", "/2", "/3"])
    let second = try RawClient(port: server.port)
    second.get("/4")
    #expect(second.readResponse().body == "/4")
    #expect(server.requests.map(\.connection) == [0, 0, 0, 1])
    #expect(server.requests.map(\.index) == [0, 1, 2, 0])
    #expect(server.requests[1].text == "abc")
    #expect(server.acceptedConnections == 2)
    #expect(server.openConnections == 2)
  }

  @Test(arguments: [
    ("HEAD / HTTP/1.1\r\n\r\n", LoopbackResponse.text("four"), "Content-Length: 4"),
    ("HEAD / HTTP/1.1\r\n\r\n", LoopbackResponse.text("four").prebuilt(), "Content-Length: 4"),
    ("GET / HTTP/1.1\r\n\r\n", LoopbackResponse.status(204).with("A", "b"), "A: b"),
    ("GET / HTTP/1.1\r\n\r\n", LoopbackResponse.status(304).with("ETag", "x"), "ETag: x"),
  ])
  func `a response without a body keeps the connection usable`(
    request: String, response: LoopbackResponse, header: String
  ) throws {
    let server = try LoopbackServer()
    server.enqueue(response, .text("next"))
    let client = try RawClient(port: server.port)
    client.send(request)
    #expect(client.readHead().contains("\r\n\(header)\r\n"))
    client.get()
    #expect(client.readResponse().body == "next")
  }

  @Test func `a chunked body is joined, and its trailers dropped`() throws {
    let server = try LoopbackServer { .text($0.text) }
    let client = try RawClient(port: server.port)
    client.send("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n")
    client.send("A\r\n0123456789\r\n0\r\nTrailer: t\r\n\r\n")
    #expect(client.readResponse().body == "abc0123456789")
    client.get()
    #expect(client.readResponse().status == "HTTP/1.1 200 OK")
  }

  @Test func `a client that expects 100 gets it before its body`() throws {
    let server = try LoopbackServer { .text($0.text) }
    let client = try RawClient(port: server.port)
    client.send("PUT / HTTP/1.1\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
    #expect(client.readHead() == "HTTP/1.1 100 Continue\r\n\r\n")
    client.send("ok")
    #expect(client.readResponse().body == "ok")
  }

  @Test(arguments: [LoopbackResponse.status(413), .status(413).prebuilt()])
  func `an early response leaves the body unread and ends the connection`(
    response: LoopbackResponse
  ) throws {
    let server = try LoopbackServer()
    server.enqueue(response.early())
    let client = try RawClient(port: server.port)
    client.send("PUT / HTTP/1.1\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
    #expect(client.readResponse().status == "HTTP/1.1 413 Content Too Large")
    client.finishWriting()
    #expect(client.readToEnd().end == .closed)
    #expect(server.requests.map(\.isComplete) == [false])
  }

  @Test(arguments: [
    ("GET / HTTP/1.1\r\nConnection: close\r\n\r\n", LoopbackResponse.text("x")),
    ("GET / HTTP/1.0\r\n\r\n", LoopbackResponse.text("x")),
    ("GET / HTTP/1.1\r\n\r\n", LoopbackResponse.text("x").untilClose()),
  ])
  func `either side can end the connection`(
    request: String, response: LoopbackResponse
  ) throws {
    let server = try LoopbackServer { _ in response }
    let client = try RawClient(port: server.port)
    client.send(request)
    client.finishWriting()
    let (text, end) = client.textToEnd()
    #expect(text.contains("Connection: close\r\n"))
    #expect(text.hasSuffix("\r\n\r\nx"))
    #expect(end == .closed)
  }

  @Test(arguments: [
    "nonsense\r\n\r\n", "GET / HTTP/2\r\n\r\n", "GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n",
    "GET / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n",
    "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n",
  ])
  func `a malformed request is rejected with a reason`(request: String) throws {
    let server = try LoopbackServer { _ in .text("fine") }
    let client = try RawClient(port: server.port)
    client.send(request)
    let response = client.readResponse()
    #expect(response.status == "HTTP/1.1 400 Bad Request")
    #expect(response.body.hasPrefix("LoopbackServer cannot read the request: "))
  }

  @Test func `a head larger than a megabyte is rejected`() throws {
    let server = try LoopbackServer { _ in .text("fine") }
    let client = try RawClient(port: server.port)
    client.send("GET / HTTP/1.1\r\nX: " + String(repeating: "x", count: 1 << 20) + "\r\n")
    #expect(client.readResponse().status == "HTTP/1.1 431 Request Header Fields Too Large")
  }

  @Test func `a filler body costs no memory and arrives whole`() throws {
    let server = try LoopbackServer { _ in .filler(count: 1_000_003) }
    let client = try RawClient(port: server.port)
    client.get()
    #expect(client.readHead().contains("Content-Length: 1000003\r\n"))
    let body = client.read(1_000_003)
    #expect(body.count == 1_000_003)
    #expect(body.allSatisfy { $0 == 0x61 })
  }

  @Test func `the recorded body is limited without affecting the response`() throws {
    var configuration = LoopbackConfiguration()
    configuration.recordedBodyBytes = 4
    let server = try LoopbackServer(configuration) { _ in .text("got it") }
    let client = try RawClient(port: server.port)
    client.send("PUT / HTTP/1.1\r\nContent-Length: 10\r\n\r\n0123456789")
    #expect(client.readResponse().body == "got it")
    #expect(server.requests.map(\.text) == ["0123"])
  }

  @Test func `a server that doesn't keep requests counts them`() async throws {
    var configuration = LoopbackConfiguration()
    configuration.recordsRequests = false
    let server = try LoopbackServer(configuration) { _ in .text("ok") }
    let client = try RawClient(port: server.port)
    client.get()
    #expect(client.readResponse().body == "ok")
    #expect(server.requestCount == 1)
    #expect(server.requests.isEmpty)
    await #expect(throws: LoopbackError.self) { try await server.request(at: 0) }
  }

  @Test func `a server on a Unix socket responds there and removes the file`() throws {
    let path = "/tmp/loopback-test-\(getpid()).sock"
    var configuration = LoopbackConfiguration()
    configuration.address = .unix(path: path)
    let server = try LoopbackServer(configuration) { .text($0.path) }
    let client = try RawClient(path: path)
    client.get("/over/unix")
    #expect(client.readResponse().body == "/over/unix")
    #expect(server.baseURL == "http://localhost")
    server.stop()
    #expect(access(path, F_OK) == -1)
  }

  @Test func `a Unix path that is too long is rejected with its reason`() {
    var configuration = LoopbackConfiguration()
    configuration.address = .unix(path: "/tmp/" + String(repeating: "x", count: 100))
    #expect(throws: LoopbackError.self) { try LoopbackServer(configuration) }
  }
}

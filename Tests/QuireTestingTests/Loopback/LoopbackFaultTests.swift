import QuireTesting
import Support
import Testing

/// Each fault on the wire, as a plain socket client sees it.
@Suite(.timeLimit(.minutes(1)))
struct LoopbackFaultTests {
  static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\n"
  static let wholeHead = head + "Content-Length: 10\r\n\r\n"
  static let halfHead = String(
    decoding: wholeHead.utf8.prefix(wholeHead.utf8.count / 2), as: UTF8.self)

  static let moments: [(LoopbackMoment, received: String)] = [
    (.accepted, ""), (.requestHeadRead, ""), (.requestRead, ""), (.headStarted, halfHead),
    (.headSent, wholeHead), (.bodySent(4), wholeHead + "0123"),
    (.bodySent(99), wholeHead + "0123456789"), (.responseSent, wholeHead + "0123456789"),
  ]

  @Test(arguments: moments)
  func `a connection is closed at the given moment`(
    moment: LoopbackMoment, received: String
  ) async throws {
    let server = try LoopbackServer()
    server.enqueue(.text("0123456789").failing(.close(moment)))
    let client = try RawClient(port: server.port)
    // Sending to a server that has closed before reading would turn its end into a reset.
    if moment != .accepted { client.get() }
    let (text, end) = client.textToEnd()
    #expect(text == received)
    #expect(end == .closed)
    try await server.connectionClosed(0)
    #expect(server.requestCount == (moment == .accepted ? 0 : 1))
  }

  @Test(arguments: moments)
  func `a connection is reset at the given moment`(
    moment: LoopbackMoment, received: String
  ) async throws {
    let gate = try LoopbackGate()
    let server = try LoopbackServer()
    server.enqueue(.text("0123456789").held(by: gate, at: moment).failing(.reset(moment)))
    let client = try RawClient(port: server.port)
    if moment != .accepted { client.get() }
    await gate.reached()
    // A reset drops unread data, so it is read first.
    #expect(client.read(received.utf8.count) == Array(received.utf8))
    gate.open()
    let (text, end) = client.textToEnd()
    #expect(text == "")
    #expect(end == .reset)
  }

  @Test(arguments: moments)
  func `a half-closed connection sends no more but still reads`(
    moment: LoopbackMoment, received: String
  ) async throws {
    let server = try LoopbackServer()
    server.enqueue(.text("0123456789").failing(.halfClose(moment)))
    let client = try RawClient(port: server.port)
    client.get()
    let (text, end) = client.textToEnd()
    #expect(text == received)
    #expect(end == .closed)
    client.send("more")
    #expect(server.openConnections == 1)
    client.finishWriting()
    try await server.connectionClosed(0)
  }

  @Test(arguments: moments)
  func `a stalled connection sends nothing more until the server stops`(
    moment: LoopbackMoment, received: String
  ) async throws {
    let gate = try LoopbackGate()
    gate.open()
    let server = try LoopbackServer()
    server.enqueue(.text("0123456789").held(by: gate, at: moment).failing(.stall(moment)))
    let client = try RawClient(port: server.port)
    client.get()
    await gate.reached()
    #expect(server.openConnections == 1)
    server.stop()
    #expect(client.textToEnd().text == received)
    await server.finished()
  }

  @Test func `a client that leaves a stalled connection is noticed`() async throws {
    let server = try LoopbackServer()
    server.enqueue(.fault(.stall(.requestRead)))
    do {
      let client = try RawClient(port: server.port)
      client.get()
      _ = try await server.request(at: 0)
    }
    try await server.connectionClosed(0)
  }

  @Test func `an idle connection is reset when it is used again`() throws {
    let server = try LoopbackServer()
    server.enqueue(.text("first").failing(.reset(.reused)))
    let client = try RawClient(port: server.port)
    client.get()
    #expect(client.readResponse().body == "first")
    #expect(server.openConnections == 1)
    client.get()
    #expect(client.readToEnd().end == .reset)
    #expect(server.requestCount == 1)
  }

  @Test func `a fault before the body leaves the rest of an upload unread`() async throws {
    let server = try LoopbackServer()
    server.enqueue(.fault(.halfClose(.requestHeadRead)))
    let client = try RawClient(port: server.port)
    client.send("PUT / HTTP/1.1\r\nContent-Length: 5\r\n\r\n")
    #expect(client.readToEnd().end == .closed)
    let request = try await server.request(at: 0)
    #expect(!request.isComplete)
    #expect(request.body.isEmpty)
  }

  @Test func `the received part of an incomplete upload is kept`() async throws {
    let server = try LoopbackServer { _ in .text("ok") }
    let client = try RawClient(port: server.port)
    client.send("PUT / HTTP/1.1\r\nContent-Length: 5\r\n\r\nab")
    client.finishWriting()
    let request = try await server.request(at: 0)
    #expect(!request.isComplete)
    #expect(request.text == "ab")
    #expect(client.readToEnd() == ([], .closed))
  }

  @Test(arguments: [
    (LoopbackFault.slowHead(bytes: 7, every: .milliseconds(1)), 2),
    (.slowBody(bytes: 3, every: .milliseconds(1)), 2),
  ])
  func `a slow response arrives completely and keeps the connection`(
    fault: LoopbackFault, requests: Int
  ) throws {
    let server = try LoopbackServer { _ in .text("0123456789").failing(fault) }
    let client = try RawClient(port: server.port)
    for _ in 0..<requests {
      client.get()
      #expect(client.readResponse().body == "0123456789")
    }
  }

  @Test func `a slow response ends when its client leaves`() async throws {
    let server = try LoopbackServer()
    server.enqueue(.fault(.slowBody(bytes: 1, every: .seconds(3600))))
    do {
      let client = try RawClient(port: server.port)
      client.get()
      #expect(client.readHead().hasSuffix("\r\n\r\n"))
    }
    try await server.connectionClosed(0)
  }

  @Test(arguments: [
    (LoopbackFault.lengthTooLong(by: 5), head + "Content-Length: 15\r\n\r\n0123456789"),
    (
      .badChunkSize,
      head + "Transfer-Encoding: chunked\r\n\r\na\r\n0123456789\r\nsize\r\n"
        + "and some bytes\r\n0\r\n\r\n"
    ),
    (.truncatedChunks, head + "Transfer-Encoding: chunked\r\n\r\na\r\n0123456"),
    (.garbageStatusLine, "This is no status line\r\n\r\n0123456789"),
    (.noHead, "0123456789"),
    (.raw(Array("\0\r\n".utf8)), "\0\r\n"),
  ])
  func `a malformed response has exactly these bytes and then ends`(
    fault: LoopbackFault, wire: String
  ) throws {
    let server = try LoopbackServer()
    server.enqueue(.text("0123456789").failing(fault))
    let client = try RawClient(port: server.port)
    client.get()
    client.finishWriting()
    let (text, end) = client.textToEnd()
    #expect(text == wire)
    #expect(end == .closed)
  }

  @Test func `a too short length leaves bytes before the next response`() throws {
    let server = try LoopbackServer { _ in .text("next") }
    server.enqueue(.text("0123456789").failing(.lengthTooShort(by: 4)))
    let client = try RawClient(port: server.port)
    client.get()
    #expect(client.readResponse().body == "012345")
    client.get()
    #expect(client.readHead().hasPrefix("6789HTTP/1.1 200 OK\r\n"))
  }

  @Test func `conflicting lengths are both sent`() throws {
    let server = try LoopbackServer()
    server.enqueue(.text("0123456789").failing(.conflictingLengths))
    let client = try RawClient(port: server.port)
    client.get()
    #expect(
      client.readResponse().headers.suffix(2) == ["Content-Length: 10", "Content-Length: 11"])
  }

  @Test func `a huge header has the requested size`() throws {
    let server = try LoopbackServer()
    server.enqueue(.fault(.hugeHeader(bytes: 100_000)))
    let client = try RawClient(port: server.port)
    client.get()
    let line = client.readResponse().headers.first { $0.hasPrefix("X-Huge: ") }
    #expect(line?.utf8.count == 99_998)
  }

  @Test(arguments: [
    (LoopbackFault.endlessHeaders, "X-Flood: ffff", "Content-Length: 1000\r\n"),
    (.interimStorm, "HTTP/1.1 103 Early Hints\r\n", "HTTP/1.1 103 Early Hints\r\n"),
  ])
  func `a flood continues as long as the client reads`(
    fault: LoopbackFault, repeated: String, first: String
  ) async throws {
    let server = try LoopbackServer()
    server.enqueue(.fault(fault))
    do {
      let client = try RawClient(port: server.port)
      client.get()
      let text = String(decoding: client.read(1 << 20), as: UTF8.self)
      #expect(text.contains(first))
      #expect(text.utf8.count == 1 << 20)
      #expect(text.suffix(4096).contains(repeated))
      #expect(!text.contains("\r\n\r\n0123456789"))
    }
    try await server.connectionClosed(0)
  }

  @Test func `interim heads come before the response`() throws {
    let server = try LoopbackServer()
    server.enqueue(
      .text("x").after(103, [LoopbackHeader("Link", "</a>")]).after(102).chunked(of: 1))
    let client = try RawClient(port: server.port)
    client.get()
    #expect(client.readHead() == "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")
    #expect(client.readHead() == "HTTP/1.1 102 Processing\r\n\r\n")
    #expect(client.readHead().hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(String(decoding: client.read(11), as: UTF8.self) == "1\r\nx\r\n0\r\n\r\n")
  }

  @Test func `a redirect loop leads back to itself and a chain has its length`() throws {
    let server = try LoopbackServer { request in
      request.path == "/loop"
        ? .redirectLoop(request) : .redirectChain(request, hops: 2, then: .text("there"))
    }
    let client = try RawClient(port: server.port)
    client.get("/loop?a=b")
    #expect(client.readResponse().headers.contains("Location: /loop?a=b"))
    var target = "/chain"
    var targets: [String] = []
    for _ in 0..<2 {
      client.get(target)
      let location = client.readResponse().headers.first { $0.hasPrefix("Location: ") }
      target = String(try #require(location).dropFirst("Location: ".count))
      targets.append(target)
    }
    client.get(target)
    #expect(client.readResponse().body == "there")
    #expect(targets == ["/chain?hop=1", "/chain?hop=2"])
  }

  @Test func `responses can wait at a gate in the middle of their body`() async throws {
    let gate = try LoopbackGate()
    let server = try LoopbackServer { _ in .text("0123456789").held(by: gate, at: .bodySent(3)) }
    let clients = try (0..<3).map { _ in try RawClient(port: server.port) }
    for client in clients {
      client.get()
      #expect(client.readHead() == Self.wholeHead)
      #expect(client.read(3) == Array("012".utf8))
    }
    await gate.reached(3)
    gate.open()
    for client in clients { #expect(client.read(7) == Array("3456789".utf8)) }
  }
}

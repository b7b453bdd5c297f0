import QuireTesting
import ServerAPI
import Testing

/// Calls to servers that fail, stall, throttle and redirect.
@Suite(.timeLimit(.minutes(1))) struct BadServerTests {
  @Test(arguments: [LoopbackFault.reset(.reused), .close(.reused)])
  func `connections that die at the moment of reuse are never noticed`(
    _ fault: LoopbackFault
  ) async throws {
    let loopback = try LoopbackServer { .text($0.path).failing(fault) }
    let server = Server(loopback.baseURL, transport: CurlTransport())
    var replaced = 0
    for index in 0..<200 {
      let response = try await server.send(Call("/\(index)"))
      #expect(response.body.utf8Text == "/\(index)")
      replaced += response.attempts.count - 1
    }
    #expect(replaced > 0)
    try await withThrowingTaskGroup { group in
      for worker in 0..<8 {
        group.addTask {
          for index in 0..<25 { _ = try await server.send(Call("/\(worker * 25 + index)")) }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `a redirect to another origin sends no secret, nor does the one back`()
    async throws
  {
    let home = try LoopbackServer()
    let stranger = try LoopbackServer { [address = home.baseURL] _ in
      .redirect(to: address + "/back", status: 307).with("Set-Cookie", "spy=1")
    }
    home.enqueue(
      .status(204).with("Set-Cookie", "id=secret"),
      .redirect(to: stranger.baseURL + "/away", status: 307),
      .redirect(to: stranger.baseURL + "/away", status: 307), .text("done"))
    let server = Server(home.baseURL, transport: CurlTransport()) {
      $0.headers["X-Api-Key"] = "secret"
      $0.params = ["key": "secret"]
      $0.authentication = .bearer("secret")
      $0.keepsCookies = true
    }
    _ = try await server.send(Call("/login"))
    var call = Call(
      "/start", method: .put, headers: ["X-Session": "secret", "Referer": "/?token=secret"],
      body: .text("hello"))
    let refused = await #expect(throws: RequestError.self) { try await server.send(call) }
    #expect(refused?.kind == .redirect(.crossOriginBody(stranger.baseURL)))
    #expect(stranger.requestCount == 0)
    call.redirects = RedirectPolicy()
    call.redirects?.crossOrigin = .followWithBody
    let response = try await server.send(call)
    #expect(response.url.path == "/back")
    let first = home.requests[1]
    #expect(first.header("Authorization") == "Bearer secret")
    #expect(first.header("Cookie") == "id=secret")
    for request in stranger.requests + [home.requests[3]] {
      #expect(request.text == "hello")
      #expect(!String(decoding: request.head, as: UTF8.self).contains("secret"))
      #expect(request.header("Cookie") == nil)
    }
    #expect(stranger.requestCount == 1 && home.requestCount == 4)
  }

  @Test func `all calls pause for a host that asks for it`() async throws {
    let loopback = try LoopbackServer { _ in .text("ready") }
    loopback.enqueue(.status(429).with("Retry-After", "7"))
    let clock = ManualClock()
    let server = Server(loopback.baseURL, transport: CurlTransport()) {
      $0.time = clock.timeSource
      $0.random = { 0 }
    }
    async let paused = server.send(Call("/a"))
    await clock.sleepers(atLeast: 1)
    async let other = server.send(Call("/b"))
    await clock.sleepers(atLeast: 2)
    clock.advance(by: .seconds(6))
    #expect(clock.sleepers == 2 && loopback.requestCount == 1)
    clock.advance(by: .seconds(1))
    let (first, second) = try await (paused, other)
    #expect(first.attempts.map(\.outcome) == [.responded(429), .responded(200)])
    #expect(first.timings.queue >= .seconds(7))
    #expect(second.attempts.count == 1)
    #expect(loopback.requestCount == 3)
  }

  @Test func `one deadline covers attempts, redirects and a server that stalls`() async throws {
    let loopback = try LoopbackServer { _ in .fault(.stall(.requestRead)) }
    loopback.enqueue(.status(503).with("Retry-After", "0"), .redirect(to: "/on"))
    let server = Server(loopback.baseURL, transport: CurlTransport()) {
      $0.timeouts.total = .seconds(2)
      $0.retry.baseDelay = .zero
    }
    let clock = ContinuousClock()
    var outcome: Result<HTTPResponse, RequestError>?
    let elapsed = await clock.measure { outcome = await server.outcome(Call("/x")) }
    #expect(outcome?.failure == .timeout(.total))
    // Not early; if it never ends, the time limit of the suite does.
    #expect(elapsed >= .milliseconds(1_990))
    // The stalled attempt has half of the time, and another one follows.
    #expect(loopback.requestCount == 4)
  }

  static let faults: [LoopbackFault] = [
    .close(.accepted), .close(.requestHeadRead), .close(.requestRead), .close(.headStarted),
    .close(.headSent), .close(.bodySent(10)), .reset(.accepted), .reset(.requestRead),
    .reset(.headSent), .reset(.bodySent(10)), .halfClose(.requestRead), .halfClose(.bodySent(10)),
    .stall(.accepted), .stall(.requestRead), .stall(.headStarted), .stall(.headSent),
    .stall(.bodySent(10)), .slowHead(bytes: 1, every: .milliseconds(20)),
    .slowBody(bytes: 1, every: .milliseconds(5)), .lengthTooLong(by: 5), .conflictingLengths,
    .badChunkSize, .truncatedChunks, .truncatedGzip, .brokenGzip, .endlessHeaders,
    .hugeHeader(bytes: 1 << 20), .interimStorm, .garbageStatusLine, .noHead,
    .raw(Array("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n".utf8)),
    .raw(Array("HTTP/1.1 301 Gone\r\nLocation: \0\r\n\r\n".utf8)),
    .raw(Array("HTTP/1.1 429 \r\nRetry-After: 99999999999999999999\r\n\r\n".utf8)),
    .raw(Array("HTTP/1.1 503 \r\nRateLimit: \"a\";r=0;t=-9e99, ;;=,;r=0\r\n\r\n".utf8)),
    .raw([UInt8](repeating: 0, count: 100_000)),
  ]

  @Test(arguments: faults)
  func `whatever a server does, the call ends with its kind of error in time`(
    _ fault: LoopbackFault
  ) async throws {
    let loopback = try LoopbackServer { _ in .fault(fault) }
    let server = Server(loopback.baseURL, transport: CurlTransport()) {
      $0.timeouts = HTTPRequest.Timeouts(
        connect: .milliseconds(400), idle: .milliseconds(150), total: .milliseconds(500))
      $0.retry.baseDelay = .milliseconds(1)
      $0.keepsCookies = true
    }
    // The time limit of the suite ends a call that never does.
    let failure = try #require(await server.outcome(Call("/x")).failure)
    switch failure {
    case .connectionLost, .timeout, .tooLarge, .undecodable,
      .protocolViolation, .redirect(.badLocation), .redirect(.noLocation), .status, .rateLimited:
      break
    default: Issue.record("\(failure)")
    }
  }

  @Test(arguments: [true, false])
  @MainActor func `a cancelled call leaves no connection behind`(
    byDropping: Bool
  ) async throws {
    let loopback = try LoopbackServer { _ in .fault(.stall(.bodySent(10))) }
    let server = Server(loopback.baseURL, transport: CurlTransport())
    var api: BaseServerAPI? = BaseServerAPI(server, "/x")
    let completions = AsyncStream<String>.makeStream()
    api?.start { completions.continuation.yield("\($0)") }
    _ = try await loopback.request(at: 0)
    if byDropping {
      api = nil
    } else {
      api?.cancel()
      #expect(api?.state == .cancelled)
      var iterator = completions.stream.makeAsyncIterator()
      #expect(await iterator.next() == "cancelled(ServerAPI.RequestError.CancelReason.byCaller)")
    }
    try await loopback.connectionClosed(0)
    #expect(api?.discardedResults ?? 0 == 0)
  }
}

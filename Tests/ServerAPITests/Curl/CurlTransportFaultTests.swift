#if LIBCURL
  import QuireTesting
  import ServerAPI
  import Testing

  /// Misbehaving servers: every one of them causes a typed error before the deadline.
  @Suite(.timeLimit(.minutes(1))) struct CurlTransportFaultTests {
    let transport = CurlTransport()

    struct Case: Sendable, CustomTestStringConvertible {
      var fault: LoopbackFault
      var timeouts: HTTPRequest.Timeouts
      var isExpected: @Sendable (RequestError.Kind) -> Bool
      var testDescription: String { "\(fault)" }

      /// Only the expected limit is low enough for a busy machine to reach it.
      init(
        _ fault: LoopbackFault, _ isExpected: @escaping @Sendable (RequestError.Kind) -> Bool,
        within timeouts: HTTPRequest.Timeouts = HTTPRequest.Timeouts()
      ) {
        self.fault = fault
        self.timeouts = timeouts
        self.isExpected = isExpected
      }
    }

    static let lost: @Sendable (RequestError.Kind) -> Bool = {
      if case .connectionLost = $0 { true } else { false }
    }
    static let violation: @Sendable (RequestError.Kind) -> Bool = {
      if case .protocolViolation = $0 { true } else { false }
    }
    static let undecodable: @Sendable (RequestError.Kind) -> Bool = {
      if case .undecodable = $0 { true } else { false }
    }

    static let idle = HTTPRequest.Timeouts(idle: .milliseconds(150))
    static let total = HTTPRequest.Timeouts(total: .milliseconds(700))

    static let cases = [
      Case(.close(.accepted), lost), Case(.close(.requestHeadRead), lost),
      Case(.close(.requestRead), lost), Case(.close(.headStarted), lost),
      Case(.close(.headSent), lost), Case(.close(.bodySent(10)), lost),
      Case(.reset(.requestRead), lost), Case(.reset(.headStarted), lost),
      Case(.reset(.bodySent(10)), lost), Case(.halfClose(.requestRead), lost),
      Case(.halfClose(.bodySent(10)), lost),
      Case(.stall(.requestRead), { $0 == .timeout(.idle) }, within: idle),
      Case(.stall(.headStarted), { $0 == .timeout(.idle) }, within: idle),
      Case(.stall(.bodySent(10)), { $0 == .timeout(.idle) }, within: idle),
      Case(.lengthTooLong(by: 5), lost), Case(.conflictingLengths, violation),
      Case(.badChunkSize, violation), Case(.truncatedChunks, lost), Case(.truncatedGzip, undecodable),
      Case(.brokenGzip, undecodable), Case(.garbageStatusLine, violation), Case(.noHead, violation),
      Case(.endlessHeaders, { $0 == .tooLarge(.headerCount, allowed: 256) }),
      Case(.interimStorm, { $0 == .protocolViolation("more than 200 interim responses (1xx)") }),
      Case(.hugeHeader(bytes: 1 << 20), { $0 == .tooLarge(.headerBytes, allowed: 100 << 10) }),
      // Only complete lines of a head count as activity.
      Case(.slowHead(bytes: 1, every: .milliseconds(5)), { $0 == .timeout(.idle) }, within: idle),
      Case(.slowBody(bytes: 1, every: .milliseconds(5)), { $0 == .timeout(.total) }, within: total),
    ]

    @Test(arguments: cases) func `a misbehaving server causes a specific error`(
      _ example: Case
    ) async throws {
      let server = try LoopbackServer { _ in .fault(example.fault) }
      let request = HTTPRequest(.get, try server.url(), timeouts: example.timeouts)
      let kind = try #require(await transport.failure(request), "it succeeded")
      #expect(example.isExpected(kind), "\(kind)")
    }

    @Test func `bytes after the announced end never become part of the next response`() async throws {
      let server = try LoopbackServer()
      server.enqueue(.text("0123456789").failing(.lengthTooShort(by: 5)), .text("next"))
      let first = try await transport.send(HTTPRequest(.get, server.url()))
      #expect(first.body.utf8Text == "01234")
      let second = try await transport.send(HTTPRequest(.get, server.url()))
      #expect(second.body.utf8Text == "next")
    }

    @Test func `a response hidden after the end of another is never used`() async throws {
      let hidden = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged"
      // The head is read before the rest arrives, so that libcurl knows how far to read.
      let gate = try LoopbackGate()
      let server = try LoopbackServer()
      let response = LoopbackResponse.text("first" + hidden)
        .failing(.lengthTooShort(by: hidden.utf8.count)).held(by: gate, at: .headSent)
      server.enqueue(response, .text("second"))
      let url = try server.url()
      let task = Task.immediate { [transport] in try await transport.send(HTTPRequest(.get, url)) }
      await gate.reached()
      gate.open()
      #expect(try await task.value.body.utf8Text == "first")
      #expect(try await transport.send(HTTPRequest(.get, url)).body.utf8Text == "second")
    }

    @Test(arguments: [HTTPMethod.get, .post])
    func `a response that arrives after the end of another is never used`(
      method: HTTPMethod
    ) async throws {
      let hidden = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged"
      let (end, sent) = (try LoopbackGate(), try LoopbackGate())
      let server = try LoopbackServer()
      let response = LoopbackResponse.text("first" + hidden)
        .failing(.lengthTooShort(by: hidden.utf8.count))
        .held(by: end, at: .bodySent(5)).held(by: sent, at: .responseSent)
      server.enqueue(response, .text("second"), .text("third"))
      let url = try server.url()
      #expect(try await transport.send(HTTPRequest(.get, url)).body.utf8Text == "first")
      end.open()
      await sent.reached()
      for text in ["second", "third"] {
        #expect(try await transport.send(HTTPRequest(method, url)).body.utf8Text == text)
      }
      #expect(server.acceptedConnections == 2)
    }

    @Test func `a success before the end of the upload is not believed`() async throws {
      let server = try LoopbackServer()
      server.enqueue(.text("done").early(), .text("next"))
      let body = RequestBody.bytes([UInt8](repeating: 0, count: 8 << 20))
      let kind = await transport.failure(HTTPRequest(.post, try server.url(), body: body))
      #expect(
        kind == .protocolViolation("the response was complete before the request was sent"))
      #expect(try await transport.send(HTTPRequest(.get, server.url())).body.utf8Text == "next")
    }

    @Test func `a refused connection, a silent port and an unknown name are different errors`()
      async throws
    {
      let refusing = try LoopbackDeadEnd.refusing()
      #expect(
        await transport.failure(HTTPRequest(.get, try WebURL(refusing.baseURL))) == .connectRefused)
      let silent = try LoopbackDeadEnd.silent()
      #expect(
        await transport.failure(
          HTTPRequest(
            .get, try WebURL(silent.baseURL),
            timeouts: HTTPRequest.Timeouts(connect: .milliseconds(100))))
          == .timeout(.connect))
      #expect(
        await transport.failure(HTTPRequest(.get, try WebURL("http://does-not-exist.invalid/")))
          == (NetworkRoute.exists() ? .nameNotResolved(host: "does-not-exist.invalid") : .offline))
    }

    @Test func `a host without a route is named, and means offline only without any route`()
      async throws
    {
      // No connection can be made to the address of all hosts.
      let url = try WebURL("http://255.255.255.255/")
      #expect(await transport.failure(HTTPRequest(.get, url)) == .unreachable(url.host))
    }

    @Test func `a timeout while connecting names the exceeded limit`() async throws {
      let silent = try LoopbackDeadEnd.silent()
      let mute = try LoopbackServer()
      mute.enqueue([LoopbackResponse](repeating: .fault(.stall(.accepted)), count: 2))
      let handshake = try WebURL("https://127.0.0.1:\(mute.port)/")
      let connect = HTTPRequest.Timeouts(connect: .milliseconds(60), idle: .milliseconds(20))
      let total = HTTPRequest.Timeouts(idle: .milliseconds(20), total: .milliseconds(60))
      // The handshake is part of connecting, for which there is no idle limit.
      let phases = [
        (try WebURL(silent.baseURL), RequestError.Phase.connect), (handshake, .handshake),
      ]
      for (url, phase) in phases {
        let first = await transport.failure(HTTPRequest(.get, url, timeouts: connect))
        #expect(first == .timeout(phase))
        let second = await transport.failure(HTTPRequest(.get, url, timeouts: total))
        #expect(second == .timeout(.total))
      }
    }

    @Test func `an idle connection closed by the server is reported as lost without a byte`()
      async throws
    {
      let server = try LoopbackServer()
      server.enqueue(.text("one").failing(.reset(.reused)), .text("two"))
      _ = try await transport.send(HTTPRequest(.get, server.url()))
      #expect(
        await transport.failure(HTTPRequest(.post, try server.url(), body: .text("once")))
          == .connectionLost(bytesReceived: 0, reused: true))
      // The next one requires a new connection and succeeds.
      let fresh = HTTPRequest(.get, try server.url()).with { $0.wantsFreshConnection = true }
      #expect(try await transport.send(fresh).body.utf8Text == "two")
      // Nothing was sent twice.
      #expect(server.requests.map(\.method) == ["GET", "GET"])
    }

    @Test func `a request that waits longer for a connection than it has time ends in the queue`()
      async throws
    {
      let gate = try LoopbackGate()
      let server = try LoopbackServer { _ in .text("").held(by: gate) }
      let transport = CurlTransport { $0.connectionsPerHost = 1 }
      let url = try server.url()
      async let held = transport.send(HTTPRequest(.get, url))
      await gate.reached()
      let late = HTTPRequest(.get, url, timeouts: HTTPRequest.Timeouts(total: .milliseconds(50)))
      #expect(await transport.failure(late) == .timeout(.queue))
      gate.open()
      _ = try await held
    }
  }
#endif

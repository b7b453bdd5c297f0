#if LIBCURL
  import QuireTesting
  import ServerAPI
  import TestSupport
  import Testing

  /// HTTP/2 over TLS: one connection for many callers.
  @Suite(.timeLimit(.minutes(1)), .enabled(if: TLSSupport.isAvailable, "needs the openssl command"))
  struct CurlTransportHTTP2Tests {
    let authority: CertificateAuthority

    init() throws { authority = try CertificateAuthority.shared() }

    func transport(
      _ change: (inout CurlTransport.Configuration) -> Void = { _ in }
    ) -> CurlTransport {
      CurlTransport {
        $0.authorities = .file(authority.certificatePath)
        change(&$0)
      }
    }

    func server(
      _ change: (inout LoopbackH2Server.Behavior) -> Void = { _ in }
    ) throws -> LoopbackH2Server {
      var behavior = LoopbackH2Server.Behavior()
      change(&behavior)
      return try LoopbackH2Server(tls: authority.identity(.valid), behavior)
    }

    /// The kinds of error of `count` concurrent calls; `nil` for each that succeeded.
    func burst(
      _ count: Int, _ request: HTTPRequest, over transport: CurlTransport
    ) async -> [RequestError.Kind?] {
      await withTaskGroup(of: RequestError.Kind?.self) { group in
        for _ in 0..<count { group.addTask { await transport.failure(request) } }
        return await group.reduce(into: []) { $0.append($1) }
      }
    }

    @Test func `bodies are sent and received over HTTP 2, and the protocol is reported`() async throws {
      let server = try server()
      let transport = transport()
      for index in 0..<3 {
        let request = HTTPRequest(
          .post, try WebURL(server.baseURL), body: .bytes([UInt8](repeating: 1, count: 200_000)))
        let response = try await transport.send(request)
        #expect(response.body.utf8Text == "ok")
        #expect(response.timings.httpVersion == "HTTP/2")
        #expect(response.timings.sentBytes == 200_000)
        #expect(response.timings.reused == (index > 0))
      }
      #expect(server.acceptedConnections == 1)
    }

    @Test func `many callers share one connection, even in a first burst`() async throws {
      let server = try server()
      let request = HTTPRequest(.get, try WebURL(server.baseURL))
      #expect(await burst(200, request, over: transport()).allSatisfy { $0 == nil })
      #expect(server.acceptedConnections == 1)
      #expect(server.streams.count == 200)
    }

    @Test func `streams of a known host are concurrent, up to their limit`() async throws {
      // The server responds only after forty requests; the probes of the first burst end earlier.
      let server = try server { $0.respondsFrom = 1 }
      let transport = transport { $0.streamsPerHost = 40 }
      let request = HTTPRequest(.get, try WebURL(server.baseURL))
      _ = try await transport.send(request)
      #expect(await burst(120, request, over: transport).allSatisfy { $0 == nil })
      #expect(server.acceptedConnections == 1)
    }

    @Test func `a burst completes even if the server waits for eight requests`()
      async throws
    {
      let server = try server { $0.respondsFrom = 8 }
      let request = HTTPRequest(.get, try WebURL(server.baseURL))
      #expect(await burst(30, request, over: transport()).allSatisfy { $0 == nil })
      #expect(server.mostStreamsAtOnce >= 8)
      #expect(server.acceptedConnections == 1)
    }

    @Test func `a server that allows few streams gets no more at once`() async throws {
      let server = try server { $0.maximumStreams = 3 }
      let request = HTTPRequest(.get, try WebURL(server.baseURL))
      #expect(await burst(60, request, over: transport()).allSatisfy { $0 == nil })
      #expect(server.mostStreamsAtOnce <= 3)
    }

    @Test func `a refused stream is lost without a byte, so that it can be retried`() async throws {
      let server = try server { $0.refusedStreams = 1 }
      let transport = transport()
      let request = HTTPRequest(.post, try WebURL(server.baseURL), body: .text("once"))
      #expect(
        await transport.failure(request) == .connectionLost(bytesReceived: 0, reused: true))
      #expect(await transport.failure(request.with { $0.wantsFreshConnection = true }) != nil)
      #expect(server.streams.count == 2)
    }

    @Test func `after GOAWAY, calls complete or are lost without a byte`()
      async throws
    {
      let server = try server { $0.goAwayAfter = 3 }
      let transport = transport()
      let request = HTTPRequest(.get, try WebURL(server.baseURL))
      for _ in 0..<9 {
        switch await transport.failure(request) {
        case nil, .connectionLost(bytesReceived: 0, reused: _): break
        case let kind: Issue.record("\(String(describing: kind))")
        }
      }
      #expect(server.acceptedConnections >= 2)
    }

    @Test func `HTTP 2 that is turned off is not used`() async throws {
      let server = try server()
      let transport = transport { $0.offersHTTP2 = false }
      // This server only supports HTTP/2.
      let kind = await transport.failure(HTTPRequest(.get, try WebURL(server.baseURL)))
      #expect(kind != nil)
      #expect(server.streams.isEmpty)
      let plain = try LoopbackServer(tls: authority.identity(.valid)) { _ in .text("x") }
      let response = try await transport.send(HTTPRequest(.get, plain.url()))
      #expect(response.timings.httpVersion == "HTTP/1.1")
    }
  }
#endif

#if LIBCURL
  import QuireTesting
  import ServerAPI
  import TestSupport
  import Testing

  /// The first calls to an origin, before anything is known about its protocol.
  @Suite(.timeLimit(.minutes(1))) struct CurlTransportFirstCallsTests {
    /// Sends eight first calls to a server that responds only after all of them have arrived.
    private func errors(
      of server: LoopbackServer, _ gate: LoopbackGate, _ transport: CurlTransport
    ) async throws -> [RequestError.Kind] {
      let request = HTTPRequest(.get, try server.url()).with { $0.timeouts.total = .seconds(15) }
      let calls = (0..<8).map { _ in Task { await transport.failure(request) } }
      let opener = Task {
        await gate.reached(8)
        gate.open()
      }
      defer { opener.cancel() }
      var errors: [RequestError.Kind] = []
      for call in calls { if let error = await call.value { errors.append(error) } }
      return errors
    }

    @Test func `eight slow first calls over http run side by side`() async throws {
      let gate = try LoopbackGate()
      let server = try LoopbackServer { _ in .text("late").held(by: gate) }
      let transport = CurlTransport { $0.connectionsPerHost = 8 }
      #expect(try await errors(of: server, gate, transport).isEmpty)
    }

    @Test(.enabled(if: TLSSupport.isAvailable, "needs the openssl command"))
    func `eight slow first calls over https run side by side`() async throws {
      let authority = try CertificateAuthority.shared()
      let gate = try LoopbackGate()
      let server = try LoopbackServer(tls: authority.identity()) { _ in .text("late").held(by: gate) }
      let transport = CurlTransport {
        $0.connectionsPerHost = 8
        $0.authorities = .file(authority.certificatePath)
      }
      #expect(try await errors(of: server, gate, transport).isEmpty)
    }

    @Test func `a response that does not come delays no other first call`() async throws {
      let gate = try LoopbackGate()
      let server = try LoopbackServer { request in
        request.path == "/events" ? .text("late").held(by: gate) : .text("ok")
      }
      let transport = CurlTransport()
      let events = HTTPRequest(.get, try server.url("/events"))
      let poll = Task { await transport.failure(events) }
      await gate.reached()
      let request = HTTPRequest(.get, try server.url()).with { $0.timeouts.total = .seconds(15) }
      #expect(await transport.failure(request) == nil)
      gate.open()
      #expect(await poll.value == nil)
    }
  }
#endif

#if LIBCURL
  import CStalledResolver
  import Foundation
  import QuireTesting
  import ServerAPI
  import Support
  import Testing

  /// Cancelling in every phase: at once, exactly once, whatever libcurl does.
  @Suite(.timeLimit(.minutes(2)), .serialized) struct CurlTransportCancelRaceTests {
    let transport = CurlTransport()

    /// Cancels `task` and returns its error. In these tests nothing else ends it, so one that ignores it
    /// runs into the time limit of the suite.
    func cancel(_ task: Task<HTTPResponse, any Error>) async -> RequestError.Kind? {
      task.cancel()
      guard case .failure(let error as RequestError) = await task.result else { return nil }
      return error.kind
    }

    func start(_ request: HTTPRequest) -> Task<HTTPResponse, any Error> {
      Task.immediate { [transport] in try await transport.send(request) }
    }

    @Test func `a request cancelled before it is sent never reaches the server`() async throws {
      let server = try LoopbackServer { _ in .text("x") }
      let url = try server.url()
      let task = Task { [transport] in
        withUnsafeCurrentTask { $0?.cancel() }
        return try await transport.send(HTTPRequest(.get, url))
      }
      #expect(await cancel(task) == .cancelled(.byCaller))
      #expect(server.requestCount == 0)
    }

    @Test func `a hanging name lookup delays neither a cancel nor other requests`() async throws {
      let server = try LoopbackServer { _ in .text("x") }
      let stalled = stalled_resolver_count()
      let task = start(HTTPRequest(.get, try WebURL("http://host.stalled.test/")))
      await blocking { stalled_resolver_wait_for(stalled + 1) }
      #expect(await cancel(task) == .cancelled(.byCaller))
      let other = try await transport.send(HTTPRequest(.get, server.url()))
      #expect(other.status == 200)
      stalled_resolver_release()
    }

    @Test func `a hanging name lookup is abandoned when connecting times out`() async throws {
      let request = HTTPRequest(
        .get, try WebURL("http://slow.stalled.test/"),
        timeouts: HTTPRequest.Timeouts(connect: .milliseconds(80)))
      #expect(await transport.failure(request) == .timeout(.resolve))
      stalled_resolver_release()
    }

    @Test func `connecting can be cancelled`() async throws {
      let silent = try LoopbackDeadEnd.silent()
      let task = start(HTTPRequest(.get, try WebURL(silent.baseURL)))
      #expect(await cancel(task) == .cancelled(.byCaller))
    }

    @Test(arguments: [LoopbackMoment.requestRead, .headStarted, .headSent, .bodySent(100)])
    func `a hanging response can be cancelled at any point, and the connection is closed`(
      moment: LoopbackMoment
    ) async throws {
      let gate = try LoopbackGate()
      let server = try LoopbackServer { _ in .filler(count: 1_000).held(by: gate, at: moment) }
      let task = start(HTTPRequest(.get, try server.url()))
      await gate.reached()
      #expect(await cancel(task) == .cancelled(.byCaller))
      try await server.connectionClosed(0)
    }

    @Test func `a request waiting for a connection can be cancelled`() async throws {
      let gate = try LoopbackGate()
      let server = try LoopbackServer { _ in .text("x").held(by: gate) }
      let transport = CurlTransport { $0.connectionsPerHost = 1 }
      let url = try server.url()
      let first = Task.immediate { try await transport.send(HTTPRequest(.get, url)) }
      await gate.reached()
      let second = Task.immediate { try await transport.send(HTTPRequest(.get, url)) }
      #expect(await cancel(second) == .cancelled(.byCaller))
      gate.open()
      #expect(try await first.value.status == 200)
      #expect(server.requestCount == 1)
    }

    @Test func `an upload can be cancelled halfway`() async throws {
      let gate = try LoopbackGate()
      let server = try LoopbackServer { _ in
        .text("x").held(by: gate, at: .requestHeadRead)
      }
      let body = RequestBody.bytes([UInt8](repeating: 0, count: 64 << 20))
      let task = start(HTTPRequest(.post, try server.url(), body: body))
      await gate.reached()
      #expect(await cancel(task) == .cancelled(.byCaller))
    }

    @Test func `a paused stream can be cancelled while its receiver is busy`() async throws {
      let server = try LoopbackServer { _ in .filler(count: 64 << 20) }
      let gate = Gate()
      let request = HTTPRequest(.get, try server.url(), limits: .unlimitedBody).with {
        $0.receiver = { _ in try await gate.pass() }
      }
      let task = start(request)
      await gate.reached()
      #expect(await cancel(task) == .cancelled(.byCaller))
      try await server.connectionClosed(0)
    }

    @Test(arguments: [
      LoopbackMoment?.none, .requestHeadRead, .requestRead, .headStarted, .bodySent(100),
    ])
    func `a hundred calls can be cancelled one after another in each phase`(
      moment: LoopbackMoment?
    ) async throws {
      let gate = try LoopbackGate()
      let server = try LoopbackServer { _ in
        .filler(count: 1_000).held(by: gate, at: moment ?? .requestRead)
      }
      let silent = try LoopbackDeadEnd.silent()
      // Without a moment, the connection is never established.
      let request = HTTPRequest(.post, try moment == nil ? WebURL(silent.baseURL) : server.url())
        .with { $0.body = .bytes([UInt8](repeating: 0, count: 1_000)) }
      for number in 1...100 {
        let task = start(request)
        if moment != nil { await gate.reached(number) }
        #expect(await cancel(task) == .cancelled(.byCaller))
      }
    }
  }

  /// Runs something that blocks a thread, outside of the pool of tasks.
  func blocking(_ work: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        work()
        continuation.resume()
      }
    }
  }
#endif

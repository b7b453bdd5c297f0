#if LIBCURL
  import Foundation
  import QuireTesting
  import Testing

  @testable import ServerAPI

  /// The thread of a transport: when it exists, and what it does when idle.
  @Suite(.timeLimit(.minutes(1)), .serialized) struct CurlTransportLifetimeTests {
    @Test func `a transport that was never used has no thread`() async throws {
      let loop = CurlLoop(CurlTransport.Configuration())
      #expect(!loop.hasThread)
      _ = CurlTransport()
      #expect(!CurlTransport().hasThread)
    }

    @Test func `the thread ends when the last reference to its transport is released`() async throws {
      let server = try LoopbackServer { _ in .text("x") }
      weak var loop: CurlLoop?
      do {
        let transport = CurlTransport()
        _ = try await transport.send(HTTPRequest(.get, server.url()))
        #expect(transport.hasThread)
        loop = transport.loop
      }
      try await server.connectionClosed(0)
      await blocking { [loop] in
        withExtendedLifetime(loop) { while loop?.hasThread == true { sched_yield() } }
      }
      #expect(loop?.hasThread != true)
    }

    @Test func `the thread and its connections end when unused, and start again`()
      async throws
    {
      let server = try LoopbackServer { _ in .text("x") }
      let transport = CurlTransport { $0.idleLifetime = .milliseconds(20) }
      _ = try await transport.send(HTTPRequest(.get, server.url()))
      try await server.connectionClosed(0)
      await blocking { while transport.hasThread { sched_yield() } }
      #expect(try await transport.send(HTTPRequest(.get, server.url())).status == 200)
      #expect(server.acceptedConnections == 2)
    }

    @Test func `a transport released during a request completes it`()
      async throws
    {
      let gate = try LoopbackGate()
      let server = try LoopbackServer { _ in .text("x").held(by: gate) }
      let url = try server.url()
      let task = Task.immediate { try await CurlTransport().send(HTTPRequest(.get, url)) }
      await gate.reached()
      gate.open()
      #expect(try await task.value.status == 200)
    }

    @Test func `a child of fork gets an error instead of its parent's connections`() async throws {
      let server = try LoopbackServer { _ in .text("x") }
      let transport = CurlTransport()
      _ = try await transport.send(HTTPRequest(.get, server.url()))
      let symbol = try #require(dlsym(nil, "fork"))
      let fork = unsafeBitCast(symbol, to: (@convention(c) () -> Int32).self)
      let child = fork()
      if child == 0 { _exit(transport.isForked ? 42 : 1) }
      var status: Int32 = 0
      waitpid(child, &status, 0)
      #expect((status >> 8) & 0xFF == 42)
      #expect(try await transport.send(HTTPRequest(.get, server.url())).status == 200)
    }

    @Test func `a child of fork releases its parent's transport, whatever the parent was doing`()
      async throws
    {
      let server = try LoopbackServer { _ in .text("x") }
      var transport: CurlTransport? = CurlTransport()
      _ = try await transport?.send(HTTPRequest(.get, server.url()))
      let loop = try #require(transport?.loop)
      weak let observed = transport
      let symbol = try #require(dlsym(nil, "fork"))
      let fork = unsafeBitCast(symbol, to: (@convention(c) () -> Int32).self)
      // As if another thread of the parent were enqueuing a command.
      pthread_mutex_lock(loop.queue.lock)
      let child = fork()
      if child == 0 {
        // Ends a child that waits for a lock that is never released. Threads of tasks have signals
        // blocked.
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
        alarm(20)
        transport = nil
        loop.send(.cancel(CurlTransfer(HTTPRequest(.get, try server.url()), now: 0)))
        _exit(observed == nil ? 42 : 1)
      }
      pthread_mutex_unlock(loop.queue.lock)
      var status: Int32 = 0
      waitpid(child, &status, 0)
      #expect(status == 42 << 8)
      #expect(try await transport?.send(HTTPRequest(.get, server.url())).status == 200)
    }

    @Test func `a task on the thread of a transport sends its requests from there`() async throws {
      let server = try LoopbackServer { _ in .text("x") }
      let transport = CurlTransport { $0.idleLifetime = .milliseconds(20) }
      let url = try server.url()
      let task = Task(executorPreference: transport.executor) { @concurrent in
        var threads: Set<UInt> = []
        for _ in 0..<20 {
          threads.insert(UInt(bitPattern: Int(pthread_self())))
          let response = try await transport.send(HTTPRequest(.get, url))
          #expect(response.status == 200)
          // Other tasks run there, too.
          await Task.yield()
        }
        return threads.count
      }
      #expect(try await task.value == 1)
      // The thread ends when it is unused, and starts again for a task.
      await blocking { while transport.hasThread { sched_yield() } }
      #expect(await Task(executorPreference: transport.executor) { transport.hasThread }.value)
    }

    @Test func `a task outlives the transport on whose thread it runs`() async throws {
      let gate = AsyncStream.makeStream(of: Void.self)
      var transport: CurlTransport? = CurlTransport()
      let task = Task(executorPreference: transport?.executor) { @concurrent in
        for await _ in gate.stream {}
        await Task.yield()
        return 1
      }
      weak let loop = transport?.loop
      transport = nil
      await blocking { [loop] in
        withExtendedLifetime(loop) { while loop?.hasThread == true { sched_yield() } }
      }
      gate.continuation.finish()
      #expect(await task.value == 1)
      #expect(loop?.hasThread != true)
    }

    @Test func `a connection that breaks during a write does not kill the process`()
      async throws
    {
      let server = try LoopbackServer { _ in .fault(.reset(.requestHeadRead)) }
      let transport = CurlTransport()
      let body = RequestBody.bytes([UInt8](repeating: 0, count: 8 << 20))
      for _ in 0..<5 {
        #expect(await transport.failure(HTTPRequest(.post, try server.url(), body: body)) != nil)
      }
    }

    @Test func `contradictory settings are reported before anything is sent`() async throws {
      let transport = CurlTransport {
        $0.unixSocket = "/tmp/socket"
        $0.proxy = .environment
      }
      #expect(
        await transport.failure(HTTPRequest(.get, try WebURL("http://127.0.0.1:1/")))
          == .invalidRequest(
            .init(
              .configuration,
              "unixSocket and proxy are both set; a Unix socket needs no proxy")))
    }
  }
#endif

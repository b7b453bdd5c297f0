#if LIBCURL
  import QuireTesting
  import ServerAPI
  import Testing

  /// The order of waiting calls.
  @Suite(.timeLimit(.minutes(1))) struct CurlTransportQueueTests {
    @Test func `a hanging host does not delay a call to another one`() async throws {
      let gate = try LoopbackGate()
      let stuck = try LoopbackServer { _ in .text("").held(by: gate) }
      let other = try LoopbackServer { _ in .text("x") }
      let transport = CurlTransport { $0.connectionsPerHost = 1 }
      let (stuckURL, otherURL) = (try stuck.url(), try other.url())
      let held = (0..<3).map { _ in
        Task.immediate { try await transport.send(HTTPRequest(.get, stuckURL)) }
      }
      await gate.reached()
      let timeouts = HTTPRequest.Timeouts(total: .seconds(50))
      for _ in 0..<3 {
        let response = try await transport.send(HTTPRequest(.get, otherURL, timeouts: timeouts))
        #expect(response.body.utf8Text == "x")
      }
      gate.open()
      for task in held { _ = try await task.value }
    }

    @Test func `a priority changed before the call is used`() async throws {
      let gate = try LoopbackGate()
      let server = try LoopbackServer { request in
        request.path == "/held" ? .text("").held(by: gate) : .text("")
      }
      let transport = CurlTransport { $0.connectionsPerHost = 1 }
      let base = try server.url()
      func send(_ path: String, _ handle: HTTPRequest.Priority.Handle?) throws -> Task<
        HTTPResponse, any Error
      > {
        let request = HTTPRequest(.get, try base.resolving(path)).with { $0.priorityHandle = handle }
        return Task.immediate { try await transport.send(request) }
      }
      let handle = HTTPRequest.Priority.Handle(.normal)
      handle.set(.visible)
      var tasks = [try send("/held", nil)]
      await gate.reached()
      tasks.append(try send("/first", nil))
      tasks.append(try send("/second", handle))
      gate.open()
      for task in tasks { _ = try await task.value }
      #expect(server.requests.map(\.path) == ["/held", "/second", "/first"])
    }

    @Test func `a handle changes the priority of all requests that have it`() async throws {
      let gates = [try LoopbackGate(), try LoopbackGate()]
      let server = try LoopbackServer { request in
        switch request.path {
        case "/held": .text("").held(by: gates[0])
        case "/b": .text("").held(by: gates[1])
        default: .text("")
        }
      }
      let transport = CurlTransport { $0.connectionsPerHost = 1 }
      let base = try server.url()
      let handle = HTTPRequest.Priority.Handle(.prefetch)
      func send(_ path: String, _ handle: HTTPRequest.Priority.Handle? = nil) throws
        -> Task<HTTPResponse, any Error>
      {
        let request = HTTPRequest(.get, try base.resolving(path)).with { $0.priorityHandle = handle }
        return Task.immediate { try await transport.send(request) }
      }
      var tasks = [try send("/held")]
      await gates[0].reached()
      tasks += [try send("/a"), try send("/b", handle), try send("/c", handle)]
      tasks.append(try send("/d", handle))
      handle.set(.visible)
      gates[0].open()
      await gates[1].reached()
      handle.set(.prefetch)
      gates[1].open()
      for task in tasks { _ = try await task.value }
      #expect(server.requests.map(\.path) == ["/held", "/b", "/a", "/c", "/d"])
    }
  }
#endif

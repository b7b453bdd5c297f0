#if LIBCURL
  import QuireTesting
  import ServerAPI
  import Testing

  @Suite(.timeLimit(.minutes(1))) struct CurlTransportTests {
    let transport = CurlTransport()

    @Test func `a page arrives unchanged, with zero padding for a parser`()
      async throws
    {
      let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      let server = try LoopbackServer { _ in .bytes(bytes) }
      let response = try await transport.send(HTTPRequest(.get, server.url("/a?b=c")))
      #expect(response.status == 200)
      #expect(response.body == ResponseBody(bytes))
      response.body.withUnsafeBytes { body in
        let padding = UnsafeRawBufferPointer(
          start: body.baseAddress.map { $0 + body.count }, count: ResponseBody.padding)
        #expect(padding.allSatisfy { $0 == 0 })
      }
      #expect(try await server.request(at: 0).target == "/a?b=c")
    }

    @Test func `requests one after another share a connection`() async throws {
      let server = try LoopbackServer { _ in .text("x") }
      for index in 0..<20 {
        let response = try await transport.send(HTTPRequest(.get, server.url()))
        #expect(response.timings.reused == (index > 0))
        #expect(response.timings.httpVersion == "HTTP/1.1")
      }
      #expect(server.acceptedConnections == 1)
    }

    @Test func `only what the request contains is sent`() async throws {
      let server = try LoopbackServer { _ in .text("") }
      let headers: HTTPHeaders = ["X-One": "1", "x-one": "2", "X-Empty": "", "Accept": "a/b"]
      _ = try await transport.send(HTTPRequest(.get, server.url("/p"), headers: headers))
      let request = try await server.request(at: 0)
      #expect(
        String(decoding: request.head, as: UTF8.self) == """
          GET /p HTTP/1.1\r
          Host: 127.0.0.1:\(server.port)\r
          X-One: 1\r
          x-one: 2\r
          X-Empty:\r
          Accept: a/b\r
          Accept-Encoding: gzip, deflate\r
          \r\n
          """)
    }

    @Test func `a header of one request is not sent with the next on the same handle`() async throws {
      let server = try LoopbackServer { _ in .text("") }
      let body = RequestBody.text("secret")
      _ = try await transport.send(
        HTTPRequest(.put, server.url(), headers: ["Authorization": "Bearer a"], body: body))
      _ = try await transport.send(HTTPRequest(.get, server.url()))
      _ = try await transport.send(HTTPRequest(.head, server.url()))
      _ = try await transport.send(HTTPRequest(.delete, server.url()))
      for (index, method) in ["PUT", "GET", "HEAD", "DELETE"].enumerated() {
        let request = try await server.request(at: index)
        #expect(request.method == method)
        #expect((request.header("Authorization") != nil) == (index == 0))
        #expect(request.body.isEmpty == (index > 0))
        #expect(request.header("Content-Length") == (index == 0 ? "6" : nil))
      }
      #expect(server.acceptedConnections == 1)
    }

    @Test(arguments: [HTTPMethod.post, .put, .patch, .query, HTTPMethod(rawValue: "REPORT")])
    func `a body is sent with any method and without Expect`(method: HTTPMethod)
      async throws
    {
      let server = try LoopbackServer { _ in .status(204) }
      let bytes = [UInt8](repeating: 7, count: 2_000_000)
      let response = try await transport.send(
        HTTPRequest(method, server.url(), body: .bytes(bytes, contentType: "x/y")))
      #expect(response.status == 204)
      #expect(response.timings.sentBytes == bytes.count)
      let request = try await server.request(at: 0)
      #expect(request.method == method.rawValue)
      #expect(request.body == bytes)
      #expect(request.header("Expect") == nil)
    }

    @Test func `a POST without a body has Content-Length 0`() async throws {
      let server = try LoopbackServer { _ in .status(204) }
      _ = try await transport.send(HTTPRequest(.post, server.url()))
      #expect(try await server.request(at: 0).header("Content-Length") == "0")
    }

    @Test func `an error status and a redirect are responses`() async throws {
      let server = try LoopbackServer()
      server.enqueue(.status(404), .redirect(to: "/elsewhere"), .status(500))
      for status in [404, 302, 500] {
        #expect(try await transport.send(HTTPRequest(.get, server.url())).status == status)
      }
      #expect(server.requestCount == 3)
    }

    @Test func `interim responses are skipped`() async throws {
      let server = try LoopbackServer()
      server.enqueue(.text("end").after(100).after(103, [.init("Link", "</a>")]))
      let response = try await transport.send(HTTPRequest(.get, server.url()))
      #expect(response.status == 200)
      #expect(response.headers["Link"] == nil)
      #expect(response.body.utf8Text == "end")
    }

    @Test func `compressed and chunked bodies arrive decoded`() async throws {
      let text = String(repeating: "quire ", count: 50_000)
      let server = try LoopbackServer()
      server.enqueue(.text(text).gzipped(), .text(text).chunked(of: 777), .text(text).untilClose())
      for _ in 0..<3 {
        let response = try await transport.send(HTTPRequest(.get, server.url()))
        #expect(response.body.utf8Text == text)
        #expect(response.timings.decodedBytes == text.utf8.count)
      }
    }

    @Test func `a caller that requests a coding gets the body in that coding`() async throws {
      let server = try LoopbackServer { _ in .text("abc").gzipped() }
      let response = try await transport.send(
        HTTPRequest(.get, server.url(), headers: ["Accept-Encoding": "gzip"]))
      #expect(response.headers["Content-Encoding"] == "gzip")
      #expect(response.body.withUnsafeBytes { Array($0.prefix(2)) } == [0x1F, 0x8B])
    }

    @Test func `a thousand callers of one host are all served`() async throws {
      let server = try LoopbackServer { request in .text(request.path) }
      let url = try server.url()
      let successes = try await withThrowingTaskGroup(of: Bool.self) { group in
        for index in 0..<1_000 {
          group.addTask {
            let response = try await transport.send(HTTPRequest(.get, url.resolving("/\(index)")))
            return response.body.utf8Text == "/\(index)"
          }
        }
        return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      #expect(successes == 1_000)
      #expect(server.acceptedConnections <= 8)
    }

    @Test func `a first burst does not exceed the connection limit`() async throws {
      let server = try LoopbackServer { _ in .text("x") }
      let transport = CurlTransport { $0.connectionsPerHost = 2 }
      let url = try server.url()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<50 { group.addTask { _ = try await transport.send(HTTPRequest(.get, url)) } }
        try await group.waitForAll()
      }
      #expect(server.acceptedConnections <= 2)
    }

    @Test func `a visible request overtakes waiting ones`() async throws {
      let gate = try LoopbackGate()
      let server = try LoopbackServer { request in
        request.path == "/held" ? .text("").held(by: gate) : .text("")
      }
      let transport = CurlTransport { $0.connectionsPerHost = 1 }
      let handle = HTTPRequest.Priority.Handle(.prefetch)
      let base = try server.url()
      // An immediate task runs until the transport has enqueued its request.
      func send(
        _ path: String, priority: HTTPRequest.Priority = .normal,
        _ handle: HTTPRequest.Priority.Handle? = nil
      ) throws
        -> Task<HTTPResponse, any Error>
      {
        let request = HTTPRequest(.get, try base.resolving(path), priority: priority)
          .with { $0.priorityHandle = handle }
        return Task.immediate { try await transport.send(request) }
      }
      let held = try send("/held")
      await gate.reached()
      let first = try send("/first")
      let second = try send("/second", priority: .prefetch, handle)
      handle.set(.visible)
      gate.open()
      for task in [held, first, second] { _ = try await task.value }
      #expect(server.requests.map(\.path) == ["/held", "/second", "/first"])
    }

    @Test func `timings add up to the total`() async throws {
      let server = try LoopbackServer { _ in .text(String(repeating: "x", count: 100_000)) }
      for _ in 0..<2 {
        let timings = try await transport.send(HTTPRequest(.get, server.url())).timings
        let phases = [
          timings.queue, timings.dns, timings.connect, timings.tls, timings.send, timings.wait,
          timings.receive,
        ]
        #expect(phases.allSatisfy { $0 >= .zero })
        let sum = phases.reduce(.zero, +)
        #expect(sum <= timings.total + .milliseconds(1))
        #expect(timings.wait > .zero)
        #expect(timings.wireBytes == 100_000)
      }
    }
  }
#endif

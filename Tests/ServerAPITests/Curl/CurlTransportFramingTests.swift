#if LIBCURL
  import Foundation
  import QuireTesting
  import ServerAPI
  import Testing

  /// Where messages start and end, for every method and status with its own rule.
  @Suite(.timeLimit(.minutes(1))) struct CurlTransportFramingTests {
    let transport = CurlTransport()

    func raw(_ text: String) throws -> LoopbackServer {
      try LoopbackServer { _ in .fault(.raw(Array(text.utf8))) }
    }

    @Test(arguments: [HTTPMethod.head, .get, .delete, .post])
    func `an upload leaves nothing on the handle for the next request`(
      method: HTTPMethod
    ) async throws {
      let server = try LoopbackServer { _ in .text("x") }
      _ = try await transport.send(HTTPRequest(.put, server.url(), body: .text("secret")))
      _ = try await transport.send(HTTPRequest(.head, server.url()))
      _ = try await transport.send(HTTPRequest(.put, server.url(), body: .text("secret")))
      let response = try await transport.send(HTTPRequest(method, server.url()))
      #expect(response.body.count == (method == .head ? 0 : 1))
      let last = try await server.request(at: 3)
      #expect(last.method == method.rawValue)
      #expect(last.header("Content-Length") == (method == .post ? "0" : nil))
      #expect(server.acceptedConnections == 1)
    }

    @Test func `a method is sent unchanged, with or without a body`() async throws {
      let server = try LoopbackServer { _ in .text("x") }
      _ = try await transport.send(HTTPRequest(.get, server.url(), body: .text("a")))
      let request = try await server.request(at: 0)
      #expect(request.method == "GET")
      #expect(request.text == "a")
    }

    @Test func `a blank field is sent without a value instead of being left out`() async throws {
      let server = try LoopbackServer { _ in .text("x") }
      _ = try await transport.send(
        HTTPRequest(.get, server.url(), headers: ["X-A": " ", "X-B": "", "X-C": "\t"]))
      let request = try await server.request(at: 0)
      for name in ["X-A", "X-B", "X-C"] { #expect(request.header(name) == "") }
    }

    @Test(arguments: [
      "HTTP/1.1 103 Early Hints\r\n\r\n", "HTTP/1.1 100 Continue\r\nA: b\r\n\r\n",
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\n\r\nbytes",
    ])
    func `an interim response alone is not a response`(text: String) async throws {
      let server = try raw(text)
      let kind = await transport.failure(HTTPRequest(.get, try server.url()))
      switch kind {
      case .connectionLost, .protocolViolation: break
      default: Issue.record("\(String(describing: kind))")
      }
    }

    @Test(arguments: [
      "Content-Length: 5\r\nTransfer-Encoding: chunked",
      "Transfer-Encoding: chunked\r\nContent-Length: 5",
      "Content-Length: 99999999999\r\nTransfer-Encoding: chunked",
      "Content-Length: 5\r\nContent-Length: 6\r\nTransfer-Encoding: chunked",
      "Transfer-Encoding: chunked",
    ])
    func `a length counts for nothing beside chunks`(fields: String) async throws {
      let server = try raw("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\na\r\n0123456789\r\n0\r\n\r\n")
      let response = try await transport.send(HTTPRequest(.get, server.url()))
      #expect(response.body.utf8Text == "0123456789")
    }

    @Test(arguments: ["Content-Length: 5, 5", "Content-Length: 5,5\r\nContent-Length: 5"])
    func `a repeated length is one length`(fields: String) async throws {
      let server = try raw("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\nhello")
      let response = try await transport.send(HTTPRequest(.get, server.url()))
      #expect(response.body.utf8Text == "hello")
    }

    @Test(arguments: ["", ",", "identity,", " , Identity"])
    func `a body without codings is not decoded`(codings: String) async throws {
      let server = try LoopbackServer { _ in .text("hello").with("Content-Encoding", codings) }
      let response = try await transport.send(HTTPRequest(.get, server.url()))
      #expect(response.body.utf8Text == "hello")
    }

    @Test(arguments: [204, 304]) func `a response with a status without a body ends with its head`(
      status: Int
    ) async throws {
      let server = try LoopbackServer { _ in
        LoopbackResponse(status: status, headers: [.init("Content-Length", "70000000")])
      }
      for _ in 0..<2 {
        let response = try await transport.send(HTTPRequest(.get, server.url()))
        #expect(response.status == status)
        #expect(response.body.isEmpty)
      }
      #expect(server.acceptedConnections == 1)
    }

    @Test func `HEAD works for a body that is too large or compressed`() async throws {
      let server = try LoopbackServer { _ in
        .filler(count: 100_000_000).with("Content-Encoding", "gzip")
      }
      for _ in 0..<2 {
        let response = try await transport.send(HTTPRequest(.head, server.url()))
        #expect(response.status == 200)
        #expect(response.headers["Content-Length"] == "100000000")
      }
      #expect(server.acceptedConnections == 1)
    }

    @Test func `a redirect is a response whatever length it announces`() async throws {
      let server = try LoopbackServer { _ in
        var response = LoopbackResponse.filler(count: 100_000_000)
        response.status = 307
        return response.with("Location", "/next")
      }
      let response = try await transport.send(HTTPRequest(.get, server.url()))
      #expect(response.headers["Location"] == "/next")
      // The rest of the body must not become part of the next response.
      #expect(try await transport.send(HTTPRequest(.get, server.url())).status == 307)
      #expect(server.acceptedConnections == 2)
    }

    @Test func `limits can be as large as Int.max`() async throws {
      let server = try LoopbackServer { _ in .text("x") }
      var request = HTTPRequest(.get, try server.url(), limits: .unlimitedBody)
      request.limits.headerCount = .max
      request.limits.headerBytes = .max
      request.limits.redirectBodyBytes = .max
      request.limits.decompressionFloor = .max
      #expect(try await transport.send(request).status == 200)
    }

    @Test(arguments: [
      Duration.seconds(Int64.max),
      Duration(secondsComponent: 9_223_372_036, attosecondsComponent: 9 * 100_000_000_000_000_000),
      .nanoseconds(Int64.max), .seconds(3_000_000_000),
    ])
    func `timeouts can be as long as Duration allows`(span: Duration) async throws {
      let server = try LoopbackServer { _ in .text("x") }
      let transport = CurlTransport { $0.idleLifetime = span }
      let timeouts = HTTPRequest.Timeouts(connect: span, idle: span, total: span)
      #expect(
        try await transport.send(HTTPRequest(.get, server.url(), timeouts: timeouts)).status == 200)
    }

    @Test(arguments: [Duration.zero, .seconds(-1), .seconds(Int64.min)])
    func `a timeout of zero or less ends at once`(span: Duration) async throws {
      let silent = try LoopbackDeadEnd.silent()
      let url = try WebURL(silent.baseURL)
      let transport = CurlTransport { $0.idleLifetime = span }
      let kind = await transport.failure(
        HTTPRequest(.get, url, timeouts: HTTPRequest.Timeouts(connect: span)))
      #expect(kind == .timeout(.connect) || kind == .timeout(.resolve))
      #expect(
        await transport.failure(HTTPRequest(.get, url, timeouts: HTTPRequest.Timeouts(total: span)))
          != nil)
    }

    @Test func `a response before the end of the upload is returned`() async throws {
      let server = try LoopbackServer()
      let response = LoopbackResponse(status: 413, body: .bytes(Array("too much".utf8)))
      server.enqueue(response.early(), .text("next"))
      let body = RequestBody.bytes([UInt8](repeating: 0, count: 8 << 20))
      #expect(try await transport.send(HTTPRequest(.post, server.url(), body: body)).status == 413)
      #expect(try await transport.send(HTTPRequest(.get, server.url())).body.utf8Text == "next")
    }

    @Test func `a file removed before it is sent is named`() async throws {
      let path = NSTemporaryDirectory() + "quire-upload-\(UInt64.random(in: .min ... .max))"
      try Data(repeating: 7, count: 300_000).write(to: URL(fileURLWithPath: path))
      let body = try RequestBody.multipart([.field("a", "b"), .file("f", path: path)])
      try FileManager.default.removeItem(atPath: path)
      let server = try LoopbackServer { _ in .text("x") }
      let kind = await transport.failure(HTTPRequest(.post, try server.url(), body: body))
      guard case .invalidRequest(let defect) = kind else {
        Issue.record("\(String(describing: kind))")
        return
      }
      #expect(defect.place == .body)
      #expect(defect.problem.contains(path))
    }
  }
#endif

import Foundation
import QuireTesting
import ServerAPI
import Testing

/// Where messages begin and end, for every method and status that has its own rule.
@Suite(.timeLimit(.minutes(1))) struct CurlTransportFramingTests {
  let transport = CurlTransport()

  func raw(_ text: String) throws -> LoopbackServer {
    try LoopbackServer { _ in .fault(.raw(Array(text.utf8))) }
  }

  @Test(arguments: [HTTPMethod.head, .get, .delete, .post])
  func `an upload leaves nothing behind on the handle that the next request uses`(
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

  @Test func `a method is sent as it is, whatever it carries`() async throws {
    let server = try LoopbackServer { _ in .text("x") }
    _ = try await transport.send(HTTPRequest(.get, server.url(), body: .text("a")))
    let request = try await server.request(at: 0)
    #expect(request.method == "GET")
    #expect(request.text == "a")
  }

  @Test func `a field of blanks is sent without a value instead of being left out`() async throws {
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
  func `an interim answer that nothing follows is no answer`(text: String) async throws {
    let server = try raw(text)
    let kind = await transport.failure(HTTPRequest(.get, try server.url()))
    switch kind {
    case .connectionLost, .protocolViolation: break
    default: Issue.record("\(String(describing: kind))")
    }
  }

  @Test(arguments: [204, 304]) func `a status that has no body is over with its head`(
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

  @Test func `the head of a body that is too large or compressed can be asked for`() async throws {
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

  @Test func `a redirect is an answer however much body it announces`() async throws {
    let server = try LoopbackServer { _ in
      var response = LoopbackResponse.filler(count: 100_000_000)
      response.status = 307
      return response.with("Location", "/next")
    }
    let response = try await transport.send(HTTPRequest(.get, server.url()))
    #expect(response.headers["Location"] == "/next")
    // The rest of the body must not be taken for the next answer.
    #expect(try await transport.send(HTTPRequest(.get, server.url())).status == 307)
    #expect(server.acceptedConnections == 2)
  }

  @Test func `limits can be as large as numbers go`() async throws {
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
  func `times can be as long as numbers go`(span: Duration) async throws {
    let server = try LoopbackServer { _ in .text("x") }
    let transport = CurlTransport { $0.idleLifetime = span }
    let timeouts = Timeouts(connect: span, idle: span, total: span)
    #expect(
      try await transport.send(HTTPRequest(.get, server.url(), timeouts: timeouts)).status == 200)
  }

  @Test(arguments: [Duration.zero, .seconds(-1), .seconds(Int64.min)])
  func `a time of nothing or less is over at once`(span: Duration) async throws {
    let silent = try LoopbackDeadEnd.silent()
    let url = try WebURL(silent.baseURL)
    let transport = CurlTransport { $0.idleLifetime = span }
    #expect(
      await transport.failure(HTTPRequest(.get, url, timeouts: Timeouts(connect: span)))
        == .timeout(.connect))
    #expect(
      await transport.failure(HTTPRequest(.get, url, timeouts: Timeouts(total: span))) != nil)
  }

  @Test func `an answer that comes before the upload is over is an answer`() async throws {
    let server = try LoopbackServer()
    let answer = LoopbackResponse(status: 413, body: .bytes(Array("too much".utf8)))
    server.enqueue(answer.early(), .text("next"))
    let body = RequestBody.bytes([UInt8](repeating: 0, count: 8 << 20))
    #expect(try await transport.send(HTTPRequest(.post, server.url(), body: body)).status == 413)
    #expect(try await transport.send(HTTPRequest(.get, server.url())).body.utf8Text == "next")
  }

  @Test func `a file that goes away before it is sent is named`() async throws {
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

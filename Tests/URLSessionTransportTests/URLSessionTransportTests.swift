import Foundation
import QuireTesting
import ServerAPI
import Support
import TestSupport
import Testing

@testable import URLSessionTransport

@Suite struct URLSessionTransportTests {
  @Test func `an unresolvable host is named`() async throws {
    let url = try WebURL("http://no-such-host.invalid/")
    let error = await #expect(throws: RequestError.self) {
      _ = try await URLSessionTransport().send(HTTPRequest(.get, url))
    }
    #expect(error?.kind == .nameNotResolved(host: "no-such-host.invalid"))
    #expect(error?.request == "GET http://no-such-host.invalid/")
  }

  @Test(arguments: ["http", "https"])
  func `a host without a route is no lost connection and no failed handshake`(
    scheme: String
  ) async throws {
    // No connection can be made to the address of all hosts.
    let url = try WebURL("\(scheme)://255.255.255.255/")
    let error = await #expect(throws: RequestError.self) {
      _ = try await URLSessionTransport().send(HTTPRequest(.get, url))
    }
    switch error?.kind {
    case .connectFailed, .offline: break
    default: Issue.record("\(String(describing: error))")
    }
  }

  @Test func `a file shorter than the body's length is rejected before anything is sent`()
    async throws
  {
    let server = try LoopbackServer { _ in .status(204) }
    var request = HTTPRequest(.post, try WebURL(server.baseURL))
    request.body = RequestBody(pieces: [.file(path: "/no/such", length: 3)], contentType: nil)
    let sent = request
    let error = await #expect(throws: RequestError.self) {
      _ = try await URLSessionTransport().send(sent)
    }
    guard case .invalidRequest(let defect) = error?.kind else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(defect.place == .body)
    #expect(server.requestCount == 0)
  }

  @Test func `an empty file is sent, alone and as a part of a form`() async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "quire-\(UUID()).empty")
    try Data().write(to: path)
    defer { try? FileManager.default.removeItem(at: path) }
    let server = try LoopbackServer { _ in .status(204) }
    let transport = URLSessionTransport()
    let url = try WebURL(server.baseURL)
    let form = try RequestBody.multipart([.file("empty", path: path.path), .field("name", "value")])
    for body in [try RequestBody.file(path: path.path), form] {
      _ = try await transport.send(HTTPRequest(.post, url, body: body))
    }
    #expect(server.requests.map(\.body.count) == [0, form.length])
  }

  @Test func `a connection that can't be made ends an upload by its own limit`() async throws {
    let silent = try LoopbackDeadEnd.silent()
    var request = HTTPRequest(.post, try WebURL(silent.baseURL), body: .text("hi"))
    request.timeouts.connect = .milliseconds(50)
    request.timeouts.total = .seconds(20)
    let sent = request
    let error = await #expect(throws: RequestError.self) {
      _ = try await URLSessionTransport().send(sent)
    }
    #expect(error?.kind == .timeout(.connect))
  }

  @Test func `an upload that waits for the connections of others is not connecting`() async throws {
    let gate = try LoopbackGate()
    let server = try LoopbackServer { _ in .status(204).held(by: gate) }
    let transport = URLSessionTransport(connectionsPerHost: 1)
    let url = try WebURL(server.baseURL)
    let first = Task { try await transport.send(HTTPRequest(.post, url, body: .text("1"))) }
    await gate.reached()
    var request = HTTPRequest(.post, url, body: .text("2"))
    request.timeouts.connect = .milliseconds(1)
    request.timeouts.total = .milliseconds(200)
    let waiting = request
    let error = await #expect(throws: RequestError.self) { _ = try await transport.send(waiting) }
    #expect(error?.kind == .timeout(.total))
    gate.open()
    #expect(try await first.value.status == 204)
  }

  @Test(.timeLimit(.minutes(1)))
  func `a head beyond its limit ends the exchange, whose body never comes`() async throws {
    let gate = try LoopbackGate()
    let server = try LoopbackServer { _ in
      .text("late").with("X-A", "1").with("X-B", "2").held(by: gate, at: .headSent)
    }
    defer { gate.open() }
    var request = HTTPRequest(.get, try WebURL(server.baseURL))
    request.limits.headerCount = 2
    (request.timeouts.idle, request.timeouts.total) = (.seconds(3_600), .seconds(3_600))
    let sent = request
    let error = await #expect(throws: RequestError.self) {
      _ = try await URLSessionTransport().send(sent)
    }
    #expect(error?.kind == .tooLarge(.headerCount, allowed: 2))
  }

  @Test func `the content type of a body is sent unless the request has its own`() async throws {
    let server = try LoopbackServer { _ in .status(204) }
    let transport = URLSessionTransport()
    for own in [nil, "x/own"] {
      var request = HTTPRequest(.post, try WebURL(server.baseURL), body: .text("hi"))
      if let own { request.headers["Content-Type"] = own }
      _ = try await transport.send(request)
    }
    #expect(
      server.requests.map { $0.header("Content-Type") } == ["text/plain; charset=utf-8", "x/own"])
  }

  @Test(.timeLimit(.minutes(1)), arguments: [404, 503])
  func `a long body of an error is cut, although the server sends on`(status: Int) async throws {
    let server = try LoopbackServer { _ in
      var response = LoopbackResponse.filler(count: 3_000_000).failing(.stall(.bodySent(200_000)))
      response.status = status
      return response
    }
    var request = HTTPRequest(.get, try WebURL(server.baseURL))
    request.limits.errorBodyBytes = 1_000
    (request.timeouts.idle, request.timeouts.total) = (.seconds(3_600), .seconds(3_600))
    let response = try await URLSessionTransport().send(request)
    #expect(response.status == status)
    #expect(response.body.count == 1_000)
  }

  @Test func `a bomb in chunks is stopped while it expands`() async throws {
    let server = try LoopbackServer { _ in .bomb(decodedBytes: 20_000_000).chunked() }
    let received = Lock(0)
    var request = HTTPRequest(.get, try WebURL(server.baseURL))
    request.limits.decodedBytes = 100_000
    request.receiver = { piece in received.withLock { $0 += piece.count } }
    let sent = request
    let error = await #expect(throws: RequestError.self) {
      _ = try await URLSessionTransport().send(sent)
    }
    #expect(error?.kind == .tooLarge(.decodedBytes, allowed: 100_000))
    #expect(received.withLock { $0 } <= 100_000)
  }

  @Test func `a server keeps the cookies that a response sets, and sends each`() async throws {
    let loopback = try LoopbackServer { _ in
      .json("{}").with("Set-Cookie", "a=1; Expires=Wed, 21 Oct 2099 07:28:00 GMT").with("Set-Cookie", "b=2")
    }
    let server = Server(loopback.baseURL, transport: URLSessionTransport()) { $0.keepsCookies = true }
    for _ in 0..<2 { _ = try await server.send(Call("/")) }
    #expect(loopback.requests.map { $0.header("Cookie") } == [nil, "a=1; b=2"])
  }

  @Test func `fields of a request replace those that the session adds`() async throws {
    let server = try LoopbackServer { _ in .status(204) }
    var request = HTTPRequest(.get, try WebURL(server.baseURL))
    request.headers = [
      "User-Agent": "test/1", "Accept": "application/json", "Accept-Language": "de",
      "Accept-Encoding": "identity",
    ]
    _ = try await URLSessionTransport().send(request)
    let arrived = try #require(server.requests.first)
    for field in request.headers.fields { #expect(arrived.header(field.name) == field.value) }
    let others = Set(arrived.headers.map { $0.name.lowercased() })
      .subtracting(request.headers.fields.map { $0.name.lowercased() })
    #expect(others.subtracting(["host", "connection"]) == [])
  }

  @Test(.enabled(if: TLSSupport.isAvailable))
  func `an untrusted certificate fails the handshake`() async throws {
    let identity = try CertificateAuthority().identity()
    let server = try LoopbackServer(tls: identity) { _ in .status(204) }
    let url = try WebURL(server.baseURL)
    let error = await #expect(throws: RequestError.self) {
      _ = try await URLSessionTransport().send(HTTPRequest(.get, url))
    }
    guard case .tls = error?.kind else {
      Issue.record("expected a TLS error, found \(String(describing: error))")
      return
    }
    #expect(server.requestCount == 0)
  }
}

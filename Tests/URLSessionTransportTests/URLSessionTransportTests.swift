import Foundation
import QuireTesting
import ServerAPI
import TestSupport
import Testing
import URLSessionTransport

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

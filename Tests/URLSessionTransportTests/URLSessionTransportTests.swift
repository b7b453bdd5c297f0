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

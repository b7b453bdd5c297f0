import QuireTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct LoopbackProxyTests {
  private let server: LoopbackServer

  init() throws { server = try LoopbackServer { .text("\($0.target) from the server") } }

  @Test func `a tunnel leads to this machine whatever the host, and carries many requests`() throws {
    let proxy = try LoopbackProxy()
    let client = try RawClient(port: proxy.port)
    client.send("CONNECT api.example.test:\(server.port) HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(client.readHead() == "HTTP/1.1 200 Connection established\r\n\r\n")
    for path in ["/1", "/2"] {
      client.get(path)
      #expect(client.readResponse().body == "\(path) from the server")
    }
    #expect(proxy.requests.map(\.kind) == [.tunnel])
    #expect(proxy.requests.map(\.target) == ["api.example.test:\(server.port)"])
    #expect(server.requests.map(\.connection) == [0, 0])
  }

  @Test func `a plain request is forwarded without the proxy's headers`() throws {
    let proxy = try LoopbackProxy()
    let client = try RawClient(port: proxy.port)
    let target = "http://example.test:\(server.port)/path?q=1"
    client.send("GET \(target) HTTP/1.1\r\nHost: h\r\nProxy-Connection: x\r\nA: b\r\n\r\n")
    #expect(client.readResponse().body == "/path?q=1 from the server")
    #expect(proxy.requests.map(\.kind) == [.forward])
    #expect(proxy.requests.map(\.target) == [target])
    #expect(server.requests.first?.headers.map(\.name) == ["Host", "A", "Connection"])
  }

  @Test(arguments: [nil, "Basic bWU6d3Jvbmc=", "Basic bWU6c2VjcmV0"])
  func `a proxy with a user rejects others`(authorization: String?) throws {
    let proxy = try LoopbackProxy(user: "me", password: "secret")
    let client = try RawClient(port: proxy.port)
    let line = authorization.map { "Proxy-Authorization: \($0)\r\n" } ?? ""
    client.send("CONNECT h.test:\(server.port) HTTP/1.1\r\n\(line)\r\n")
    let isRight = authorization == "Basic bWU6c2VjcmV0"
    let head = client.readHead()
    #expect(head.hasPrefix("HTTP/1.1 \(isRight ? "200" : "407") "))
    #expect(head.contains("Proxy-Authenticate: Basic") == !isRight)
    #expect(proxy.requests.map(\.authorization) == [authorization])
    guard isRight else { return #expect(server.acceptedConnections == 0) }
    client.get()
    #expect(client.readResponse().body == "/ from the server")
  }

  @Test func `a SOCKS client names a host and is led to this machine`() throws {
    let proxy = try LoopbackProxy()
    let client = try RawClient(port: proxy.port)
    client.send([5, 1, 0])
    #expect(client.read(2) == [5, 0])
    let port = [UInt8(server.port >> 8), UInt8(server.port & 0xFF)]
    client.send([5, 1, 0, 3, 6] + Array("h.test".utf8) + port)
    #expect(client.read(10) == [5, 0, 0, 1, 127, 0, 0, 1] + port)
    client.get("/socks")
    #expect(client.readResponse().body == "/socks from the server")
    #expect(proxy.requests.map(\.target) == ["h.test:\(server.port)"])
    #expect(proxy.requests.map(\.kind) == [.socks5])
  }

  @Test func `a closed port is reported in the protocol of the client`() throws {
    let nobody = try LoopbackDeadEnd.refusing()
    let proxy = try LoopbackProxy()
    let http = try RawClient(port: proxy.port)
    http.send("CONNECT h.test:\(nobody.port) HTTP/1.1\r\n\r\n")
    #expect(http.readHead().hasPrefix("HTTP/1.1 502 "))
    let socks = try RawClient(port: proxy.port)
    let port = [UInt8(nobody.port >> 8), UInt8(nobody.port & 0xFF)]
    socks.send([5, 1, 0, 5, 1, 0, 1, 10, 0, 0, 1] + port)
    #expect(socks.read(12).starts(with: [5, 0, 5, 5]))
    #expect(proxy.requests.map(\.target) == ["h.test:\(nobody.port)", "10.0.0.1:\(nobody.port)"])
  }

  @Test func `stopping ends both sides of a tunnel`() async throws {
    let proxy = try LoopbackProxy()
    let client = try RawClient(port: proxy.port)
    client.send("CONNECT h.test:\(server.port) HTTP/1.1\r\n\r\n")
    #expect(client.readHead().contains(" 200 "))
    try await server.accepted(1)
    proxy.stop()
    #expect(client.readToEnd().end == .closed)
    try await server.connectionClosed(0)
    await proxy.finished()
  }

  @Test func `closing either side of a tunnel closes the other`() async throws {
    let proxy = try LoopbackProxy()
    do {
      let client = try RawClient(port: proxy.port)
      client.send("CONNECT h.test:\(server.port) HTTP/1.1\r\n\r\n")
      #expect(client.readHead().contains(" 200 "))
    }
    try await server.accepted(1)
    try await server.connectionClosed(0)
  }
}

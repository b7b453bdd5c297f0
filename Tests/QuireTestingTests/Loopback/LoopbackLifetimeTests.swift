import QuireTesting
import Support
import Testing

@Suite(.timeLimit(.minutes(1)))
struct LoopbackLifetimeTests {
  @Test func `stopping ends every connection and refuses new ones`() async throws {
    let server = try LoopbackServer()
    server.enqueue(.fault(.stall(.requestRead)))
    let idle = try RawClient(port: server.port)
    let stalled = try RawClient(port: server.port)
    stalled.get()
    _ = try await server.request(at: 0)
    try await server.accepted(2)
    server.stop()
    #expect(idle.readToEnd().end == .closed)
    #expect(stalled.readToEnd().end == .closed)
    await server.finished()
    #expect(server.openConnections == 0)
    #expect(throws: (any Error).self) { try RawClient(port: server.port) }
    await #expect(throws: LoopbackError.stopped) { try await server.request(at: 1) }
  }

  @Test func `a released server stops`() throws {
    var server: LoopbackServer? = try LoopbackServer { _ in .text("here") }
    let client = try RawClient(port: try #require(server).port)
    client.get()
    #expect(client.readResponse().body == "here")
    server = nil
    #expect(client.readToEnd().end == .closed)
  }

  @Test func `a client that leaves a held response is noticed`() async throws {
    let gate = try LoopbackGate()
    let server = try LoopbackServer { _ in .text("late").held(by: gate) }
    do {
      let client = try RawClient(port: server.port)
      client.get()
      await gate.reached()
      #expect(server.openConnections == 1)
    }
    try await server.connectionClosed(0)
    #expect(server.openConnections == 0)
  }

  @Test func `cancelling ends a wait`() async throws {
    let server = try LoopbackServer()
    let waiting = Task { try await server.request(at: 0) }
    waiting.cancel()
    let result = await waiting.result
    #expect(throws: LoopbackError.stopped) { try result.get() }
  }

  @Test func `a thousand connections at once are all served`() async throws {
    let server = try LoopbackServer { .text($0.target) }
    try allowDescriptors(4096)
    let clients = try (0..<1000).map { _ in try RawClient(port: server.port) }
    for (number, client) in clients.enumerated() { client.get("/\(number)") }
    for (number, client) in clients.enumerated() {
      #expect(client.readResponse().body == "/\(number)")
    }
    // Optimized code releases a client after its last use, and with it its connection.
    withExtendedLifetime(clients) { #expect(server.openConnections == 1000) }
    server.stop()
    await server.finished()
    #expect(server.openConnections == 0)
  }

  /// Both ends of a connection are in this process, which may have fewer descriptors than that.
  private func allowDescriptors(_ count: rlim_t) throws {
    var limit = rlimit()
    #if canImport(Glibc)
      let descriptors = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let descriptors = RLIMIT_NOFILE
    #endif
    getrlimit(descriptors, &limit)
    guard limit.rlim_cur < count else { return }
    limit.rlim_cur = min(count, limit.rlim_max)
    try #require(setrlimit(descriptors, &limit) == 0)
  }

  @Test func `a refusing port refuses, and a silent one never connects`() throws {
    let refusing = try LoopbackDeadEnd.refusing()
    #expect(throws: (any Error).self) { try RawClient(port: refusing.port) }
    let silent = try LoopbackDeadEnd.silent()
    let fd = socket(AF_INET, SocketKind.stream, 0)
    defer { close(fd) }
    try #require(fcntl(fd, F_SETFL, O_NONBLOCK) == 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(silent.port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    _ = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(fd, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    // The handshake over the loopback device is instant, so it would be writable at once.
    var entry = pollfd(fd: fd, events: Int16(POLLOUT), revents: 0)
    #expect(poll(&entry, 1, 50) == 0)
  }
}

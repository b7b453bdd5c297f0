import QuireTesting
import TestSupport
import Testing

/// HTTP/2 frames written and read by hand.
@Suite(.timeLimit(.minutes(1)))
struct LoopbackH2ServerTests {
  struct Frame: Equatable {
    var type: UInt8
    var flags: UInt8
    var stream: Int
    var payload: [UInt8]
  }

  @Test func `a request gets status 200 and the body`() throws {
    let server = try LoopbackH2Server(tls: nil)
    let client = try connected(server)
    open(1, on: client)
    #expect(frame(client) == Frame(type: 1, flags: 4, stream: 1, payload: [0x88]))
    #expect(frame(client) == Frame(type: 0, flags: 1, stream: 1, payload: Array("ok".utf8)))
    #expect(server.streams.map(\.id) == [1])
    #expect(server.baseURL == "http://127.0.0.1:\(server.port)")
  }

  @Test func `responses wait until enough streams are open`() async throws {
    var behavior = LoopbackH2Server.Behavior()
    behavior.respondsFrom = 3
    let server = try LoopbackH2Server(tls: nil, behavior)
    let client = try connected(server)
    open(1, on: client)
    open(3, on: client)
    try await server.streams(2)
    // The response to a ping comes next: no stream got one before it.
    client.send([0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8])
    #expect(
      frame(client) == Frame(type: 6, flags: 1, stream: 0, payload: [1, 2, 3, 4, 5, 6, 7, 8]))
    open(5, on: client)
    #expect((0..<6).map { _ in frame(client).stream } == [1, 1, 3, 3, 5, 5])
    #expect(server.mostStreamsAtOnce == 3)
    #expect(server.acceptedConnections == 1)
  }

  @Test func `the first streams can be refused as unprocessed`() throws {
    var behavior = LoopbackH2Server.Behavior()
    behavior.refusedStreams = 1
    let server = try LoopbackH2Server(tls: nil, behavior)
    let client = try connected(server)
    open(1, on: client)
    #expect(frame(client) == Frame(type: 3, flags: 0, stream: 1, payload: [0, 0, 0, 7]))
    open(3, on: client)
    #expect(frame(client).payload == [0x88])
  }

  @Test func `after GOAWAY the last stream gets a response and later ones don't`() async throws {
    var behavior = LoopbackH2Server.Behavior()
    behavior.goAwayAfter = 1
    let server = try LoopbackH2Server(tls: nil, behavior)
    let client = try connected(server)
    open(1, on: client)
    open(3, on: client)
    client.send([0, 0, 8, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    #expect(
      frame(client) == Frame(type: 7, flags: 0, stream: 0, payload: [0, 0, 0, 1, 0, 0, 0, 0]))
    #expect((0..<3).map { _ in frame(client).type } == [1, 0, 6])
    #expect(server.streams.map(\.id) == [1])
  }

  @Test func `an upload gets window updates, and a response at its end`() throws {
    let server = try LoopbackH2Server(tls: nil)
    let client = try connected(server)
    client.send([0, 0, 1, 1, 4, 0, 0, 0, 1, 0x83])
    client.send([0, 0, 2, 0, 0, 0, 0, 0, 1] + [7, 7])
    #expect(frame(client) == Frame(type: 8, flags: 0, stream: 0, payload: [0, 0, 0, 2]))
    #expect(frame(client) == Frame(type: 8, flags: 0, stream: 1, payload: [0, 0, 0, 2]))
    client.send([0, 0, 0, 0, 1, 0, 0, 0, 1])
    #expect(frame(client).payload == [0x88])
  }

  @Test func `a body that no frame can hold is rejected`() {
    var behavior = LoopbackH2Server.Behavior()
    behavior.body = [UInt8](repeating: 0, count: 16385)
    #expect(throws: LoopbackError.self) { try LoopbackH2Server(tls: nil, behavior) }
  }

  @Test func `stopping ends the connections`() async throws {
    let server = try LoopbackH2Server(tls: nil)
    let client = try connected(server)
    server.stop()
    #expect(client.readToEnd().end == .closed)
    await server.finished()
  }

  /// A client that has sent its preface and read the server's.
  private func connected(_ server: LoopbackH2Server) throws -> RawClient {
    let client = try RawClient(port: server.port)
    client.send(Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0])
    #expect(frame(client) == Frame(type: 4, flags: 0, stream: 0, payload: [0, 3, 0, 0, 0, 100]))
    #expect(frame(client) == Frame(type: 4, flags: 1, stream: 0, payload: []))
    return client
  }

  /// Opens a stream with a whole request.
  private func open(_ stream: UInt8, on client: RawClient) {
    client.send([0, 0, 1, 1, 5, 0, 0, 0, stream, 0x82])
  }

  private func frame(_ client: RawClient) -> Frame {
    let head = client.read(9)
    guard head.count == 9 else { return Frame(type: 0xFF, flags: 0, stream: 0, payload: []) }
    let payload = client.read(Int(head[1]) << 8 | Int(head[2]))
    return Frame(type: head[3], flags: head[4], stream: Int(head[8]), payload: payload)
  }
}

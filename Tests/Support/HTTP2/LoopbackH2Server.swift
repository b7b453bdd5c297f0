public import QuireTesting
internal import Support

/// A minimal HTTP/2 server for tests of multiplexing: it responds to every request with status 200 and one
/// body, and can hold, refuse or send GOAWAY.
///
/// ```swift
/// var behavior = LoopbackH2Server.Behavior()
/// behavior.respondsFrom = 8                     // no response before eight streams are open
/// let server = try LoopbackH2Server(tls: identity, behavior)
/// ```
///
/// Under TLS it negotiates only `h2`; without TLS, it expects a client with prior knowledge of HTTP/2. It stops
/// when its last reference is released.
public final class LoopbackH2Server: Sendable {
  /// The behavior of the server besides its responses.
  public struct Behavior: Hashable, Sendable {
    /// The body of each response, at most 16,384 bytes: there is no flow control.
    public var body: [UInt8] = Array("ok".utf8)
    /// The number of requests of a connection that must be open before the first response. The default is one,
    /// which holds nothing.
    public var respondsFrom = 1
    /// The maximum number of concurrent streams. The default is 100.
    public var maximumStreams = 100
    /// The number of first requests of a connection that are refused with `REFUSED_STREAM`.
    public var refusedStreams = 0
    /// The number of requests of a connection after which the server sends `GOAWAY`; later ones get no
    /// response. The default is never.
    public var goAwayAfter: Int?

    /// Creates the default behavior.
    public init() {}
  }

  /// A complete request, with or without a response.
  public struct Stream: Hashable, Sendable {
    /// The number of its connection, counted from zero.
    public var connection: Int
    /// The stream number that the client chose.
    public var id: Int
  }

  private let listener: LoopbackListener
  private let record = Record()
  private let isSecure: Bool

  /// The reports of connections; guarded by a lock that is never held while bytes are transferred.
  private final class Record: Sendable {
    let state = Lock((streams: [Stream](), mostAtOnce: 0))
    let arrived = Counter()
  }

  /// Starts a server, with TLS if there is a certificate.
  public init(
    tls identity: TestIdentity?, _ behavior: Behavior = Behavior()
  ) throws(LoopbackError) {
    guard behavior.body.count <= 16384 else {
      throw .invalid(
        what: "a body of \(behavior.body.count) bytes", expected: "at most 16384")
    }
    let context = try identity.map { identity throws(LoopbackError) in
      try LoopbackTLSContext(LoopbackTLS(identity), protocols: .http2)
    }
    isSecure = context != nil
    listener = try LoopbackListener(.tcp)
    try listener.start { [record] socket, number in
      var session: LoopbackTLSSession?
      if let context {
        session = context.handshake(over: socket)
        if session == nil { return }
      }
      Self.serve(LoopbackStream(socket, session: session), number, behavior, record)
    }
  }

  deinit { stop() }

  /// The base URL for a client, without a path.
  public var baseURL: String { "\(isSecure ? "https" : "http")://127.0.0.1:\(port)" }

  /// The port of 127.0.0.1 that it listens on.
  public var port: Int { listener.port }

  /// The requests so far, in the order in which they were complete.
  public var streams: [Stream] { record.state.withLock { $0.streams } }

  /// The maximum number of requests of one connection that waited for a response at the same time.
  public var mostStreamsAtOnce: Int { record.state.withLock { $0.mostAtOnce } }

  /// The number of connections accepted so far.
  public var acceptedConnections: Int { listener.accepted.value }

  /// Waits until the given number of requests were complete.
  public func streams(_ count: Int) async throws(LoopbackError) {
    guard await record.arrived.reaches(count) else { throw .stopped }
  }

  /// Ends every connection and refuses new ones; returns at once.
  public func stop() {
    listener.stop()
    record.arrived.end()
  }

  /// Waits until every thread of a stopped server has ended.
  public func finished() async { await listener.finished() }

  private static func serve(
    _ stream: LoopbackStream, _ number: Int, _ behavior: Behavior, _ record: Record
  ) {
    var session = LoopbackH2Session(behavior)
    var input = LoopbackInput(stream)
    do throws(LoopbackInput.Failure) {
      guard try input.bytes(24) == LoopbackH2Session.preface else { return }
      guard stream.write(session.greeting[...]) else { return }
      while true {
        let head = try input.bytes(9)
        let size = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
        let id = head[5...].reduce(0) { $0 << 8 | Int($1) } & 0x7FFF_FFFF
        let frame = LoopbackH2Session.Frame(
          type: head[3], flags: head[4], stream: id, payload: try input.bytes(size))
        let known = session.completed.count
        let reply = session.receive(frame)
        if let id = session.completed.dropFirst(known).first {
          let most = session.mostAtOnce
          record.state.withLock { state in
            state.streams.append(Stream(connection: number, id: id))
            state.mostAtOnce = max(state.mostAtOnce, most)
          }
          record.arrived.add()
        }
        guard stream.write(reply[...]) else { return }
      }
    } catch {
      // The client has disconnected.
    }
  }
}

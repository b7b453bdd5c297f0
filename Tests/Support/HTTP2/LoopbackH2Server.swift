public import QuireTesting
internal import Support

/// A minimal HTTP/2 server for tests of multiplexing: it answers every request with status 200 and
/// one body, and can hold, refuse or send away.
///
/// ```swift
/// var behavior = LoopbackH2Server.Behavior()
/// behavior.respondsFrom = 8                     // nobody is answered before eight are open
/// let server = try LoopbackH2Server(tls: identity, behavior)
/// ```
///
/// Under TLS it agrees to `h2` alone; without, it expects a client that knows beforehand that
/// HTTP/2 is spoken. It stops when its last reference goes away.
public final class LoopbackH2Server: Sendable {
  /// What the server does beyond answering.
  public struct Behavior: Hashable, Sendable {
    /// The body of each answer, at most 16,384 bytes: there is no flow control.
    public var body: [UInt8] = Array("ok".utf8)
    /// How many requests of a connection must be open before the first is answered. The default is
    /// one, which holds nobody.
    public var respondsFrom = 1
    /// How many streams at once the server allows. The default is 100.
    public var maximumStreams = 100
    /// How many of the first requests of a connection are refused with `REFUSED_STREAM`.
    public var refusedStreams = 0
    /// After how many requests of a connection the server says `GOAWAY`; later ones on it get no
    /// answer. The default is never.
    public var goAwayAfter: Int?

    /// The defaults.
    public init() {}
  }

  /// A request that was complete, whether or not it was answered.
  public struct Stream: Hashable, Sendable {
    /// The number of its connection, counted from zero.
    public var connection: Int
    /// The number the client gave it.
    public var id: Int
  }

  private let listener: LoopbackListener
  private let record = Record()
  private let isSecure: Bool

  /// What connections report; guarded, and never held while bytes move.
  private final class Record: Sendable {
    let state = Lock((streams: [Stream](), mostAtOnce: 0))
    let arrived = Counter()
  }

  /// Starts a server, under TLS when there is a certificate.
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

  /// The address to give to a client, without a path.
  public var baseURL: String { "\(isSecure ? "https" : "http")://127.0.0.1:\(port)" }

  /// The port of 127.0.0.1 it listens on.
  public var port: Int { listener.port }

  /// The requests so far, in the order in which they were complete.
  public var streams: [Stream] { record.state.withLock { $0.streams } }

  /// How many requests of one connection waited for their answers at the same time, at most.
  public var mostStreamsAtOnce: Int { record.state.withLock { $0.mostAtOnce } }

  /// How many connections were accepted so far.
  public var acceptedConnections: Int { listener.accepted.value }

  /// Waits until that many requests were complete.
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
      // The client has gone.
    }
  }
}

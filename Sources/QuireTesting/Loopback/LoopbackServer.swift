internal import Support

/// A real HTTP/1.1 server on this machine, for tests and benchmarks of a client.
///
/// ```swift
/// let server = try LoopbackServer { request in .text("you requested \(request.path)") }
/// server.enqueue(.json(#"{"ok": true}"#), .status(503))     // these come first, in order
///
/// // … let the client send requests to server.baseURL …
///
/// let first = try await server.request(at: 0)
/// #expect(first.header("Accept") == "application/json")
/// ```
///
/// It uses its own sockets and shares no code with the client, so that a mistake on one side can't hide the
/// same mistake on the other. Each connection has a thread; keep-alive, pipelining, chunks and
/// `Expect: 100-continue` work as clients expect. Faults are part of the response: see ``LoopbackFault`` and
/// ``LoopbackGate``.
///
/// It stops when its last reference is released. A request with neither a scripted response nor a handler gets
/// status 500 and a text that names it, and is kept in ``unscripted``.
///
/// - Important: The handler is called on connection threads, concurrently.
public final class LoopbackServer: Sendable {
  /// Returns the response to a request without a scripted one.
  public typealias Handler = @Sendable (LoopbackRequest) -> LoopbackResponse

  let script: LoopbackScript
  let listener: LoopbackListener
  private let isSecure: Bool
  /// The number of failed handshakes.
  package let failedHandshakes = Counter()

  /// Starts a server.
  public init(
    _ configuration: LoopbackConfiguration = LoopbackConfiguration(), handler: Handler? = nil
  ) throws(LoopbackError) {
    script = LoopbackScript(configuration: configuration, handler: handler)
    let handshake = try configuration.security?.handshake()
    isSecure = handshake != nil
    listener = try LoopbackListener(configuration.address)
    try listener.start { [script, failedHandshakes] socket, number in
      Self.serve(
        socket, number: number, script: script, handshake: handshake,
        failedHandshakes: failedHandshakes)
    }
  }

  /// Starts a server whose handler responds to all requests.
  public convenience init(_ handler: @escaping Handler) throws(LoopbackError) {
    try self.init(LoopbackConfiguration(), handler: handler)
  }

  deinit { stop() }

  /// The base URL for a client, without a path: `http://127.0.0.1:40123`.
  ///
  /// A server on a Unix socket responds for any host; this uses `localhost`.
  public var baseURL: String {
    let scheme = isSecure ? "https" : "http"
    return listener.port == 0 ? "\(scheme)://localhost" : "\(scheme)://127.0.0.1:\(port)"
  }

  /// The port of 127.0.0.1 that it listens on; zero for a Unix socket.
  public var port: Int { listener.port }

  /// Appends responses to the script; each serves one request, in order of arrival.
  public func enqueue(_ responses: LoopbackResponse...) { script.enqueue(responses) }

  /// Appends responses to the script.
  public func enqueue(_ responses: [LoopbackResponse]) { script.enqueue(responses) }

  /// Ends every connection and refuses new ones; returns at once. Stopping twice has no effect.
  public func stop() {
    listener.stop()
    script.arrived.end()
    failedHandshakes.end()
  }

  /// Waits until every thread of a stopped server has ended and its sockets are closed.
  public func finished() async { await listener.finished() }

  private static func serve(
    _ socket: LoopbackSocket, number: Int, script: LoopbackScript,
    handshake: LoopbackHandshake?, failedHandshakes: Counter
  ) {
    let carried = script.dequeue(boundTo: .accepted)
    if let carried {
      let plain = LoopbackStream(socket)
      for step in LoopbackPlan.moment(.accepted, of: carried) {
        switch step {
        case .wait(let gate): guard plain.wait(for: gate) else { return }
        case .end(let ending): return plain.end(ending)
        default: break
        }
      }
    }
    var session: (any LoopbackSession)?
    if let handshake {
      session = handshake(socket)
      guard session != nil else {
        failedHandshakes.add()
        return
      }
    }
    let stream = LoopbackStream(socket, session: session)
    var connection = LoopbackConnection(stream, number: number, script: script, carried: carried)
    connection.serve()
  }
}

extension LoopbackServer {
  /// The requests so far, in order of arrival.
  public var requests: [LoopbackRequest] { script.requests }

  /// The requests with neither a scripted response nor a handler. A test that expects none can check this.
  public var unscripted: [LoopbackRequest] { script.unscripted }

  /// The number of scripted responses that are still unused.
  public var scriptedResponsesLeft: Int { script.waiting }

  /// The number of requests so far, whether or not they are kept.
  public var requestCount: Int { script.arrived.value }

  /// The number of connections accepted so far.
  public var acceptedConnections: Int { listener.accepted.value }

  /// The number of open connections.
  public var openConnections: Int { listener.openCount }

  /// Returns the request with a number, counted from zero, as soon as it has arrived.
  ///
  /// Throws ``LoopbackError/stopped`` if the server stops or the waiting task is cancelled first.
  public func request(at index: Int) async throws(LoopbackError) -> LoopbackRequest {
    guard await script.arrived.reaches(index + 1) else { throw .stopped }
    let requests = script.requests
    guard requests.indices.contains(index) else {
      throw .invalid(what: "request(at: \(index))", expected: "a server with recordsRequests")
    }
    return requests[index]
  }

  /// Waits until the given number of connections have been accepted.
  public func accepted(_ count: Int) async throws(LoopbackError) {
    guard await listener.accepted.reaches(count) else { throw .stopped }
  }

  /// Waits until the connection with a number has ended, on either side: a test can check that a client closes
  /// the connection of a cancelled call.
  public func connectionClosed(_ number: Int) async throws(LoopbackError) {
    guard await listener.connectionClosed(number) else { throw .stopped }
  }
}

/// The reason that a loopback server, or something it needs, could not be set up.
public enum LoopbackError: Error, Hashable, Sendable {
  /// A system call failed with this error number.
  case system(call: String, code: Int32)
  /// A given value is invalid.
  case invalid(what: String, expected: String)
  /// The server stopped, or the waiting task was cancelled, before the awaited event.
  case stopped
}

extension LoopbackError: CustomStringConvertible {
  /// The failure and its cause.
  public var description: String {
    switch self {
    case .system(let call, let code):
      "\(call) failed: \(String(cString: strerror(code)))"
    case .invalid(let what, let expected):
      "can't use \(what): expected \(expected)"
    case .stopped:
      "the server stopped, or the wait was cancelled, before the awaited event"
    }
  }
}

/// The address that a loopback server listens on.
public enum LoopbackAddress: Hashable, Sendable {
  /// A free port of 127.0.0.1.
  case tcp
  /// A Unix domain socket at this path; the file is removed when the server stops.
  case unix(path: String)
}

/// Options of a ``LoopbackServer``.
public struct LoopbackConfiguration: Sendable {
  /// The address to listen on. The default is a free port of 127.0.0.1.
  public var address: LoopbackAddress = .tcp
  /// The encryption of connections. This module has none itself; the tests of this package provide it.
  package var security: (any LoopbackSecurity)?
  /// Whether ``LoopbackServer/requests`` keeps the requests. The default is `true`; a benchmark that sends a
  /// million requests turns it off.
  public var recordsRequests = true
  /// The number of body bytes that are kept of a request; the rest is read and dropped. The default is 64 MiB.
  public var recordedBodyBytes = 64 << 20

  /// Creates default options.
  public init() {}
}

/// A local port without a responding server.
///
/// The port stays reserved as long as this object lives, so no other process can listen there by chance.
public final class LoopbackDeadEnd: Sendable {
  private let sockets: [LoopbackSocket]

  /// Creates a port where every connection is refused at once.
  public static func refusing() throws(LoopbackError) -> LoopbackDeadEnd {
    LoopbackDeadEnd([try LoopbackSocket.bound(to: .tcp)])
  }

  /// Creates a port where connecting neither succeeds nor fails, as behind a firewall that drops packets: its
  /// queue of new connections is full and never drained.
  public static func silent() throws(LoopbackError) -> LoopbackDeadEnd {
    let listening = try LoopbackSocket.listening(at: .tcp, backlog: 0)
    // A queue of length zero has room for one connection.
    return LoopbackDeadEnd([listening, try LoopbackSocket.connected(toPort: listening.port)])
  }

  private init(_ sockets: [LoopbackSocket]) { self.sockets = sockets }

  /// The port.
  public var port: Int { sockets[0].port }

  /// The base URL for a client, without a path.
  public var baseURL: String { "http://127.0.0.1:\(port)" }
}

/// A real HTTP/1.1 server on this machine, for tests and benchmarks of a client.
///
/// ```swift
/// let server = try LoopbackServer { request in .text("you asked for \(request.path)") }
/// server.enqueue(.json(#"{"ok": true}"#), .status(503))     // these come first, in order
///
/// // … let the client talk to server.baseURL …
///
/// let first = try await server.request(at: 0)
/// #expect(first.header("Accept") == "application/json")
/// ```
///
/// It speaks over sockets of its own and shares no code with the client, so that a mistake on one
/// side cannot hide behind the same mistake on the other. Each connection has a thread; keep-alive,
/// pipelining, chunks and `Expect: 100-continue` work as clients expect. What shall go wrong is
/// said with the answer: see ``LoopbackFault`` and ``LoopbackGate``.
///
/// It stops when its last reference goes away. A request for which there is neither a scripted
/// answer nor a handler is answered with status 500 and a text that names it, and kept in
/// ``unscripted``.
///
/// - Important: the handler is called on connection threads, several at once.
public final class LoopbackServer: Sendable {
  /// Makes the answer to a request for which none is scripted.
  public typealias Handler = @Sendable (LoopbackRequest) -> LoopbackResponse

  let script: LoopbackScript
  let listener: LoopbackListener
  private let isSecure: Bool
  /// Handshakes of connections that failed before there was anything to read.
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
      Self.serve(socket, number, script, handshake, failedHandshakes)
    }
  }

  /// Starts a server that a handler answers for.
  public convenience init(_ handler: @escaping Handler) throws(LoopbackError) {
    try self.init(LoopbackConfiguration(), handler: handler)
  }

  deinit { stop() }

  /// The address to give to a client, without a path: `http://127.0.0.1:40123`.
  ///
  /// A server on a Unix socket answers to any host; this names `localhost`.
  public var baseURL: String {
    let scheme = isSecure ? "https" : "http"
    return listener.port == 0 ? "\(scheme)://localhost" : "\(scheme)://127.0.0.1:\(port)"
  }

  /// The port of 127.0.0.1 it listens on; zero for a Unix socket.
  public var port: Int { listener.port }

  /// Appends answers to the script; each serves one request, whichever comes first.
  public func enqueue(_ responses: LoopbackResponse...) { script.enqueue(responses) }

  /// Appends answers to the script.
  public func enqueue(_ responses: [LoopbackResponse]) { script.enqueue(responses) }

  /// Ends every connection and refuses new ones; returns at once. Stopping twice does nothing.
  public func stop() {
    listener.stop()
    script.arrived.end()
    failedHandshakes.end()
  }

  /// Waits until every thread of a stopped server has ended and its sockets are closed.
  public func finished() async { await listener.finished() }

  private static func serve(
    _ socket: LoopbackSocket, _ number: Int, _ script: LoopbackScript,
    _ handshake: LoopbackHandshake?, _ failedHandshakes: Counter
  ) {
    let carried = script.take(boundTo: .accepted)
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
  /// The requests that arrived so far, in order of arrival.
  public var requests: [LoopbackRequest] { script.requests }

  /// The requests for which there was neither a scripted answer nor a handler; a test that expects
  /// none can say so in one line.
  public var unscripted: [LoopbackRequest] { script.unscripted }

  /// How many scripted answers nobody has asked for yet.
  public var scriptedResponsesLeft: Int { script.waiting }

  /// How many requests arrived, whether or not they are kept.
  public var requestCount: Int { script.arrived.value }

  /// How many connections were accepted so far.
  public var acceptedConnections: Int { listener.accepted.value }

  /// How many connections are open now.
  public var openConnections: Int { listener.openCount }

  /// Waits until the request of that number, counted from zero, has arrived.
  ///
  /// Throws ``LoopbackError/stopped`` when the server stops or the waiting task is cancelled first.
  public func request(at index: Int) async throws(LoopbackError) -> LoopbackRequest {
    guard await script.arrived.reaches(index + 1) else { throw .stopped }
    let requests = script.requests
    guard requests.indices.contains(index) else {
      throw .invalid(what: "request(at: \(index))", expected: "a server that records requests")
    }
    return requests[index]
  }

  /// Waits until that many connections have been accepted.
  public func accepted(_ count: Int) async throws(LoopbackError) {
    guard await listener.accepted.reaches(count) else { throw .stopped }
  }

  /// Waits until the connection of that number has ended, whoever ended it: so a test sees that a
  /// client whose call was cancelled really went away.
  public func connectionClosed(_ number: Int) async throws(LoopbackError) {
    guard await listener.connectionClosed(number) else { throw .stopped }
  }
}

/// Why a server of the test kit, or what it needs, could not be set up.
public enum LoopbackError: Error, Hashable, Sendable {
  /// A call of the system failed with this error number.
  case system(call: String, code: Int32)
  /// A value that was given cannot be used.
  case invalid(what: String, expected: String)
  /// The server stopped, or the waiting task was cancelled, before the awaited fact came about.
  case stopped
}

extension LoopbackError: CustomStringConvertible {
  /// What failed, and what to look at.
  public var description: String {
    switch self {
    case .system(let call, let code):
      "the system refused \(call) with error number \(code)"
    case .invalid(let what, let expected):
      "\(what) cannot be used, expected \(expected)"
    case .stopped:
      "the server stopped, or the wait was cancelled, before it happened"
    }
  }
}

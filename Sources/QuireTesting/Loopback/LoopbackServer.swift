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
  private let context: LoopbackTLSContext?
  /// TLS handshakes that failed.
  let failedHandshakes = LoopbackTally()

  /// Starts a server.
  public init(
    _ configuration: LoopbackConfiguration = LoopbackConfiguration(), handler: Handler? = nil
  ) throws(LoopbackError) {
    script = LoopbackScript(configuration: configuration, handler: handler)
    context = try configuration.tls.map { tls throws(LoopbackError) in
      try LoopbackTLSContext(tls, protocols: .http1)
    }
    listener = try LoopbackListener(configuration.address)
    try listener.start { [script, context, failedHandshakes] socket, number in
      Self.serve(socket, number, script, context, failedHandshakes)
    }
  }

  /// Starts a server that a handler answers for.
  public convenience init(_ handler: @escaping Handler) throws(LoopbackError) {
    try self.init(LoopbackConfiguration(), handler: handler)
  }

  /// Starts a server that speaks TLS with a certificate.
  public convenience init(
    tls identity: TestIdentity, handler: Handler? = nil
  ) throws(LoopbackError) {
    var configuration = LoopbackConfiguration()
    configuration.tls = LoopbackTLS(identity)
    try self.init(configuration, handler: handler)
  }

  deinit { stop() }

  /// The address to give to a client, without a path: `http://127.0.0.1:40123`.
  ///
  /// A server on a Unix socket answers to any host; this names `localhost`.
  public var baseURL: String {
    let scheme = context == nil ? "http" : "https"
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
    _ context: LoopbackTLSContext?, _ failedHandshakes: LoopbackTally
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
    var session: LoopbackTLSSession?
    if let context {
      session = context.handshake(over: socket)
      guard session != nil else { return failedHandshakes.add() }
    }
    let stream = LoopbackStream(socket, session: session)
    var connection = LoopbackConnection(stream, number: number, script: script, carried: carried)
    connection.serve()
  }
}

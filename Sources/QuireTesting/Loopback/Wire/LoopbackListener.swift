internal import Support

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Accepts connections and gives each a thread; what is spoken there is its user's business.
package final class LoopbackListener: Sendable {
  private struct State {
    var isStopped = false
    var open: [Int: LoopbackSocket] = [:]
    var closed: Set<Int> = []
    /// Sockets to other servers that end together with a connection's thread.
    var adopted: [ObjectIdentifier: LoopbackSocket] = [:]
    var threads = 0
  }

  let address: LoopbackAddress
  package let port: Int
  /// Connections accepted so far.
  package let accepted = Counter()
  /// Connections whose thread has ended.
  let closed = Counter()
  private let finish = Counter()
  private let socket: LoopbackSocket
  /// Guards which connections and threads there are; sockets are shut down outside of it.
  private let state = Lock(State())

  package init(_ address: LoopbackAddress) throws(LoopbackError) {
    self.address = address
    socket = try LoopbackSocket.listening(at: address)
    port = socket.port
  }

  /// Starts to accept; `serve` runs on the thread of its connection, which ends with it.
  package func start(
    _ serve: @escaping @Sendable (LoopbackSocket, Int) -> Void
  ) throws(LoopbackError) {
    state.withLock { $0.threads += 1 }
    let started = LoopbackThread.start { [self] in
      while let connection = socket.accepted() { run(connection, serve) }
      threadEnded()
    }
    guard started else {
      threadEnded()
      throw .system(call: "pthread_create", code: EAGAIN)
    }
  }

  /// Refuses new connections and ends those that are open; returns at once.
  package func stop() {
    let sockets = state.withLock { state -> [LoopbackSocket] in
      guard !state.isStopped else { return [] }
      state.isStopped = true
      return Array(state.open.values) + Array(state.adopted.values) + [socket]
    }
    guard !sockets.isEmpty else { return }
    for socket in sockets { socket.shutDown() }
    if case .unix(let path) = address { unlink(path) }
    accepted.end()
  }

  /// Waits until every thread has ended; only ``stop()`` brings that about.
  package func finished() async { _ = await finish.reaches(1) }

  /// Numbers of the connections that are open now.
  var openCount: Int { state.withLock { $0.open.count } }

  /// Waits until the connection of this number has been there and gone.
  func connectionClosed(_ number: Int) async -> Bool {
    while true {
      let seen = closed.value
      if state.withLock({ $0.closed.contains(number) }) { return true }
      guard await closed.reaches(seen + 1) else { return false }
    }
  }

  /// Makes ``stop()`` end this socket too, until it is dropped; false when already stopped.
  package func adopt(_ socket: LoopbackSocket) -> Bool {
    state.withLock { state in
      guard !state.isStopped else { return false }
      state.adopted[ObjectIdentifier(socket)] = socket
      return true
    }
  }

  /// Forgets a socket that was adopted.
  package func drop(_ socket: LoopbackSocket) {
    state.withLock { _ = $0.adopted.removeValue(forKey: ObjectIdentifier(socket)) }
  }

  private func run(
    _ connection: LoopbackSocket, _ serve: @escaping @Sendable (LoopbackSocket, Int) -> Void
  ) {
    // Only the accepting thread adds, so the count is the number of this connection.
    let number = accepted.value
    let goesOn = state.withLock { state in
      guard !state.isStopped else { return false }
      state.open[number] = connection
      state.threads += 1
      return true
    }
    guard goesOn else { return }
    accepted.add()
    // The thread finds its socket in the table, so that leaving the table is what closes it.
    let started = LoopbackThread.start { [self] in
      if let connection = state.withLock({ $0.open[number] }) { serve(connection, number) }
      ended(number)
    }
    if !started { ended(number) }
  }

  private func ended(_ number: Int) {
    let socket = state.withLock { state in
      state.closed.insert(number)
      return state.open.removeValue(forKey: number)
    }
    withExtendedLifetime(socket) {}
    closed.add()
    threadEnded()
  }

  private func threadEnded() {
    let isLast = state.withLock { state in
      state.threads -= 1
      return state.threads == 0
    }
    guard isLast else { return }
    closed.end()
    finish.add()
  }
}

/// A detached thread with a small stack, so that a thousand connections cost little memory.
enum LoopbackThread {
  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Room for a handshake of TLS or a handler that encodes JSON; only touched pages cost memory.
  private static let stackBytes = 512 << 10

  /// Runs `body` on a thread of its own; false when the system has no thread left.
  ///
  /// SIGPIPE is blocked there: a library that encrypts writes without a flag that would turn it off.
  static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    var attributes = pthread_attr_t()
    guard pthread_attr_init(&attributes) == 0 else { return false }
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, stackBytes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    let work = Unmanaged.passRetained(Work(body))
    #if canImport(Darwin)
      var id: pthread_t?
    #else
      var id = pthread_t()
    #endif
    let code = pthread_create(
      &id, &attributes,
      { argument in
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        let argument: UnsafeMutableRawPointer? = argument
        if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
        return nil
      }, work.toOpaque())
    if code != 0 { work.release() }
    return code == 0
  }
}

internal import Support

/// Accepts connections and gives each a thread. The caller decides on the protocol.
package final class LoopbackListener: Sendable {
  private struct State {
    var isStopped = false
    var open: [Int: LoopbackSocket] = [:]
    var closed: Set<Int> = []
    /// Sockets to other servers that end together with the listener.
    var adopted: [ObjectIdentifier: LoopbackSocket] = [:]
    var threads = 0
  }

  let address: LoopbackAddress
  package let port: Int
  /// The number of connections accepted so far.
  package let accepted = Counter()
  /// The number of connections whose thread has ended.
  let closed = Counter()
  private let finish = Counter()
  private let socket: LoopbackSocket
  /// Guards the connections and threads; sockets are shut down outside of it.
  private let state = Lock(State())

  package init(_ address: LoopbackAddress) throws(LoopbackError) {
    self.address = address
    socket = try LoopbackSocket.listening(at: address)
    port = socket.port
  }

  /// Starts to accept; `serve` runs on the thread of its connection, which ends when it returns.
  package func start(
    _ serve: @escaping @Sendable (LoopbackSocket, Int) -> Void
  ) throws(LoopbackError) {
    state.withLock { $0.threads += 1 }
    let started = DetachedThread.start { [self] in
      while let connection = socket.accepted() { run(connection, serve) }
      threadEnded()
    }
    guard started else {
      threadEnded()
      throw .system(call: "pthread_create", code: EAGAIN)
    }
  }

  /// Refuses new connections and ends the open ones; returns at once.
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

  /// Waits until every thread has ended, which requires ``stop()``.
  package func finished() async { _ = await finish.reaches(1) }

  /// The number of open connections.
  var openCount: Int { state.withLock { $0.open.count } }

  /// Waits until the connection with this number has ended.
  func connectionClosed(_ number: Int) async -> Bool {
    while true {
      let seen = closed.value
      if state.withLock({ $0.closed.contains(number) }) { return true }
      guard await closed.reaches(seen + 1) else { return false }
    }
  }

  /// Makes ``stop()`` end this socket too, until it is dropped; returns false if already stopped.
  package func adopt(_ socket: LoopbackSocket) -> Bool {
    state.withLock { state in
      guard !state.isStopped else { return false }
      state.adopted[ObjectIdentifier(socket)] = socket
      return true
    }
  }

  /// Forgets an adopted socket.
  package func drop(_ socket: LoopbackSocket) {
    state.withLock { _ = $0.adopted.removeValue(forKey: ObjectIdentifier(socket)) }
  }

  private func run(
    _ connection: LoopbackSocket, _ serve: @escaping @Sendable (LoopbackSocket, Int) -> Void
  ) {
    // Only the accepting thread increments it, so the count is the number of this connection.
    let number = accepted.value
    let goesOn = state.withLock { state in
      guard !state.isStopped else { return false }
      state.open[number] = connection
      state.threads += 1
      return true
    }
    guard goesOn else { return }
    accepted.add()
    // The thread gets its socket from the table, so removing it from the table closes it.
    let started = DetachedThread.start { [self] in
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

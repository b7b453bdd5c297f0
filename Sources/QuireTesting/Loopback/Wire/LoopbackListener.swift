internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Accepts connections and gives each a thread; what is spoken there is its user's business.
final class LoopbackListener: Sendable {
  private struct State {
    var isStopped = false
    var open: [Int: LoopbackSocket] = [:]
    var closed: Set<Int> = []
    /// Sockets to other servers that end together with a connection's thread.
    var adopted: [ObjectIdentifier: LoopbackSocket] = [:]
    var threads = 0
  }

  let address: LoopbackAddress
  let port: Int
  /// Connections accepted so far.
  let accepted = LoopbackTally()
  /// Connections whose thread has ended.
  let closed = LoopbackTally()
  private let finish = LoopbackTally()
  private let socket: LoopbackSocket
  /// Guards which connections and threads there are; sockets are shut down outside of it.
  private let state = Mutex(State())

  init(_ address: LoopbackAddress) throws(LoopbackError) {
    self.address = address
    socket = try LoopbackSocket.listening(at: address)
    port = socket.port
  }

  /// Starts to accept; `serve` runs on the thread of its connection, which ends with it.
  func start(
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
  func stop() {
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
  func finished() async { _ = await finish.reach(1) }

  /// Numbers of the connections that are open now.
  var openCount: Int { state.withLock { $0.open.count } }

  /// Waits until the connection of this number has been there and gone.
  func connectionClosed(_ number: Int) async -> Bool {
    while true {
      let seen = closed.count
      if state.withLock({ $0.closed.contains(number) }) { return true }
      guard await closed.reach(seen + 1) else { return false }
    }
  }

  /// Makes ``stop()`` end this socket too, until it is dropped; false when already stopped.
  func adopt(_ socket: LoopbackSocket) -> Bool {
    state.withLock { state in
      guard !state.isStopped else { return false }
      state.adopted[ObjectIdentifier(socket)] = socket
      return true
    }
  }

  /// Forgets a socket that was adopted.
  func drop(_ socket: LoopbackSocket) {
    state.withLock { _ = $0.adopted.removeValue(forKey: ObjectIdentifier(socket)) }
  }

  private func run(
    _ connection: LoopbackSocket, _ serve: @escaping @Sendable (LoopbackSocket, Int) -> Void
  ) {
    // Only the accepting thread adds, so the count is the number of this connection.
    let number = accepted.count
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

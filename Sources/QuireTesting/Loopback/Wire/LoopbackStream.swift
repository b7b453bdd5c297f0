internal import Support

/// Performs the handshake of a connection; returns `nil` if the client aborts it.
package typealias LoopbackHandshake = @Sendable (LoopbackSocket) -> (any LoopbackSession)?

/// Encrypts the connections of a server.
package protocol LoopbackSecurity: Sendable {
  /// Prepares the encryption of one server and returns the handshake of its connections.
  func handshake() throws(LoopbackError) -> LoopbackHandshake
}

/// The encryption of one connection; used only by its thread.
package protocol LoopbackSession: AnyObject {
  /// Whether the client has presented a certificate.
  var hasClientCertificate: Bool { get }

  /// Reads decrypted bytes; returns zero if the connection ended.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int

  /// Writes all bytes; returns false if the connection ended first.
  func write(_ bytes: UnsafeRawBufferPointer) -> Bool

  /// Signals the client that the end that follows is intended.
  func sendClosingAlert()
}

/// The bytes of one connection, plain or encrypted; used only by its thread.
package struct LoopbackStream {
  /// The result of a wait.
  enum Wait { case ready, timedOut, gone }

  #if canImport(Darwin)
    private static let noSignal: Int32 = 0
    private static let dontWait = MSG_DONTWAIT
    private static let clientEnded = Int16(POLLHUP)
  #else
    private static let noSignal = Int32(MSG_NOSIGNAL)
    private static let dontWait = Int32(MSG_DONTWAIT)
    /// `POLLRDHUP`, which the headers reserve for programs that request GNU extensions.
    private static let clientEnded: Int16 = 0x2000
  #endif

  package let socket: LoopbackSocket
  let session: (any LoopbackSession)?

  package init(_ socket: LoopbackSocket, session: (any LoopbackSession)? = nil) {
    self.socket = socket
    self.session = session
  }

  /// Reads the bytes that have arrived, and blocks for the first one; returns zero if the connection ended.
  package func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    if let session { return session.read(into: buffer) }
    while true {
      let count = recv(socket.fd, buffer.baseAddress, buffer.count, 0)
      if count >= 0 { return count }
      guard errno == EINTR else { return 0 }
    }
  }

  /// Writes all bytes; returns false if the connection ended first.
  package func write(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.withUnsafeBytes { write($0, UnsafeRawBufferPointer(start: nil, count: 0)) }
  }

  /// Writes a head and a body, in one system call unless the client is slow.
  func write(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Bool {
    if let session { return session.write(first) && session.write(second) }
    var sent = 0
    let total = first.count + second.count
    while sent < total {
      let head = UnsafeRawBufferPointer(rebasing: first[min(sent, first.count)...])
      let body = UnsafeRawBufferPointer(rebasing: second[max(0, sent - first.count)...])
      let count = send(head, body)
      if count >= 0 {
        sent += count
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }

  private func send(_ head: UnsafeRawBufferPointer, _ body: UnsafeRawBufferPointer) -> Int {
    return withUnsafeTemporaryAllocation(of: iovec.self, capacity: 2) { parts in
      parts[0] = iovec(
        iov_base: UnsafeMutableRawPointer(mutating: head.baseAddress), iov_len: head.count)
      parts[1] = iovec(
        iov_base: UnsafeMutableRawPointer(mutating: body.baseAddress), iov_len: body.count)
      var message = msghdr()
      message.msg_iov = parts.baseAddress
      message.msg_iovlen = 2
      return sendmsg(socket.fd, &message, Self.noSignal)
    }
  }

  /// Waits until the gate opens; returns false if the connection ended first.
  func wait(for gate: LoopbackGate) -> Bool {
    gate.arrive()
    return wait(for: gate.signal.fd, events: Int16(POLLIN)) == .ready
  }

  /// Waits for a duration in real time; returns false if the connection ended meanwhile.
  func pause(_ duration: Duration) -> Bool {
    let (seconds, attoseconds) = duration.components
    let milliseconds = Int32(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    return wait(for: -1, events: 0, milliseconds: max(1, milliseconds)) == .timedOut
  }

  /// Waits for unread input of the client; returns false if the connection ended instead.
  func waitForInput() -> Bool { wait(for: socket.fd, events: Int16(POLLIN)) == .ready }

  /// Waits for a descriptor and for the end of the connection.
  private func wait(for fd: Int32, events: Int16, milliseconds: Int32 = -1) -> Wait {
    let over = Self.clientEnded | Int16(POLLHUP) | Int16(POLLERR)
    var entries = [
      pollfd(fd: socket.fd, events: Self.clientEnded, revents: 0),
      pollfd(fd: fd, events: events, revents: 0),
    ]
    while true {
      let count = poll(&entries, 2, milliseconds)
      if count == 0 { return .timedOut }
      if count < 0 {
        guard errno == EINTR else { return .gone }
        continue
      }
      if entries[0].revents & over != 0 { return .gone }
      return .ready
    }
  }

  /// Ends the connection, or waits until the client does.
  func end(_ ending: LoopbackFault.Ending) {
    switch ending {
    case .close:
      discardWaitingInput()
      socket.shutDownWriting()
    case .reset:
      socket.resetWhenClosed()
    case .halfClose:
      finishWriting()
      discardInput()
    case .stall:
      discardInput()
    }
  }

  /// Ends the connection as a server does that has sent everything: the client gets every byte, because its
  /// remaining input is read until it closes or is silent for a second.
  package func finish() {
    finishWriting()
    var room = [UInt8](repeating: 0, count: 4096)
    while wait(for: socket.fd, events: Int16(POLLIN), milliseconds: 1000) != .timedOut {
      let count = recv(socket.fd, &room, room.count, 0)
      if count <= 0 { return }
    }
  }

  private func finishWriting() {
    session?.sendClosingAlert()
    socket.shutDownWriting()
  }

  /// Reads below the encryption, which is finished, until the client closes.
  private func discardInput() {
    var room = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(socket.fd, &room, room.count, 0)
      if count == 0 || (count < 0 && errno != EINTR) { return }
    }
  }

  /// Reads the input that has already arrived, so that closing sends FIN and not RST.
  private func discardWaitingInput() {
    var room = [UInt8](repeating: 0, count: 4096)
    while recv(socket.fd, &room, room.count, Self.dontWait) > 0 {}
  }
}

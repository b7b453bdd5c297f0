internal import Support

/// Owns one descriptor and closes it with its last reference, so that a number is never shut down after the
/// system has reused it.
package final class LoopbackSocket: Sendable {
  /// The descriptor; valid as long as this object lives.
  package let fd: Int32

  init(owning fd: Int32) { self.fd = fd }

  deinit { _ = close(fd) }

  /// Binds and listens.
  static func listening(
    at address: LoopbackAddress, backlog: Int32 = 4096
  ) throws(LoopbackError) -> LoopbackSocket {
    let socket = try bound(to: address)
    guard listen(socket.fd, backlog) == 0 else { throw .system(call: "listen", code: errno) }
    return socket
  }

  /// Binds without listening: connections are refused.
  static func bound(to address: LoopbackAddress) throws(LoopbackError) -> LoopbackSocket {
    let created: LoopbackSocket
    let code: Int32
    switch address {
    case .tcp:
      created = try make(AF_INET)
      code = withLoopbackAddress(port: 0) { bind(created.fd, $0, $1) }
    case .unix(let path):
      created = try make(AF_UNIX)
      guard let bound = withUnixAddress(path, { bind(created.fd, $0, $1) }) else {
        throw .invalid(what: "the socket path \(path)", expected: "at most 100 bytes")
      }
      code = bound
    }
    guard code == 0 else { throw .system(call: "bind", code: errno) }
    return created
  }

  /// Connects to a port of this machine.
  package static func connected(toPort port: Int) throws(LoopbackError) -> LoopbackSocket {
    let created = try make(AF_INET)
    let code = withLoopbackAddress(port: port) { connect(created.fd, $0, $1) }
    guard code == 0 else { throw .system(call: "connect", code: errno) }
    created.sendWithoutDelay()
    return created
  }

  /// Returns two connected sockets, which no child process inherits.
  package static func pair() throws(LoopbackError) -> (LoopbackSocket, LoopbackSocket) {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, SocketKind.privateStream, 0, &ends) == 0 else {
      throw .system(call: "socketpair", code: errno)
    }
    return (LoopbackSocket(owning: ends[0]), LoopbackSocket(owning: ends[1]))
  }

  /// Reads until the other end is closed.
  package func readToEnd() -> String {
    var out: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(fd, &room, room.count)
      if count > 0 { out += room[..<count] } else if count == 0 || errno != EINTR { break }
    }
    return String(decoding: out, as: UTF8.self)
  }

  /// The port of 127.0.0.1 that it is bound to; zero for a Unix socket.
  var port: Int {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(fd, $0, &length) }
    }
    guard code == 0, Int32(address.sin_family) == AF_INET else { return 0 }
    return Int(UInt16(bigEndian: address.sin_port))
  }

  /// Waits for the next connection; returns `nil` once listening has ended.
  func accepted() -> LoopbackSocket? {
    while true {
      let accepted = accept(fd, nil, nil)
      if accepted >= 0 {
        _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
        let socket = LoopbackSocket(owning: accepted)
        socket.sendWithoutDelay()
        return socket
      }
      switch errno {
      case EINTR, ECONNABORTED: continue
      // No descriptor is free: the client waits in the backlog until one is.
      case EMFILE, ENFILE, ENOBUFS, ENOMEM: poll(nil, 0, 10)
      default: return nil
      }
    }
  }

  /// Ends both directions and wakes the threads that block on them.
  func shutDown() { _ = shutdown(fd, Int32(SHUT_RDWR)) }

  /// Signals the other side that nothing more will be sent.
  package func shutDownWriting() { _ = shutdown(fd, Int32(SHUT_WR)) }

  /// Makes closing send RST instead of FIN.
  func resetWhenClosed() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  /// Sends small pieces at once. A Unix socket does so anyway and rejects the option.
  private func sendWithoutDelay() {
    var on: Int32 = 1
    setsockopt(fd, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
  }

  private static func make(_ family: Int32) throws(LoopbackError) -> LoopbackSocket {
    let fd = socket(family, SocketKind.privateStream, 0)
    guard fd >= 0 else { throw .system(call: "socket", code: errno) }
    #if canImport(Darwin)
      var on: Int32 = 1
      setsockopt(fd, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
    #endif
    return LoopbackSocket(owning: fd)
  }

  private static func withLoopbackAddress<Result>(
    port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  private static func withUnixAddress<Result>(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result? {
    guard !path.isEmpty, path.utf8.count <= 100 else { return nil }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The HTTP/1 connections that wait for their next request.
///
/// libcurl 7.88 reuses a connection on which bytes have arrived meanwhile, and reads them as the response to the next
/// request. Nothing was requested, so such a connection is closed. The bytes of TLS arrive only with a response, except
/// for its end.
///
/// A connection is known by its port on this side. libcurl may close it at any time, so the socket is checked before
/// it is used.
struct IdleConnections {
  private var ports: [Int32] = []
  /// The socket of each port, as `poll` takes it.
  private var sockets: [pollfd] = []

  /// Adds a connection whose response is complete. One to a Unix socket has no port, and is not watched.
  mutating func add(socket: Int32, port: Int32) {
    guard socket >= 0, port > 0 else { return }
    _ = remove(port)
    ports.append(port)
    sockets.append(pollfd(fd: socket, events: Int16(POLLIN), revents: 0))
  }

  /// Closes the connections on which bytes have arrived, so that libcurl finds them closed.
  mutating func closeUnclean() {
    guard !sockets.isEmpty, poll(&sockets, nfds_t(sockets.count), 0) > 0 else { return }
    for (port, wait) in zip(ports, sockets) where wait.revents != 0 {
      let socket = ConnectedSocket(wait.fd)
      if socket.port == port, socket.hasUnreadBytes { socket.drainAndShutDown() }
      _ = remove(port)
    }
  }

  /// Removes the connection that a request uses now. Returns its socket, if it is known.
  mutating func take(port: Int32) -> ConnectedSocket? {
    guard let socket = remove(port).map(ConnectedSocket.init), socket.port == port else {
      return nil
    }
    return socket
  }

  private mutating func remove(_ port: Int32) -> Int32? {
    guard let place = ports.firstIndex(of: port) else { return nil }
    ports.swapAt(place, ports.count - 1)
    sockets.swapAt(place, sockets.count - 1)
    ports.removeLast()
    return sockets.removeLast().fd
  }
}

/// A socket of libcurl, looked at without reading from it.
struct ConnectedSocket {
  let number: Int32

  init(_ number: Int32) { self.number = number }

  /// Its port on this side; `nil` if it is closed.
  var port: Int32? {
    var address = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let family = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(number, $0, &size) == 0 ? Int32($0.pointee.sa_family) : -1
      }
    }
    guard family == AF_INET || family == AF_INET6 else { return nil }
    // Both kinds of address have the port at the same place.
    return withUnsafeBytes(of: &address) { Int32($0[2]) << 8 | Int32($0[3]) }
  }

  /// Whether bytes have arrived that were not read.
  var hasUnreadBytes: Bool {
    var byte: UInt8 = 0
    return recv(number, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0
  }

  /// Whether the other side has not yet received all bytes that were sent.
  var hasUnreceivedBytes: Bool {
    var count: Int32 = 0
    #if canImport(Glibc)
      return ioctl(number, UInt(TIOCOUTQ), &count) == 0 && count > 0
    #else
      var size = socklen_t(MemoryLayout<Int32>.size)
      return getsockopt(number, SOL_SOCKET, SO_NWRITE, &count, &size) == 0 && count > 0
    #endif
  }

  /// Reads what has arrived and closes both directions. libcurl then finds the connection closed before it reuses it;
  /// one that can't be drained fails when it is reused.
  func drainAndShutDown() {
    shutdown(number, Int32(SHUT_RDWR))
    withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 1) { room in
      for _ in 0..<64
      where recv(number, room.baseAddress, room.count, Int32(MSG_DONTWAIT)) <= 0 { return }
    }
  }
}

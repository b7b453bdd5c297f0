#if LIBCURL
  internal import Support

  /// The HTTP/1 connections that wait for their next request.
  ///
  /// libcurl 7.88 reuses a connection on which bytes have arrived meanwhile, and reads them as the response to the next
  /// request. Nothing was requested, so such a connection is closed. The bytes of TLS arrive only with a response, except
  /// for its end.
  ///
  /// A connection is known by both of its ends. libcurl may close it at any time, so the socket is checked before it is
  /// used.
  struct IdleConnections {
    private var names: [ConnectionName] = []
    /// The socket of each connection, as `poll` takes it.
    private var sockets: [pollfd] = []

    /// Adds a connection whose response is complete. One to a Unix socket has no ports, and is not watched.
    mutating func add(socket: Int32, _ name: ConnectionName) {
      guard socket >= 0, name.near.port > 0 else { return }
      _ = remove(name)
      names.append(name)
      sockets.append(pollfd(fd: socket, events: Int16(POLLIN), revents: 0))
    }

    /// Closes the connections on which bytes have arrived, so that libcurl finds them closed.
    mutating func closeUnclean() {
      guard !sockets.isEmpty, poll(&sockets, nfds_t(sockets.count), 0) > 0 else { return }
      for (name, wait) in zip(names, sockets) where wait.revents != 0 {
        let socket = ConnectedSocket(wait.fd)
        if socket.name == name, socket.hasUnreadBytes { socket.drainAndShutDown() }
        _ = remove(name)
      }
    }

    /// Removes the connection that a request uses now. Returns its socket, if it is known.
    mutating func take(_ name: ConnectionName) -> ConnectedSocket? {
      guard let socket = remove(name).map(ConnectedSocket.init), socket.name == name else {
        return nil
      }
      return socket
    }

    private mutating func remove(_ name: ConnectionName) -> Int32? {
      guard let place = names.firstIndex(of: name) else { return nil }
      names.swapAt(place, names.count - 1)
      sockets.swapAt(place, sockets.count - 1)
      names.removeLast()
      return sockets.removeLast().fd
    }
  }

  /// The ends of a connection. Several connections may have the same port on this side.
  struct ConnectionName: Hashable {
    struct End: Hashable {
      var port: Int32
      /// The bytes of the address; the last four of them for IPv4.
      var address: UInt128 = 0
    }

    var near: End
    var far: End
  }

  extension ConnectionName.End {
    init(port: Int32, bytes: some Sequence<UInt8>) {
      self.init(port: port, address: bytes.reduce(0) { $0 << 8 | UInt128($1) })
    }

    /// Creates an end from the text of an address; an end without address if there is none.
    init(port: Int32, text: UnsafePointer<CChar>?) {
      self.init(port: port)
      guard let text else { return }
      withUnsafeTemporaryAllocation(byteCount: 16, alignment: 8) { room in
        for (family, size) in [(AF_INET, 4), (AF_INET6, 16)]
        where inet_pton(family, text, room.baseAddress) == 1 {
          self = Self(port: port, bytes: room[..<size])
        }
      }
    }
  }

  /// A socket of libcurl, looked at without reading from it.
  struct ConnectedSocket {
    let number: Int32

    init(_ number: Int32) { self.number = number }

    /// The ends of the connection; `nil` if it is closed, or has no ports.
    var name: ConnectionName? {
      guard let near = end(getsockname), let far = end(getpeername) else { return nil }
      return ConnectionName(near: near, far: far)
    }

    private func end(
      _ read: (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32
    ) -> ConnectionName.End? {
      var address = sockaddr_storage()
      var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
      let isRead = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { read(number, $0, &size) == 0 }
      }
      guard isRead else { return nil }
      return withUnsafeBytes(of: &address) { bytes in
        // Both kinds of address have the port at the same place.
        let port = Int32(bytes[2]) << 8 | Int32(bytes[3])
        return switch Int32(bytes.load(as: sockaddr.self).sa_family) {
        case AF_INET: ConnectionName.End(port: port, bytes: bytes[4..<8])
        case AF_INET6: ConnectionName.End(port: port, bytes: bytes[8..<24])
        default: nil
        }
      }
    }

    /// Whether bytes have arrived that were not read.
    var hasUnreadBytes: Bool {
      var byte: UInt8 = 0
      return recv(number, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0
    }

    /// Whether the other side has not yet received all bytes that were sent.
    var hasUnreceivedBytes: Bool {
      var count: Int32 = 0
      return ioctl(number, UInt(TIOCOUTQ), &count) == 0 && count > 0
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
#endif

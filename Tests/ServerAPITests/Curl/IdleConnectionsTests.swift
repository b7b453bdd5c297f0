#if LIBCURL
  import Support
  import Testing

  @testable import ServerAPI

  /// The sockets of idle connections, over real pairs of sockets.
  @Suite struct IdleConnectionsTests {
    /// Two connected TCP sockets.
    private final class Pair {
      let near: Int32
      let far: Int32

      /// `port` is the one on this side; the system chooses without one.
      init(port: Int32 = 0) throws {
        let listener = socket(AF_INET, SocketKind.stream, 0)
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        var own = address
        own.sin_port = in_port_t(port).bigEndian
        let near = socket(AF_INET, SocketKind.stream, 0)
        try withUnsafeMutablePointer(to: &address) { pointer in
          try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            try #require(bind(listener, $0, size) == 0 && listen(listener, 1) == 0)
            var reuse: Int32 = 1
            setsockopt(near, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
            try withUnsafeBytes(of: &own) { bytes in
              let own = try #require(bytes.bindMemory(to: sockaddr.self).baseAddress)
              try #require(bind(near, own, size) == 0)
            }
            try #require(getsockname(listener, $0, &size) == 0)
            try #require(connect(near, $0, size) == 0)
          }
        }
        (self.near, far) = (near, accept(listener, nil, nil))
      }

      deinit {
        close(near)
        close(far)
      }

      var name: ConnectionName { get throws { try #require(ConnectedSocket(near).name) } }
    }

    @Test func `a connection without bytes can be used once`() throws {
      let pair = try Pair()
      var idle = IdleConnections()
      idle.add(socket: pair.near, try pair.name)
      idle.closeUnclean()
      let name = try pair.name
      #expect(idle.take(name)?.hasUnreadBytes == false)
      #expect(idle.take(name) == nil)
    }

    @Test func `a connection on which bytes have arrived is closed`() throws {
      let pair = try Pair()
      var idle = IdleConnections()
      idle.add(socket: pair.near, try pair.name)
      #expect(send(pair.far, "x", 1, 0) == 1)
      idle.closeUnclean()
      #expect(idle.take(try pair.name) == nil)
      var byte: UInt8 = 0
      #expect(recv(pair.far, &byte, 1, 0) == 0)
    }

    @Test func `each of several connections keeps its socket`() throws {
      let pairs = try (0..<5).map { _ in try Pair() }
      var idle = IdleConnections()
      for pair in pairs { idle.add(socket: pair.near, try pair.name) }
      #expect(idle.take(try pairs[1].name)?.number == pairs[1].near)
      for number in [0, 3] { #expect(send(pairs[number].far, "x", 1, 0) == 1) }
      idle.closeUnclean()
      for number in [0, 1, 3] { #expect(idle.take(try pairs[number].name) == nil) }
      for number in [2, 4] {
        #expect(idle.take(try pairs[number].name)?.number == pairs[number].near)
      }
    }

    @Test func `two connections may have the same port on this side`() throws {
      let pair = try Pair()
      let other = try Pair(port: pair.name.near.port)
      #expect(try other.name.near == pair.name.near)
      var idle = IdleConnections()
      idle.add(socket: pair.near, try pair.name)
      idle.add(socket: other.near, try other.name)
      #expect(send(pair.far, "x", 1, 0) == 1)
      idle.closeUnclean()
      #expect(idle.take(try pair.name) == nil)
      var byte: UInt8 = 0
      #expect(recv(pair.far, &byte, 1, 0) == 0)
      #expect(idle.take(try other.name)?.number == other.near)
    }

    @Test func `a socket number that belongs to another connection is left alone`() throws {
      let (pair, other) = (try Pair(), try Pair())
      var idle = IdleConnections()
      idle.add(socket: other.near, try pair.name)
      #expect(send(other.far, "x", 1, 0) == 1)
      idle.closeUnclean()
      #expect(ConnectedSocket(other.near).hasUnreadBytes)
      idle.add(socket: other.near, try pair.name)
      #expect(idle.take(try pair.name) == nil)
    }

    @Test func `bytes that the other side could not receive yet are seen`() throws {
      let pair = try Pair()
      let socket = ConnectedSocket(pair.near)
      #expect(!socket.hasUnreceivedBytes)
      let block = [UInt8](repeating: 0, count: 1 << 16)
      while send(pair.near, block, block.count, Int32(MSG_DONTWAIT)) > 0 {}
      #expect(socket.hasUnreceivedBytes)
    }
  }
#endif

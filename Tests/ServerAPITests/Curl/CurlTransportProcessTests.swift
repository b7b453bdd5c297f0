#if LIBCURL
  import CCurl
  import Foundation
  import QuireTesting
  import Support
  import TestSupport
  import Testing

  @testable import ServerAPI

  /// The effects of a transport on its process. Each test has its own process.
  @Suite(.timeLimit(.minutes(1))) struct CurlTransportProcessTests {
    @Test func `the thread of an idle transport never wakes up`() async {
      await #expect(processExitsWith: .success) {
        let server = try LoopbackServer { _ in .text("x") }
        let transport = CurlTransport { $0.idleLifetime = .seconds(1_000) }
        _ = try await transport.send(HTTPRequest(.get, server.url()))
        let thread = try #require(ownThread(named: "quire-curl"))
        // Only the system reports when the thread is idle: no limit of a request would wake it up then.
        try #require(thread.call != nil)
        while (thread.timer ?? 0) < 900 { sched_yield() }
        let before = thread.switches
        // Meanwhile, a second transport serves calls for a while.
        let other = CurlTransport()
        for _ in 0..<200 { _ = try await other.send(HTTPRequest(.get, server.url())) }
        try #require(thread.timer ?? 0 > 900)
        try #require(thread.switches == before)
      }
    }

    @Test func `a request wakes no thread before its response arrives`() async {
      await #expect(processExitsWith: .success) {
        let transport = CurlTransport { $0.idleLifetime = .seconds(1_000) }
        var isUndisturbed = false
        // Once is enough: on a busy machine, the time may come first at which libcurl is asked what it has to do.
        while !isUndisturbed {
          let gate = try LoopbackGate()
          let server = try LoopbackServer { request in
            request.path == "/held" ? .text("x").held(by: gate) : .text("x")
          }
          _ = try await transport.send(HTTPRequest(.get, server.url("/first")))
          let thread = try #require(ownThread(named: "quire-curl"))
          try #require(thread.call != nil)
          while (thread.timer ?? 0) < 900 { sched_yield() }
          let before = thread.switches
          let url = try server.url("/held")
          let task = Task.detached { try await transport.send(HTTPRequest(.get, url)) }
          await gate.reached()
          isUndisturbed = thread.switches == before
          // That time comes without any event.
          while thread.switches == before { sched_yield() }
          gate.open()
          try #require(try await task.value.status == 200)
        }
      }
    }

    @Test func `a socket that a child process keeps open does not keep the thread busy`() async {
      await #expect(processExitsWith: .success) {
        let server = try LoopbackServer { _ in .text("x") }
        let transport = CurlTransport()
        _ = try await transport.send(HTTPRequest(.get, server.url()))
        let thread = try #require(ownThread(named: "quire-curl"))
        let deaf = try DeafListener()
        let known = openSockets()
        let url = try WebURL("http://127.0.0.1:\(deaf.port)")
        let task = Task.detached { try await transport.send(HTTPRequest(.get, url)) }
        while openSockets() == known { sched_yield() }
        let connecting = try #require(openSockets().subtracting(known).first)
        var pipeEnds: [Int32] = [0, 0]
        try #require(pipe(&pipeEnds) == 0)
        let symbol = try #require(dlsym(nil, "fork"))
        let child = unsafeBitCast(symbol, to: (@convention(c) () -> Int32).self)()
        if child == 0 {
          deaf.close()
          var wait = pollfd(fd: connecting, events: 0, revents: 0)
          while poll(&wait, 1, -1) < 0 {}
          write(pipeEnds[1], "x", 1)
          while true { pause() }
        }
        task.cancel()
        _ = try? await task.value
        // The system refuses the connection when it tries again, after a second.
        deaf.close()
        var byte: UInt8 = 0
        try #require(read(pipeEnds[0], &byte, 1) == 1)
        while !thread.isAsleep { sched_yield() }
        kill(child, SIGKILL)
      }
    }

    @Test func `a broken pipe of libcurl does not reach the thread of a caller`() async {
      await #expect(processExitsWith: .success) {
        signal(SIGPIPE, SIG_DFL)
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        close(ends[0])
        func isBlocked() -> Bool {
          var mask = sigset_t()
          pthread_sigmask(SIG_BLOCK, nil, &mask)
          return sigismember(&mask, SIGPIPE) == 1
        }
        func isPending() -> Bool {
          var pending = sigset_t()
          sigpending(&pending)
          return sigismember(&pending, SIGPIPE) == 1
        }
        func breakPipe() { _ = write(ends[1], "x", 1) }
        var pipeSignal = sigset_t()
        sigemptyset(&pipeSignal)
        sigaddset(&pipeSignal, SIGPIPE)
        pthread_sigmask(SIG_UNBLOCK, &pipeSignal, nil)
        let signals = ccurl_hold_signals()
        breakPipe()
        ccurl_release_signals(signals)
        try #require(!isBlocked() && !isPending())
        // A signal for which the program waits itself stays.
        pthread_sigmask(SIG_BLOCK, &pipeSignal, nil)
        breakPipe()
        let others = ccurl_hold_signals()
        breakPipe()
        ccurl_release_signals(others)
        try #require(isBlocked() && isPending())
      }
    }

    @Test(.enabled(if: TLSSupport.isAvailable, "needs the openssl command"))
    func `a process can exit while TLS calls are in flight`() async {
      await #expect(processExitsWith: .success) {
        // libcurl initializes OpenSSL first, as in a program without a server in it.
        _ = CurlLibrary.shared
        let authority = try CertificateAuthority.shared()
        let identity = try authority.identity(.valid)
        let server = try LoopbackServer(tls: identity) { _ in .filler(count: 1 << 30) }
        let transport = CurlTransport { $0.authorities = .file(authority.certificatePath) }
        let url = try server.url()
        let entered = Gate()
        for _ in 0..<6 {
          Task.detached {
            var request = HTTPRequest(.get, url, limits: .unlimitedBody)
            request.receiver = { _ in entered.open() }
            _ = try await transport.send(request)
          }
        }
        try await entered.pass()
        exit(0)
      }
    }

    @Test func `a released transport leaves no threads or descriptors`() async {
      await #expect(processExitsWith: .success) {
        let server = try LoopbackServer { _ in .filler(count: 100_000) }
        let url = try server.url()
        func use() async throws {
          let transport = CurlTransport()
          try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<40 { group.addTask { _ = try await transport.send(HTTPRequest(.get, url)) } }
            try await group.waitForAll()
          }
        }
        try await use()
        for number in 0..<server.acceptedConnections { try await server.connectionClosed(number) }
        while ownThread(named: "quire-curl") != nil { sched_yield() }
        let before = openDescriptors()
        let known = server.acceptedConnections
        for _ in 0..<20 { try await use() }
        for number in known..<server.acceptedConnections {
          try await server.connectionClosed(number)
        }
        while ownThread(named: "quire-curl") != nil { sched_yield() }
        // The server closes a socket after a short delay; a leak runs into the time limit. The system may have opened a
        // few descriptors of its own meanwhile, for timers of tasks.
        while openDescriptors() > before + 5 { sched_yield() }
      }
    }
  }

  /// A thread of this process, as the system reports it.
  private struct OwnThread {
    let path: String

    /// The words about the call to the system in which it waits; `nil` if the system does not report them.
    var call: [Substring]? { systemText(path + "/syscall")?.split(separator: " ") }

    /// The seconds until the timer for which it waits besides sockets, if it waits for one.
    var timer: Int? {
      guard let call, call.count > 1, let poll = Int(call[1].dropFirst(2), radix: 16) else {
        return nil
      }
      // Each line of the descriptor that polls names one that it watches.
      let watched = (systemText("/proc/self/fdinfo/\(poll)") ?? "").split(separator: "\n")
        .filter { $0.hasPrefix("tfd:") }.compactMap { $0.split(separator: " ").dropFirst().first }
      return watched.compactMap { number -> Int? in
        (systemText("/proc/self/fdinfo/\(number)") ?? "").split(separator: "\n")
          .first { $0.hasPrefix("it_value: (") }
          .flatMap { Int($0.dropFirst(11).prefix { $0 != "," }) }
      }.first
    }

    /// Whether it waits for something.
    var isAsleep: Bool { (systemText(path + "/status") ?? "").contains("State:\tS") }

    /// The number of times it went to sleep.
    var switches: Int {
      let text = systemText(path + "/status") ?? ""
      let line = text.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
      return line?.split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) } ?? -1
    }
  }

  private func ownThread(named name: String) -> OwnThread? {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    for path in all.map({ "/proc/self/task/" + $0 }) {
      let text = systemText(path + "/comm")
      if text?.hasPrefix(name) == true { return OwnThread(path: path) }
    }
    return nil
  }

  /// The content of a system file; `nil` if its thread has ended.
  ///
  /// A read can fail after the file was opened if the thread ends in between. Foundation's readers
  /// then lose their buffer, which leak checking reports.
  private func systemText(_ path: String) -> String? {
    let file = open(path, O_RDONLY)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(file, &bytes, bytes.count)
    return count >= 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
  }

  private func openDescriptors() -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd/").count) ?? 0
  }

  /// The descriptors of this process that are sockets.
  private func openSockets() -> Set<Int32> {
    let folder = "/proc/self/fd/"
    let all = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return Set(
      all.filter {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: folder + $0))?
          .hasPrefix("socket:") == true
      }.compactMap { Int32($0) })
  }

  /// A server that does not answer to connections: so many wait already that it drops new ones.
  private struct DeafListener {
    let port: Int
    private let sockets: [Int32]

    init() throws {
      func make() -> Int32 { socket(AF_INET, SocketKind.stream, 0) }
      let listener = make()
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      var sockets = [listener]
      try withUnsafeMutablePointer(to: &address) { pointer in
        try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          try #require(bind(listener, $0, size) == 0 && listen(listener, 0) == 0)
          try #require(getsockname(listener, $0, &size) == 0)
          for _ in 0..<4 {
            let waiting = make()
            _ = fcntl(waiting, F_SETFL, O_NONBLOCK)
            _ = connect(waiting, $0, size)
            sockets.append(waiting)
          }
        }
      }
      self.sockets = sockets
      port = Int(UInt16(bigEndian: address.sin_port))
    }

    func close() { for socket in sockets { shutDown(socket) } }
  }

  /// Calls `close` of the system, which the method of the same name would shadow.
  private func shutDown(_ socket: Int32) { close(socket) }
#endif

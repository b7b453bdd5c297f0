#if LIBCURL
  import Support
  import Testing

  @testable import ServerAPI

  @Suite struct CurlFailureTests {
    /// Codes of libcurl.
    static let unknownHost: UInt32 = 6
    static let noConnection: UInt32 = 7
    static let timedOut: UInt32 = 28

    static func kind(
      _ code: UInt32, _ systemError: Int32 = 0, host: String = "api.example.com",
      hasRoute: Bool = false, progress: CurlFailure.Progress = .connecting,
      totalEndsFirst: Bool = false, bytesReceived: Int = 0
    ) -> RequestError.Kind {
      CurlFailure(
        number: code, systemError: systemError, verdict: 0, proxyStatus: 0,
        text: "Failed to connect", proxy: .none, progress: progress, reused: false,
        bytesReceived: bytesReceived, host: host, port: 80, totalEndsFirst: totalEndsFirst, isInHead: false,
        hasRoute: { hasRoute }
      ).kind
    }

    @Test(arguments: [
      (ECONNREFUSED, RequestError.Kind.connectRefused),
      (ETIMEDOUT, .timeout(.connect)),
      (ENETUNREACH, .offline), (EHOSTUNREACH, .offline), (ENETDOWN, .offline),
      (EACCES, .connectFailed("Failed to connect (Permission denied)")),
      (0, .connectFailed("Failed to connect")),
    ])
    func `a failed connection says what it was`(systemError: Int32, kind: RequestError.Kind) {
      #expect(Self.kind(Self.noConnection, systemError) == kind)
    }

    @Test(arguments: [(92 as UInt32, 0, true), (92, 100, true), (16, 0, true), (16, 100, false)])
    func `an HTTP/2 stream that the server ends is a lost connection`(
      code: UInt32, bytes: Int, isLost: Bool
    ) {
      let kind = Self.kind(code, progress: .connected, bytesReceived: bytes)
      #expect((kind == .connectionLost(bytesReceived: bytes, reused: false)) == isLost, "\(kind)")
    }

    @Test(arguments: [ENETUNREACH, EHOSTUNREACH, ENETDOWN])
    func `a missing route means offline only if nothing can be reached`(systemError: Int32) {
      #expect(
        Self.kind(Self.noConnection, systemError, hasRoute: true)
          == .connectFailed("there is no route to api.example.com"))
      for host in ["127.0.0.1", "192.168.1.5", "[fe80::1]", "localhost", "nas.local"] {
        #expect(
          Self.kind(Self.noConnection, systemError, host: host)
            == .connectFailed("there is no route to \(host)"))
      }
    }

    @Test func `an unknown host is a missing network only if there is no route to any`() {
      #expect(
        Self.kind(Self.unknownHost, hasRoute: true) == .nameNotResolved(host: "api.example.com"))
      #expect(Self.kind(Self.unknownHost, hasRoute: false) == .offline)
      #expect(
        Self.kind(Self.unknownHost, host: "nas.local", hasRoute: false)
          == .nameNotResolved(host: "nas.local"))
    }

    @Test(arguments: [
      (CurlFailure.Progress.resolving, RequestError.Phase.resolve), (.connecting, .connect),
      (.securing, .handshake), (.connected, .total),
    ])
    func `a timeout names its phase`(progress: CurlFailure.Progress, phase: RequestError.Phase) {
      #expect(Self.kind(Self.timedOut, progress: progress) == .timeout(phase))
      #expect(
        Self.kind(Self.timedOut, progress: progress, totalEndsFirst: true)
          == .timeout(.total))
    }

    @Test func `an unknown content encoding is undecodable`() {
      let badContentEncoding: UInt32 = 61
      #expect(
        Self.kind(badContentEncoding, progress: .connected) == .undecodable("Failed to connect"))
    }

    @Test(
      arguments: [
        ([:], false), (["http_proxy": "http://p:1"], true), (["ALL_PROXY": "socks5://p:1"], true),
        (["http_proxy": ""], false), (["HTTP_PROXY": "http://p:1"], false),
        (["https_proxy": "p", "no_proxy": "*"], false),
        (["https_proxy": "p", "no_proxy": "localhost, .EXAMPLE.com"], false),
        (["https_proxy": "p", "NO_PROXY": "api.example.com"], false),
        (["https_proxy": "p", "no_proxy": "ample.com"], true),
      ] as [([String: String], Bool)])
    func `an environment has a proxy for a host unless it is an exception`(
      environment: [String: String], hasProxy: Bool
    ) {
      #expect(ProxyEnvironment.hasProxy(for: "API.example.com") { environment[$0] } == hasProxy)
    }

    @Test func `a failure blames a proxy of the environment only if there is one`() {
      func kind(hasProxy: Bool) -> RequestError.Kind {
        CurlFailure(
          number: Self.noConnection, systemError: ECONNREFUSED, verdict: 0, proxyStatus: 0,
          text: "Failed to connect", proxy: .environment, progress: .connecting, reused: false,
          bytesReceived: 0, host: "api.example.com", port: 80, totalEndsFirst: false,
          isInHead: false, hasRoute: { true }, environmentHasProxy: { _ in hasProxy }
        ).kind
      }
      #expect(kind(hasProxy: false) == .connectRefused)
      #expect(kind(hasProxy: true) == .proxy("Failed to connect"))
    }
  }
#endif

import Testing

@testable import ServerAPI

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite struct CurlFailureTests {
  /// Codes of libcurl.
  static let unknownHost: UInt32 = 6
  static let noConnection: UInt32 = 7
  static let timedOut: UInt32 = 28

  static func kind(
    _ code: UInt32, _ systemError: Int32 = 0, host: String = "api.example.com",
    hasRoute: Bool = false, progress: CurlFailure.Progress = .connecting,
    totalEndsFirst: Bool = false
  ) -> RequestError.Kind {
    CurlFailure(
      number: code, systemError: systemError, verdict: 0, proxyStatus: 0,
      text: "Failed to connect", proxy: .none, progress: progress, reused: false,
      bytesReceived: 0, host: host, port: 80, totalEndsFirst: totalEndsFirst, isInHead: false,
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
}

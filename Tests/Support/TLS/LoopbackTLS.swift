public import QuireTesting

/// What a loopback server shows and demands in its TLS handshakes.
public struct LoopbackTLS: Sendable {
  /// A version of the protocol.
  public enum Version: Int, Hashable, Sendable, Comparable, CaseIterable {
    /// TLS 1.0.
    case tls10 = 0x0301
    /// TLS 1.1.
    case tls11 = 0x0302
    /// TLS 1.2.
    case tls12 = 0x0303
    /// TLS 1.3.
    case tls13 = 0x0304

    /// Compares age.
    public static func < (a: Version, b: Version) -> Bool { a.rawValue < b.rawValue }
  }

  /// The certificate the server shows.
  public var identity: TestIdentity
  /// The versions it speaks. The default is TLS 1.2 and 1.3; an older range shows whether a client
  /// keeps its floor.
  public var versions: ClosedRange<Version>
  /// Who has to have signed the client's certificate. The default is that none is asked for.
  public var clientAuthority: CertificateAuthority?
  /// Whether a client without a certificate is turned away, where one is asked for. The default is
  /// yes; otherwise `LoopbackRequest.hasClientCertificate` tells.
  public var requiresClientCertificate = true

  /// Makes a set of demands.
  public init(
    _ identity: TestIdentity, versions: ClosedRange<Version> = .tls12 ... .tls13,
    clientAuthority: CertificateAuthority? = nil
  ) {
    self.identity = identity
    self.versions = versions
    self.clientAuthority = clientAuthority
  }
}

extension LoopbackTLS: LoopbackSecurity {
  /// Prepares TLS for a server that speaks HTTP/1.1 inside.
  package func handshake() throws(LoopbackError) -> LoopbackHandshake {
    let context = try LoopbackTLSContext(self, protocols: .http1)
    return { context.handshake(over: $0) }
  }
}

extension LoopbackConfiguration {
  /// The certificate and the demands of TLS. The default is no TLS.
  public var tls: LoopbackTLS? {
    get { security as? LoopbackTLS }
    set { security = newValue }
  }
}

extension LoopbackServer {
  /// Starts a server that speaks TLS with a certificate.
  public convenience init(
    tls identity: TestIdentity, handler: Handler? = nil
  ) throws(LoopbackError) {
    var configuration = LoopbackConfiguration()
    configuration.tls = LoopbackTLS(identity)
    try self.init(configuration, handler: handler)
  }

  /// How many TLS handshakes failed so far, those that a client never began included.
  public var failedTLSHandshakes: Int { failedHandshakes.value }

  /// Waits until that many TLS handshakes have failed.
  public func tlsHandshakesFailed(_ count: Int = 1) async throws(LoopbackError) {
    guard await failedHandshakes.reaches(count) else { throw .stopped }
  }
}

extension LoopbackError {
  /// The error for something that TLS needs and this machine has not.
  static func unavailable(_ what: String) -> LoopbackError {
    .invalid(what: what, expected: "a machine that has it")
  }
}

/// Whether this machine can make certificates and speak TLS for tests.
///
/// ```swift
/// @Test(.enabled(if: TLSSupport.isAvailable)) func `an expired certificate is refused`() …
/// ```
public enum TLSSupport {
  /// Whether the `openssl` command and libssl are both there.
  public static let isAvailable =
    LoopbackOpenSSL.shared != nil && (try? OpenSSLCommand.openssl(["version"])) != nil
}

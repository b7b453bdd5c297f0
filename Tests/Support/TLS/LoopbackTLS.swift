public import QuireTesting

/// The certificate and requirements of a loopback server in TLS handshakes.
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

    /// Compares versions by age.
    public static func < (a: Version, b: Version) -> Bool { a.rawValue < b.rawValue }
  }

  /// The certificate that the server presents.
  public var identity: TestIdentity
  /// The versions it accepts. The default is TLS 1.2 and 1.3; an older range checks whether a client enforces
  /// its minimum version.
  public var versions: ClosedRange<Version>
  /// The authority that must have signed the client's certificate. By default none is requested.
  public var clientAuthority: CertificateAuthority?
  /// Whether a client without a certificate is rejected, if one is requested. The default is `true`; otherwise
  /// see `LoopbackRequest.hasClientCertificate`.
  public var requiresClientCertificate = true

  /// Creates settings.
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
  /// The TLS settings. The default is no TLS.
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

  /// The number of failed TLS handshakes, including those that a client never started.
  public var failedTLSHandshakes: Int { failedHandshakes.value }

  /// Waits until the given number of TLS handshakes have failed.
  public func tlsHandshakesFailed(_ count: Int = 1) async throws(LoopbackError) {
    guard await failedHandshakes.reaches(count) else { throw .stopped }
  }
}

extension LoopbackError {
  /// The error for a requirement of TLS that this machine lacks.
  static func unavailable(_ what: String) -> LoopbackError {
    .invalid(what: what, expected: "a machine that has it")
  }
}

/// Whether this machine can create certificates and use TLS in tests.
///
/// ```swift
/// @Test(.enabled(if: TLSSupport.isAvailable)) func `an expired certificate is refused`() …
/// ```
public enum TLSSupport {
  /// Whether both the `openssl` command and libssl are available.
  public static let isAvailable =
    LoopbackOpenSSL.shared != nil && (try? OpenSSLCommand.openssl(["version"])) != nil
}

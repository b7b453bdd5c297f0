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
  /// yes; otherwise ``LoopbackRequest/hasClientCertificate`` tells.
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

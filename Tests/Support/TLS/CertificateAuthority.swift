public import QuireTesting
internal import Support

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// An authority that signs certificates for tests, made on demand by the system's `openssl`.
///
/// ```swift
/// let authority = try CertificateAuthority.shared()
/// let server = try LoopbackServer(tls: authority.identity(.expired))
/// // pass authority.certificatePath to the client as the one it trusts
/// ```
///
/// Its files are in a temporary directory that is removed with the last reference to it; those of an identity
/// are in another one, removed with the identity. Keys are of type P-256, which takes milliseconds.
public final class CertificateAuthority: Sendable {
  private let directory: LoopbackDirectory
  /// Guards the identities made so far; they are made outside of it.
  private let made = Lock<[TestIdentity.Kind: TestIdentity]>([:])
  /// The authority of this process, made on first use.
  private static let common: Result<CertificateAuthority, LoopbackError> = {
    do throws(LoopbackError) {
      let authority = try CertificateAuthority()
      // A global lives until the process ends, and then nothing else removes its files.
      atexit { (try? CertificateAuthority.common.get())?.removeFiles() }
      return .success(authority)
    } catch {
      return .failure(error)
    }
  }()

  /// Returns the authority that all tests of a process share; its files are removed when the process ends.
  public static func shared() throws(LoopbackError) -> CertificateAuthority {
    try common.get()
  }

  /// Creates a separate authority, which clients that trust another one don't trust.
  public init() throws(LoopbackError) {
    directory = try LoopbackDirectory()
    try directory.write(Self.authoritySettings, to: "authority.cnf")
    try OpenSSLCommand.openssl(
      ["req", "-x509", "-new", "-days", "3650", "-config", directory.file("authority.cnf")]
        + Self.newKey(directory.file("authority-key.pem")) + ["-out", certificatePath])
  }

  /// The PEM file with the authority's own certificate, for clients to trust.
  public var certificatePath: String { directory.file("authority.pem") }

  /// Returns a certificate of a kind; the same one when called again.
  public func identity(
    _ kind: TestIdentity.Kind = .valid
  ) throws(LoopbackError) -> TestIdentity {
    if let known = made.withLock({ $0[kind] }) { return known }
    let identity = try make(kind)
    return made.withLock { made in
      if let earlier = made[kind] { return earlier }
      made[kind] = identity
      return identity
    }
  }

  private func make(_ kind: TestIdentity.Kind) throws(LoopbackError) -> TestIdentity {
    let folder = try LoopbackDirectory()
    let identity = TestIdentity(kind, in: folder)
    try folder.write(Self.leafSettings(kind, folder: folder.path), to: "leaf.cnf")
    try folder.write("", to: "index.txt")
    let settings = ["-config", folder.file("leaf.cnf")]
    let request = folder.file("request.pem")
    try OpenSSLCommand.openssl(
      ["req", "-new", "-out", request] + settings + Self.newKey(identity.keyPath))
    let issuer =
      kind == .untrusted
      ? ["-selfsign", "-keyfile", identity.keyPath]
      : ["-cert", certificatePath, "-keyfile", directory.file("authority-key.pem")]
    try OpenSSLCommand.openssl(
      ["ca", "-batch", "-notext", "-md", "sha256", "-in", request]
        + ["-out", identity.certificatePath, "-startdate", "20200101000000Z"]
        + ["-enddate", kind == .expired ? "20210101000000Z" : "20490101000000Z"]
        + settings + issuer)
    return identity
  }

  private func removeFiles() {
    let folders = made.withLock { $0.values.map(\.directory) } + [directory]
    for folder in folders { folder.remove() }
  }

  private static func newKey(_ path: String) -> [String] {
    ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", path]
  }

  private static let authoritySettings = """
    [req]
    distinguished_name = name
    x509_extensions = authority
    prompt = no
    [name]
    CN = Loopback Test Authority
    [authority]
    basicConstraints = critical, CA:TRUE
    keyUsage = critical, keyCertSign, cRLSign
    subjectKeyIdentifier = hash

    """

  private static func leafSettings(_ kind: TestIdentity.Kind, folder: String) -> String {
    let (name, names, usage) =
      switch kind {
      case .valid, .expired, .untrusted:
        ("localhost", "DNS:localhost, IP:127.0.0.1", "serverAuth")
      case .wrongHost: ("elsewhere.test", "DNS:elsewhere.test", "serverAuth")
      case .client: ("a test client", "DNS:client.test", "clientAuth")
      }
    return """
      [req]
      distinguished_name = name
      prompt = no
      [name]
      CN = \(name)
      [ca]
      default_ca = issue
      [issue]
      database = \(folder)/index.txt
      new_certs_dir = \(folder)
      rand_serial = yes
      policy = anything
      x509_extensions = leaf
      [anything]
      commonName = supplied
      [leaf]
      basicConstraints = critical, CA:FALSE
      keyUsage = critical, digitalSignature
      extendedKeyUsage = \(usage)
      subjectAltName = \(names)

      """
  }
}

/// A certificate with its key, in files that exist as long as this object.
///
/// A ``CertificateAuthority`` creates it.
public final class TestIdentity: Sendable {
  /// The validity of a certificate.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A server certificate, valid for `localhost` and 127.0.0.1.
    case valid
    /// A server certificate that expired in 2021.
    case expired
    /// A server certificate for `elsewhere.test`.
    case wrongHost
    /// A self-signed server certificate for `localhost`.
    case untrusted
    /// A client certificate.
    case client
  }

  /// The kind of certificate.
  public let kind: Kind
  /// The PEM file with the certificate.
  public let certificatePath: String
  /// The PEM file with the private key.
  public let keyPath: String
  /// The directory of the files.
  let directory: LoopbackDirectory

  init(_ kind: Kind, in directory: LoopbackDirectory) {
    self.kind = kind
    self.directory = directory
    certificatePath = directory.file("certificate.pem")
    keyPath = directory.file("key.pem")
  }

  /// The SHA-256 of its public key in base64, the format of pins.
  public func publicKeyPin() throws(LoopbackError) -> String {
    let folder = try LoopbackDirectory()
    let (pem, der, digest) = (folder.file("pem"), folder.file("der"), folder.file("digest"))
    try OpenSSLCommand.openssl(["x509", "-in", certificatePath, "-pubkey", "-noout", "-out", pem])
    try OpenSSLCommand.openssl(["pkey", "-pubin", "-in", pem, "-outform", "der", "-out", der])
    try OpenSSLCommand.openssl(["dgst", "-sha256", "-binary", "-out", digest, der])
    return try folder.read("digest").base64EncodedString()
  }
}

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A certificate with its key, in files that live as long as this object.
///
/// Ask a ``CertificateAuthority`` for one.
public final class TestIdentity: Sendable {
  /// What is right or wrong with a certificate.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A server's, valid for `localhost` and 127.0.0.1.
    case valid
    /// A server's that was valid until 2021.
    case expired
    /// A server's for `elsewhere.test`.
    case wrongHost
    /// A server's for `localhost` that nobody but itself has signed.
    case untrusted
    /// A client's.
    case client
  }

  /// What is right or wrong with it.
  public let kind: Kind
  /// The PEM file with the certificate.
  public let certificatePath: String
  /// The PEM file with the private key.
  public let keyPath: String
  /// Where the files are.
  let directory: LoopbackDirectory

  init(_ kind: Kind, in directory: LoopbackDirectory) {
    self.kind = kind
    self.directory = directory
    certificatePath = directory.file("certificate.pem")
    keyPath = directory.file("key.pem")
  }

  /// The SHA-256 of its public key in base64, as pins are written.
  public func publicKeyPin() throws(LoopbackError) -> String {
    let folder = try LoopbackDirectory()
    let (pem, der, digest) = (folder.file("pem"), folder.file("der"), folder.file("digest"))
    try LoopbackCommand.openssl(["x509", "-in", certificatePath, "-pubkey", "-noout", "-out", pem])
    try LoopbackCommand.openssl(["pkey", "-pubin", "-in", pem, "-outform", "der", "-out", der])
    try LoopbackCommand.openssl(["dgst", "-sha256", "-binary", "-out", digest, der])
    return try folder.read("digest").base64EncodedString()
  }
}

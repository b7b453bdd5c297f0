internal import Support

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The client certificate, read when the transport was created.
///
/// The bytes are kept in memory, so that the certificate sent to servers always matches the ``identity`` that
/// separates users, even if a file is replaced.
struct LoadedCertificate: Sendable {
  let certificate: [UInt8]
  let key: [UInt8]
  let password: String?
  /// A digest of the certificate.
  let identity: String

  init(_ files: CurlTransport.ClientCertificate) throws(RequestError) {
    certificate = try Self.contents(of: files.certificate)
    key = files.key == files.certificate ? certificate : try Self.contents(of: files.key)
    password = files.password
    identity = SHA256.name(of: certificate)
  }

  /// The maximum size of a file; larger ones are not certificates.
  private static let maximum = 4 << 20

  private static func contents(of path: String) throws(RequestError) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw unusable(path, String(cString: strerror(errno))) }
    defer { close(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 16 << 10)
    while bytes.count <= maximum {
      let count = piece.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw unusable(path, String(cString: strerror(errno))) }
      guard count > 0 else { return bytes }
      bytes += piece[..<count]
    }
    throw unusable(path, "it is larger than \(maximum) bytes")
  }

  private static func unusable(_ path: String, _ reason: String) -> RequestError {
    RequestError(.tls(.clientCertificate("\(path) can't be read: \(reason)")))
  }
}

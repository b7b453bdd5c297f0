/// The TLS of one connection; used by its thread alone.
final class LoopbackTLSSession {
  private let session: UnsafeMutableRawPointer
  private let library: LoopbackOpenSSL
  private let context: LoopbackTLSContext
  /// After an error the library allows no more calls but the one that frees.
  private var isBroken = false

  init(
    _ session: UnsafeMutableRawPointer, library: LoopbackOpenSSL, context: LoopbackTLSContext
  ) {
    self.session = session
    self.library = library
    self.context = context
  }

  deinit { library.freeSession(session) }

  /// Whether the client has shown a certificate.
  var hasClientCertificate: Bool {
    guard let certificate = library.peerCertificate(session) else { return false }
    library.freeCertificate(certificate)
    return true
  }

  /// Reads decoded bytes; zero when the connection ended.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard !isBroken else { return 0 }
    library.clearErrors()
    let count = library.read(session, buffer.baseAddress, Int32(clamping: buffer.count))
    if count <= 0 { isBroken = true }
    return max(0, Int(count))
  }

  /// Writes all bytes; false when the connection ended before.
  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var sent = 0
    while sent < bytes.count, !isBroken {
      library.clearErrors()
      let rest = UnsafeRawBufferPointer(rebasing: bytes[sent...])
      let count = library.write(session, rest.baseAddress, Int32(clamping: rest.count))
      if count <= 0 { isBroken = true } else { sent += Int(count) }
    }
    return sent == bytes.count
  }

  /// Tells the client that the end which follows is meant.
  func sendClosingAlert() {
    guard !isBroken else { return }
    library.clearErrors()
    _ = library.shutdown(session)
  }
}

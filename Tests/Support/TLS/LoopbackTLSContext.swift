internal import QuireTesting

/// The TLS settings of one server, from which each connection creates its session.
final class LoopbackTLSContext: Sendable {
  /// The server's choice among the protocols that the client offers inside TLS.
  enum Protocols { case http1, http2 }

  private let library: LoopbackOpenSSL
  /// Set up in `init`, only read afterwards and freed with the last reference. The library counts references
  /// to a context atomically, so sessions can be created on any thread.
  nonisolated(unsafe) private let context: UnsafeMutableRawPointer
  /// Keeps the files of the certificate as long as the server.
  private let identity: TestIdentity

  init(_ tls: LoopbackTLS, protocols: Protocols) throws(LoopbackError) {
    guard let library = LoopbackOpenSSL.shared,
      let context = library.makeContext(library.serverMethod())
    else { throw .unavailable("libssl") }
    self.library = library
    self.context = context
    identity = tls.identity
    // The old versions need keys and digests that the library rejects at its default level.
    let isOld = tls.versions.lowerBound < .tls12
    let sessionName: [UInt8] = Array("loopback".utf8)
    guard
      library.control(context, Self.setMinimum, tls.versions.lowerBound.rawValue, nil) == 1,
      library.control(context, Self.setMaximum, tls.versions.upperBound.rawValue, nil) == 1,
      !isOld || library.setCiphers(context, "ALL:@SECLEVEL=0") == 1,
      library.setSessionContext(context, sessionName, UInt32(sessionName.count)) == 1
    else { throw .unavailable("TLS \(tls.versions)") }
    guard
      library.useChain(context, tls.identity.certificatePath) == 1,
      library.useKey(context, tls.identity.keyPath, 1) == 1
    else {
      throw .invalid(what: tls.identity.certificatePath, expected: "a certificate and its key")
    }
    if let authority = tls.clientAuthority {
      guard library.loadAuthorities(context, authority.certificatePath, nil) == 1 else {
        throw .invalid(what: authority.certificatePath, expected: "a certificate")
      }
      library.setVerify(
        context, Self.verifyPeer | (tls.requiresClientCertificate ? Self.failWithoutPeer : 0), nil)
    }
    switch protocols {
    case .http1:
      library.setProtocolSelection(
        context,
        { _, out, outCount, offered, count, _ in
          LoopbackTLSContext.select("http/1.1", out, outCount, offered, count)
        }, nil)
    case .http2:
      library.setProtocolSelection(
        context,
        { _, out, outCount, offered, count, _ in
          LoopbackTLSContext.select("h2", out, outCount, offered, count)
        }, nil)
    }
  }

  deinit { library.freeContext(context) }

  /// Performs the handshake; returns `nil` if the client aborts it.
  func handshake(over socket: LoopbackSocket) -> LoopbackTLSSession? {
    library.clearErrors()
    guard let pointer = library.makeSession(context) else { return nil }
    let session = LoopbackTLSSession(pointer, library: library, context: self)
    guard library.setDescriptor(pointer, socket.fd) == 1, library.accept(pointer) == 1 else {
      return nil
    }
    return session
  }

  // Constants of the library's headers.
  private static let setMinimum: Int32 = 123
  private static let setMaximum: Int32 = 124
  private static let verifyPeer: Int32 = 1
  private static let failWithoutPeer: Int32 = 2
  private static let isSelected: Int32 = 0
  private static let isNotOffered: Int32 = 3

  /// Searches a name in the client's list, where each name follows a length byte.
  private static func select(
    _ name: StaticString, _ out: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ outCount: UnsafeMutablePointer<UInt8>?, _ offered: UnsafePointer<UInt8>?, _ count: UInt32
  ) -> Int32 {
    let list = UnsafeBufferPointer(start: offered, count: Int(count))
    var position = 0
    while position < list.count {
      let start = position + 1
      let end = start + Int(list[position])
      guard end <= list.count else { return isNotOffered }
      if name.withUTF8Buffer({ list[start..<end].elementsEqual($0) }) {
        out?.pointee = offered.map { $0 + start }
        outCount?.pointee = list[position]
        return isSelected
      }
      position = end
    }
    return isNotOffered
  }
}

/// The TLS of one connection; used only by its thread.
final class LoopbackTLSSession: LoopbackSession {
  private let session: UnsafeMutableRawPointer
  private let library: LoopbackOpenSSL
  private let context: LoopbackTLSContext
  /// After an error, the library allows no calls but the one that frees.
  private var isBroken = false

  init(
    _ session: UnsafeMutableRawPointer, library: LoopbackOpenSSL, context: LoopbackTLSContext
  ) {
    self.session = session
    self.library = library
    self.context = context
  }

  deinit { library.freeSession(session) }

  /// Whether the client has presented a certificate.
  var hasClientCertificate: Bool {
    guard let certificate = library.peerCertificate(session) else { return false }
    library.freeCertificate(certificate)
    return true
  }

  /// Reads decrypted bytes; returns zero if the connection ended.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard !isBroken else { return 0 }
    library.clearErrors()
    let count = library.read(session, buffer.baseAddress, Int32(clamping: buffer.count))
    if count <= 0 { isBroken = true }
    return max(0, Int(count))
  }

  /// Writes all bytes; returns false if the connection ended first.
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

  /// Signals the client that the end that follows is intended.
  func sendClosingAlert() {
    guard !isBroken else { return }
    library.clearErrors()
    _ = library.shutdown(session)
  }
}

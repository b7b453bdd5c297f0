internal import QuireTesting
internal import Support

/// The few functions of the system's libssl that a server needs, looked up at run time.
///
/// Looking them up avoids a dependency on headers that most machines lack; the library itself comes with
/// libcurl.
struct LoopbackOpenSSL: Sendable {
  typealias Pointer = UnsafeMutableRawPointer
  typealias SelectProtocol =
    @convention(c) (
      Pointer?, UnsafeMutablePointer<UnsafePointer<UInt8>?>?, UnsafeMutablePointer<UInt8>?,
      UnsafePointer<UInt8>?, UInt32, Pointer?
    ) -> Int32

  /// The library of this machine; `nil` if there is no suitable one.
  static let shared = try? LoopbackOpenSSL()

  let serverMethod: @convention(c) @Sendable () -> Pointer?
  let makeContext: @convention(c) @Sendable (Pointer?) -> Pointer?
  let freeContext: @convention(c) @Sendable (Pointer?) -> Void
  let control: @convention(c) @Sendable (Pointer?, Int32, Int, Pointer?) -> Int
  let useChain: @convention(c) @Sendable (Pointer?, UnsafePointer<CChar>?) -> Int32
  let useKey: @convention(c) @Sendable (Pointer?, UnsafePointer<CChar>?, Int32) -> Int32
  let loadAuthorities: @convention(c) @Sendable (Pointer?, UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> Int32
  let setVerify: @convention(c) @Sendable (Pointer?, Int32, Pointer?) -> Void
  let setCiphers: @convention(c) @Sendable (Pointer?, UnsafePointer<CChar>?) -> Int32
  let setSessionContext: @convention(c) @Sendable (Pointer?, UnsafePointer<UInt8>?, UInt32) -> Int32
  let setProtocolSelection: @convention(c) @Sendable (Pointer?, SelectProtocol?, Pointer?) -> Void
  let makeSession: @convention(c) @Sendable (Pointer?) -> Pointer?
  let freeSession: @convention(c) @Sendable (Pointer?) -> Void
  let setDescriptor: @convention(c) @Sendable (Pointer?, Int32) -> Int32
  let accept: @convention(c) @Sendable (Pointer?) -> Int32
  let read: @convention(c) @Sendable (Pointer?, Pointer?, Int32) -> Int32
  let write: @convention(c) @Sendable (Pointer?, UnsafeRawPointer?, Int32) -> Int32
  let shutdown: @convention(c) @Sendable (Pointer?) -> Int32
  let peerCertificate: @convention(c) @Sendable (Pointer?) -> Pointer?
  let freeCertificate: @convention(c) @Sendable (Pointer?) -> Void
  let clearErrors: @convention(c) @Sendable () -> Void

  /// `OPENSSL_INIT_NO_ATEXIT` of the library's headers.
  private static let withoutExitHandler: UInt64 = 0x0008_0000

  private init() throws(LoopbackError) {
    let names = ["libssl.so.3", "libssl.so.1.1", "libssl.3.dylib"]
    guard let library = names.lazy.compactMap({ dlopen($0, RTLD_NOW | RTLD_LOCAL) }).first else {
      throw .unavailable("libssl")
    }
    // The types of the properties are those in the library's manual.
    func function<Function>(_ name: String) throws(LoopbackError) -> Function {
      guard let symbol = dlsym(library, name) else { throw .unavailable(name) }
      return unsafeBitCast(symbol, to: Function.self)
    }
    serverMethod = try function("TLS_server_method")
    makeContext = try function("SSL_CTX_new")
    freeContext = try function("SSL_CTX_free")
    control = try function("SSL_CTX_ctrl")
    useChain = try function("SSL_CTX_use_certificate_chain_file")
    useKey = try function("SSL_CTX_use_PrivateKey_file")
    loadAuthorities = try function("SSL_CTX_load_verify_locations")
    setVerify = try function("SSL_CTX_set_verify")
    setCiphers = try function("SSL_CTX_set_cipher_list")
    setSessionContext = try function("SSL_CTX_set_session_id_context")
    setProtocolSelection = try function("SSL_CTX_set_alpn_select_cb")
    makeSession = try function("SSL_new")
    freeSession = try function("SSL_free")
    setDescriptor = try function("SSL_set_fd")
    accept = try function("SSL_accept")
    read = try function("SSL_read")
    write = try function("SSL_write")
    shutdown = try function("SSL_shutdown")
    clearErrors = try function("ERR_clear_error")
    freeCertificate = try function("X509_free")
    // Its name since version 3.
    if dlsym(library, "SSL_get1_peer_certificate") != nil {
      peerCertificate = try function("SSL_get1_peer_certificate")
    } else {
      peerCertificate = try function("SSL_get_peer_certificate")
    }
    // Without this, the library cleans up at exit while connections still run.
    let prepare: @convention(c) (UInt64, Pointer?) -> Int32 = try function("OPENSSL_init_ssl")
    guard prepare(Self.withoutExitHandler, nil) == 1 else { throw .unavailable("libssl") }
  }
}

/// A detached thread.
package enum DetachedThread {
  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Runs `body` on a new thread. Returns `false` if the system can't start one.
  ///
  /// SIGPIPE is blocked on the thread: a TLS library may write without the flag that suppresses the signal.
  ///
  /// - Parameter stackBytes: The size of the stack. Only touched pages use memory; the default is enough for a
  ///   TLS handshake or for encoding JSON.
  package static func start(
    stackBytes: Int = 512 << 10, _ body: @escaping @Sendable () -> Void
  ) -> Bool {
    var attributes = pthread_attr_t()
    guard pthread_attr_init(&attributes) == 0 else { return false }
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, stackBytes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    let work = Unmanaged.passRetained(Work(body))
    #if canImport(Darwin) || canImport(Musl)
      var id: pthread_t?
    #else
      var id = pthread_t()
    #endif
    let code = pthread_create(
      &id, &attributes,
      { argument in
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        let argument: UnsafeMutableRawPointer? = argument
        if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
        return nil
      }, work.toOpaque())
    if code != 0 { work.release() }
    return code == 0
  }
}

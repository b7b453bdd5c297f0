#if THREAD_SANITIZER
  import ServerAPI

  /// The lock that the thread sanitizer understands, in place of the one of the system.
  typealias Mutex = ServerAPI.Mutex
#endif

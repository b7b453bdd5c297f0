#if THREAD_SANITIZER
  package import ThreadSanitizing

  /// The lock that the thread sanitizer understands, in place of the one of the system.
  package typealias Mutex = ThreadSanitizing.Mutex
#endif

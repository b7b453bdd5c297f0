#if THREAD_SANITIZER
  internal import ThreadSanitizing

  /// The lock that the thread sanitizer understands, in place of the one of the system.
  typealias Mutex = ThreadSanitizing.Mutex
#endif

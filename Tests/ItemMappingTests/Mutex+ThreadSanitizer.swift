#if THREAD_SANITIZER
  @testable import ItemMapping

  /// The lock that the thread sanitizer understands, in place of the one of the system.
  typealias Mutex = ItemMapping.Mutex
#endif

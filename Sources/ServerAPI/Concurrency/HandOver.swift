#if THREAD_SANITIZER
  internal import ThreadSanitizing
#endif

/// What goes from one thread to another through a continuation.
///
/// The concurrency runtime puts the two in order. The thread sanitizer does not see that where the
/// continuation is resumed before its caller has begun to wait, so it is told. Without the sanitizer
/// nothing is done.
enum HandOver {
  /// Called right before a continuation is resumed, with an object that both sides know.
  @inline(__always)
  static func begins(_ object: AnyObject) {
    #if THREAD_SANITIZER
      announced(object)
    #endif
  }

  /// Called right after waiting, with the same object.
  @inline(__always)
  static func ended(_ object: AnyObject) {
    #if THREAD_SANITIZER
      received(object)
    #endif
  }
}

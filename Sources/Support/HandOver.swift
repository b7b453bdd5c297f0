/// Marks the data that one thread passes to another through a continuation.
///
/// The concurrency runtime orders the two. The thread sanitizer misses this if the continuation is resumed
/// before its caller starts to wait, so it needs these annotations. Without the sanitizer they do nothing.
package enum HandOver {
  /// Marks the point right before a continuation is resumed, with an object that both sides share.
  @inlinable @inline(__always)
  package static func willResume(_ object: AnyObject) {
    #if THREAD_SANITIZER
      tsanRelease(Unmanaged.passUnretained(object).toOpaque())
    #endif
  }

  /// Marks the point right after the wait, with the same object.
  @inlinable @inline(__always)
  package static func didResume(_ object: AnyObject) {
    #if THREAD_SANITIZER
      tsanAcquire(Unmanaged.passUnretained(object).toOpaque())
    #endif
  }
}

#if THREAD_SANITIZER
  @usableFromInline @_silgen_name("__tsan_release")
  func tsanRelease(_ address: UnsafeMutableRawPointer)
  @usableFromInline @_silgen_name("__tsan_acquire")
  func tsanAcquire(_ address: UnsafeMutableRawPointer)
#endif

/// Marks what one thread passes to another through a continuation.
///
/// The concurrency runtime puts the two in order. The thread sanitizer does not see that where the
/// continuation is resumed before its caller has begun to wait, so it is told. Without the sanitizer
/// nothing is done.
package enum HandOver {
  /// Marks the moment right before a continuation is resumed, with an object that both sides know.
  @inlinable @inline(__always)
  package static func begins(_ object: AnyObject) {
    #if THREAD_SANITIZER
      tsanRelease(Unmanaged.passUnretained(object).toOpaque())
    #endif
  }

  /// Marks the moment right after waiting, with the same object.
  @inlinable @inline(__always)
  package static func ended(_ object: AnyObject) {
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

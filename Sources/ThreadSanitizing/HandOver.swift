#if THREAD_SANITIZER
  /// Tells the sanitizer that what was done up to now is done before what follows ``received(_:)`` of
  /// the same object.
  package func announced(_ object: AnyObject) {
    tsanRelease(Unmanaged.passUnretained(object).toOpaque())
  }

  /// See ``announced(_:)``.
  package func received(_ object: AnyObject) {
    tsanAcquire(Unmanaged.passUnretained(object).toOpaque())
  }

  @_silgen_name("__tsan_release") private func tsanRelease(_ address: UnsafeMutableRawPointer)
  @_silgen_name("__tsan_acquire") private func tsanAcquire(_ address: UnsafeMutableRawPointer)
#endif

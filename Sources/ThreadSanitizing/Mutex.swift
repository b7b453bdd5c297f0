#if THREAD_SANITIZER
  #if canImport(Glibc)
    internal import Glibc
  #elseif canImport(Darwin)
    internal import Darwin
  #endif

  /// Stands in for the lock of the same name while the thread sanitizer watches. The system's lock
  /// lives in a library that is not instrumented, so on Linux each hand-over between two threads
  /// that contend for it is reported as a race; a POSIX lock is one the sanitizer knows.
  ///
  /// `@unchecked Sendable` holds because the value is touched between lock and unlock only.
  package final class Mutex<Value: ~Copyable>: @unchecked Sendable {
    private let handle = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var value: Value

    package init(_ value: consuming sending Value) {
      self.value = value
      pthread_mutex_init(handle, nil)
    }

    deinit {
      pthread_mutex_destroy(handle)
      handle.deallocate()
    }

    package func withLock<R, E: Error>(
      _ body: (inout sending Value) throws(E) -> sending R
    ) throws(E) -> sending R {
      pthread_mutex_lock(handle)
      defer { pthread_mutex_unlock(handle) }
      return try body(&value)
    }
  }
#endif

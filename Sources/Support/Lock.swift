#if THREAD_SANITIZER
  /// Replaces the lock below under the thread sanitizer.
  ///
  /// The system's lock is in a library without instrumentation, so on Linux the sanitizer reports each
  /// hand-over between two contending threads as a race. It understands a POSIX mutex.
  ///
  /// `@unchecked Sendable` holds because the value is accessed only between lock and unlock.
  package final class Lock<Value: ~Copyable>: @unchecked Sendable {
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
#else
  // Exports the members too, so that a file imports only this module, no matter which lock it gets.
  @_exported public import Synchronization

  /// Guards a value against concurrent access.
  ///
  /// It is the system's mutex under a name of this package, so that another lock can replace it under the
  /// thread sanitizer. A wrapper type would cost a metadata lookup in generic code.
  package typealias Lock<Value: ~Copyable> = Mutex<Value>
#endif

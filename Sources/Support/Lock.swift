#if THREAD_SANITIZER
  #if canImport(Glibc)
    internal import Glibc
  #elseif canImport(Darwin)
    internal import Darwin
  #endif

  /// Stands in for the lock below while the thread sanitizer watches.
  ///
  /// The system's lock lives in a library that is not instrumented, so on Linux the sanitizer reports each
  /// hand-over between two threads that contend for it as a race. It knows a POSIX lock.
  ///
  /// `@unchecked Sendable` holds because the value is touched between lock and unlock only.
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
  // With its members, so that a file imports this module and need not know which lock it gets.
  @_exported public import Synchronization

  /// Guards a value against use by several threads at once.
  ///
  /// It is the system's mutex, under a name of the package, so that another lock can stand in where the
  /// thread sanitizer watches. A type around it would cost a look at its metadata in generic code.
  package typealias Lock<Value: ~Copyable> = Mutex<Value>
#endif

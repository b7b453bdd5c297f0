internal import CCurl

/// Runs the next step of a task on the thread that brought what it waited for, where that is the
/// thread of a transport, and on the shared pool otherwise.
///
/// A read that may be shared runs in a task of its own. Without this, its answer would wake a thread
/// of the pool only to judge the answer for some microseconds and to wake another thread, that of
/// the caller. Only for tasks that run no code of the user: the thread serves all other requests too.
final class CurlLoopExecutor: TaskExecutor {
  static let shared = CurlLoopExecutor()

  func enqueue(_ job: consuming ExecutorJob) {
    if ccurl_is_own_thread() {
      UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
    } else {
      globalConcurrentExecutor.enqueue(job)
    }
  }
}

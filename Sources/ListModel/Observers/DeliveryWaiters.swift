/// The tasks that wait until a step is delivered, in the order of these steps.
package struct DeliveryWaiters {
  private var waiters: [(step: Int, continuation: CheckedContinuation<Void, Never>)] = []

  /// Creates an empty list of tasks.
  package init() {}

  /// Adds a task that waits until this many steps are delivered.
  package mutating func add(_ continuation: CheckedContinuation<Void, Never>, until step: Int) {
    waiters.append((step, continuation))
  }

  /// Resumes the tasks that waited for the steps delivered so far.
  package mutating func resume(after done: Int) {
    let ready = waiters.prefix { $0.step <= done }
    waiters.removeFirst(ready.count)
    for waiter in ready { waiter.continuation.resume() }
  }
}

/// The deadline of a call.
struct Deadline: Sendable {
  let end: Duration
  let time: TimeSource

  init(after total: Duration, from start: Duration, time: TimeSource) {
    end = start + total
    self.time = time
  }

  /// The remaining time; not positive after the deadline.
  var remaining: Duration { end - time.now() }

  /// Waits until the deadline; throws if the task is cancelled.
  func sleep() async throws {
    let remaining = remaining
    if remaining > .zero { try await time.sleep(remaining) }
  }

  /// Runs `operation` and waits for it, at most until the deadline, even if it ignores its cancellation: the
  /// caller resumes, and the operation continues alone.
  func race<Value: Sendable>(
    _ operation: @escaping @Sendable () async -> Result<Value, RequestError>
  ) async throws(RequestError) -> Value {
    let work = SharedWork<Value>()
    guard let member = work.join() else { throw RequestError(.cancelled(.byCaller)) }
    work.start(operation)
    return try await work.wait(member, until: self)
  }
}

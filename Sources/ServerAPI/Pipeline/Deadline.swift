/// The moment at which the whole of a call must be over.
struct Deadline: Sendable {
  let end: Duration
  let time: TimeSource

  init(after total: Duration, from start: Duration, time: TimeSource) {
    end = start + total
    self.time = time
  }

  /// What is left; not positive once the moment has passed.
  var remaining: Duration { end - time.now() }

  /// Waits for the moment; throws when the task is cancelled.
  func sleep() async throws {
    let remaining = remaining
    if remaining > .zero { try await time.sleep(remaining) }
  }

  /// Runs `operation` and waits no longer than until the deadline, even if it takes no notice of
  /// being cancelled: whoever waits resumes and the operation is left to itself.
  func race<Value: Sendable>(
    _ operation: @escaping @Sendable () async -> Result<Value, RequestError>
  ) async throws(RequestError) -> Value {
    let work = SharedWork<Value>()
    guard let me = work.join() else { throw RequestError(.cancelled(.byCaller)) }
    work.start(operation)
    return try await work.wait(me, until: self)
  }
}

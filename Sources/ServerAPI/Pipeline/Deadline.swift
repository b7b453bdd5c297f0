internal import Support

/// The deadline of a call. Waiting for rate limits defers it.
struct Deadline: Sendable {
  private let limit: Duration
  let time: TimeSource
  /// The waits that defer it.
  let waits = LimitWaits()

  init(after total: Duration, from start: Duration, time: TimeSource) {
    limit = start + total
    self.time = time
  }

  /// The remaining time; not positive after the deadline.
  var remaining: Duration {
    let now = time.now()
    return limit + waits.total(now: now) - now
  }

  /// Waits until the deadline; throws if the task is cancelled.
  func sleep() async throws {
    while case let remaining = remaining, remaining > .zero { try await time.sleepToLimit(remaining) }
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

/// The time for which a call waits for rate limits, those of the server and its own.
///
/// A wait counts from its start, so that a timer that ends during it sees that the deadline was deferred.
final class LimitWaits: Sendable {
  private struct State {
    /// The waits so far, including the rest of the last one.
    var total = Duration.zero
    /// The end of the last one.
    var end = Duration.zero
    /// The start of a wait of unknown length.
    var start: Duration?
    /// The call whose exchange this one shares, and how long that one had waited before.
    var followed: (waits: LimitWaits, before: Duration)?
  }

  /// Guards the durations; held for an addition, and never together with the lock of another call.
  private let state = Lock(State())

  /// Adds a wait that starts now.
  func add(_ wait: Duration, now: Duration) {
    state.withLock { state in
      state.total += wait
      state.end = now + wait
    }
  }

  /// Starts a wait of unknown length.
  func begin(now: Duration) { state.withLock { $0.start = now } }

  /// Ends the wait of unknown length, and returns how long it took.
  func end(now: Duration) -> Duration {
    state.withLock { state in
      let wait = state.start.map { now - $0 } ?? .zero
      state.start = nil
      state.total += wait
      return wait
    }
  }

  /// All waits, including the rest of the current one, if its length is known.
  func total(now: Duration) -> Duration {
    let (own, followed) = state.withLock { state in
      (state.total + (state.start.map { now - $0 } ?? .zero), state.followed)
    }
    return own + (followed.map { $0.waits.total(now: now) - $0.before } ?? .zero)
  }

  /// The waits until now.
  private func elapsed(now: Duration) -> Duration {
    let (own, followed) = state.withLock { state in
      (
        state.total - max(.zero, state.end - now) + (state.start.map { now - $0 } ?? .zero),
        state.followed
      )
    }
    return own + (followed.map { $0.waits.elapsed(now: now) - $0.before } ?? .zero)
  }

  /// Adds the waits of another call from now on, whose exchange this call shares.
  func follow(_ other: LimitWaits, now: Duration) {
    let before = other.elapsed(now: now)
    state.withLock { $0.followed = (other, before) }
  }

  /// Ends ``follow(_:now:)``.
  func unfollow(now: Duration) {
    guard let (waits, before) = state.withLock({ $0.followed }) else { return }
    let waited = waits.elapsed(now: now) - before
    state.withLock { state in
      state.followed = nil
      state.total += waited
    }
  }
}

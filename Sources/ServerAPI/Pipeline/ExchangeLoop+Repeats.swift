extension ExchangeLoop {
  /// Prepares a call that repeats an earlier one, whose response can't be used.
  func beginRepeat(_ state: inout CallState) async throws(RequestError) {
    guard let reason = rules.repeatReason else { return }
    guard let turn = turn(of: state.request) else {
      var error = RequestError(.timeout(.total))
      error.retryBudget = rules.retry.retriesPerSecond
      throw error
    }
    state.requireFreshConnection()
    trace?.record(.retrying(attempt: 2, reason: reason, delay: turn))
    if turn > .zero { try await pause(turn, isLimit: false, &state) }
  }

  /// Reserves a retry in the budget of the host, and returns how long it has to wait; `nil` if that takes longer than
  /// the call has left.
  func turn(of request: HTTPRequest) -> Duration? {
    core.memory.reserveRetry(
      of: request.url, rules.retry, atMost: deadline.remaining,
      now: core.configuration.time.now())
  }

  /// Limits an attempt to half of the remaining time while it stalls, if another one may follow.
  func limit(_ timeouts: inout Timeouts, _ state: CallState) {
    guard state.retries < rules.retry.attempts - 1,
      state.request.repeatedMethod.isIdempotent || state.request.hasIdempotencyKey
    else { return }
    let share = deadline.remaining / 2
    guard share > .zero else { return }
    timeouts.idle = min(timeouts.idle, share)
    timeouts.connect = min(timeouts.connect, share)
  }
}

extension HTTPRequest {
  /// The method that decides whether the request may be sent again.
  var repeatedMethod: HTTPMethod { isReading || onlyReads ? .get : method }

  var hasIdempotencyKey: Bool { headers["Idempotency-Key"] != nil }
}

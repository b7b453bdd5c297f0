extension ExchangeLoop {
  /// Waits until the server and the pace of the program allow a request.
  func waitForTurn(_ state: inout CallState) async throws(RequestError) {
    repeat {
      while let pause = pause(of: state.request) { try await wait(for: pause, &state) }
      guard let pace = core.configuration.pace, weight > 0 else { return }
      try await wait(for: pace, &state)
      // Others may have been asked to wait meanwhile.
    } while pause(of: state.request) != nil
  }

  /// The rest of the pause that the server asked for, if there is one now.
  func pause(of request: HTTPRequest) -> Duration? {
    core.memory.pause(of: request.url, now: core.configuration.time.now())
  }

  /// Waits until a pause is over; fails at once if the pause is longer than the call may wait.
  private func wait(for pause: Duration, _ state: inout CallState) async throws(RequestError) {
    guard pause <= rules.retry.maximumRetryAfter - state.limitWait else {
      var error = RequestError(.rateLimited(wait: pause))
      error.requestedWait = pause
      error.isWaitTooLong = true
      error.waitEnd = core.configuration.time.secondsSince1970() + pause / .seconds(1)
      throw error
    }
    guard deadline.remaining > .zero else { throw RequestError(.timeout(.total)) }
    try await wait(pause, isAsked: true, &state)
  }

  /// Waits. The time that the server asked for defers the deadline.
  func wait(
    _ wait: Duration, isAsked: Bool, _ state: inout CallState
  ) async throws(RequestError) {
    let time = core.configuration.time
    if isAsked {
      deadline.waits.add(wait, now: time.now())
      state.limitWait += wait
      trace?.record(.rateLimited(for: wait))
    } else {
      trace?.record(.queued(for: wait))
    }
    do { try await time.sleep(wait) } catch {
      throw RequestError(.cancelled(.byCaller))
    }
    state.log.addWait(wait)
  }

  /// Waits for the pace of the program, which defers the deadline.
  private func wait(
    for pace: any RequestPacing, _ state: inout CallState
  ) async throws(RequestError) {
    let time = core.configuration.time
    deadline.waits.begin(now: time.now())
    let result: Result<Void, any Error>
    do {
      result = .success(try await pace.waitForTurn(weight: weight))
    } catch {
      result = .failure(error)
    }
    let waited = deadline.waits.end(now: time.now())
    if waited > .zero {
      state.paceWait += waited
      trace?.record(.paced(for: waited))
      state.log.addWait(waited)
    }
    guard case .failure(let error) = result else { return }
    throw Task.isCancelled
      ? RequestError(.cancelled(.byCaller))
      : RequestError(.unusable("the pace of the server threw an error: \(error)"))
  }

  /// Reserves a retry in the budget of the host, and returns how long it has to wait; `nil` if that takes longer than
  /// the call has left.
  func turn(of request: HTTPRequest) -> Duration? {
    core.memory.reserveRetry(
      of: request.url, rules.retry, atMost: deadline.remaining,
      now: core.configuration.time.now())
  }
}

extension ExchangeLoop {
  /// Why an exchange has no usable response.
  struct Failure {
    var error: RequestError
    /// The outcome for the attempt log.
    let outcome: HTTPResponse.Attempt.Outcome
    let timings: HTTPResponse.Timings
    /// The kind that decides about a retry; `nil` if nothing was sent, so that a retry would not help.
    var cause: RequestError.Kind?
    /// Whether the response is about a rate limit, or a pause of the service: a 503.
    var asksToWait = false
    /// What to store of the response if no retry follows; earlier, the cache would serve it to the retry.
    var kept: CacheTransaction.Result?

    init(_ error: RequestError, cause: RequestError.Kind? = nil) {
      self.error = error
      self.cause = cause
      outcome = .failed(error.kind)
      timings = error.timings
    }

    init(
      _ response: HTTPResponse, to request: HTTPRequest, _ kind: RequestError.Kind,
      requestedWait: Duration?
    ) {
      var error = RequestError(kind).about(response, to: request)
      error.requestedWait = requestedWait
      self.error = error
      outcome = .responded(response.status)
      timings = response.timings
      // An error status decides about a retry, even if the body reports an error of the service.
      cause = response.isSuccess ? kind : .status(response.status)
    }

    /// The error of the call, which has one kind for each way in which a server asks to wait.
    var named: RequestError {
      guard asksToWait, case .status(let status) = error.kind,
        status == 429 || status == 403 || status == 503 && error.requestedWait != nil
      else { return error }
      var named = error
      named.kind = .rateLimited(wait: error.requestedWait)
      return named
    }
  }

  /// Waits and returns `true` if the policy, the budget and the deadline allow a retry.
  func retry(
    after failure: inout Failure, _ state: inout CallState
  ) async throws(RequestError) -> Bool {
    guard let cause = failure.cause else { return false }
    let decision = rules.retry.decide(
      RetryContext(
        failure: cause, retryAfter: failure.error.requestedWait,
        asksToWait: failure.asksToWait,
        limitWait: state.limitWait,
        method: state.request.repeatedMethod,
        hasIdempotencyKey: state.request.headers.hasIdempotencyKey,
        receiverHasBytes: state.receiverMonitor?.hasBytes ?? false, retries: state.retries,
        usedFreshConnection: state.usedFreshConnection, hasMended: state.hasMended,
        remaining: deadline.remaining),
      random: core.configuration.random())
    guard case .retry(var delay, let reason, let freshConnection, let cost) = decision else {
      failure.error.isWaitTooLong = decision == .stop(.retryAfter)
      return false
    }
    // A retry at the time that the server has named does not overload it.
    if cost == .attempt {
      guard let turn = turn(of: state.request) else {
        failure.error.retryBudget = rules.retry.retriesPerSecond
        return false
      }
      delay = max(delay, turn)
    }
    state.record(
      failure.outcome, failure.timings, followedBy: "retry after \(reason)", delay: delay)
    trace?.record(
      .retrying(attempt: state.log.attempts.count + 1, reason: reason, delay: delay))
    state.retry(withFreshConnection: freshConnection, cost)
    if delay > .zero { try await wait(delay, isAsked: cost == .wait, &state) }
    return true
  }

  /// Returns the stored response that replaces a failure, or `nil` if it is a redirect to follow. Throws the
  /// failure if there is none.
  func fallBack(
    from failure: Failure, _ state: inout CallState
  ) throws(RequestError) -> HTTPResponse? {
    if let kept = failure.kept { state.transaction?.keep(kept, stores: true) }
    if failure.error.kind.allowsStoredFallback, let stored = state.fallback {
      return try serves(stored, insteadOf: failure.outcome, failure.timings, &state) ? stored : nil
    }
    if failure.cause != nil { state.record(failure.outcome, failure.timings) }
    throw failure.named
  }

  /// Serves the stored response in place of an unusable one. Returns `false` if it is a redirect to follow.
  func serves(
    _ stored: HTTPResponse, insteadOf outcome: HTTPResponse.Attempt.Outcome,
    _ timings: HTTPResponse.Timings,
    _ state: inout CallState
  ) throws(RequestError) -> Bool {
    state.record(outcome, timings, followedBy: "stored response")
    trace?.record(.served(stored, why: "no usable response from the server"))
    state.cacheNote = "stored, no usable response from the server"
    return try isFinal(stored, &state)
  }

  /// Replaces credentials of the provider that the server rejected. ``CredentialMachine`` decides how often. A
  /// stored response does not replace the rejection.
  func replaceCredentials(
    after response: HTTPResponse, _ version: Int, _ state: inout CallState
  ) async throws(RequestError) {
    state.isRejected = true
    guard case .provided(let store)? = core.configuration.authentication?.source else { return }
    do throws(RequestError) {
      _ = try await store.replacement(
        for: version, replaced: state.replacedCredentials, until: deadline,
        limit: core.configuration.timeouts.total)
    } catch {
      state.rejectUser()
      state.record(response)
      throw error.about(response)
    }
    state.record(response, followedBy: "renewed credentials")
    state.replacedCredentials.append(version)
  }
}

extension ExchangeLoop {
  /// Prepares a call that repeats an earlier one, whose response can't be used.
  func beginRepeat(
    because reason: String, _ state: inout CallState
  ) async throws(RequestError) {
    guard let turn = turn(of: state.request) else {
      var error = RequestError(.timeout(.total))
      error.retryBudget = rules.retry.retriesPerSecond
      throw error
    }
    state.requireFreshConnection()
    trace?.record(.retrying(attempt: 2, reason: reason, delay: turn))
    if turn > .zero { try await wait(turn, isAsked: false, &state) }
  }

  /// Limits an attempt to half of the remaining time while it stalls, if another one may follow.
  func limit(_ timeouts: inout HTTPRequest.Timeouts, _ state: CallState) {
    guard state.retries < rules.retry.attempts - 1,
      state.request.repeatedMethod.isIdempotent || state.request.headers.hasIdempotencyKey
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
}

extension HTTPHeaders {
  /// Whether the server knows a request again that was already carried out.
  package var hasIdempotencyKey: Bool { self["Idempotency-Key"] != nil }
}

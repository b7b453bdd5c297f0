extension ExchangeLoop {
  /// Why an exchange brought nothing usable.
  struct Failure {
    let error: RequestError
    /// What happened, for the log.
    let outcome: HTTPResponse.Attempt.Outcome
    let timings: HTTPResponse.Timings
    /// What says whether another try may help; `nil` where nothing was sent, so that none would.
    var cause: RequestError.Kind?
    /// How long the server asks to wait.
    var retryAfter: Duration?
    /// What is to be kept of the response where no other try follows: it would answer that.
    var kept: CacheVisit.Result?

    init(_ error: RequestError, cause: RequestError.Kind? = nil) {
      self.error = error
      self.cause = cause
      outcome = .failed(error.kind)
      timings = error.timings
    }

    init(_ response: HTTPResponse, _ kind: RequestError.Kind) {
      error = RequestError(kind).about(response)
      outcome = .responded(response.status)
      timings = response.timings
      // Whether it may pass is told by the status, whatever the service says in the body.
      cause = response.isSuccess ? kind : .status(response.status)
    }
  }

  /// Whether there is another try after a failure: where the policy, the budget and the deadline allow it,
  /// and then after a pause.
  func triesAgain(
    after failure: Failure, _ course: inout Course
  ) async throws(RequestError) -> Bool {
    guard let cause = failure.cause else { return false }
    let decision = rules.retry.decide(
      RetryCase(
        failure: cause, retryAfter: failure.retryAfter, method: course.request.method,
        hasIdempotencyKey: course.request.headers["Idempotency-Key"] != nil,
        receiverHasBytes: course.tap?.hasBytes ?? false, retries: course.retries,
        usedFreshConnection: course.usedFreshConnection, remaining: deadline.remaining),
      random: core.configuration.random())
    guard case .retry(let delay, let reason, let freshConnection, let isFree) = decision,
      isFree || core.memory.takeRetry(now: core.configuration.time.now())
    else { return false }
    course.note(
      failure.outcome, failure.timings, followedBy: "retry after \(reason)", delay: delay)
    trace?.record(
      .retrying(attempt: course.log.attempts.count + 1, reason: reason, delay: delay))
    course.retry(withFreshConnection: freshConnection, isFree: isFree)
    if delay > .zero { try await pause(delay, &course) }
    return true
  }

  /// Ends with what is stored in the place of a failure; throws the failure where that may not be.
  func giveUp(
    _ failure: Failure, _ course: inout Course
  ) throws(RequestError) -> HTTPResponse? {
    if let kept = failure.kept { course.visit?.keep(kept, stores: true) }
    if failure.error.kind.allowsStored, let stored = course.fallback {
      return try standsIn(stored, for: failure.outcome, failure.timings, &course) ? stored : nil
    }
    if failure.cause != nil { course.note(failure.outcome, failure.timings) }
    throw failure.error
  }

  /// Whether what is stored answers the call in place of what came. Otherwise it leads on to another address.
  func standsIn(
    _ stored: HTTPResponse, for outcome: HTTPResponse.Attempt.Outcome,
    _ timings: HTTPResponse.Timings,
    _ course: inout Course
  ) throws(RequestError) -> Bool {
    course.note(outcome, timings, followedBy: "what is stored")
    trace?.record(.served(stored, why: "no usable answer came"))
    course.cacheNote = "stored, no usable answer came"
    return try isFinal(stored, &course)
  }

  /// The server refused what the provider gave: once per call there is another try with newer
  /// credentials. What is stored does not stand in for them: what the service refuses stays refused.
  func renew(
    after response: HTTPResponse, _ version: Int, _ course: inout Course
  ) async throws(RequestError) {
    course.isRefused = true
    guard !course.renewedCredentials,
      case .provided(let store)? = core.configuration.authentication?.source
    else {
      course.refuse()
      course.note(response)
      throw RequestError(.authentication("the server refused renewed credentials")).about(response)
    }
    course.note(response, followedBy: "renewed credentials")
    do throws(RequestError) {
      _ = try await store.replacement(
        for: version, until: deadline, limit: core.configuration.timeouts.total)
    } catch {
      course.refuse()
      throw error.about(response)
    }
    course.renewedCredentials = true
  }

  /// Waits while the host wants to be left alone; fails at once where that outlasts the call.
  func pace(_ course: inout Course) async throws(RequestError) {
    while true {
      let wait = core.memory.wait(for: course.request.url, now: core.configuration.time.now())
      guard wait > .zero else { return }
      guard wait < deadline.remaining else { throw RequestError(.timeout(.total)) }
      try await pause(wait, &course)
    }
  }

  private func pause(_ wait: Duration, _ course: inout Course) async throws(RequestError) {
    trace?.record(.queued(for: wait))
    do { try await core.configuration.time.sleep(wait) } catch {
      throw RequestError(.cancelled(.byCaller))
    }
    course.log.noteWait(wait)
  }
}

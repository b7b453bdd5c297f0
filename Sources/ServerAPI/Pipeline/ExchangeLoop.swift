/// Sends a request as often as it takes: past redirects, refused credentials and failures that
/// pass; or not at all, where the cache has the answer. Which step follows an answer is decided by
/// ``CacheRules``, ``RedirectPolicy``, ``CredentialMachine`` and ``RetryPolicy``; the loop carries it
/// out.
struct ExchangeLoop: Sendable {
  let core: ServerCore
  let rules: CallRules
  let deadline: Deadline
  let trace: CallTrace?

  /// What the loop knows about one call.
  private struct Course {
    var request: HTTPRequest
    /// The first exchange, where it was begun already.
    var opening: Opening?
    var tap: ReceiverTap?
    var log = AttemptLog()
    var trail: RedirectTrail
    var retries = 0
    var usedFreshConnection = false
    var renewedCredentials = false
    /// Whether the service refused the user: then nothing stored stands in for its response.
    var isRefused = false
    /// Whether what is stored turned out not to be what the server speaks of.
    var ignoresStored = false
    var visit: CacheVisit?
    /// What the cache had to do with the exchange.
    var cacheNote: String?

    /// What is stored and may be the response where nothing usable comes from the server.
    var fallback: HTTPResponse? { isRefused ? nil : visit?.fallback }

    /// Notes that the service refused the user for good. What it sent before is removed: it would be
    /// the response the next time the server can't be reached.
    mutating func refuse() {
      isRefused = true
      visit?.removeAll()
    }
  }

  /// What follows an exchange.
  private enum Step {
    case finish(HTTPResponse)
    case again
  }

  /// `isTainted` says whether the call has left its origin before, `opening` is its first exchange where it
  /// was begun already.
  func run(
    _ request: HTTPRequest, isTainted: Bool = false, opening: Opening? = nil
  ) async throws(RequestError) -> HTTPResponse {
    var course = Course(
      request: request, opening: opening,
      trail: RedirectTrail(cookies: cookies, isTainted: isTainted))
    course.tap = ReceiverTap.attach(to: &course.request)
    core.memory.noteCall()
    do throws(RequestError) {
      while true {
        if case .finish(let response) = try await step(&course) {
          return course.log.completing(response)
        }
      }
    } catch {
      throw course.log.completing(error, request: course.request)
    }
  }

  /// Gives out what is stored, where that is all the call needs; `nil` where it leads on to another address or
  /// somebody has to be asked.
  func served(
    _ opening: Opening, to request: HTTPRequest
  ) throws(RequestError) -> HTTPResponse? {
    guard let found = opening.visit?.found else { return nil }
    guard !RedirectPolicy.isRedirect(found.response.status) else { return nil }
    var course = Course(request: request, trail: RedirectTrail())
    course.cacheNote = found.why
    trace?.record(.served(found.response, why: found.why))
    do throws(RequestError) {
      guard case .finish(let response) = try serve(found.response, &course) else { return nil }
      return course.log.completing(response)
    } catch {
      throw course.log.completing(error, request: request)
    }
  }

  /// Changes with the cookies that are kept.
  private var cookies: Int { core.configuration.keepsCookies ? core.memory.cookieRevision : 0 }

  private func step(_ course: inout Course) async throws(RequestError) -> Step {
    var opening: Opening
    if let first = course.opening.take() {
      opening = first
    } else {
      opening = try await open(
        course.request, isTainted: course.trail.isTainted, ignoresStored: course.ignoresStored,
        streams: course.tap != nil)
    }
    course.visit = opening.visit
    course.cacheNote = nil
    defer { course.visit?.end() }
    guard var visit = course.visit else { return try await send(&opening, &course) }
    let verdict: CacheVisit.Verdict
    do throws(RequestError) { verdict = try await visit.decide(until: deadline) } catch {
      course.visit = visit
      return try standIn(for: error, &course)
    }
    course.visit = visit
    switch verdict {
    case .serve(let response, let revalidates, let why):
      course.cacheNote = why
      trace?.record(.served(response, why: why))
      if revalidates { revalidateLater(course.request, visit, isTainted: course.trail.isTainted) }
      return try serve(response, &course)
    case .refuse(let why):
      course.cacheNote = why
      course.log.note(
        .failed(.notStored), of: course.request, timings: Timings(), cache: why)
      throw RequestError(.notStored)
    case .ask(let request, let why):
      course.cacheNote = why
      opening.prepared.request = request
      // The exchange may have been begun before it was known who shares it.
      opening.prepared.request.priorityHandle = course.request.priorityHandle
      return try await send(&opening, &course)
    }
  }

  /// Answers with what is stored: no other answer would come of trying again.
  private func serve(_ response: HTTPResponse, _ course: inout Course) throws(RequestError) -> Step
  {
    if let step = try redirected(response, &course) { return step }
    note(response, &course)
    if let failure = failure(of: response, course.request) {
      throw RequestError(failure).about(response)
    }
    return .finish(response)
  }

  private func send(
    _ opening: inout Opening, _ course: inout Course
  ) async throws(RequestError) -> Step {
    let exchange = opening.exchange
    do throws(RequestError) {
      try await pace(&course)
      try await exchange.addCredentials(to: &opening.prepared)
    } catch {
      if exchange.lastCredentialsWereRefused { course.isRefused = true }
      return try standIn(for: error, &course)
    }
    var response: HTTPResponse
    do throws(RequestError) { response = try await exchange.send(opening.prepared) } catch {
      if exchange.refusal?.isNoted == true { course.refuse() }
      return try await recover(
        from: error, as: error.kind, .failed(error.kind), retryAfter: nil, error.timings, &course)
    }
    if response.status == 401, let version = opening.prepared.version {
      return try await renew(after: response, version, &course)
    }
    if response.refusesUser || exchange.refusal?.isNoted == true { course.refuse() }
    let result = course.visit?.conclude(response, now: core.configuration.time.secondsSince1970())
    if let result {
      course.cacheNote = [course.cacheNote, result.why].compactMap(\.self).joined(separator: "; ")
      if result.asksAgain, !course.ignoresStored {
        note(response, followedBy: "the answer is about something that is not stored", &course)
        course.ignoresStored = true
        return .again
      }
      response = result.response
    }
    let failure = failure(of: response, course.request)
    if let result {
      let isStop = RedirectPolicy.isRedirect(response.status)
      // A body that may have been cut off must not be given out again.
      let isWhole = !response.endsWithConnection
      course.visit?.keep(result, stores: isWhole && (failure == nil || isStop))
    }
    if let step = try redirected(response, &course) { return step }
    guard let failure else {
      if response.status >= 500, let fallback = course.fallback {
        return try standIn(fallback, for: .answered(response.status), response.timings, &course)
      }
      note(response, &course)
      return .finish(response)
    }
    let retryAfter = response.headers["Retry-After"].flatMap {
      RetryAfter.wait($0, now: core.configuration.time.secondsSince1970())
    }
    // Whether a failure may pass is told by the status, whatever the service says in the body.
    return try await recover(
      from: RequestError(failure).about(response),
      as: response.isSuccess ? failure : .status(response.status), .answered(response.status),
      retryAfter: retryAfter, response.timings, keeping: failure.mayBeStored ? result : nil, &course
    )
  }

  /// The step to another address, where the answer leads there.
  private func redirected(
    _ response: HTTPResponse, _ course: inout Course
  ) throws(RequestError) -> Step? {
    switch rules.redirects.decide(
      response, to: course.request, trail: &course.trail, cookies: cookies)
    {
    case .follow(let next):
      follow(response, next, &course)
      return .again
    case .fail(let failure):
      note(response, &course)
      throw RequestError(.redirect(failure))
    case .answer: return nil
    }
  }

  private func failure(of response: HTTPResponse, _ request: HTTPRequest) -> RequestError.Kind? {
    // What is stored came under the limits of another call.
    let limit = request.limits.decodedBytes
    guard response.body.count <= limit else { return .tooLarge(.decodedBytes, allowed: limit) }
    return ResponseValidator.failure(
      of: response, to: request, rules: rules, business: core.configuration.businessCheck)
  }

  /// Answers with what is stored in the place of a failure; throws the failure where that may not be.
  private func standIn(
    for error: RequestError, _ course: inout Course
  ) throws(RequestError) -> Step {
    guard error.kind.allowsStored, let stored = course.fallback else { throw error }
    return try standIn(stored, for: .failed(error.kind), error.timings, &course)
  }

  private func standIn(
    _ stored: HTTPResponse, for outcome: Attempt.Outcome, _ timings: Timings,
    _ course: inout Course
  ) throws(RequestError) -> Step {
    course.log.note(
      outcome, of: course.request, timings: timings, followedBy: "what is stored",
      cache: course.cacheNote)
    trace?.record(.served(stored, why: "no usable answer came"))
    course.cacheNote = "stored, no usable answer came"
    return try serve(stored, &course)
  }

  private func note(
    _ response: HTTPResponse, followedBy: String? = nil, _ course: inout Course
  ) {
    course.log.note(
      .answered(response.status), of: course.request, timings: response.timings,
      followedBy: followedBy, cache: course.cacheNote)
  }

  private func follow(_ response: HTTPResponse, _ next: HTTPRequest, _ course: inout Course) {
    note(response, followedBy: "redirect to \(Redaction.usual.url(next.url))", &course)
    trace?.record(.redirected(status: response.status, to: next.url))
    course.request = next
    course.request.wantsFreshConnection = false
    course.ignoresStored = false
  }

  /// The server refused what the provider gave: once per call there is another try with newer
  /// credentials. What is stored does not stand in for them: what the service refuses stays refused.
  private func renew(
    after response: HTTPResponse, _ version: Int, _ course: inout Course
  ) async throws(RequestError) -> Step {
    course.isRefused = true
    guard !course.renewedCredentials,
      case .provided(let store)? = core.configuration.authentication?.source
    else {
      course.refuse()
      note(response, &course)
      throw RequestError(.authentication("the server refused renewed credentials")).about(response)
    }
    note(response, followedBy: "renewed credentials", &course)
    do throws(RequestError) {
      _ = try await store.replacement(
        for: version, until: deadline, limit: core.configuration.timeouts.total)
    } catch {
      course.refuse()
      throw error.about(response)
    }
    course.renewedCredentials = true
    return .again
  }

  /// Tries again where the policy, the budget and the deadline allow it for a `failure`, else throws
  /// `error`.
  private func recover(
    from error: RequestError, as failure: RequestError.Kind, _ outcome: Attempt.Outcome,
    retryAfter: Duration?, _ timings: Timings, keeping result: CacheVisit.Result? = nil,
    _ course: inout Course
  ) async throws(RequestError) -> Step {
    let request = course.request
    let decision = rules.retry.decide(
      RetryCase(
        failure: failure, retryAfter: retryAfter, method: request.method,
        hasIdempotencyKey: request.headers["Idempotency-Key"] != nil,
        receiverHasBytes: course.tap?.hasBytes ?? false, retries: course.retries,
        usedFreshConnection: course.usedFreshConnection, remaining: deadline.remaining),
      random: core.configuration.random())
    guard case .retry(let delay, let reason, let freshConnection, let isFree) = decision,
      isFree || core.memory.takeRetry(now: core.configuration.time.now())
    else {
      // Only now: a stored error would answer the next try.
      if let result { course.visit?.keep(result, stores: true) }
      if error.kind.allowsStored, let stored = course.fallback {
        return try standIn(stored, for: outcome, timings, &course)
      }
      course.log.note(outcome, of: request, timings: timings, cache: course.cacheNote)
      throw error
    }
    course.log.note(
      outcome, of: request, timings: timings, followedBy: "retry after \(reason)", delay: delay,
      cache: course.cacheNote)
    trace?.record(
      .retrying(attempt: course.log.attempts.count + 1, reason: reason, delay: delay))
    if isFree { course.usedFreshConnection = true } else { course.retries += 1 }
    course.request.wantsFreshConnection = freshConnection
    if delay > .zero { try await pause(delay, &course) }
    return .again
  }

  /// Waits while the host wants to be left alone; fails at once where that outlasts the call.
  private func pace(_ course: inout Course) async throws(RequestError) {
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

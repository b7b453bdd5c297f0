/// Sends a request as often as it takes: past redirects, refused credentials and failures that
/// pass; or not at all, where the cache has the answer. Which step follows an answer is decided by
/// ``CacheRules``, ``RedirectPolicy``, ``CredentialMachine`` and ``RetryPolicy``; the loop carries it
/// out.
///
/// Each turn of the loop is one exchange in a straight line: ``look(_:)`` into the cache, ``ask(_:_:_:)`` the
/// server, ``judge(_:_:)`` its response, ``triesAgain(after:_:)``, and last ``giveUp(_:_:)``, where what is
/// stored may stand in.
struct ExchangeLoop: Sendable {
  let core: ServerCore
  let rules: CallRules
  let deadline: Deadline
  let trace: CallTrace?

  /// What an exchange came to.
  private enum Finding {
    /// The response of the call.
    case final(HTTPResponse)
    /// Another exchange has to follow.
    case again
    /// Nothing usable.
    indirect case failed(Failure)
  }

  /// `isTainted` says whether the call has left its origin before, `opening` is its first exchange where it
  /// was begun already.
  func run(
    _ request: HTTPRequest, isTainted: Bool = false, opening: Opening? = nil
  ) async throws(RequestError) -> HTTPResponse {
    var course = Course(
      request: request, trail: RedirectTrail(cookies: cookies, isTainted: isTainted),
      opening: opening)
    core.memory.noteCall()
    do throws(RequestError) {
      while true {
        defer { course.visit?.end() }
        switch try await look(&course) {
        case .final(var response):
          course.log.complete(&response)
          return response
        case .again: continue
        case .failed(let failure):
          if try await triesAgain(after: failure, &course) { continue }
          guard var response = try giveUp(failure, &course) else { continue }
          course.log.complete(&response)
          return response
        }
      }
    } catch {
      throw course.log.completing(error, request: course.request)
    }
  }

  /// Whether what is stored is the response of the call, which is completed then. Otherwise it leads on to
  /// another address.
  func serves(
    _ response: inout HTTPResponse, why: String, to request: HTTPRequest
  ) throws(RequestError) -> Bool {
    guard !RedirectPolicy.isRedirect(response.status) else { return false }
    var course = Course(request: request, trail: RedirectTrail())
    course.cacheNote = why
    trace?.record(.served(response, why: why))
    do throws(RequestError) {
      guard try isFinal(response, &course) else { return false }
      course.log.complete(&response)
      return true
    } catch {
      throw course.log.completing(error, request: request)
    }
  }

  /// Changes with the cookies that are kept.
  private var cookies: Int { core.configuration.keepsCookies ? core.memory.cookieRevision : 0 }

  /// Takes what is stored, where that will do, or asks the server.
  private func look(_ course: inout Course) async throws(RequestError) -> Finding {
    let exchange: Exchange
    var prepared: Exchange.Prepared
    if let opening = course.opening.take() {
      (exchange, prepared) = (opening.exchange, opening.prepared)
      course.visit = opening.visit
    } else {
      exchange = Exchange(
        core: core, deadline: deadline, trace: trace, isTainted: course.trail.isTainted)
      prepared = exchange.prepare(course.request)
      course.visit = try await visit(
        &prepared, exchange, ignoresStored: course.ignoresStored, streams: course.tap != nil)
    }
    course.cacheNote = nil
    guard var visit = course.visit else { return try await ask(&prepared, exchange, &course) }
    let verdict: CacheVisit.Verdict
    do throws(RequestError) { verdict = try await visit.decide(until: deadline) } catch {
      course.visit = visit
      return .failed(Failure(error))
    }
    course.visit = visit
    switch verdict {
    case .serve(let response, let revalidates, let why):
      course.cacheNote = why
      trace?.record(.served(response, why: why))
      if revalidates { revalidateLater(course.request, visit, isTainted: course.trail.isTainted) }
      return try isFinal(response, &course) ? .final(response) : .again
    case .refuse(let why):
      course.cacheNote = why
      course.note(.failed(.notStored), HTTPResponse.Timings())
      throw RequestError(.notStored)
    case .ask(let request, let why):
      course.cacheNote = why
      prepared.request = request
      // The exchange may have been begun before it was known who shares it.
      prepared.request.priorityHandle = course.request.priorityHandle
      return try await ask(&prepared, exchange, &course)
    }
  }

  /// Asks the server.
  private func ask(
    _ prepared: inout Exchange.Prepared, _ exchange: Exchange, _ course: inout Course
  ) async throws(RequestError) -> Finding {
    do throws(RequestError) {
      try await pace(&course)
      try await exchange.addCredentials(to: &prepared)
    } catch {
      if exchange.lastCredentialsWereRefused { course.isRefused = true }
      return .failed(Failure(error))
    }
    let response: HTTPResponse
    do throws(RequestError) { response = try await exchange.send(prepared) } catch {
      if exchange.refusal?.isNoted == true { course.refuse() }
      return .failed(Failure(error, cause: error.kind))
    }
    if response.status == 401, let version = prepared.version {
      try await renew(after: response, version, &course)
      return .again
    }
    if response.refusesUser || exchange.refusal?.isNoted == true { course.refuse() }
    return try judge(response, &course)
  }

  /// Says what a response of the server comes to, and keeps it in the cache.
  private func judge(
    _ received: HTTPResponse, _ course: inout Course
  ) throws(RequestError) -> Finding {
    var response = received
    let now = core.configuration.time.secondsSince1970
    let result = course.visit?.conclude(response, now: now())
    if let result {
      course.cacheNote = [course.cacheNote, result.why].compactMap(\.self).joined(separator: "; ")
      if result.asksAgain, !course.ignoresStored {
        course.note(response, followedBy: "the answer is about something that is not stored")
        course.ignoresStored = true
        return .again
      }
      response = result.response
    }
    let kind = failure(of: response, course.request)
    if let result {
      let isStop = RedirectPolicy.isRedirect(response.status)
      // A body that may have been cut off must not be given out again.
      let isWhole = !response.endsWithConnection
      course.visit?.keep(result, stores: isWhole && (kind == nil || isStop))
    }
    if try followsRedirect(response, &course) { return .again }
    guard let kind else {
      if response.status >= 500, let fallback = course.fallback {
        let stands = try standsIn(
          fallback, for: .responded(response.status), response.timings, &course)
        return stands ? .final(fallback) : .again
      }
      course.note(response)
      return .final(response)
    }
    var failure = Failure(response, kind)
    failure.retryAfter = response.headers["Retry-After"].flatMap {
      RetryAfter.wait($0, now: now())
    }
    failure.kept = kind.mayBeStored ? result : nil
    return .failed(failure)
  }

  /// Whether a response leads on to another address, which is the next one then.
  private func followsRedirect(
    _ response: HTTPResponse, _ course: inout Course
  ) throws(RequestError) -> Bool {
    switch rules.redirects.decide(
      response, to: course.request, trail: &course.trail, cookies: cookies)
    {
    case .follow(let next):
      course.note(response, followedBy: "redirect to \(Redaction.usual.url(next.url))")
      trace?.record(.redirected(status: response.status, to: next.url))
      course.follow(next)
      return true
    case .fail(let failure):
      course.note(response)
      throw RequestError(.redirect(failure))
    case .answer: return false
    }
  }

  private func failure(of response: HTTPResponse, _ request: HTTPRequest) -> RequestError.Kind? {
    // What is stored came under the limits of another call.
    let limit = request.limits.decodedBytes
    guard response.body.count <= limit else { return .tooLarge(.decodedBytes, allowed: limit) }
    return ResponseValidator.failure(
      of: response, to: request, rules: rules, business: core.configuration.businessCheck)
  }

  /// Whether what is stored answers the call: no other response would come of trying again. Otherwise it leads
  /// on to another address.
  func isFinal(
    _ response: HTTPResponse, _ course: inout Course
  ) throws(RequestError) -> Bool {
    if try followsRedirect(response, &course) { return false }
    course.note(response)
    if let failure = failure(of: response, course.request) {
      throw RequestError(failure).about(response)
    }
    return true
  }
}

/// Sends the exchanges of a call until it has a response: it follows redirects, renews rejected credentials
/// and retries temporary failures, or serves a cache hit without any exchange. ``CacheRules``,
/// ``RedirectPolicy``, ``CredentialMachine`` and ``RetryPolicy`` decide about the next step; the loop carries
/// it out.
///
/// Each iteration is one exchange in a straight line: ``lookUp(_:)`` in the cache, ``send(_:_:_:)``,
/// ``evaluate(_:_:)`` the response, ``retry(after:_:)``, and last ``fallBack(from:_:)`` to a stored response.
struct ExchangeLoop: Sendable {
  let core: ServerCore
  let rules: CallRules
  let business: Call.BusinessCheck?
  let deadline: Deadline
  let trace: CallTrace?
  /// What the call counts for the pace.
  let weight: Double

  /// The result of an exchange.
  private enum Step {
    /// The response of the call.
    case final(HTTPResponse)
    /// Another exchange must follow.
    case next
    /// There is no usable response.
    indirect case failed(Failure)
  }

  /// Runs the call. `isTainted` is whether it has already left its origin; `first` is its first exchange,
  /// if it was already prepared.
  func run(
    _ request: HTTPRequest, isTainted: Bool = false, first: FirstExchange? = nil
  ) async throws(RequestError) -> HTTPResponse {
    var state = CallState(
      request: request, history: RedirectHistory(cookies: cookies, isTainted: isTainted),
      first: first)
    do throws(RequestError) {
      if let reason = rules.repeatReason { try await beginRepeat(because: reason, &state) }
      while true {
        defer { state.transaction?.end() }
        switch try await lookUp(&state) {
        case .final(var response):
          state.complete(&response)
          return response
        case .next: continue
        case .failed(let failure):
          var failure = failure
          if try await retry(after: &failure, &state) { continue }
          guard var response = try fallBack(from: failure, &state) else { continue }
          state.complete(&response)
          return response
        }
      }
    } catch {
      throw state.log.completing(error, request: state.request)
    }
  }

  /// Whether the stored response is the final one of the call, which is then complete. Returns `false` if it is
  /// a redirect to follow.
  func serves(
    _ response: inout HTTPResponse, why: String, to request: HTTPRequest
  ) throws(RequestError) -> Bool {
    guard !RedirectPolicy.isRedirect(response.status) else { return false }
    trace?.record(.served(response, why: why))
    // The only exchange, so it needs no state that others would continue.
    var log = AttemptLog()
    log.record(.responded(response.status), of: request, timings: response.timings, cache: why)
    if let failure = failure(of: response, request) {
      throw log.completing(RequestError(failure).about(response), request: request)
    }
    log.complete(&response.record)
    return true
  }

  /// The revision of the cookie jar; 0 if cookies are not kept.
  private var cookies: Int { core.configuration.keepsCookies ? core.memory.cookieRevision : 0 }

  /// Serves a stored response if one is usable, otherwise sends the request.
  private func lookUp(_ state: inout CallState) async throws(RequestError) -> Step {
    let exchange: Exchange
    var prepared: Exchange.Prepared
    if let first = state.first.take() {
      (exchange, prepared) = (first.exchange, first.prepared)
      state.transaction = first.transaction
    } else {
      exchange = Exchange(self, isTainted: state.history.isTainted)
      prepared = exchange.prepare(state.request)
      if let cache = core.configuration.cache {
        state.transaction = try await transaction(
          cache, &prepared, exchange, bypassesStored: state.bypassesStored,
          streams: state.receiverMonitor != nil)
      } else {
        if rules.cache == .cacheOnly { throw RequestError(.notStored) }
        state.transaction = nil
      }
    }
    state.cacheNote = nil
    if state.transaction != nil, let step = try await serve(&prepared, &state) { return step }
    return try await send(&prepared, exchange, &state)
  }

  /// Serves a stored response if the cache decides so. Returns `nil` if the request has to be sent.
  ///
  /// A function of its own, so that calls without a cache don't need its frame.
  private func serve(
    _ prepared: inout Exchange.Prepared, _ state: inout CallState
  ) async throws(RequestError) -> Step? {
    guard var transaction = state.transaction else { return nil }
    let verdict: CacheTransaction.Verdict
    do throws(RequestError) { verdict = try await transaction.decide(until: deadline) } catch {
      state.transaction = transaction
      return .failed(Failure(error))
    }
    state.transaction = transaction
    switch verdict {
    case .serve(let response, _, _)
    where rules.cache != .cacheOnly && !state.bypassesStored
      && rules.judge?.failure(response) != nil:
      // It was stored for a call that didn't judge it. The server may have another one now.
      state.bypassesStored = true
      return .next
    case .serve(let response, let revalidates, let why):
      state.cacheNote = why
      trace?.record(.served(response, why: why))
      if revalidates {
        revalidateInBackground(state.request, transaction, isTainted: state.history.isTainted)
      }
      return try isFinal(response, &state) ? .final(response) : .next
    case .refuse(let why):
      state.cacheNote = why
      state.record(.failed(.notStored), HTTPResponse.Timings())
      throw RequestError(.notStored)
    case .forward(let request, let why):
      state.cacheNote = why
      prepared.request = request
      // The exchange may have been prepared before it was shared.
      prepared.request.priorityHandle = state.request.priorityHandle
      return nil
    }
  }

  /// Sends the request to the server.
  private func send(
    _ prepared: inout Exchange.Prepared, _ exchange: Exchange, _ state: inout CallState
  ) async throws(RequestError) -> Step {
    // The only way to the transport.
    guard rules.cache != .cacheOnly else { throw RequestError(.notStored) }
    do throws(RequestError) {
      if core.configuration.pace != nil || pause(of: state.request) != nil {
        try await waitForTurn(&state)
      }
      if prepared.awaitsCredentials { try await exchange.addCredentials(to: &prepared) }
      limit(&prepared.request.timeouts, state)
    } catch {
      if exchange.lastCredentialsWereRejected { state.isRejected = true }
      return .failed(Failure(error))
    }
    let response: HTTPResponse
    exchange.recordUse(of: prepared)
    do throws(RequestError) {
      response =
        if prepared.request.mayChangeResource {
          try await write(prepared, exchange)
        } else {
          try await exchange.send(prepared)
        }
    } catch {
      if exchange.rejection?.isSet == true { state.rejectUser() }
      return .failed(Failure(error, cause: error.kind))
    }
    if response.status == 401, let version = prepared.version {
      try await replaceCredentials(after: response, version, &state)
      return .next
    }
    if response.rejectsUser || exchange.rejection?.isSet == true { state.rejectUser() }
    if response.acceptsCredentials, exchange.rejection?.isSet != true {
      exchange.recordAcceptance(of: prepared)
    }
    return try evaluate(response, to: prepared.request, &state)
  }

  /// Sends a request that may change a resource. Reads from before it, or from its time, are not shared with those that
  /// start after it.
  private func write(
    _ prepared: Exchange.Prepared, _ exchange: Exchange
  ) async throws(RequestError) -> HTTPResponse {
    let request = prepared.request
    core.flights.retire(request.url)
    core.memory.noteWrite()
    // The write may have taken effect although it failed.
    defer {
      core.flights.retire(request.url)
      core.memory.noteWrite()
    }
    let response = try await exchange.send(prepared)
    for url in request.changedAddresses(by: response) { core.flights.retire(url) }
    return response
  }

  /// Evaluates a response of the server, and stores it in the cache.
  private func evaluate(
    _ received: HTTPResponse, to sent: HTTPRequest, _ state: inout CallState
  ) throws(RequestError) -> Step {
    var response = received
    let now = core.configuration.time.secondsSince1970
    let result = state.transaction?.conclude(response, now: now())
    if let result {
      state.cacheNote = [state.cacheNote, result.why].compactMap(\.self).joined(separator: "; ")
      if result.retriesUnconditionally, !state.bypassesStored {
        state.record(response, followedBy: "request without the stored responses")
        state.bypassesStored = true
        return .next
      }
      response = result.response
    }
    let kind = failure(of: response, state.request)
    if let result {
      let isRedirect = RedirectPolicy.isRedirect(response.status)
      // A body that may be truncated must not be served again.
      let isComplete = !response.endsWithConnection
      state.transaction?.keep(result, stores: isComplete && (kind == nil || isRedirect))
    }
    if try followsRedirect(response, &state) { return .next }
    guard let kind else {
      if response.status >= 500, let fallback = state.fallback {
        let isFinal = try serves(
          fallback, insteadOf: .responded(response.status), response.timings, &state)
        return isFinal ? .final(fallback) : .next
      }
      state.record(response)
      return .final(response)
    }
    let limit = RateLimit(response.status, response.headers, now: now)
    let requestedWait =
      limit.wait
      ?? response.headers["Retry-After"].flatMap { RetryAfter.wait($0, now: now()) }
    var failure = Failure(response, to: sent, kind, requestedWait: requestedWait)
    failure.error.waitEnd = requestedWait.map { now() + $0 / .seconds(1) }
    failure.asksToWait =
      limit.isLimit || kind.isRateLimitOfService || response.status == 503
    failure.kept = kind.mayBeStored ? result : nil
    return .failed(failure)
  }

  /// Whether a response is a redirect to follow. If so, its target becomes the next request.
  private func followsRedirect(
    _ response: HTTPResponse, _ state: inout CallState
  ) throws(RequestError) -> Bool {
    switch rules.redirects.decide(
      response, to: state.request, history: &state.history, cookies: cookies)
    {
    case .follow(let next):
      state.record(response, followedBy: "redirect to \(Redaction.usual.url(next.url))")
      trace?.record(.redirected(status: response.status, to: next.url))
      state.follow(next)
      return true
    case .fail(let failure):
      state.record(response)
      throw RequestError(.redirect(failure))
    case .final: return false
    }
  }

  private func failure(of response: HTTPResponse, _ request: HTTPRequest) -> RequestError.Kind? {
    // A stored response was received under the limits of another call.
    let limit = request.limits.decodedBytes
    guard response.body.count <= limit else { return .tooLarge(.decodedBytes, allowed: limit) }
    return ResponseValidator.failure(
      of: response, to: request, rules: rules, business: business)
  }

  /// Whether a stored response is the final one of the call; throws its failure, since a retry would serve the
  /// same response. Returns `false` if it is a redirect to follow.
  func isFinal(
    _ response: HTTPResponse, _ state: inout CallState
  ) throws(RequestError) -> Bool {
    if try followsRedirect(response, &state) { return false }
    state.record(response)
    if let failure = failure(of: response, state.request) {
      throw RequestError(failure).about(response)
    }
    return true
  }
}

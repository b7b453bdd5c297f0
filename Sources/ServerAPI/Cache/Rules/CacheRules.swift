/// The decisions of a private cache by RFC 9111. They are pure: the same request, stored responses and time
/// give the same decision.
struct CacheRules {
  /// The upper limit of the heuristic freshness lifetime, in seconds.
  var heuristicLimit: Double
  /// The salt for digests of secrets.
  var salt: [UInt8]
}

extension CacheRules {
  /// Decides about a request. `stored` holds every response under its key, in any order.
  func plan(_ lookup: CacheLookup, stored: [StoredResponse], now: Double) -> CachePlan {
    let requestFields = RequestFields(lookup.request.headers)
    let plan = plan(lookup, requestFields, stored: stored, now: now)
    guard case .forward(let forwarding) = plan else { return plan }
    if lookup.mode == .cacheOnly {
      return .refuse(why: "the network is not allowed, and " + forwarding.why)
    }
    if requestFields.control.flags.contains(.onlyIfCached) {
      return .refuse(why: "only-if-cached, and " + forwarding.why)
    }
    return plan
  }

  private func plan(
    _ lookup: CacheLookup, _ requestFields: RequestFields, stored: [StoredResponse], now: Double
  ) -> CachePlan {
    guard lookup.request.isReading else {
      let mayStore = refusal(toStore: lookup, requestFields) == nil
      return .forward(
        CachePlan.Forwarding(
          request: lookup.request, mayStore: mayStore,
          why: "\(lookup.request.method) without a cacheKey is never served from the cache"))
    }
    let hasUnnamedBody = lookup.request.body != nil && lookup.request.cacheKey == nil
    if lookup.mode == .noStore || hasUnnamedBody {
      let why = hasUnnamedBody ? "the request has a body" : "the call uses no cache"
      return .forward(CachePlan.Forwarding(request: lookup.request, mayStore: false, why: why))
    }
    if lookup.mode == .reload {
      return .forward(unconditionalForwarding(lookup, requestFields, "the call requests a reload"))
    }
    guard let index = select(stored, for: lookup.request, ignoring: lookup.partitionFields) else {
      let isOther = !stored.isEmpty
      return .forward(
        unconditionalForwarding(
          lookup, requestFields,
          isOther ? "the stored responses are for other requests (Vary)" : "nothing is stored"))
    }
    let candidate = StoredCandidate(
      index: index, stored: stored[index],
      freshness: freshnessLifetime(
        of: stored[index], lasting: lookup.request.cacheLifetime, now: now))
    return plan(lookup, requestFields, candidate)
  }

  private func plan(
    _ lookup: CacheLookup, _ requestFields: RequestFields, _ candidate: StoredCandidate
  ) -> CachePlan {
    if lookup.mode == .cacheOnly || lookup.mode == .cacheElseNetwork {
      if let response = candidate.served(to: lookup.request, requestFields) {
        return .serve(
          CachePlan.Serving(
            response: response, index: candidate.index, why: "stored, \(candidate.freshness)"))
      }
      return .forward(
        forwarding(
          lookup, requestFields, candidate,
          because: "the stored response does not satisfy the request"))
    }
    if requestFields.control.flags.contains(.noStore) || requestFields.hasServerCondition {
      let why =
        requestFields.hasServerCondition
        ? "only the server can evaluate a condition" : "no-store in the request"
      return .forward(forwarding(lookup, requestFields, candidate, because: why))
    }
    switch permission(lookup, requestFields, candidate) {
    case .forwards(let why):
      return .forward(forwarding(lookup, requestFields, candidate, because: why))
    case .serves(let why, let revalidates, let isValidated):
      let response = candidate.served(to: lookup.request, requestFields, isValidated: isValidated)
      guard let response else {
        return .forward(
          forwarding(
            lookup, requestFields, candidate,
            because: "the stored response does not satisfy the request"))
      }
      return .serve(
        CachePlan.Serving(
          response: response, index: candidate.index, revalidates: revalidates, why: why))
    }
  }

  /// Forwards the request of the caller without conditions of the cache.
  private func unconditionalForwarding(
    _ lookup: CacheLookup, _ requestFields: RequestFields, _ why: String
  ) -> CachePlan.Forwarding {
    var forwarding = CachePlan.Forwarding(
      request: lookup.request, mayStore: !requestFields.control.flags.contains(.noStore), why: why)
    forwarding.request.headers = Self.fields(lookup.request.headers, for: lookup.mode)
    return forwarding
  }

  private enum Permission {
    case serves(why: String, revalidates: Bool = false, isValidated: Bool = false)
    case forwards(why: String)
  }

  /// Whether a response may be served without validation (RFC 9111, sections 4.2.4 and 5.2, RFC 5861 and RFC
  /// 8246).
  private func permission(
    _ lookup: CacheLookup, _ requestFields: RequestFields, _ candidate: StoredCandidate
  ) -> Permission {
    let (control, freshness) = (candidate.fields.control, candidate.freshness)
    if let since = lookup.validatedSince, candidate.stored.receivedAt >= since {
      return .serves(why: "validated while this call waited", isValidated: true)
    }
    if control.flags.contains(.noCache) { return .forwards(why: "no-cache") }
    if requestFields.control.flags.contains(.noCache) {
      return .forwards(why: "no-cache in the request")
    }
    // An immutable response does not change while it is fresh, so RFC 8246 asks not to validate it on a reload.
    // `.reload` and `no-cache` still do.
    if lookup.mode != .standard, !(control.flags.contains(.immutable) && freshness.isFresh) {
      return .forwards(why: "the call requests validation")
    }
    switch requestFields.control.maxAge {
    case .seconds(let most) where freshness.age <= most: break
    case .absent: break
    default: return .forwards(why: "older than max-age in the request")
    }
    switch requestFields.control.minFresh {
    case .seconds(let least) where freshness.remaining >= least: break
    case .absent: break
    default: return .forwards(why: "not fresh for as long as min-fresh in the request")
    }
    if freshness.isFresh { return .serves(why: freshness.description) }
    let why = freshness.description
    if control.flags.contains(.mustRevalidate) { return .forwards(why: why + ", must-revalidate") }
    if let most = requestFields.control.maxStale.value, freshness.staleness <= most {
      return .serves(why: why + ", which max-stale allows")
    }
    // A caller that limits the age wants no stale response.
    if requestFields.control.maxAge == .absent, requestFields.control.minFresh == .absent,
      let window = control.staleWhileRevalidate.value, freshness.staleness <= window
    {
      return .serves(why: why + ", which stale-while-revalidate allows", revalidates: true)
    }
    return .forwards(why: why)
  }

  /// Builds the request to the server, given a stored response.
  private func forwarding(
    _ lookup: CacheLookup, _ requestFields: RequestFields, _ candidate: StoredCandidate,
    because why: String
  ) -> CachePlan.Forwarding {
    var forwarding = unconditionalForwarding(lookup, requestFields, why)
    forwarding.selected = candidate.index
    if mayFallBack(lookup, requestFields, candidate) {
      forwarding.fallback = candidate.served(to: lookup.request, requestFields)
    }
    if requestFields.isConditional {
      forwarding.index = candidate.index
      forwarding.why += ", sent with the caller's conditions"
    } else if lookup.request.method != .get || !forwarding.mayStore {
      forwarding.why += ", sent without conditions"
    } else if requestFields.range == nil, candidate.stored.status == 206 {
      guard let request = candidate.completing(forwarding.request) else {
        forwarding.why += ", requesting the complete response"
        return forwarding
      }
      forwarding.request = request
      forwarding.index = candidate.index
      forwarding.why += ", requesting the missing part"
    } else if candidate.served(to: lookup.request, requestFields) != nil,
      let (request, validator) = candidate.validating(forwarding.request)
    {
      forwarding.request = request
      forwarding.index = candidate.index
      forwarding.why += ", validating its \(validator)"
    } else {
      forwarding.why += ", sent without conditions"
    }
    return forwarding
  }

  /// Whether the stored response may replace a failure (RFC 5861, section 4).
  private func mayFallBack(
    _ lookup: CacheLookup, _ requestFields: RequestFields, _ candidate: StoredCandidate
  ) -> Bool {
    if lookup.mode == .networkElseCache { return true }
    let control = candidate.fields.control
    guard control.flags.isDisjoint(with: [.noCache, .mustRevalidate]),
      !requestFields.control.flags.contains(.noCache), !requestFields.hasServerCondition
    else { return false }
    // A caller that requests validation wants to know about its failure, unless the request says otherwise.
    let ofResponse = lookup.mode == .standard ? control.staleIfError.value : nil
    let windows = [ofResponse, requestFields.control.staleIfError.value].compactMap(\.self)
    return windows.contains { candidate.freshness.staleness <= $0 }
  }

  /// Adds the fields that make other caches on the path follow the mode of the call. Cache fields of the
  /// request itself win.
  private static func fields(_ headers: HTTPHeaders, for mode: CacheMode) -> HTTPHeaders {
    let control: String
    switch mode {
    case .reload: control = "no-cache"
    case .revalidate, .networkElseCache: control = "max-age=0"
    case .standard, .noStore, .cacheElseNetwork, .cacheOnly: return headers
    }
    guard headers["Cache-Control"] == nil, headers["Pragma"] == nil else { return headers }
    var headers = headers
    headers["Cache-Control"] = control
    return headers
  }
}

extension CacheRules {
  /// Decides about a response of the server.
  ///
  /// - Parameters:
  ///   - lookup: The request of the caller.
  ///   - sent: The request as the cache sent it.
  ///   - validating: The index of the stored response that the plan used.
  func conclude(
    _ response: HTTPResponse, to lookup: CacheLookup, sent: HTTPRequest, stored: [StoredResponse],
    validating: Int?, mayStore: Bool, requestedAt: Double, receivedAt: Double
  ) -> CacheConclusion {
    let requestFields = RequestFields(lookup.request.headers)
    let refusal =
      mayStore ? refusal(toStore: lookup, requestFields) : "the plan stores nothing"
    return ReceivedResponse(
      rules: self, response: response, fields: ResponseFields(response.headers), lookup: lookup,
      requestFields: requestFields,
      sent: RequestFields(sent.headers), stored: stored,
      validating: validating.flatMap { stored.indices.contains($0) ? $0 : nil },
      refusal: refusal, requestedAt: requestedAt, receivedAt: receivedAt
    ).conclusion
  }
}

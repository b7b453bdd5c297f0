/// What RFC 9111 has a private cache decide. Pure: the same request, stored answers and moment give the
/// same decision.
struct CacheRules {
  /// How long an answer that names no time is good at most, in seconds.
  var heuristicLimit: Double
  /// What goes into the digest of a secret.
  var salt: [UInt8]
}

extension CacheRules {
  /// What is to be done about a request, given everything that is stored under its key, in any order.
  func plan(_ lookup: CacheLookup, stored: [StoredResponse], now: Double) -> CachePlan {
    let asked = RequestFields(lookup.request)
    let plan = plan(lookup, asked, stored, now)
    guard case .ask(let asking) = plan else { return plan }
    if lookup.mode == .cacheOnly {
      return .refuse(why: "the network is not to be used, and " + asking.why)
    }
    if asked.control.flags.contains(.onlyIfCached) {
      return .refuse(why: "only-if-cached, and " + asking.why)
    }
    return plan
  }

  private func plan(
    _ lookup: CacheLookup, _ asked: RequestFields, _ stored: [StoredResponse], _ now: Double
  ) -> CachePlan {
    let request = lookup.request
    guard request.method == .get || request.method == .head else {
      let mayStore = refusal(toKeep: lookup, asked) == nil
      return .ask(
        CachePlan.Asking(
          request: request, mayStore: mayStore, why: "\(request.method) asks the server"))
    }
    if lookup.mode == .noStore || request.body != nil {
      let why = request.body != nil ? "the request has a body" : "the call uses no cache"
      return .ask(CachePlan.Asking(request: request, mayStore: false, why: why))
    }
    if lookup.mode == .reload { return .ask(plainly(lookup, asked, "the call reloads")) }
    guard let index = select(stored, for: request, settled: lookup.settledFields, now: now) else {
      let isOther = !stored.isEmpty
      return .ask(
        plainly(
          lookup, asked,
          isOther ? "what is stored answers other requests (Vary)" : "nothing is stored"))
    }
    let fields = ResponseFields(stored[index].headers)
    let held = StoredCandidate(
      index: index, stored: stored[index], fields: fields,
      freshness: freshness(of: stored[index], fields, now: now))
    return plan(lookup, asked, held)
  }

  private func plan(
    _ lookup: CacheLookup, _ asked: RequestFields, _ held: StoredCandidate
  ) -> CachePlan {
    if lookup.mode == .cacheOnly || lookup.mode == .cacheElseNetwork {
      if let response = held.served(to: lookup.request, asked) {
        return .serve(
          CachePlan.Serving(
            response: response, index: held.index, why: "stored, \(held.freshness)"))
      }
      return .ask(ask(lookup, asked, held, because: "what is stored is not what is asked for"))
    }
    if asked.control.flags.contains(.noStore) || asked.isForServer {
      let why = asked.isForServer ? "a condition is for the server" : "no-store in the request"
      return .ask(ask(lookup, asked, held, because: why))
    }
    switch permission(lookup, asked, held) {
    case .asks(let why): return .ask(ask(lookup, asked, held, because: why))
    case .serves(let why, let revalidates, let isVouched):
      let response = held.served(to: lookup.request, asked, isVouched: isVouched)
      guard let response else {
        return .ask(ask(lookup, asked, held, because: "what is stored is not what is asked for"))
      }
      return .serve(
        CachePlan.Serving(
          response: response, index: held.index, revalidates: revalidates, why: why))
    }
  }

  /// The server is asked for what was wished, by the fields of the wish alone.
  private func plainly(
    _ lookup: CacheLookup, _ asked: RequestFields, _ why: String
  ) -> CachePlan.Asking {
    var asking = CachePlan.Asking(
      request: lookup.request, mayStore: !asked.control.flags.contains(.noStore), why: why)
    asking.request.headers = Self.fields(lookup.request.headers, for: lookup.mode)
    return asking
  }

  private enum Permission {
    case serves(why: String, revalidates: Bool = false, isVouched: Bool = false)
    case asks(why: String)
  }

  /// Whether an answer may be given out without the server being asked (RFC 9111, sections 4.2.4
  /// and 5.2, RFC 5861 and RFC 8246).
  private func permission(
    _ lookup: CacheLookup, _ asked: RequestFields, _ held: StoredCandidate
  ) -> Permission {
    let (control, freshness) = (held.fields.control, held.freshness)
    if let since = lookup.askedSince, held.stored.receivedAt >= since {
      return .serves(why: "the server vouched for it while this waited", isVouched: true)
    }
    if control.flags.contains(.noCache) { return .asks(why: "no-cache") }
    if asked.control.flags.contains(.noCache) { return .asks(why: "no-cache in the request") }
    // Whoever reloads wants to see what has changed, and this won't change as long as it is fresh: RFC
    // 8246 asks not to validate it then. `.reload` and `no-cache` still do.
    if lookup.mode != .standard, !(control.flags.contains(.immutable) && freshness.isFresh) {
      return .asks(why: "the call validates")
    }
    switch asked.control.maxAge {
    case .seconds(let most) where freshness.age <= most: break
    case .absent: break
    default: return .asks(why: "older than max-age in the request")
    }
    switch asked.control.minFresh {
    case .seconds(let least) where freshness.remaining >= least: break
    case .absent: break
    default: return .asks(why: "not fresh for as long as min-fresh in the request")
    }
    if freshness.isFresh { return .serves(why: freshness.description) }
    let why = freshness.description
    if control.flags.contains(.mustRevalidate) { return .asks(why: why + ", must-revalidate") }
    if let most = asked.control.maxStale.value, freshness.staleness <= most {
      return .serves(why: why + ", which max-stale allows")
    }
    // A caller that says how old an answer may be wants no stale one.
    if asked.control.maxAge == .absent, asked.control.minFresh == .absent,
      let window = control.staleWhileRevalidate.value, freshness.staleness <= window
    {
      return .serves(why: why + ", which stale-while-revalidate allows", revalidates: true)
    }
    return .asks(why: why)
  }

  /// How the server is asked where something is stored.
  private func ask(
    _ lookup: CacheLookup, _ asked: RequestFields, _ held: StoredCandidate, because why: String
  ) -> CachePlan.Asking {
    var asking = plainly(lookup, asked, why)
    asking.selected = held.index
    if mayFallBack(lookup, asked, held) { asking.fallback = held.served(to: lookup.request, asked) }
    if asked.isConditional {
      asking.index = held.index
      asking.why += ", asking as the caller wrote it"
    } else if lookup.request.method == .head || !asking.mayStore {
      asking.why += ", asking anew"
    } else if asked.range == nil, held.stored.status == 206 {
      guard let request = held.completing(asking.request) else {
        asking.why += ", asking for the whole"
        return asking
      }
      asking.request = request
      asking.index = held.index
      asking.why += ", asking for the rest"
    } else if held.served(to: lookup.request, asked) != nil,
      let (request, validator) = held.validating(asking.request)
    {
      asking.request = request
      asking.index = held.index
      asking.why += ", asking with its \(validator)"
    } else {
      asking.why += ", asking anew"
    }
    return asking
  }

  /// Whether what is stored will do where no usable answer comes (RFC 5861, section 4).
  private func mayFallBack(
    _ lookup: CacheLookup, _ asked: RequestFields, _ held: StoredCandidate
  ) -> Bool {
    if lookup.mode == .networkElseCache { return true }
    let control = held.fields.control
    guard control.flags.isDisjoint(with: [.noCache, .mustRevalidate]),
      !asked.control.flags.contains(.noCache), !asked.isForServer
    else { return false }
    // Who validates by hand wants to know that it failed, unless the request says otherwise.
    let ofAnswer = lookup.mode == .standard ? control.staleIfError.value : nil
    let windows = [ofAnswer, asked.control.staleIfError.value].compactMap(\.self)
    return windows.contains { held.freshness.staleness <= $0 }
  }

  /// The fields that have caches on the way do what the call wants of this one. What the request itself says
  /// about caches stands.
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
  /// What becomes of the server's answer. `sent` is the request as the cache sent it, `lookup` what its
  /// caller wanted, `validating` which stored answer the plan went by.
  func conclude(
    _ response: HTTPResponse, to lookup: CacheLookup, sent: HTTPRequest, stored: [StoredResponse],
    validating: Int?, mayStore: Bool, requestedAt: Double, receivedAt: Double
  ) -> CacheConclusion {
    let asked = RequestFields(lookup.request)
    let refusal =
      mayStore ? refusal(toKeep: lookup, asked) : "the plan keeps nothing"
    return ReceivedResponse(
      rules: self, response: response, fields: ResponseFields(response.headers), lookup: lookup,
      asked: asked,
      sent: RequestFields(sent), stored: stored,
      validating: validating.flatMap { stored.indices.contains($0) ? $0 : nil },
      refusal: refusal, requestedAt: requestedAt, receivedAt: receivedAt
    ).conclusion
  }
}

extension HTTPMethod {
  /// Whether the method may change what is stored. One that nobody knows may.
  var mayChange: Bool {
    switch rawValue {
    case "GET", "HEAD", "OPTIONS", "TRACE", "QUERY": false
    default: true
    }
  }
}

extension CacheRules {
  /// The addresses whose answers an answer makes wrong (RFC 9111, section 4.4): the one that was asked and
  /// those that it names, on the same server only.
  func invalidated(by response: HTTPResponse, to request: HTTPRequest) -> [WebURL] {
    guard request.method.mayChange, (200..<400).contains(response.status) else { return [] }
    var urls = [request.url]
    for name in ["Location", "Content-Location"] {
      guard let text = response.headers[name], let url = try? response.url.resolving(text),
        url.origin == request.url.origin, !urls.contains(url)
      else { continue }
      urls.append(url)
    }
    return urls
  }
}

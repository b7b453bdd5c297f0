internal import Support

extension ExchangeLoop {
  /// The first exchange of a call, begun and not sent yet: what is added to its request, and what is stored
  /// for it. An object, since it is carried from stage to stage.
  final class Opening: Sendable {
    let exchange: Exchange
    let prepared: Exchange.Prepared
    let visit: CacheVisit

    init(_ exchange: Exchange, _ prepared: Exchange.Prepared, _ visit: CacheVisit) {
      (self.exchange, self.prepared, self.visit) = (exchange, prepared, visit)
    }
  }

  /// Asks the cache about a request, before anything is sent.
  ///
  /// Credentials of a provider are asked for first only where nothing but them tells whose answers are
  /// meant: with a name for the user, a stored answer needs no network at all.
  func visit(
    _ prepared: inout Exchange.Prepared, _ exchange: Exchange, ignoresStored: Bool,
    streams: Bool
  ) async throws(RequestError) -> CacheVisit? {
    let configuration = core.configuration
    guard let cache = configuration.cache else {
      if rules.cache == .cacheOnly { throw RequestError(.notStored) }
      return nil
    }
    if prepared.awaitsCredentials, configuration.cachePartition == nil {
      try await exchange.addCredentials(to: &prepared)
    }
    let space = space(for: prepared, isTainted: exchange.isTainted, cache)
    var mode = rules.cache
    if streams || space == nil {
      if mode == .cacheOnly { throw RequestError(.notStored) }
      mode = .noStore
    } else if ignoresStored {
      mode = .reload
    }
    return visit(cache, prepared, mode, partition: space)
  }

  /// Returns what is stored, where it may be given out as it is. Nothing has to be waited for then, and
  /// nothing shared with others. Otherwise the exchange that was begun for this is left in `opening`.
  func stored(
    for request: HTTPRequest, opening: inout Opening?
  ) throws(RequestError) -> HTTPResponse? {
    guard let cache = core.configuration.cache, request.receiver == nil else { return nil }
    let exchange = Exchange(
      core: core, deadline: deadline, trace: trace, isTainted: rules.isForeign)
    let prepared = exchange.prepare(request)
    guard core.configuration.cachePartition != nil || !prepared.awaitsCredentials,
      let space = space(for: prepared, isTainted: rules.isForeign, cache)
    else { return nil }
    var visit = visit(cache, prepared, rules.cache, partition: space)
    if var found = visit.takeFound(), try serves(&found.response, why: found.why, to: request) {
      return found.response
    }
    opening = Opening(exchange, prepared, visit)
    return nil
  }

  private func visit(
    _ cache: HTTPCache, _ prepared: Exchange.Prepared, _ mode: CacheMode, partition: String?
  ) -> CacheVisit {
    // The provider of credentials would wait for one that waits for it.
    CacheVisit(
      cache, lookup(for: prepared, mode), partition: partition,
      sharesQuestions: !core.isAskedByItsProvider,
      now: core.configuration.time.secondsSince1970())
  }

  private func lookup(for prepared: Exchange.Prepared, _ mode: CacheMode) -> CacheLookup {
    // The partition stands for them.
    var settled = Set(prepared.credentialNames.map { $0.lowercased() })
    if prepared.awaitsCredentials { settled.insert("authorization") }
    return CacheLookup(request: prepared.request, mode: mode, settledFields: settled)
  }

  /// Whose responses a request may see and leave: the partition of its user, or that of nobody; `nil`
  /// where that can't be said, so that it goes past the cache.
  private func space(
    for prepared: Exchange.Prepared, isTainted: Bool, _ cache: HTTPCache
  ) -> String? {
    let configuration = core.configuration
    // A call that has left its origin is nobody, and stays so when it comes back. What it brings may
    // still be the user's, by a secret in the address: where users have names, nothing of theirs may
    // be left in the space of nobody when they sign out.
    if isTainted {
      let isNamed = configuration.cachePartition != nil
      return isNamed || !configuration.networkInterceptors.isEmpty ? nil : ""
    }
    guard let name = configuration.cachePartition else {
      return cache.identities.partition(
        of: prepared.request.headers, credentials: prepared.credentialNames,
        transport: core.transport.identity)
    }
    // A call with credentials of its own may be for somebody else than the user whom the program named.
    let usual = configuration.headers.fields
    let isSomebodyElse = prepared.request.headers.fields.contains { field in
      !usual.contains(field)
        && !(prepared.hasKeptCookies && field.name.equalsIgnoringCase("Cookie"))
        && !prepared.credentialNames.contains(field.name)
        && cache.identities.seemsToIdentify(field.name)
    }
    return isSomebodyElse ? nil : name
  }

  /// Asks the server again for what was given out stale, once at a time and for nobody in particular.
  func revalidateLater(_ request: HTTPRequest, _ visit: CacheVisit, isTainted: Bool) {
    let time = core.configuration.time
    guard let key = visit.beginLater(now: time.secondsSince1970()),
      let turns = core.configuration.cache?.turns
    else { return }
    var rules = rules
    rules.cache = .revalidate
    let loop = ExchangeLoop(
      core: core, rules: rules,
      deadline: Deadline(after: core.configuration.timeouts.total, from: time.now(), time: time),
      trace: nil)
    Task {
      let response = try? await loop.run(request, isTainted: isTainted)
      turns.endLater(key, failed: response == nil, now: time.secondsSince1970())
    }
  }
}

extension RequestError.Kind {
  /// Whether what is stored may stand in: no usable answer came. What the service itself refuses stays
  /// refused.
  var allowsStored: Bool {
    switch self {
    case .status(let status): status >= 500
    case .nameNotResolved, .connectRefused, .connectFailed, .tls, .proxy, .sendFailed,
      .connectionLost, .timeout, .undecodable, .protocolViolation, .offline,
      .unexpectedContent(.captivePortal), .authentication, .retryRequested:
      true
    case .invalidRequest, .tooLarge, .redirect, .cancelled, .unexpectedContent, .business,
      .receiverFailed, .unusable, .notStored:
      false
    }
  }
}

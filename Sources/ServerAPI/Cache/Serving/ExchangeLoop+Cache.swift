extension ExchangeLoop {
  /// Asks the cache about a request, before anything is sent.
  ///
  /// Credentials of a provider are asked for first only where nothing but them tells whose answers are
  /// meant: with a name for the user, a stored answer needs no network at all.
  func visit(
    _ prepared: inout Exchange.Prepared, _ exchange: Exchange, ignoresStored: Bool,
    streams: Bool
  ) async throws(RequestError) -> CacheVisit? {
    let configuration = core.configuration
    if rules.cache == .cacheOnly, configuration.cache == nil || streams {
      throw RequestError(.notStored)
    }
    guard let cache = configuration.cache else { return nil }
    if prepared.awaitsCredentials, configuration.cachePartition == nil {
      try await exchange.addCredentials(to: &prepared)
    }
    var mode = rules.cache
    if streams || isSomebodyElse(prepared, cache) {
      mode = .noStore
    } else if ignoresStored {
      mode = .reload
    }
    // The provider of credentials would wait for one that waits for it.
    return CacheVisit(
      cache, wish(for: prepared, mode), partition: partition(of: prepared, cache),
      sharesQuestions: !core.isAskedByItsProvider)
  }

  /// The answer, where it is stored and may be given out as it is. Nothing has to be waited for then, and
  /// nothing shared with others.
  func stored(for request: HTTPRequest) throws(RequestError) -> HTTPResponse? {
    guard let cache = core.configuration.cache, request.receiver == nil else { return nil }
    let exchange = Exchange(core: core, deadline: deadline, trace: trace, isTainted: false)
    let prepared = exchange.prepare(request)
    guard core.configuration.cachePartition != nil || !prepared.awaitsCredentials,
      !isSomebodyElse(prepared, cache)
    else { return nil }
    let visit = CacheVisit(
      cache, wish(for: prepared, rules.cache), partition: partition(of: prepared, cache))
    guard let found = visit.found(now: core.configuration.time.secondsSince1970()) else {
      return nil
    }
    return try served(found, to: request)
  }

  private func wish(for prepared: Exchange.Prepared, _ mode: CacheMode) -> CacheWish {
    // The partition stands for them.
    var settled = Set(prepared.credentialNames.map { $0.lowercased() })
    if prepared.awaitsCredentials { settled.insert("authorization") }
    return CacheWish(request: prepared.request, mode: mode, settledFields: settled)
  }

  private func partition(of prepared: Exchange.Prepared, _ cache: HTTPCache) -> String {
    core.configuration.cachePartition
      ?? cache.identities.partition(
        of: prepared.request.headers, credentials: prepared.credentialNames)
  }

  /// Whether a call brings credentials of its own where the program named the user: then the name does not
  /// speak for it, and it goes past the cache.
  private func isSomebodyElse(_ prepared: Exchange.Prepared, _ cache: HTTPCache) -> Bool {
    guard core.configuration.cachePartition != nil else { return false }
    let usual = core.configuration.headers.fields
    let own = prepared.request.headers.fields.filter { field in
      !usual.contains(field) && !field.name.equalsIgnoringCase("Cookie")
        && !prepared.credentialNames.contains(field.name)
    }
    return !cache.identities.partition(of: HTTPHeaders(own)).isEmpty
  }

  /// Asks the server again for what was given out stale, once at a time and for nobody in particular.
  func revalidateLater(_ request: HTTPRequest, _ visit: CacheVisit) {
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
      let answer = try? await loop.run(request)
      turns.endLater(key, failed: answer == nil, now: time.secondsSince1970())
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

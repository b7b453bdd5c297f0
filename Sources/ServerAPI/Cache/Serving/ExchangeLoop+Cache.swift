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
    guard let cache = configuration.cache else {
      guard rules.cache != .cacheOnly else { throw RequestError(.notStored) }
      return nil
    }
    let partition = exchange.isTainted ? nil : configuration.cachePartition
    if prepared.awaitsCredentials, partition == nil {
      try await exchange.addCredentials(to: &prepared)
    }
    var mode = rules.cache
    if streams { mode = .noStore } else if ignoresStored { mode = .reload }
    return CacheVisit(cache, wish(for: prepared, mode), partition: partition)
  }

  private func wish(for prepared: Exchange.Prepared, _ mode: CacheMode) -> CacheWish {
    CacheWish(
      request: prepared.request, mode: mode,
      settledFields: prepared.awaitsCredentials ? ["authorization"] : [])
  }

  /// The answer, where it is stored and may be given out as it is. Nothing has to be waited for then, and
  /// nothing shared with others.
  func stored(for request: HTTPRequest) throws(RequestError) -> HTTPResponse? {
    guard let cache = core.configuration.cache, request.receiver == nil else { return nil }
    let exchange = Exchange(core: core, deadline: deadline, trace: trace, isTainted: false)
    let prepared = exchange.prepare(request)
    let partition = core.configuration.cachePartition
    guard partition != nil || !prepared.awaitsCredentials else { return nil }
    let visit = CacheVisit(cache, wish(for: prepared, rules.cache), partition: partition)
    guard let found = visit.found(now: core.configuration.time.secondsSince1970()) else {
      return nil
    }
    return try served(found, to: request)
  }

  /// Asks the server again for what was given out stale, once at a time and for nobody in particular.
  func revalidateLater(_ request: HTTPRequest) {
    var rules = rules
    rules.cache = .revalidate
    let total = core.configuration.timeouts.total
    let time = core.configuration.time
    let loop = ExchangeLoop(
      core: core, rules: rules, deadline: Deadline(after: total, from: time.now(), time: time),
      trace: nil)
    Task { _ = try? await loop.run(request) }
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

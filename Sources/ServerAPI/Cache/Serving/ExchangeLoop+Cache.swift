internal import Support

extension ExchangeLoop {
  /// The prepared first exchange of a call: its complete request and its cache lookup. An object, because it is
  /// passed from stage to stage.
  final class FirstExchange: Sendable {
    let exchange: Exchange
    let prepared: Exchange.Prepared
    let transaction: CacheTransaction

    init(_ exchange: Exchange, _ prepared: Exchange.Prepared, _ transaction: CacheTransaction) {
      (self.exchange, self.prepared, self.transaction) = (exchange, prepared, transaction)
    }
  }

  /// Looks up a request in the cache before it is sent.
  ///
  /// The credentials of a provider are requested first only if nothing else identifies the user: with a named
  /// partition, a cache hit needs no network at all.
  func transaction(
    _ cache: HTTPCache, _ prepared: inout Exchange.Prepared, _ exchange: Exchange,
    bypassesStored: Bool, streams: Bool
  ) async throws(RequestError) -> CacheTransaction {
    if prepared.awaitsCredentials, core.configuration.cachePartition == nil {
      try await exchange.addCredentials(to: &prepared)
    }
    let partition = partition(for: prepared, isTainted: exchange.isTainted, cache)
    var mode = rules.cache
    if streams || partition == nil {
      if mode == .cacheOnly { throw RequestError(.notStored) }
      mode = .noStore
    } else if bypassesStored {
      mode = .reload
    }
    return transaction(cache, prepared, mode, partition: partition)
  }

  /// Returns the stored response if it may be served as it is, without waiting and without revalidation.
  /// Otherwise leaves the prepared exchange in `first`.
  func stored(
    for request: HTTPRequest, first: inout FirstExchange?
  ) throws(RequestError) -> HTTPResponse? {
    guard let cache = core.configuration.cache, request.receiver == nil else { return nil }
    let exchange = Exchange(self, isTainted: rules.isForeign)
    let prepared = exchange.prepare(request)
    guard core.configuration.cachePartition != nil || !prepared.awaitsCredentials,
      let partition = partition(for: prepared, isTainted: rules.isForeign, cache)
    else { return nil }
    var transaction = transaction(cache, prepared, rules.cache, partition: partition)
    if var found = transaction.takeServing(),
      rules.cache == .cacheOnly || rules.judge?.failure(found.response) == nil,
      try serves(&found.response, why: found.why, to: request)
    {
      found.response.record.removeFromCache = transaction.removal
      return found.response
    }
    first = FirstExchange(exchange, prepared, transaction)
    return nil
  }

  private func transaction(
    _ cache: HTTPCache, _ prepared: Exchange.Prepared, _ mode: CacheMode, partition: String?
  ) -> CacheTransaction {
    // The provider of credentials could wait for a call that waits for it. What another call validates may be from
    // before the writes that this one knows of.
    CacheTransaction(
      cache, lookup(for: prepared, mode), partition: partition,
      joinsRevalidations: !core.isAskedByItsProvider && prepared.request.writes == 0,
      now: core.configuration.time.secondsSince1970())
  }

  private func lookup(for prepared: Exchange.Prepared, _ mode: CacheMode) -> CacheLookup {
    // The partition represents them.
    var partitionFields = Set(prepared.credentialNames.map { $0.lowercased() })
    if prepared.awaitsCredentials { partitionFields.insert("authorization") }
    return CacheLookup(request: prepared.request, mode: mode, partitionFields: partitionFields)
  }

  /// Returns the partition that a request reads and writes: the one of its user, or the anonymous one. Returns
  /// `nil` if the user is unknown, so that the request bypasses the cache.
  private func partition(
    for prepared: Exchange.Prepared, isTainted: Bool, _ cache: HTTPCache
  ) -> String? {
    // A call that has left its origin is anonymous, and stays so when it returns. A secret in its address may
    // still make the response the user's: with named users, nothing of theirs may stay in the anonymous
    // partition when they sign out.
    if isTainted {
      let isNamed = core.configuration.cachePartition != nil
      return isNamed || !core.configuration.networkInterceptors.isEmpty ? nil : ""
    }
    guard let name = core.configuration.cachePartition else {
      return cache.identities.partition(
        of: prepared.request.headers, credentials: prepared.credentialNames,
        transport: core.transport.identity)
    }
    // A call with its own credentials may be for another user than the named one.
    let configured = core.configuration.headers.fields
    let isForAnotherUser = prepared.request.headers.fields.contains { field in
      !configured.contains(field)
        && !(prepared.hasKeptCookies && field.name.equalsIgnoringCase("Cookie"))
        && !prepared.credentialNames.contains(field.name)
        && cache.identities.seemsToIdentify(field.name)
    }
    return isForAnotherUser ? nil : name
  }

  /// Revalidates a response that was served stale, once at a time and independently of the call.
  func revalidateInBackground(
    _ request: HTTPRequest, _ transaction: CacheTransaction, isTainted: Bool
  ) {
    let time = core.configuration.time
    guard let key = transaction.beginBackgroundRevalidation(now: time.now()),
      let revalidations = core.configuration.cache?.revalidations
    else { return }
    var rules = rules
    rules.cache = .revalidate
    let loop = ExchangeLoop(
      core: core, rules: rules, business: business,
      deadline: Deadline(after: core.configuration.timeouts.total, from: time.now(), time: time),
      trace: nil, weight: weight)
    Task {
      let response = try? await loop.run(request, isTainted: isTainted)
      revalidations.endBackground(key, failed: response == nil, now: time.now())
    }
  }
}

extension RequestError.Kind {
  /// Whether a stored response may replace the failure: there was no usable response. A refusal by the service
  /// stays a refusal.
  var allowsStoredFallback: Bool {
    switch self {
    case .status(let status): status >= 500
    case .nameNotResolved, .connectRefused, .connectFailed, .tls, .proxy, .sendFailed,
      .connectionLost, .timeout, .rateLimited, .undecodable, .protocolViolation, .offline,
      .unexpectedContent(.captivePortal), .authentication, .retryRequested:
      true
    case .invalidRequest, .tooLarge, .redirect, .cancelled, .unexpectedContent, .business,
      .receiverFailed, .unusable, .notStored:
      false
    }
  }
}

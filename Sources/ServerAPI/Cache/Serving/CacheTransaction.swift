internal import Support

/// The use of the cache by one exchange: the lookup, the decision, and the storing of the response.
struct CacheTransaction: Sendable {
  private let cache: HTTPCache
  private let key: CacheKey
  /// Whether the owner of the responses is known.
  private let hasPartition: Bool
  private var lookup: CacheLookup
  private var snapshot: Snapshot
  private var requestedAt = 0.0
  private var target: Revalidations.Target?
  /// The number of removals when the transaction started.
  private let removals: Int
  private let joinsRevalidations: Bool

  /// The stored responses, and the plan that follows from them.
  private struct Snapshot {
    var entries: [CacheEntry]
    var plan: CachePlan
    /// The number of stores at the time of the lookup.
    var puts: Int

    /// Whether a stored response was found by the lookup.
    func contains(_ entry: CacheEntry) -> Bool {
      entries.contains {
        $0.variant.hasSameBytes(as: entry.variant)
          && $0.response?.requestedAt == entry.response?.requestedAt
          && $0.response?.receivedAt == entry.response?.receivedAt
      }
    }
  }

  /// The decision about the request.
  enum Verdict {
    case serve(HTTPResponse, revalidates: Bool, why: String)
    case forward(HTTPRequest, why: String)
    case refuse(why: String)
  }

  /// The decision about the response of the server.
  struct Result {
    var response: HTTPResponse
    var retriesUnconditionally: Bool
    var why: String
    fileprivate var conclusion: CacheConclusion
  }

  /// Looks up the stored responses.
  ///
  /// - Parameters:
  ///   - partition: The owner of the responses; `nil` if unknown.
  ///   - joinsRevalidations: Whether it may wait for another call that validates the same response.
  init(
    _ cache: HTTPCache, _ lookup: CacheLookup, partition: String?, joinsRevalidations: Bool,
    now: Double
  ) {
    self.cache = cache
    hasPartition = partition != nil
    self.lookup = lookup
    self.joinsRevalidations = joinsRevalidations
    removals = cache.removals.count
    key = CacheKey(
      lookup.request, partition: partition ?? "", ignoring: lookup.partitionFields,
      salt: cache.rules.salt)
    snapshot = Self.snapshot(cache, lookup, key, now: now)
  }

  private static func snapshot(
    _ cache: HTTPCache, _ lookup: CacheLookup, _ key: CacheKey, now: Double
  ) -> Snapshot {
    // Read first, so that a store during the lookup makes it outdated.
    let puts = cache.puts
    var entries = lookup.readsStored ? cache.store.entries(for: key) : []
    var responses: [StoredResponse] = []
    responses.reserveCapacity(entries.count)
    for entry in entries {
      guard case .response(let response) = entry.content,
        response.version == lookup.request.cacheVersion
      else { continue }
      responses.append(response)
    }
    if responses.count < entries.count {
      entries.removeAll { $0.response?.version != lookup.request.cacheVersion }
    }
    let plan = cache.rules.plan(lookup, stored: responses, now: now)
    return Snapshot(entries: entries, plan: plan, puts: puts)
  }

  private mutating func updateSnapshot(now: Double) {
    snapshot = Self.snapshot(cache, lookup, key, now: now)
  }

  /// Returns the stored response if it is served without any revalidation, and moves it out of the transaction,
  /// since writing to a response that has two owners copies it. If the transaction continues anyway, it looks up
  /// again.
  mutating func takeServing() -> CachePlan.Serving? {
    guard case .serve(let serving) = snapshot.plan, !serving.revalidates else { return nil }
    snapshot.plan = .refuse(why: "")
    snapshot.puts = -1
    return serving
  }

  /// Decides about the request. If another call is validating the same response, waits for it.
  mutating func decide(until deadline: Deadline) async throws(RequestError) -> Verdict {
    let time = deadline.time
    while true {
      if snapshot.puts != cache.puts { updateSnapshot(now: time.secondsSince1970()) }
      switch snapshot.plan {
      case .serve(let serving):
        return .serve(serving.response, revalidates: serving.revalidates, why: serving.why)
      case .refuse(let why): return .refuse(why: why)
      case .forward(let forwarding):
        // A call waits only once: the first response may turn out not to be storable.
        if let index = forwarding.selected, forwarding.mayStore, joinsRevalidations,
          lookup.mayJoinRevalidation,
          lookup.validatedSince == nil, self.target == nil
        {
          let target = Revalidations.Target(key: key, variant: snapshot.entries[index].variant)
          if case .follower(let work, let id, let waits) = cache.revalidations.join(
            target, deadline.waits)
          {
            lookup.validatedSince = time.secondsSince1970()
            deadline.waits.follow(waits, now: time.now())
            defer { deadline.waits.unfollow(now: time.now()) }
            try await work.wait(id, until: deadline)
            updateSnapshot(now: time.secondsSince1970())
            continue
          }
          self.target = target
          // The previous leader may have stored its response between our lookup and our turn.
          continue
        }
        requestedAt = time.secondsSince1970()
        return .forward(forwarding.request, why: forwarding.why)
      }
    }
  }

  private var forwarding: CachePlan.Forwarding? {
    if case .forward(let forwarding) = snapshot.plan { forwarding } else { nil }
  }

  /// The response to serve if the server sends no usable one.
  var fallback: HTTPResponse? { forwarding?.fallback }

  /// Removes the response from the cache, for a reader that refuses it; `nil` if the owner is unknown.
  var removal: (@Sendable () -> Void)? {
    guard hasPartition else { return nil }
    return { [cache, key] in cache.remove(CacheSelection(key: key)) }
  }

  /// Removes every variant of the user's response for the address.
  func removeAll() {
    if hasPartition { cache.store.remove(CacheSelection(key: key)) }
  }

  /// Decides about the response of the server.
  func conclude(_ response: HTTPResponse, now: Double) -> Result {
    let conclusion = cache.rules.conclude(
      response, to: lookup, sent: forwarding?.request ?? lookup.request,
      stored: snapshot.entries.compactMap(\.response),
      validating: forwarding?.index, mayStore: forwarding?.mayStore ?? false,
      requestedAt: requestedAt,
      receivedAt: now)
    return Result(
      response: conclusion.response, retriesUnconditionally: conclusion.retriesUnconditionally,
      why: conclusion.why,
      conclusion: conclusion)
  }

  /// Removes the responses that a response invalidates, and stores it if `stores` is `true`.
  func keep(_ result: Result, stores: Bool) {
    for index in result.conclusion.removed where snapshot.entries.indices.contains(index) {
      cache.store.remove(CacheSelection(key: key, variant: snapshot.entries[index].variant))
    }
    for url in result.conclusion.invalidated {
      var selection = CacheSelection()
      (selection.space, selection.text) = (.responses, url.description)
      cache.remove(selection)
    }
    if stores, let response = result.conclusion.stored { put(response) }
  }

  /// Stores a response, unless a later request was stored in the meantime or the response was removed while it
  /// was in flight.
  private func put(_ response: StoredResponse) {
    var response = response
    response.version = lookup.request.cacheVersion
    let variant = CacheRules.variant(of: response.selectors)
    let isOutdated = cache.store.entries(for: key).contains { entry in
      guard entry.variant.hasSameBytes(as: variant), let other = entry.response else {
        return false
      }
      // What was stored before this request was sent is older, whatever the clock said then.
      guard !snapshot.contains(entry) else { return false }
      // A request that is still to come was sent before the clock went back.
      return other.requestedAt > response.requestedAt && other.requestedAt <= response.receivedAt
    }
    guard !isOutdated else { return }
    cache.put(CacheEntry(key: key, variant: variant, content: .response(response)))
    // Checked after the put: a concurrent removal is either seen here or finds the entry. An unsafe request has
    // itself removed the entries that its response replaces.
    if !lookup.request.mayChangeResource, cache.removals.include(key, since: removals) {
      cache.store.remove(CacheSelection(key: key, variant: variant))
    }
  }

  /// Starts a background revalidation; `nil` if one is in flight or has just failed.
  func beginBackgroundRevalidation(now: Duration) -> CacheKey? {
    cache.revalidations.beginBackground(key, now: now) ? key : nil
  }

  /// Ends the transaction, and resumes the calls that wait for its revalidation.
  mutating func end() {
    if let target { cache.revalidations.finish(target) }
    target = nil
  }
}

extension CacheLookup {
  /// Whether a stored response could satisfy the request.
  fileprivate var readsStored: Bool {
    mode != .noStore && request.isReading
  }

  /// Whether a response that another call has just validated is good enough.
  fileprivate var mayJoinRevalidation: Bool { mode != .reload && request.method == .get }
}

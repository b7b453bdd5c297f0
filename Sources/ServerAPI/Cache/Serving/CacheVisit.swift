/// One exchange's visit to the cache: what is stored for it, what that means, and what to keep of the
/// answer.
struct CacheVisit: Sendable {
  private let cache: HTTPCache
  private let key: CacheKey
  /// Whether it is known whose responses these are.
  private let hasSpace: Bool
  private var lookup: CacheLookup
  private var look: Look
  private var requestedAt = 0.0
  private var subject: CacheTurns.Subject?
  /// What had been removed from the cache when the visit began.
  private let removals: Int
  private let sharesQuestions: Bool

  /// What is stored, and what that means.
  private struct Look {
    var entries: [CacheEntry]
    var plan: CachePlan
    /// What had been stored when it was looked at.
    var puts: Int
  }

  /// What to do about the request.
  enum Verdict {
    case serve(HTTPResponse, revalidates: Bool, why: String)
    case ask(HTTPRequest, why: String)
    case refuse(why: String)
  }

  /// What the answer of the server turned out to be.
  struct Result {
    var response: HTTPResponse
    var asksAgain: Bool
    var why: String
    fileprivate var conclusion: CacheConclusion
  }

  /// Looks at what is stored.
  ///
  /// - Parameters:
  ///   - partition: Whose responses these are; `nil` where that can't be said.
  ///   - sharesQuestions: Whether it may wait for others that ask about the same.
  init(
    _ cache: HTTPCache, _ lookup: CacheLookup, partition: String?, sharesQuestions: Bool,
    now: Double
  ) {
    self.cache = cache
    hasSpace = partition != nil
    self.lookup = lookup
    self.sharesQuestions = sharesQuestions
    removals = cache.removals.count
    key = CacheKey(.responses, partition: partition ?? "", lookup.request.url.description)
    look = Self.look(cache, lookup, key, now: now)
  }

  private static func look(
    _ cache: HTTPCache, _ lookup: CacheLookup, _ key: CacheKey, now: Double
  ) -> Look {
    // Noted first, so that what is stored meanwhile makes the look an old one.
    let puts = cache.puts
    var entries = lookup.readsStored ? cache.store.entries(for: key) : []
    var responses: [StoredResponse] = []
    responses.reserveCapacity(entries.count)
    for entry in entries {
      if case .response(let response) = entry.content { responses.append(response) }
    }
    if responses.count < entries.count { entries.removeAll { $0.response == nil } }
    let plan = cache.rules.plan(lookup, stored: responses, now: now)
    return Look(entries: entries, plan: plan, puts: puts)
  }

  private mutating func lookAgain(now: Double) {
    look = Self.look(cache, lookup, key, now: now)
  }

  /// Hands out what is stored, where nobody has to be asked about it, neither now nor later. It is not copied:
  /// a visit that goes on all the same looks again.
  mutating func takeFound() -> CachePlan.Serving? {
    guard !look.entries.isEmpty, case .serve(let serving) = look.plan, !serving.revalidates else {
      return nil
    }
    var plan = CachePlan.refuse(why: "")
    swap(&plan, &look.plan)
    look.puts = -1
    guard case .serve(let found) = consume plan else { return nil }
    return found
  }

  /// Says what to do. Where somebody is asking about the same already, waits for what they hear.
  mutating func decide(until deadline: Deadline) async throws(RequestError) -> Verdict {
    let time = deadline.time
    while true {
      if look.puts != cache.puts { lookAgain(now: time.secondsSince1970()) }
      switch look.plan {
      case .serve(let serving):
        return .serve(serving.response, revalidates: serving.revalidates, why: serving.why)
      case .refuse(let why): return .refuse(why: why)
      case .ask(let asking):
        // Nobody waits twice: what the first one heard may be something that can't be kept.
        if let index = asking.selected, asking.mayStore, sharesQuestions, lookup.sharesQuestions,
          lookup.askedSince == nil, self.subject == nil
        {
          let subject = CacheTurns.Subject(key: key, variant: look.entries[index].variant)
          if case .wait(let work, let id) = cache.turns.enter(subject) {
            lookup.askedSince = time.secondsSince1970()
            try await work.wait(id, until: deadline)
            lookAgain(now: time.secondsSince1970())
            continue
          }
          self.subject = subject
          // The one before may have stored its response between our look and our turn.
          continue
        }
        requestedAt = time.secondsSince1970()
        return .ask(asking.request, why: asking.why)
      }
    }
  }

  private var asking: CachePlan.Asking? {
    if case .ask(let asking) = look.plan { asking } else { nil }
  }

  /// What to answer where nothing usable comes from the server.
  var fallback: HTTPResponse? { asking?.fallback }

  /// Removes everything that the user has of the address, in any variant.
  func removeAll() {
    if hasSpace { cache.store.remove(CacheSelection(key: key)) }
  }

  /// Reads the answer of the server.
  func conclude(_ response: HTTPResponse, now: Double) -> Result {
    let conclusion = cache.rules.conclude(
      response, to: lookup, sent: asking?.request ?? lookup.request,
      stored: look.entries.compactMap(\.response),
      validating: asking?.index, mayStore: asking?.mayStore ?? false, requestedAt: requestedAt,
      receivedAt: now)
    return Result(
      response: conclusion.response, asksAgain: conclusion.asksAgain, why: conclusion.why,
      conclusion: conclusion)
  }

  /// Removes what an answer makes wrong, and keeps what it is good for when it `stores`.
  func keep(_ result: Result, stores: Bool) {
    for index in result.conclusion.removed where look.entries.indices.contains(index) {
      cache.store.remove(CacheSelection(key: key, variant: look.entries[index].variant))
    }
    for url in result.conclusion.invalidated {
      var selection = CacheSelection()
      (selection.space, selection.text) = (.responses, url.description)
      cache.remove(selection)
    }
    if stores, let response = result.conclusion.stored { put(response) }
  }

  /// Keeps an answer, unless something newer has come while it was on its way, or it was removed before
  /// it was there.
  private func put(_ response: StoredResponse) {
    let variant = CacheRules.variant(of: response.selectors)
    let isLate = cache.store.entries(for: key).contains {
      $0.variant == variant && $0.response?.requestedAt ?? -.infinity > response.requestedAt
    }
    guard !isLate else { return }
    cache.put(CacheEntry(key: key, variant: variant, content: .response(response)))
    // Looked at afterwards, so that a removal meanwhile is either seen here or finds the entry. An unsafe
    // request has removed what its own answer takes the place of.
    if !lookup.request.method.mayChange, cache.removals.include(key, since: removals) {
      cache.store.remove(CacheSelection(key: key, variant: variant))
    }
  }

  /// Begins to ask again about what was given out stale; `nil` where somebody does already, or has just
  /// tried in vain.
  func beginLater(now: Double) -> CacheKey? { cache.turns.beginLater(key, now: now) ? key : nil }

  /// The visit is over; whoever waited for what was heard goes on.
  mutating func end() {
    if let subject { cache.turns.leave(subject) }
    subject = nil
  }
}

extension CacheLookup {
  /// Whether anything that is stored could answer it.
  fileprivate var readsStored: Bool {
    mode != .noStore && (request.method == .get || request.method == .head)
  }

  /// Whether what somebody else has just heard from the server is good enough.
  fileprivate var sharesQuestions: Bool { mode != .reload && request.method == .get }
}

/// One exchange's visit to the cache: what is stored for it, what that means, and what to keep of the
/// answer.
struct CacheVisit: Sendable {
  private let cache: HTTPCache
  private let key: CacheKey
  /// Whether it is known whose responses these are.
  private let hasSpace: Bool
  private var wish: CacheWish
  private var entries: [CacheEntry]
  private var requestedAt = 0.0
  private var asking: CachePlan.Asking?
  private var subject: CacheTurns.Subject?
  /// What had been removed from the cache when the visit began.
  private let removals: Int
  private let sharesQuestions: Bool

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

  /// `partition` is whose responses these are, `nil` where that can't be said. `sharesQuestions` says
  /// whether it may wait for others that ask about the same.
  init(_ cache: HTTPCache, _ wish: CacheWish, partition: String?, sharesQuestions: Bool = true) {
    self.cache = cache
    hasSpace = partition != nil
    self.wish = wish
    self.sharesQuestions = sharesQuestions
    removals = cache.removals.count
    key = CacheKey(.answers, partition: partition ?? "", wish.request.url.description)
    entries = []
  }

  /// What is stored, where nobody has to be asked about it, neither now nor later.
  func found(now: Double) -> CachePlan.Serving? {
    guard wish.readsStored else { return nil }
    let entries = cache.store.entries(for: key)
    guard !entries.isEmpty,
      case .serve(let serving) = cache.rules.plan(wish, stored: entries.map(\.answer), now: now),
      !serving.revalidates
    else { return nil }
    return serving
  }

  /// Looks at what is stored. Where somebody is asking about the same already, waits for what they hear.
  mutating func decide(until deadline: Deadline) async throws(RequestError) -> Verdict {
    let time = deadline.time
    while true {
      entries = wish.readsStored ? cache.store.entries(for: key) : []
      let plan = cache.rules.plan(
        wish, stored: entries.map(\.answer), now: time.secondsSince1970())
      switch plan {
      case .serve(let serving):
        return .serve(serving.response, revalidates: serving.revalidates, why: serving.why)
      case .refuse(let why): return .refuse(why: why)
      case .ask(let asking):
        // Nobody waits twice: what the first one heard may be something that can't be kept.
        self.asking = asking
        if let index = asking.selected, asking.mayStore, sharesQuestions, wish.sharesQuestions,
          wish.askedSince == nil, self.subject == nil
        {
          let subject = CacheTurns.Subject(key: key, variant: entries[index].variant)
          if case .wait(let work, let id) = cache.turns.enter(subject) {
            wish.askedSince = time.secondsSince1970()
            try await work.wait(id, until: deadline)
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

  /// What to answer where nothing usable comes from the server.
  var fallback: HTTPResponse? { asking?.fallback }

  /// Removes everything that the user has of the address, in any variant.
  func removeAll() {
    if hasSpace { cache.store.remove(CacheSelection(key: key)) }
  }

  /// Reads the answer of the server.
  func conclude(_ response: HTTPResponse, now: Double) -> Result {
    let conclusion = cache.rules.conclude(
      response, to: wish, sent: asking?.request ?? wish.request, stored: entries.map(\.answer),
      validating: asking?.index, mayStore: asking?.mayStore ?? false, requestedAt: requestedAt,
      receivedAt: now)
    return Result(
      response: conclusion.response, asksAgain: conclusion.asksAgain, why: conclusion.why,
      conclusion: conclusion)
  }

  /// Removes what an answer makes wrong, and keeps what it is good for when it `stores`.
  func keep(_ result: Result, stores: Bool) {
    for index in result.conclusion.removed where entries.indices.contains(index) {
      cache.store.remove(CacheSelection(key: key, variant: entries[index].variant))
    }
    for url in result.conclusion.invalidated {
      var selection = CacheSelection()
      (selection.space, selection.text) = (.answers, url.description)
      cache.remove(selection)
    }
    if stores, let answer = result.conclusion.stored { put(answer) }
  }

  /// Keeps an answer, unless something newer has come while it was on its way, or it was removed before
  /// it was there.
  private func put(_ answer: StoredAnswer) {
    let variant = CacheRules.variant(of: answer.selectors)
    let isLate = cache.store.entries(for: key).contains {
      $0.variant == variant && $0.answer.requestedAt > answer.requestedAt
    }
    guard !isLate else { return }
    cache.store.put(CacheEntry(key: key, variant: variant, answer: answer))
    // Looked at afterwards, so that a removal meanwhile is either seen here or finds the entry. An unsafe
    // request has removed what its own answer takes the place of.
    if !wish.request.method.mayChange, cache.removals.include(key, since: removals) {
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

extension CacheWish {
  /// Whether anything that is stored could answer it.
  fileprivate var readsStored: Bool {
    mode != .noStore && (request.method == .get || request.method == .head)
  }

  /// Whether what somebody else has just heard from the server is good enough.
  fileprivate var sharesQuestions: Bool { mode != .reload && request.method == .get }
}

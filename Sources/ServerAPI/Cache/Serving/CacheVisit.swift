/// One exchange's visit to the cache: what is stored for it, what that means, and what to keep of the
/// answer.
struct CacheVisit: Sendable {
  private let cache: HTTPCache
  private let key: CacheKey
  private var wish: CacheWish
  private var entries: [CacheEntry]
  private var requestedAt = 0.0
  private var asking: CachePlan.Asking?
  private var subject: CacheTurns.Subject?

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

  init(_ cache: HTTPCache, _ wish: CacheWish, partition: String?) {
    self.cache = cache
    self.wish = wish
    key = CacheKey(
      partition: partition ?? cache.identities.partition(of: wish.request.headers),
      wish.request.url.description)
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
        if let index = asking.selected, asking.mayStore, wish.sharesQuestions,
          wish.askedSince == nil
        {
          let subject = CacheTurns.Subject(key: key, variant: entries[index].variant)
          if case .wait(let work, let id) = cache.turns.enter(subject) {
            wish.askedSince = time.secondsSince1970()
            try await work.wait(id, until: deadline)
            continue
          }
          self.subject = subject
        }
        self.asking = asking
        requestedAt = time.secondsSince1970()
        return .ask(asking.request, why: asking.why)
      }
    }
  }

  /// What to answer where nothing usable comes from the server.
  var fallback: HTTPResponse? { asking?.fallback }

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

  /// Keeps what an answer is good for, and removes what it makes wrong.
  func keep(_ result: Result) {
    for index in result.conclusion.removed where entries.indices.contains(index) {
      cache.store.remove(CacheSelection(key: key, variant: entries[index].variant))
    }
    for url in result.conclusion.invalidated {
      var selection = CacheSelection()
      (selection.space, selection.text) = (.answers, url.description)
      cache.store.remove(selection)
    }
    if let answer = result.conclusion.stored {
      cache.store.put(
        CacheEntry(key: key, variant: CacheRules.variant(of: answer.selectors), answer: answer))
    }
  }

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

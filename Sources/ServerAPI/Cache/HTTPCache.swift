internal import Support
internal import Synchronization

/// Keeps answers of servers and gives them out again as RFC 9111 allows a private cache: one that serves
/// one user, or several that it holds apart.
///
/// ```swift
/// let server = Server("https://api.example.com") {
///   $0.cache = HTTPCache(SQLiteCacheStore(folder: folder))
/// }
/// ```
///
/// What is fresh comes from the cache; what is stale is asked for again with its validators, so that an
/// unchanged page does not travel; unsafe requests remove what they make wrong. ``Call/cache`` says
/// otherwise for one call. What the cache did about an exchange, and why, is in ``HTTPResponse.Attempt/cache``.
///
/// Several servers may share one, where they trust the same authorities and reach hosts the same way: pins,
/// authorities and Unix sockets count when a response is received, and not again when it is given out.
public final class HTTPCache: Sendable {
  /// Where the answers are kept.
  public let store: any CacheStore
  /// How long an answer that names no time is good at most, in seconds. It is a tenth of the time since
  /// it was last modified, up to this. The default is a day.
  public let heuristicLimit: Double

  /// Whether looking something up may wait for a disk: then it is not done on the thread of an actor.
  let mayWait: Bool
  /// The store, where it may refuse to be used.
  private let guarded: SQLiteCacheStore?

  /// Questions to servers whether something is still good, which others need not ask too.
  let turns = CacheTurns()
  let removals = CacheRemovals()
  /// How often something was stored by way of this cache.
  private let putCount = Atomic(0)

  /// What goes by the salt of the store, which may have to open a file to tell it: so it is made when it is
  /// first needed.
  private struct Salted {
    var salt: [UInt8]
    var rules: CacheRules
    var identities: IdentityNames
  }

  /// Guards what is made once for a salt.
  private let made = Lock<Salted?>(nil)

  /// Makes a cache over a store. No I/O is done before the first call.
  public init(_ store: any CacheStore = MemoryCacheStore(), heuristicLimit: Double = 86_400) {
    self.store = store
    self.heuristicLimit = heuristicLimit
    mayWait = !(store is MemoryCacheStore)
    guarded = store as? SQLiteCacheStore
  }

  /// Throws if another user may have changed what is stored.
  func check() throws(RequestError) {
    guard let problem = guarded?.refusal else { return }
    throw RequestError(.invalidRequest(.init(.configuration, problem.text)))
  }

  /// How often something was stored: where that has not changed, what was found before is still all.
  var puts: Int { putCount.load(ordering: .acquiring) }

  func put(_ entry: CacheEntry) {
    store.put(entry)
    putCount.add(1, ordering: .releasing)
  }

  var rules: CacheRules { salted.rules }
  var identities: IdentityNames { salted.identities }

  private var salted: Salted {
    let salt = store.salt
    if let known = made.withLock({ $0 }), known.salt == salt { return known }
    let new = Salted(
      salt: salt, rules: CacheRules(heuristicLimit: heuristicLimit, salt: salt),
      identities: IdentityNames(salt: salt))
    made.withLock { $0 = new }
    return new
  }
}

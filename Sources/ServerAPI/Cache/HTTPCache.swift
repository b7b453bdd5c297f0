internal import Support
internal import Synchronization

/// A private HTTP cache that follows RFC 9111. It serves one user, or several users in separate partitions.
///
/// ```swift
/// let server = Server("https://api.example.com") {
///   $0.cache = HTTPCache(SQLiteCacheStore(folder: folder))
/// }
/// ```
///
/// A fresh response is served from the cache. A stale one is validated, so that an unchanged page is not
/// transferred again. Unsafe requests invalidate stored responses. ``Call/cache`` overrides this for one call.
/// ``HTTPResponse/Attempt/cache`` says what the cache did about an exchange, and why.
///
/// Several servers may share a cache if they trust the same authorities and reach hosts the same way: pins,
/// authorities and Unix sockets are checked when a response is received, and not again when it is served.
public final class HTTPCache: Sendable {
  /// The store for the responses.
  public let store: any CacheStore
  /// The upper limit of the heuristic freshness lifetime, in seconds. The lifetime is a tenth of the time since
  /// the last modification, up to this limit. The default is a day.
  package let heuristicLimit: Double

  /// Whether a lookup may wait for a disk. Such a lookup does not run on the thread of an actor.
  let mayBlock: Bool
  /// The store, if it may refuse to be used.
  private let sqliteStore: SQLiteCacheStore?

  /// The revalidations in flight, which other calls join instead of repeating them.
  let revalidations = Revalidations()
  let removals = CacheRemovals()
  /// The number of responses stored through this cache.
  private let putCount = Atomic(0)

  /// The values that depend on the salt of the store. Reading the salt may open a file, so they are created on
  /// first use.
  private struct Salted {
    var salt: [UInt8]
    var rules: CacheRules
    var identities: IdentityNames
  }

  /// Guards the values that are created once per salt.
  private let derived = Lock<Salted?>(nil)

  /// Creates a cache on top of a store. It does no I/O before the first call.
  public init(_ store: any CacheStore = MemoryCacheStore(), heuristicLimit: Double = 86_400) {
    self.store = store
    self.heuristicLimit = heuristicLimit
    mayBlock = !(store is MemoryCacheStore)
    sqliteStore = store as? SQLiteCacheStore
  }

  /// Throws if another user may have changed the stored responses.
  func checkSecurity() throws(RequestError) {
    guard let problem = sqliteStore?.refusal else { return }
    throw RequestError(.invalidRequest(.init(.configuration, problem.text)))
  }

  /// The number of responses stored so far. While it does not change, an earlier lookup is still complete.
  var puts: Int { putCount.load(ordering: .acquiring) }

  func put(_ entry: CacheEntry) {
    store.put(entry)
    putCount.add(1, ordering: .releasing)
  }

  var rules: CacheRules { salted.rules }
  var identities: IdentityNames { salted.identities }

  private var salted: Salted {
    let salt = store.salt
    if let known = derived.withLock({ $0 }), known.salt == salt { return known }
    let new = Salted(
      salt: salt, rules: CacheRules(heuristicLimit: heuristicLimit, salt: salt),
      identities: IdentityNames(salt: salt))
    derived.withLock { $0 = new }
    return new
  }
}

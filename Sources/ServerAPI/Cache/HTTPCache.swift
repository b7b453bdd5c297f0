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
/// otherwise for one call. What the cache did about an exchange, and why, is in ``Attempt/cache``.
///
/// Several servers may share one.
public final class HTTPCache: Sendable {
  /// Where the answers are kept.
  public let store: any CacheStore
  /// How long an answer that names no time is good at most, in seconds. It is a tenth of the time since
  /// it was last modified, up to this. The default is a day.
  public let heuristicLimit: Double

  let rules: CacheRules
  let identities: IdentityNames
  /// Questions to servers whether something is still good, which others need not ask too.
  let turns = CacheTurns()

  /// Makes a cache over a store.
  public init(_ store: any CacheStore = MemoryCacheStore(), heuristicLimit: Double = 86_400) {
    self.store = store
    self.heuristicLimit = heuristicLimit
    rules = CacheRules(heuristicLimit: heuristicLimit, salt: store.salt)
    identities = IdentityNames(salt: store.salt)
  }
}

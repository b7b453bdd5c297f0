/// How a call uses the cache of its server.
///
/// Only answers to `GET` and `HEAD` come out of a cache. Whatever the mode, nothing is stored that the
/// server forbids to store, and no error of the service itself.
public enum CacheMode: Hashable, Sendable {
  /// As HTTP has it: what is fresh comes from the cache, what is stale is asked for again, and what
  /// has not changed does not travel again.
  case standard
  /// The server is asked whether what is stored is still good.
  case revalidate
  /// The server is asked as if nothing were stored; its answer is stored.
  case reload
  /// As if there were no cache; nothing is stored either.
  case noStore
  /// As ``revalidate``; where no usable answer comes, what is stored will do, however old.
  case networkElseCache
  /// What is stored will do, however old; where there is nothing, the server is asked.
  case cacheElseNetwork
  /// What is stored will do, however old; the network is not used. Where there is nothing, the call
  /// fails with ``RequestError/Kind/notStored``.
  case cacheOnly
}

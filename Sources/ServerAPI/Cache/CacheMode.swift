/// How a call uses the cache of its server.
///
/// Only `GET`, `HEAD` and calls with a ``Call/cacheKey`` are served from a cache. In every mode, the cache stores neither a response that the
/// server forbids to store nor an error of the service itself.
public enum CacheMode: Hashable, Sendable {
  /// Follows HTTP: a fresh response is served from the cache, a stale one is validated, and an unchanged body
  /// is not transferred again.
  case standard
  /// Validates the stored response with the server before it is served.
  case revalidate
  /// Sends the request as if nothing were stored, and stores the response.
  case reload
  /// Bypasses the cache; nothing is stored either.
  case noStore
  /// Like ``revalidate``, but serves the stored response, however old, if the server sends no usable response.
  case networkElseCache
  /// Serves the stored response, however old. Sends the request only if nothing is stored.
  case cacheElseNetwork
  /// Serves the stored response, however old, and never uses the network. If nothing is stored, the call fails
  /// with ``RequestError/Kind/notStored``.
  case cacheOnly
}

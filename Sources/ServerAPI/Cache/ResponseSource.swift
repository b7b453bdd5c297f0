/// Where an answer comes from.
public enum ResponseSource: Hashable, Sendable {
  /// From the server.
  case network
  /// From the cache, after the server said that nothing has changed.
  case validated
  /// From the cache alone. `asOf` is when the server last vouched for it, in seconds since 1970, and
  /// `isFresh` whether it is still as good as new.
  case cache(asOf: Double, isFresh: Bool)
}

extension ResponseSource {
  /// Whether the server had no part in it.
  public var isCache: Bool { if case .cache = self { true } else { false } }
}

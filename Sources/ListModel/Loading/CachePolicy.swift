internal import ServerAPI

/// Whether loads take what the cache of the server has, ask the server, or do both.
///
/// Which ``CacheMode`` that gives, for each kind of load:
///
/// | policy | first, further pages, jumps, gaps | refresh |
/// | --- | --- | --- |
/// | ``standard`` | as the server's configuration says | `.revalidate` |
/// | ``networkOnly`` | `.reload` | `.revalidate` |
/// | ``networkElseCache`` | `.networkElseCache` | `.revalidate` |
/// | ``cacheElseNetwork`` | `.cacheElseNetwork` | `.revalidate` |
/// | ``cacheThenNetwork`` | `.cacheOnly`, then `.revalidate` | `.revalidate` |
/// | ``cacheOnly`` | `.cacheOnly` | `.cacheOnly` |
///
/// So whoever pulls a list down hears from the server, and what has not changed does not travel. Where
/// no answer comes, the rows stay. What a program writes into ``Call/cache``, in the call of the list or
/// in ``ListModel/prepare(_:)``, goes before all of this.
public enum CachePolicy: Hashable, Sendable, CaseIterable {
  /// As HTTP has it, unless ``Server/Configuration/cacheMode`` says otherwise. A server that is not to
  /// use its cache at all, or nothing else, is not made to by a refresh either.
  case standard
  /// The server is asked for everything.
  case networkOnly
  /// The server is asked first; where no usable answer comes, what is stored will do, however old.
  case networkElseCache
  /// What is stored will do, however old; where there is nothing, the server is asked.
  case cacheElseNetwork
  /// What is stored is shown at once, and then gives way to what the server answers. It is one load,
  /// which ends with what came of asking the server. Where that fails, what was stored stays.
  case cacheThenNetwork
  /// Only what is stored; the network is never used.
  case cacheOnly
}

/// How one load uses the cache.
struct CacheUse: Hashable {
  /// Whether what is stored is shown before the server is asked.
  var showsStored = false
  /// The mode of the request; `nil` leaves it to the server's configuration.
  var mode: CacheMode?
}

extension CachePolicy {
  /// How a load uses the cache. The documentation of the type has the table.
  ///
  /// - Parameters:
  ///   - kind: What is loaded.
  ///   - usual: What the server's configuration says.
  func use(for kind: LoadKind, usual: CacheMode) -> CacheUse {
    switch (self, kind) {
    case (.cacheOnly, _): CacheUse(mode: .cacheOnly)
    case (.standard, .refresh):
      switch usual {
      case .noStore, .reload, .cacheOnly: CacheUse()
      case .standard, .revalidate, .networkElseCache, .cacheElseNetwork:
        CacheUse(mode: .revalidate)
      }
    case (_, .refresh): CacheUse(mode: .revalidate)
    case (.standard, _): CacheUse()
    case (.networkOnly, _): CacheUse(mode: .reload)
    case (.networkElseCache, _): CacheUse(mode: .networkElseCache)
    case (.cacheElseNetwork, _): CacheUse(mode: .cacheElseNetwork)
    case (.cacheThenNetwork, _): CacheUse(showsStored: true, mode: .revalidate)
    }
  }
}

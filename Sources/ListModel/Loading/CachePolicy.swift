internal import ServerAPI

/// Whether loads use the cache of the server, the network, or both.
///
/// The ``CacheMode`` for each kind of load:
///
/// | policy | first, further pages, jumps, evicted pages, gaps | refresh, deep refresh |
/// | --- | --- | --- |
/// | ``standard`` | as the server's configuration says | `.revalidate` |
/// | ``networkOnly`` | `.reload` | `.revalidate` |
/// | ``networkElseCache`` | `.networkElseCache` | `.revalidate` |
/// | ``cacheElseNetwork`` | `.cacheElseNetwork` | `.revalidate` |
/// | ``cacheThenNetwork`` | `.cacheOnly`, then `.revalidate` | `.revalidate` |
/// | ``cacheOnly`` | `.cacheOnly` | `.cacheOnly` |
///
/// So a refresh reaches the server, and unchanged responses are not sent again. Without a response, the
/// rows stay. A load that repeats a failed one uses the cache as a refresh does. A ``Call/cache`` that the program
/// sets, in the call of the list or in ``ListModel/prepare(_:)``, takes precedence over the policy.
///
/// A new version of the program reads what an older one has stored. If it can't use that, increase
/// ``Call/cacheVersion`` of the list's call.
///
/// A response that the program refuses is removed from the cache: one that ``BaseServerAPI/validate(_:)`` of the
/// request object or of ``ListSettings/rules`` throws for, or that can't be decoded.
public enum CachePolicy: Hashable, Sendable, CaseIterable {
  /// Follows HTTP, unless ``Server/Configuration/cacheMode`` says otherwise. A refresh revalidates, unless
  /// that mode never uses the cache or never uses the network.
  case standard
  /// Requests everything from the server.
  case networkOnly
  /// Requests the server first; without a usable response, uses the stored one, however old.
  case networkElseCache
  /// Uses the stored response, however old; without one, requests the server.
  case cacheElseNetwork
  /// Shows the stored response at once, then replaces it with the server's response. This is one load,
  /// which ends with the outcome of the request. If that fails, the stored rows stay.
  case cacheThenNetwork
  /// Uses only stored responses, never the network.
  case cacheOnly
}

/// How one load uses the cache.
struct CacheUse: Hashable {
  /// Whether the stored response is shown before the request.
  var showsStored = false
  /// The mode of the request; `nil` leaves it to the server's configuration.
  var mode: CacheMode?
}

extension CachePolicy {
  /// Returns how a load uses the cache, by the table in the documentation of the type.
  ///
  /// - Parameters:
  ///   - kind: The kind of the load.
  ///   - usual: The mode in the server's configuration.
  ///   - isRepeat: Whether the load repeats one that failed.
  func use(for kind: LoadKind, usual: CacheMode, isRepeat: Bool = false) -> CacheUse {
    CacheUse(
      showsStored: self == .cacheThenNetwork && kind != .refresh && kind != .deep,
      mode: mode(for: isRepeat || kind == .deep ? .refresh : kind, usual: usual))
  }

  private func mode(for kind: LoadKind, usual: CacheMode) -> CacheMode? {
    switch (self, kind) {
    case (.cacheOnly, _): .cacheOnly
    case (.standard, .refresh):
      switch usual {
      case .noStore, .reload, .cacheOnly: nil
      case .standard, .revalidate, .networkElseCache, .cacheElseNetwork: .revalidate
      }
    case (_, .refresh): .revalidate
    case (.standard, _): nil
    case (.networkOnly, _): .reload
    case (.networkElseCache, _): .networkElseCache
    case (.cacheElseNetwork, _): .cacheElseNetwork
    case (.cacheThenNetwork, _): .revalidate
    }
  }
}

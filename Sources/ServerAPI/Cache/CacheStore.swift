/// Keeps what a cache wants kept.
///
/// A store knows nothing of HTTP: it keeps entries by key and variant, within a bound of its own, and
/// gives them back whole or not at all. Use ``MemoryCacheStore``, or ``SQLiteCacheStore`` for what is to
/// outlive the process; to write another, fulfil the requirements.
///
/// No method fails: what can't be read is not there, and what can't be written is not kept. Why shows
/// in ``problems``.
///
/// - Important: Methods are called from any thread, several at once, on the way of a call: they should
///   take microseconds. Writing may be put off, but what was put is found from then on. ``put(_:)``,
///   ``remove(_:)`` and ``problems`` are called on the main thread too and must not wait for a disk;
///   ``salt`` and ``entries(for:)`` are not called on the thread of an actor by a ``Server`` or a list.
public protocol CacheStore: Sendable {
  /// Random bytes, made with the store and kept as long as it is. They go into every digest of a secret,
  /// so that digests of two stores have nothing in common.
  var salt: [UInt8] { get }

  /// Every variant under a key, in any order. Counts as a use.
  func entries(for key: CacheKey) -> [CacheEntry]

  /// Keeps an entry in the place of the one with its key and variant.
  func put(_ entry: CacheEntry)

  /// Removes what is selected.
  func remove(_ selection: CacheSelection)

  /// What there is, without bodies, the newest first.
  func listings(_ selection: CacheSelection) async -> [CacheEntry.Listing]

  /// Waits until everything that was put is where it is meant to be.
  func flush() async

  /// What went wrong, the latest last; only so many are remembered.
  var problems: [CacheProblem] { get }
}

internal import Support
internal import Synchronization

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A private HTTP cache that follows RFC 9111. It serves one user, or several users in separate partitions.
///
/// ```swift
/// let server = Server("https://api.example.com") {
///   $0.cache = .disk(at: folder)
/// }
/// ```
///
/// A cache in ``memory(maximumBytes:)`` lasts as long as the program, one on ``disk(at:maximumBytes:)`` outlives it.
/// It also has the lists that a program keeps in it.
///
/// A fresh response is served from the cache. A stale one is validated, so that an unchanged page is not
/// transferred again. Unsafe requests invalidate stored responses. ``Call/cache`` overrides this for one call.
/// ``HTTPResponse/Attempt/cache`` says what the cache did about an exchange, and why.
///
/// Several servers may share a cache if they trust the same authorities and reach hosts the same way: pins,
/// authorities and Unix sockets are checked when a response is received, and not again when it is served.
public final class HTTPCache: Sendable {
  /// The store for the responses, and for the bytes that a program stores next to them.
  package let store: any CacheStore
  /// The upper limit of the heuristic freshness lifetime, in seconds. The lifetime is a tenth of the time since
  /// the last modification, up to this limit. The default is a day.
  package let heuristicLimit: Double

  /// Whether a lookup may wait for a disk. Such a lookup does not run on the thread of an actor.
  let mayBlock: Bool

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
  package init(_ store: any CacheStore = MemoryCacheStore(), heuristicLimit: Double = 86_400) {
    self.store = store
    self.heuristicLimit = heuristicLimit
    mayBlock = !(store is MemoryCacheStore)
  }

  /// Throws if another user may have changed the stored responses.
  func checkSecurity() throws(RequestError) {
    guard let problem = store.refusal else { return }
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

extension HTTPCache {
  /// Creates an empty cache in memory.
  ///
  /// When space is needed, it evicts the responses whose size and time since their last use are the largest. One
  /// that is larger than an eighth of the maximum size is not stored.
  public static func memory(maximumBytes: Int = 32 << 20) -> HTTPCache {
    HTTPCache(MemoryCacheStore(maximumBytes: maximumBytes))
  }

  /// Creates a cache in a database in a folder, so that responses outlive the process. Several processes may
  /// share a folder.
  ///
  /// The folder is created on first use. It must belong to the user of the process, and no other user may have
  /// write permission; otherwise calls fail before anything is sent. ``prepare()`` checks it earlier. Symbolic
  /// links in the folder are not followed. Beyond the maximum size, the least recently used responses are evicted.
  /// One that is larger than an eighth of it is not stored.
  ///
  /// Writes are deferred; a process that is killed loses at most its latest ones, and nothing from before a completed
  /// ``flush()``. A database that is damaged, or of another version, is replaced by a new one, and ``problems`` says
  /// so.
  ///
  /// The database is sqlite3 of the system. Where Quire is built without it, such as on Linux without the trait `SQLite`,
  /// the responses are kept in memory: ``prepare()`` throws, and ``problems`` says so.
  public static func disk(at folder: URL, maximumBytes: Int = 256 << 20) -> HTTPCache {
    #if SQLITE
      HTTPCache(SQLiteCacheStore(folder: folder, maximumBytes: maximumBytes))
    #else
      HTTPCache(UnkeptCacheStore(folder: folder))
    #endif
  }

  /// Creates the folder and opens the database before the first use. Throws if nothing can be stored there.
  /// A cache in memory needs no preparation.
  ///
  /// A program that calls this at its start can report a folder that is refused before a call fails because of
  /// it.
  @concurrent
  public func prepare() async throws(RequestError) {
    do throws(CacheProblem) { try await store.prepare() } catch {
      throw RequestError(.invalidRequest(.init(.configuration, error.text)))
    }
  }

  /// Waits until every pending write has finished.
  public func flush() async { await store.flush() }

  /// Why the cache keeps less than it should, such as a full disk; the latest reason is last. Calls continue
  /// without the cache, except where another user could have changed the folder.
  public var problems: [String] { store.problems.map(\.text) }
}

extension HTTPCache {
  /// Describes a stored response.
  public struct Summary: Sendable {
    /// The address, with secrets masked.
    public var address: String
    /// The owner; empty for the anonymous partition.
    public var partition: String
    /// The status code.
    public var status: Int
    /// The size, in bytes.
    public var bytes: Int
    /// When the response was received or last validated.
    public var receivedAt: Date
    /// When the response was last served, to the minute.
    public var usedAt: Date
    /// The remaining freshness lifetime by the server, in seconds; negative if the response is stale, and `nil`
    /// if it is validated on every use. A ``Call/cacheLifetime`` belongs to the call, and is not included.
    public var freshFor: Double?
    /// The freshness and its source in words: `fresh for another 40 s (max-age=60)`.
    public var freshnessText: String
  }
}

extension HTTPCache {
  /// Lists the stored responses, newest first. Reads on another thread, because it may take a while.
  ///
  /// - Parameters:
  ///   - prefix: The prefix of the addresses to list.
  ///   - partition: The owner of the responses to list.
  ///   - now: The date at which freshness is evaluated.
  @concurrent
  public func contents(
    prefix: String? = nil, partition: String? = nil,
    now: Date = Date()
  ) async -> [HTTPCache.Summary] {
    var selection = CacheSelection()
    selection.space = .responses
    selection.prefix = prefix
    selection.partition = partition
    return await store.listings(selection).compactMap { listing in
      guard let response = listing.entry.response else { return nil }
      let freshness = rules.freshness(of: response, now: now.timeIntervalSince1970)
      return HTTPCache.Summary(
        address: listing.entry.key.text, partition: listing.entry.key.partition,
        status: response.status,
        bytes: listing.bytes, receivedAt: Date(timeIntervalSince1970: response.receivedAt),
        usedAt: listing.usedAt,
        freshFor: freshness?.remaining,
        freshnessText: freshness?.description ?? "validated on every use")
    }
  }

  /// Removes the stored responses of one address, for every owner, also those of calls with a
  /// ``Call/cacheKey``.
  public func remove(_ address: WebURL) {
    remove { $0.text = address.description }
    remove(prefix: address.description + "#")
  }

  /// Removes the stored responses whose address has a prefix.
  public func remove(prefix: String) {
    remove { $0.prefix = prefix }
  }

  /// Removes everything of one user, including stored lists. Call this when the user signs out.
  public func remove(partition: String) {
    var selection = CacheSelection()
    selection.partition = partition
    remove(selection)
  }

  /// Removes the responses that were last received or validated before a date.
  public func remove(receivedBefore date: Date) {
    remove { $0.receivedBefore = date }
  }

  /// Removes everything, including stored lists.
  public func removeAll() { remove(CacheSelection()) }

  /// Removes the selected entries. A selected response that is still in flight is not stored.
  func remove(_ selection: CacheSelection) {
    removals.record(selection)
    store.remove(selection)
  }

  private func remove(_ choose: (inout CacheSelection) -> Void) {
    var selection = CacheSelection()
    selection.space = .responses
    choose(&selection)
    remove(selection)
  }
}

/// Remembers the latest removals, so that a response that was in flight during one is not stored.
final class CacheRemovals: Sendable {
  /// The number of removals to remember. Before them, anything may have been removed.
  private static let maximum = 256

  private struct Log {
    var count = 0
    var latest: [CacheSelection] = []
  }

  /// Guards the removals.
  private let log = Lock(Log())

  /// The number of removals so far.
  var count: Int { log.withLock { $0.count } }

  func record(_ selection: CacheSelection) {
    log.withLock { log in
      log.count += 1
      log.latest.append(selection)
      if log.latest.count > Self.maximum { log.latest.removeFirst() }
    }
  }

  /// Whether any removal after the first `count` ones includes this key.
  func include(_ key: CacheKey, since count: Int) -> Bool {
    let (new, all) = log.withLock { ($0.latest.suffix($0.count - count), $0.count - count) }
    guard new.count == all else { return true }
    guard !new.isEmpty else { return false }
    let address = CacheSelection.masked(key.text)
    return new.contains { $0.includes(key, address: address) }
  }
}

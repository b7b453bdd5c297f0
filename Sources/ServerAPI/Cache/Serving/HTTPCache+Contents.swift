internal import Support

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension HTTPCache {
  /// What a cache has of one address.
  public struct Summary: Sendable {
    /// The address, secrets masked.
    public var address: String
    /// Whose it is; empty where nobody in particular.
    public var partition: String
    /// The status code.
    public var status: Int
    /// What it takes, in bytes.
    public var bytes: Int
    /// When it came or was last confirmed.
    public var receivedAt: Date
    /// When it was last served, to the minute.
    public var usedAt: Date
    /// For how many seconds it is still good; below zero where it has been stale for so long, and `nil`
    /// where the server is to be asked each time.
    public var freshFor: Double?
    /// The same in words, and why: `fresh for another 40 s (max-age=60)`.
    public var standing: String
  }
}

extension HTTPCache {
  /// What is stored, the newest first. Read on another thread, since it may take a while.
  ///
  /// - Parameters:
  ///   - prefix: Only what has an address that begins like this.
  ///   - partition: Only what belongs to this one.
  ///   - now: The date for which freshness is judged.
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
        freshFor: freshness?.remaining, standing: freshness?.description ?? "asked about each time")
    }
  }

  /// Removes what is stored for one address, whoever's it is.
  public func remove(_ address: WebURL) {
    remove { $0.text = address.description }
  }

  /// Removes what is stored for addresses that begin like this.
  public func remove(prefix: String) {
    remove { $0.prefix = prefix }
  }

  /// Removes what belongs to one user, also what is kept beside the responses, such as lists: what signing
  /// out should do.
  public func remove(partition: String) {
    var selection = CacheSelection()
    selection.partition = partition
    remove(selection)
  }

  /// Removes what came before a date and was not confirmed since.
  public func remove(receivedBefore date: Date) {
    remove { $0.receivedBefore = date }
  }

  /// Removes everything, also what is kept beside the responses.
  public func removeAll() { remove(CacheSelection()) }

  /// Removes what is selected; what is on its way to be stored there is not kept.
  func remove(_ selection: CacheSelection) {
    removals.note(selection)
    store.remove(selection)
  }

  private func remove(_ choose: (inout CacheSelection) -> Void) {
    var selection = CacheSelection()
    selection.space = .responses
    choose(&selection)
    remove(selection)
  }
}

/// Remembers what was removed last, so that an answer that was on its way meanwhile is not kept after all.
final class CacheRemovals: Sendable {
  /// So many are remembered; before that, anything may have been removed.
  private static let maximum = 256

  private struct Log {
    var count = 0
    var latest: [CacheSelection] = []
  }

  /// Guards what was removed.
  private let log = Lock(Log())

  /// How many there were.
  var count: Int { log.withLock { $0.count } }

  func note(_ selection: CacheSelection) {
    log.withLock { log in
      log.count += 1
      log.latest.append(selection)
      if log.latest.count > Self.maximum { log.latest.removeFirst() }
    }
  }

  /// Whether a removal after so many others meant this key.
  func include(_ key: CacheKey, since count: Int) -> Bool {
    let (new, all) = log.withLock { ($0.latest.suffix($0.count - count), $0.count - count) }
    guard new.count == all else { return true }
    guard !new.isEmpty else { return false }
    let address = CacheSelection.masked(key.text)
    return new.contains { $0.includes(key, address: address) }
  }
}

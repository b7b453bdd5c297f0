/// A store for the entries of a cache.
///
/// A store knows nothing of HTTP. It keeps entries by key and variant, within a size limit of its own, and
/// returns them complete or not at all. Use ``MemoryCacheStore``, or `SQLiteCacheStore` for entries that
/// outlive the process. Implement the requirements to write another one.
///
/// No method fails: an entry that can't be read is missing, and an entry that can't be written is dropped.
/// ``problems`` lists the causes.
///
/// - Important: Methods are called from any thread, several at once, on the hot path of a call: they should
///   take microseconds. Writes may be deferred, but reads must return what was put. ``put(_:)``, ``remove(_:)``
///   and ``problems`` are also called on the main thread and must not wait for a disk. A ``Server`` or a list
///   never calls ``salt`` and ``entries(for:)`` on the thread of an actor.
package protocol CacheStore: Sendable {
  /// Random bytes that are created with the store and live as long as it. They are part of every digest of a
  /// secret, so that digests of two stores have nothing in common.
  var salt: [UInt8] { get }

  /// Returns every variant of a key, in any order. Counts as a use.
  func entries(for key: CacheKey) -> [CacheEntry]

  /// Stores an entry, and replaces the one with its key and variant.
  func put(_ entry: CacheEntry)

  /// Removes the selected entries.
  func remove(_ selection: CacheSelection)

  /// Lists the selected entries without their bodies, newest first.
  func listings(_ selection: CacheSelection) async -> [CacheEntry.Listing]

  /// Waits until every pending write has finished.
  func flush() async

  /// The most recent problems, the latest last.
  var problems: [CacheProblem] { get }

  /// Adds a problem that a user of the store found. The default drops it.
  func report(_ problem: CacheProblem)

  /// Why calls must fail: another user may have changed the stored entries. The default is `nil`.
  var refusal: CacheProblem? { get }

  /// Opens what the store needs before its first use. Throws if entries can't be stored. The default does nothing.
  func prepare() async throws(CacheProblem)
}

extension CacheStore {
  /// Drops the problem.
  package func report(_ problem: CacheProblem) {}

  /// Nothing.
  package var refusal: CacheProblem? { nil }

  /// Does nothing.
  package func prepare() async throws(CacheProblem) {}
}

/// Why a store keeps less than it should. Calls continue without the store, except after ``Kind/insecure``.
package struct CacheProblem: Error, Hashable, Sendable {
  /// The kind of a problem.
  package enum Kind: Hashable, Sendable {
    /// Another user could have changed the folder or a file in it. The store reads and writes nothing, and
    /// calls fail before anything is sent.
    case insecure
    /// The folder or the file can't be used; nothing is stored.
    case unusable
    /// The database could not be read; the store replaced it with an empty one.
    case recreated
    /// An entry was damaged; the store dropped it.
    case brokenEntry
    /// No space is left; new entries are not stored.
    case full
    /// The store can't write; existing entries can be read.
    case readOnly
    /// The store was locked or overloaded for too long; an entry was not stored.
    case busy
    /// A list is not kept, since it is unknown whose rows it has; see `ListKeeping`.
    case unknownOwner
    /// Another failure; see the text.
    case failed
  }

  /// The kind of the problem.
  package var kind: Kind
  /// The path with the message of the system or the database, or the list and what to do.
  package var text: String

  /// Creates a problem.
  package init(_ kind: Kind, _ text: String) {
    self.kind = kind
    self.text = text
  }
}

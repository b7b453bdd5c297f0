internal import Support

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Keeps entries in a database in a folder, so that they outlive the process. Several processes may
/// use one folder.
///
/// Writing is put off to a thread that exists while there is something to write; what was put or removed
/// is seen from then on. A process that is killed loses at most what it put last, and nothing that it had
/// put before a ``flush()`` that has returned. Releasing a store returns at once; its thread writes what is
/// left.
///
/// ``entries(for:)`` and ``salt`` read on the calling thread and may wait for the disk. A ``Server`` that is
/// called from an actor, such as the main one, calls them on another thread.
///
/// The folder must belong to the user of the process, and no other user may have write permission.
/// Otherwise calls fail before anything is sent; ``prepare()`` checks it earlier. Symbolic links in the
/// folder are not followed.
///
/// Addresses are kept with their secrets masked, and found by a digest. Bodies, fields and notes are
/// kept as they are, for the owner of the folder alone to read.
///
/// A database that is damaged, or of another kind, version or schema, is replaced by a new one;
/// ``problems`` says so.
public final class SQLiteCacheStore: CacheStore {
  /// How many variants a key has at most; beyond that the oldest give way.
  static let maximumVariants = 64
  /// So many uses of entries are noted before they are worth a thread.
  static let maximumUses = 512

  /// The folder with the database.
  public var folder: URL { URL(filePath: path) }
  let path: String
  /// How much is kept at most, in bytes.
  public let maximumBytes: Int
  /// What outlives the store until everything is written.
  let writer: SQLiteWriter
  /// Guards what is remembered of keys.
  private let memo = Lock(KeyMemo())
  /// The process that made the store. A fork of it must not touch its connections.
  private let process = getpid()
  /// Stands in for the salt of the database where there is none.
  private let spareSalt: [UInt8]

  /// Makes a store. The folder is made when it is needed first. Beyond the bound, what was not used
  /// for longest goes; an entry that would take more than an eighth of it is not kept.
  public convenience init(
    folder: URL, maximumBytes: Int = 256 << 20, time: TimeSource = .system
  ) {
    self.init(folder: folder.path, maximumBytes: maximumBytes, time: time, settings: .init())
  }

  init(
    folder: String, maximumBytes: Int = 256 << 20, time: TimeSource = .system,
    settings: CacheDatabase.Settings
  ) {
    var random = SystemRandomNumberGenerator()
    path = folder
    self.maximumBytes = max(0, maximumBytes)
    spareSalt = (0..<16).map { _ in random.next() }
    writer = SQLiteWriter(
      folder: folder, maximumBytes: max(0, maximumBytes), time: time, settings: settings)
  }

  deinit {
    guard !isForked else {
      // Closing the connections would undo locks of the process that they belong to.
      _ = Unmanaged.passRetained(writer)
      return
    }
    writer.end()
  }

  var database: CacheDatabase { writer.database }

  /// Makes the folder and opens the database before the first use. Throws if nothing can be kept.
  ///
  /// A program that calls this when it starts can report a folder that is refused
  /// (``CacheProblem/Kind/insecure``) before a call fails because of it.
  @concurrent
  public func prepare() async throws(CacheProblem) {
    if let failure = isForked ? nil : database.failureToOpen() { throw failure }
  }

  /// Why calls must fail: another user may have changed what is stored.
  var refusal: CacheProblem? {
    guard !isForked, let failure = database.failureToOpen(), failure.kind == .insecure else {
      return nil
    }
    return failure
  }

  /// Random bytes that are in the database; others where there is none.
  public var salt: [UInt8] { isForked ? spareSalt : database.opened()?.salt ?? spareSalt }

  /// Every variant under a key that is whole, what waits to be written at the end.
  public func entries(for key: CacheKey) -> [CacheEntry] {
    guard !isForked else { return [] }
    let view = writer.desk.withLock { $0.queue.view(key) }
    let minute = writer.minute
    let found = read { connection, opened throws(SQLiteFailure) in
      try connection.entries(key, facts(key, salt: opened.salt), minute: minute) {
        view?.shows(variant: $0, receivedAt: $1) ?? true
      }
    }
    if let found, !found.stale.isEmpty || !found.broken.isEmpty {
      let isWriter = writer.desk.withLock { $0.note(found, minute: minute) }
      if isWriter { writer.start() }
    }
    return (found?.entries ?? []) + (view?.entries ?? [])
  }

  /// Has an entry written, and returns at once. Where more waits than there is memory for, it is not
  /// kept, and ``problems`` says so.
  public func put(_ entry: CacheEntry) {
    guard !isForked else { return }
    let (isKept, isWriter) = writer.desk.withLock { desk in (desk.queue.put(entry), desk.call()) }
    if !isKept {
      database.report(
        CacheProblem(.busy, "\(path): entries come faster than they can be written"))
    }
    if isWriter { writer.start() }
  }

  /// Has what is selected removed, and returns at once. Where that can't be written, it stays out of
  /// sight and is tried again.
  public func remove(_ selection: CacheSelection) {
    guard !isForked else { return }
    let isWriter = writer.desk.withLock { desk in
      desk.queue.remove(selection)
      return desk.call()
    }
    if isWriter { writer.start() }
  }

  /// Waits until all that was put and removed before was tried to be written.
  public func flush() async {
    guard !isForked else { return }
    await withCheckedContinuation { continuation in
      let next = writer.desk.withLock { $0.await(continuation) }
      switch next {
      case .nothing: continuation.resume()
      case .wait: break
      case .start: writer.start()
      }
    }
    HandOver.ended(writer)
  }

  /// What went wrong, the latest last; the last 32. What goes on is told once.
  public var problems: [CacheProblem] { database.problems }

  /// Whether this process is a fork of the one that made the store: it has the connections, which it
  /// must not use, and not the thread.
  var isForked: Bool { process != getpid() }

  private func facts(_ key: CacheKey, salt: [UInt8]) -> KeyMemo.Facts {
    if let facts = memo.withLock({ $0.facts(key, salt: salt) }) { return facts }
    let facts = KeyMemo.Facts(place: CacheRowKey(key, salt: salt), url: try? WebURL(key.text))
    memo.withLock { $0.add(key, facts, salt: salt) }
    return facts
  }

  /// Reads, or notes why that is not possible.
  func read<R>(
    _ body: (SQLiteConnection, CacheDatabase.Opened) throws(SQLiteFailure) -> R
  ) -> R? {
    do throws(SQLiteFailure) {
      return try database.use(patience: database.settings.readingPatience, body)
    } catch {
      database.report(error.problem(path))
      return nil
    }
  }
}

/// Remembers what follows from the keys that were asked for last: a digest and an address take as long
/// to make as a row takes to read.
struct KeyMemo {
  struct Facts {
    var place: CacheRowKey
    /// The text of the key as an address, where it is one.
    var url: WebURL?
  }

  private static let limit = 1_024

  private var salt: [UInt8] = []
  private var recent: [CacheKey: Facts] = [:]
  /// What was asked for before that; it goes when the recent ones have become as many.
  private var older: [CacheKey: Facts] = [:]

  /// What is known of a key with this salt.
  mutating func facts(_ key: CacheKey, salt: [UInt8]) -> Facts? {
    guard salt == self.salt else {
      self = KeyMemo()
      self.salt = salt
      return nil
    }
    if let facts = recent[key] { return facts }
    guard let facts = older[key] else { return nil }
    add(key, facts, salt: salt)
    return facts
  }

  mutating func add(_ key: CacheKey, _ facts: Facts, salt: [UInt8]) {
    guard salt == self.salt else { return }
    if recent.count >= Self.limit / 2 { (older, recent) = (recent, [:]) }
    recent[key] = facts
  }
}

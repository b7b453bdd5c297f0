#if SQLITE
  internal import SQLiteFile
  internal import Support

  #if canImport(FoundationEssentials)
    package import FoundationEssentials
  #else
    package import Foundation
  #endif

  /// A store that keeps entries in a database in a folder, so that they outlive the process. Several processes
  /// may share a folder.
  ///
  /// Writes are deferred to a thread that exists only while work is pending; reads see every put and removal at
  /// once. A process that is killed loses at most its latest entries, and nothing that it put before a completed
  /// ``flush()``. Releasing a store returns at once; its thread writes the pending entries.
  ///
  /// ``entries(for:)`` and ``salt`` read on the calling thread and may wait for the disk. A ``Server`` that is
  /// called from an actor, such as the main one, calls them on another thread.
  ///
  /// The folder must belong to the user of the process, and no other user may have write permission. Otherwise
  /// calls fail before anything is sent; ``prepare()`` checks it earlier. Symbolic links in the folder are not
  /// followed.
  ///
  /// Addresses are stored with their secrets masked, and looked up by a digest. Bodies, fields and notes are
  /// stored as they are, readable by the owner of the folder alone.
  ///
  /// A database that is damaged, or of another kind, version or schema, is replaced by a new one; ``problems``
  /// says so.
  package final class SQLiteCacheStore: CacheStore {
    /// The maximum number of variants of a key. The oldest are evicted.
    static let maximumVariants = 64
    /// The number of recorded uses that justifies a thread to write them.
    static let maximumUses = 512

    /// The path of the folder with the database.
    let path: String
    /// The maximum size of the entries, in bytes.
    package let maximumBytes: Int
    /// The writer, which outlives the store until everything is written.
    let writer: SQLiteWriter
    /// Guards the values derived from recent keys.
    private let memo = Lock(KeyMemo())
    /// The process that created the store. A fork of it must not use its connections.
    private let process = getpid()
    /// Replaces the salt of the database if there is none.
    private let spareSalt: [UInt8]

    /// Creates a store. The folder is created on first use. Beyond the maximum size, the least recently used
    /// entries are evicted. An entry larger than an eighth of it is not stored.
    package convenience init(
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
        // Closing the connections would release locks of the process that owns them.
        _ = Unmanaged.passRetained(writer)
        return
      }
      writer.end()
    }

    var database: CacheDatabase { writer.database }

    /// Creates the folder and opens the database before the first use. Throws if entries can't be stored.
    ///
    /// A program that calls this at its start can report a refused folder (``CacheProblem/Kind/insecure``) before
    /// a call fails because of it.
    @concurrent
    package func prepare() async throws(CacheProblem) {
      if let failure = isForked ? nil : database.failureToOpen() { throw failure }
    }

    /// The reason why calls must fail: another user may have changed the stored entries.
    package var refusal: CacheProblem? {
      guard !isForked, let failure = database.failureToOpen(), failure.kind == .insecure else {
        return nil
      }
      return failure
    }

    /// The salt of the database; other random bytes if there is none.
    package var salt: [UInt8] { isForked ? spareSalt : database.opened()?.salt ?? spareSalt }

    /// Returns every undamaged variant of a key, pending ones at the end.
    package func entries(for key: CacheKey) -> [CacheEntry] {
      guard !isForked else { return [] }
      let view = writer.pending.withLock { $0.queue.view(key) }
      let minute = writer.minute
      let found = read { connection, opened throws(SQLiteFailure) in
        try connection.entries(key, facts(key, salt: opened.salt), minute: minute) {
          view?.isVisible(variant: $0, receivedAt: $1) ?? true
        }
      }
      if let found, !found.outdatedUses.isEmpty || !found.broken.isEmpty {
        let needsThread = writer.pending.withLock { $0.record(found, minute: minute) }
        if needsThread { writer.start() }
      }
      return (found?.entries ?? []) + (view?.entries ?? [])
    }

    /// Queues an entry for writing, and returns at once. If too much is pending, the entry is dropped and
    /// ``problems`` says so.
    package func put(_ entry: CacheEntry) {
      guard !isForked else { return }
      let (isKept, needsThread) = writer.pending.withLock { pending in
        (pending.queue.put(entry), pending.requestThread())
      }
      if !isKept {
        database.report(
          CacheProblem(
            .busy, "\(path): an entry was dropped: entries are put faster than they can be written"))
      }
      if needsThread { writer.start() }
    }

    /// Queues the removal of the selected entries, and returns at once. They are hidden immediately. A removal
    /// that can't be written is retried.
    package func remove(_ selection: CacheSelection) {
      guard !isForked else { return }
      let needsThread = writer.pending.withLock { pending in
        pending.queue.remove(selection)
        return pending.requestThread()
      }
      if needsThread { writer.start() }
    }

    /// Waits until every earlier put and removal was attempted.
    package func flush() async {
      guard !isForked else { return }
      await withCheckedContinuation { continuation in
        let next = writer.pending.withLock { $0.addWaiter(continuation) }
        switch next {
        case .nothing: continuation.resume()
        case .wait: break
        case .start: writer.start()
        }
      }
      HandOver.didResume(writer)
    }

    /// The last 32 problems, the latest last. A lasting problem is listed once.
    package var problems: [CacheProblem] { database.problems }

    /// Adds a problem that a user of the store found, once.
    package func report(_ problem: CacheProblem) { database.report(problem) }

    /// Whether this process is a fork of the one that created the store. A fork inherits the connections, which
    /// it must not use, but not the thread.
    var isForked: Bool { process != getpid() }

    private func facts(_ key: CacheKey, salt: [UInt8]) -> KeyMemo.Facts {
      if let facts = memo.withLock({ $0.facts(key, salt: salt) }) { return facts }
      let facts = KeyMemo.Facts(rowKey: CacheRowKey(key, salt: salt), url: try? WebURL(key.text))
      memo.withLock { $0.add(key, facts, salt: salt) }
      return facts
    }

    /// Reads from the database. On failure, records the problem and returns `nil`.
    func read<R>(
      _ body: (SQLiteConnection, CacheDatabase.Opened) throws(SQLiteFailure) -> R
    ) -> R? {
      do throws(SQLiteFailure) {
        return try database.use(timeout: database.settings.readTimeout, body)
      } catch {
        database.report(error.problem(path))
        return nil
      }
    }
  }

  /// Caches the digest and the address of recent keys: computing them takes as long as reading a row.
  struct KeyMemo {
    struct Facts {
      var rowKey: CacheRowKey
      /// The text of the key as an address, if it is one.
      var url: WebURL?
    }

    private static let limit = 1_024

    private var salt: [UInt8] = []
    private var recent: [CacheKey: Facts] = [:]
    /// Older keys, dropped when the recent ones fill half the limit.
    private var older: [CacheKey: Facts] = [:]

    /// Returns the cached values of a key for this salt.
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
#endif

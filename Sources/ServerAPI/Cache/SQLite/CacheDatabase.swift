#if SQLITE
  internal import SQLiteFile
  internal import Support

  /// The connections of a store to its database. They are opened on demand.
  ///
  /// A damaged database is replaced here, no matter which operation detects the damage. Methods report failures
  /// in the log instead of throwing where they return `nil`.
  final class CacheDatabase: Sendable {
    /// The limits of a database. Tests use them to provoke failures.
    struct Settings: Sendable {
      /// The time to wait for other processes that open the database, in milliseconds.
      var openTimeout: Int32 = 2_000
      /// The time that a reader waits for other processes, in milliseconds.
      var readTimeout: Int32 = 1_000
      /// The time that the writer waits for other processes, in milliseconds.
      var writeTimeout: Int32 = 5_000
      /// The maximum number of pages in the file; 0 for no limit.
      var maximumPages = 0
    }

    /// An open database.
    struct Opened {
      /// The folder of the database, with symbolic links in its path resolved.
      var folder: CacheFolder
      var generation: Int
      var identity: UInt64
      var access: SQLiteConnection.Access
      var salt: [UInt8]
      /// The file, by which connections are told apart.
      var path: String
    }

    /// A connection that nobody uses.
    ///
    /// `@unchecked Sendable` is safe because the state has the only reference to it: a thread that checks a connection out
    /// is the only one that uses it, until it checks it in and lets go of it.
    private struct Idle: @unchecked Sendable {
      let connection: SQLiteConnection
    }

    private struct State {
      var opened: Opened?
      var idle: [Idle] = []
      /// The last damaged database, which must not be opened again.
      var damaged: Opened?
      /// The cause of the last failure to open the database.
      var failure: CacheProblem?
      /// The earliest time of the next attempt to open the database.
      var nextTry = Duration.zero
      var log = ProblemLog()
    }

    /// The maximum number of idle connections. More are opened if needed at once.
    private static let maximumIdle = 4

    let folder: CacheFolder
    let settings: Settings
    private let time: TimeSource
    /// Guards the open database and the idle connections. A connection is used outside of the lock.
    private let state = Lock(State())

    init(_ folder: CacheFolder, _ settings: Settings, _ time: TimeSource) {
      (self.folder, self.settings, self.time) = (folder, settings, time)
    }

    var problems: [CacheProblem] { state.withLock { $0.log.problems } }

    func report(_ problem: CacheProblem) { state.withLock { $0.log.add(problem) } }

    /// Notes that a write has succeeded.
    func recordSuccess() { state.withLock { $0.log.end() } }

    /// Opens the database unless it is open. Returns the cause if that fails.
    func failureToOpen() -> CacheProblem? {
      if state.withLock({ $0.opened != nil }) { return nil }
      return reopen() == nil ? state.withLock { $0.failure } : nil
    }

    /// Returns the open database, or opens it; `nil` if that fails.
    func opened() -> Opened? {
      if let opened = state.withLock({ $0.opened }) { return opened }
      return reopen()
    }

    /// Whether any connection is idle.
    var hasConnections: Bool { state.withLock { !$0.idle.isEmpty } }

    /// Closes the idle connections. Waits for the disk.
    func close() {
      let idle = state.withLock { state in
        defer { state.idle = [] }
        return state.idle
      }
      // Closing the last connection checkpoints the log under a lock that blocks readers of other stores. A
      // passive checkpoint lets them continue, and leaves nothing to do under that lock.
      try? idle.last?.connection.run("PRAGMA wal_checkpoint(PASSIVE)")
    }

    /// Runs `body` with an exclusive connection, and again if the database had to be replaced. Throws the failure
    /// of the last attempt; returns `nil` if the database can't be opened.
    func use<R>(
      timeout: Int32, _ body: (SQLiteConnection, Opened) throws(SQLiteFailure) -> R
    ) throws(SQLiteFailure) -> R? {
      for isLast in [false, true] {
        guard let opened = opened() else { return nil }
        do throws(SQLiteFailure) {
          let connection = try checkOut(opened)
          connection.setBusyTimeout(milliseconds: timeout)
          // A connection that failed is dropped with its unknown state.
          let result = try detectingDamage(connection, opened) { () throws(SQLiteFailure) in
            try body(connection, opened)
          }
          checkIn(connection)
          return result
        } catch {
          if isLast || !wasReplaced(opened, error) { throw error }
        }
      }
      return nil
    }

    /// Forgets the database if its file was replaced or removed.
    func forgetIfReplaced() {
      guard let opened = state.withLock({ $0.opened }) else { return }
      if opened.folder.identity(opened.generation) != opened.identity { forget(opened) }
    }

    /// Reports damage that looks like a full disk: a database whose header claims more pages than its files
    /// contain can't allocate another one.
    private func detectingDamage<R>(
      _ connection: SQLiteConnection, _ opened: Opened, _ body: () throws(SQLiteFailure) -> R
    ) throws(SQLiteFailure) -> R {
      do throws(SQLiteFailure) {
        return try body()
      } catch {
        guard error.meaning == .full,
          let pages = try? connection.number("PRAGMA page_count"),
          let size = try? connection.number("PRAGMA page_size"),
          pages > opened.folder.size(opened.generation) / max(1, size)
        else { throw error }
        throw .invalidDatabase("its header claims \(pages) pages, more than the file has")
      }
    }

    private func checkOut(_ opened: Opened) throws(SQLiteFailure) -> SQLiteConnection {
      let idle = state.withLock { state in
        state.idle.lastIndex { $0.connection.path == opened.path }.map { state.idle.remove(at: $0) }
      }
      if let idle { return idle.connection }
      return try connect(opened)
    }

    private func checkIn(_ connection: SQLiteConnection) {
      // A surplus connection is closed outside of the lock.
      let idle = Idle(connection: connection)
      _ = state.withLock { state -> Idle? in
        guard state.opened?.path == idle.connection.path,
          state.idle.count < Self.maximumIdle
        else { return idle }
        state.idle.append(idle)
        return nil
      }
    }

    /// Whether the database was replaced after a failure, so that a second attempt makes sense.
    private func wasReplaced(_ opened: Opened, _ failure: SQLiteFailure) -> Bool {
      switch failure.meaning {
      case .damaged:
        state.withLock { $0.damaged = opened }
        forget(opened)
        return reopen(because: failure) != nil
      case .unusable, .readOnly, .refusedRow, .other:
        guard opened.folder.identity(opened.generation) != opened.identity else { return false }
        forget(opened)
        return true
      case .busy, .full: return false
      }
    }

    private func forget(_ opened: Opened) {
      _ = state.withLock { state -> [Idle] in
        guard state.opened?.identity == opened.identity else { return [] }
        state.opened = nil
        state.nextTry = .zero
        defer { state.idle = [] }
        return state.idle
      }
    }

    /// Opens the database, or creates one. Skips a damaged one.
    private func reopen(because failure: SQLiteFailure? = nil) -> Opened? {
      let now = time.now()
      let (nextTry, last) = state.withLock { ($0.nextTry, $0.damaged) }
      guard nextTry <= now else { return nil }
      // A new file may reuse the number of an old one.
      let damaged = last.flatMap {
        $0.folder.identity($0.generation) == $0.identity ? $0.generation : nil
      }
      var opening = CacheOpening(folder: folder, settings: settings)
      do throws(CacheProblem) {
        let opened = try opening.open(without: damaged, because: failure)
        let (problem, idle) = (opening.problem, opening.connection.map { Idle(connection: $0) })
        state.withLock { state in
          if let problem { state.log.add(problem) }
          guard state.opened == nil else { return }
          (state.opened, state.failure) = (opened, nil)
          if let idle { state.idle = [idle] }
        }
        return opened
      } catch {
        state.withLock { state in
          state.log.add(error)
          state.failure = error
          state.nextTry = now + .seconds(5)
        }
        return nil
      }
    }

    private func connect(_ opened: Opened) throws(SQLiteFailure) -> SQLiteConnection {
      let connection = try SQLiteConnection(
        opened.path, opened.access, isPassive: true)
      try connection.configure(settings)
      return connection
    }
  }

  extension SQLiteConnection {
    /// Sets the session settings of a connection.
    func configure(_ settings: CacheDatabase.Settings) throws(SQLiteFailure) {
      setBusyTimeout(milliseconds: settings.readTimeout)
      try run(CacheSchema.session)
      if settings.maximumPages > 0 { try run("PRAGMA max_page_count = \(settings.maximumPages)") }
    }
  }
#endif

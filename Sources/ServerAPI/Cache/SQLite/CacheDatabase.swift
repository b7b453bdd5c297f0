internal import Support

/// The connections of a store to its database. They are made when they are needed first.
///
/// What is damaged is replaced here, whoever noticed. Nothing in here fails to its caller: what could
/// not be done gives `nil`, and why is noted.
final class CacheDatabase: Sendable {
  /// How a database behaves; tests make it behave badly.
  struct Settings: Sendable {
    /// How many milliseconds who opens the database waits for others that do.
    var openingPatience: Int32 = 2_000
    /// How long a reader waits for other processes.
    var readingPatience: Int32 = 1_000
    /// How long the writer waits for them.
    var writingPatience: Int32 = 5_000
    /// How many pages a file may have; 0 for any number.
    var maximumPages = 0
  }

  /// A database that was opened.
  struct Opened {
    /// The folder that it is in, under a path without links.
    var folder: CacheFolder
    var generation: Int
    var identity: UInt64
    var access: SQLiteConnection.Access
    var salt: [UInt8]
  }

  private struct State {
    var opened: Opened?
    var idle: [SQLiteConnection] = []
    /// The last one that turned out to be damaged, so that nobody opens it again meanwhile.
    var damaged: Opened?
    /// Why it could not be opened the last time.
    var failure: CacheProblem?
    /// Before this moment nobody tries again to open it.
    var nextTry = Duration.zero
    var log = ProblemLog()
  }

  /// How many connections are kept; one more is made when more are needed at once.
  private static let maximumIdle = 4

  let folder: CacheFolder
  let settings: Settings
  private let time: TimeSource
  /// Guards what is open and idle. A connection is used outside of it.
  private let state = Lock(State())

  init(_ folder: CacheFolder, _ settings: Settings, _ time: TimeSource) {
    (self.folder, self.settings, self.time) = (folder, settings, time)
  }

  var problems: [CacheProblem] { state.withLock { $0.log.problems } }

  func report(_ problem: CacheProblem) { state.withLock { $0.log.add(problem) } }

  /// Says that writing works.
  func succeeded() { state.withLock { $0.log.end() } }

  /// Opens the database, unless it is open. Returns why that is not possible.
  func failureToOpen() -> CacheProblem? {
    if state.withLock({ $0.opened != nil }) { return nil }
    return reopen() == nil ? state.withLock { $0.failure } : nil
  }

  /// What was opened, if that was possible.
  func opened() -> Opened? {
    if let opened = state.withLock({ $0.opened }) { return opened }
    return reopen()
  }

  /// Whether there are connections to be closed.
  var hasConnections: Bool { state.withLock { !$0.idle.isEmpty } }

  /// Closes the connections that nobody uses. Waits for the disk.
  func close() {
    let idle = state.withLock { state in
      defer { state.idle = [] }
      return state.idle
    }
    // Closing the last one takes the changes beside the database into it, and locks out readers of other
    // stores meanwhile. Here they go on, and nothing is left to do under that lock.
    try? idle.last?.run("PRAGMA wal_checkpoint(PASSIVE)")
  }

  /// Does something with a connection that nobody else uses meanwhile; a second time where the
  /// database had to be begun anew. What remains impossible throws; `nil` when nothing can be opened.
  func use<R>(
    patience: Int32, _ body: (SQLiteConnection, Opened) throws(SQLiteFailure) -> R
  ) throws(SQLiteFailure) -> R? {
    for isLast in [false, true] {
      guard let opened = opened() else { return nil }
      do throws(SQLiteFailure) {
        let connection = try take(opened)
        connection.wait(milliseconds: patience)
        // Not put back where it failed: whatever state it is in goes away with it.
        let result = try named(connection, opened) { () throws(SQLiteFailure) in
          try body(connection, opened)
        }
        putBack(connection)
        return result
      } catch {
        if isLast || !hasGone(opened, error) { throw error }
      }
    }
    return nil
  }

  /// Forgets the database where another file, or none, is in its place now.
  func checkPlace() {
    guard let opened = state.withLock({ $0.opened }) else { return }
    if opened.folder.identity(opened.generation) != opened.identity { forget(opened) }
  }

  /// Calls by its name what looks like a full disk: a database that thinks it has more pages than its
  /// files have room for finds no number for another one.
  private func named<R>(
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
      throw .unfit("has \(pages) pages, which is more than there is")
    }
  }

  private func take(_ opened: Opened) throws(SQLiteFailure) -> SQLiteConnection {
    let idle = state.withLock { state in
      state.idle.lastIndex { $0.generation == opened.generation }.map { state.idle.remove(at: $0) }
    }
    if let idle { return idle }
    return try connect(opened)
  }

  private func putBack(_ connection: SQLiteConnection) {
    // One too many is closed after the lock was left.
    _ = state.withLock { state -> SQLiteConnection? in
      guard state.opened?.generation == connection.generation,
        state.idle.count < Self.maximumIdle
      else { return connection }
      state.idle.append(connection)
      return nil
    }
  }

  /// Whether the database is another one after this failure, so that a second try makes sense.
  private func hasGone(_ opened: Opened, _ failure: SQLiteFailure) -> Bool {
    switch failure.meaning {
    case .damaged:
      state.withLock { $0.damaged = opened }
      forget(opened)
      return reopen(because: failure) != nil
    case .unusable, .readOnly, .other:
      guard opened.folder.identity(opened.generation) != opened.identity else { return false }
      forget(opened)
      return true
    case .busy, .full: return false
    }
  }

  private func forget(_ opened: Opened) {
    _ = state.withLock { state -> [SQLiteConnection] in
      guard state.opened?.identity == opened.identity else { return [] }
      state.opened = nil
      state.nextTry = .zero
      defer { state.idle = [] }
      return state.idle
    }
  }

  /// Opens the database, or makes one. One that failed before is passed over.
  private func reopen(because failure: SQLiteFailure? = nil) -> Opened? {
    let now = time.now()
    let (nextTry, last) = state.withLock { ($0.nextTry, $0.damaged) }
    guard nextTry <= now else { return nil }
    // A new file may have the number of an old one.
    let damaged = last.flatMap {
      $0.folder.identity($0.generation) == $0.identity ? $0.generation : nil
    }
    var opening = CacheOpening(folder: folder, settings: settings)
    do throws(CacheProblem) {
      let opened = try opening.open(without: damaged, because: failure)
      let (problem, connection) = (opening.problem, opening.connection)
      state.withLock { state in
        if let problem { state.log.add(problem) }
        guard state.opened == nil else { return }
        (state.opened, state.failure) = (opened, nil)
        if let connection { state.idle = [connection] }
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
      opened.folder.database(opened.generation), opened.access)
    connection.generation = opened.generation
    try connection.begin(settings)
    return connection
  }
}

extension SQLiteConnection {
  /// What is set for every connection.
  func begin(_ settings: CacheDatabase.Settings) throws(SQLiteFailure) {
    wait(milliseconds: settings.readingPatience)
    try run(CacheSchema.session)
    if settings.maximumPages > 0 { try run("PRAGMA max_page_count = \(settings.maximumPages)") }
  }
}
